package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

// intents are words that people try first, because other tools have them, and the commands that do what they ask for. A word
// with its group before it holds in that group only.
var intents = map[string]string{
	"run": "try", "start": "try", "exec": "try", "execute": "try", "test": "try", "plan run": "try", "plan try": "try",
	"validate": "plan validate", "check": "plan validate", "lint": "plan validate", "verify": "plan validate", "plan check": "plan validate",
	"plan lint": "plan validate", "plan verify": "plan validate", "fmt": "plan format", "format": "plan format", "plan fmt": "plan format",
	"graph": "plan graph", "diagram": "plan graph", "draw": "plan graph", "show": "plan graph", "plan show": "plan graph",
	"plan diagram": "plan graph", "plan draw": "plan graph", "fix": "plan fix", "repair": "plan fix", "plan repair": "plan fix", "call": "cap call", "cap run": "cap call", "cap try": "cap call",
	"cap get": "cap show", "cap describe": "cap show", "list": "cap list", "ls": "cap list", "cap ls": "cap list",
	"caps": "cap list", "capabilities": "cap list", "nodes": "cap list", "tools": "cap list",
	"types": "schema", "shapes": "schema", "plan schema": "schema", "codes": "explain", "errors": "explain", "describe": "explain",
	"config check": "config validate", "config lint": "config validate", "config show": "config validate", "init": "config schema",
	"config init": "config schema", "exit-codes": "help exit-codes",
}

// intended is a hint which command does what an unknown word of a group asks for; "" if nobody knows.
func intended(group *cobra.Command, word string) string {
	name := strings.ToLower(word)
	if group.HasParent() {
		name = words(group) + " " + name
	}
	if command, ok := intents[name]; ok {
		return `did you mean "wf ` + command + `"?`
	}
	return ""
}
