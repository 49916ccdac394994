package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

// intents are words that people try first, because other tools have them, and the commands that do what they ask for. A word
// with its group before it holds in that group only.
var intents = map[string]string{
	"start": "try", "exec": "try", "execute": "try", "test": "try", "plan run": "try", "plan try": "try",
	"validate": "plan validate", "check": "plan validate", "lint": "plan validate", "verify": "plan validate", "plan check": "plan validate",
	"plan lint": "plan validate", "plan verify": "plan validate", "fmt": "plan format", "format": "plan format", "plan fmt": "plan format",
	"graph": "plan graph", "diagram": "plan graph", "draw": "plan graph", "show": "plan graph", "plan show": "plan graph",
	"plan diagram": "plan graph", "plan draw": "plan graph", "fix": "plan fix", "repair": "plan fix", "plan repair": "plan fix", "call": "cap call", "cap run": "cap call", "cap try": "cap call",
	"run ls": "run list", "run show": "run inspect", "run get": "run inspect", "run status": "run inspect", "run logs": "run trace", "run log": "run trace",
	"run history": "run trace", "run answer": "run resume", "run rm": "run delete", "run remove": "run delete", "run stop": "run cancel", "run kill": "run cancel",
	"run abort": "run cancel", "run tail": "run watch", "run follow": "run watch", "run wait": "run watch", "run why": "run explain", "run compare": "run diff",
	"run rerun": "run fork", "run retry": "run fork", "run exec": "run start", "run execute": "run start", "run try": "try", "runs": "run list",
	"draft new": "draft create", "draft add": "draft add-step", "draft ls": "draft list", "draft get": "draft show", "draft check": "draft validate",
	"draft edit": "draft apply", "draft rename": "draft rename-step", "draft revert": "draft undo", "draft rm": "draft delete", "draft remove": "draft delete",
	"draft commit": "draft save", "draft publish": "draft save", "drafts": "draft list", "save": "draft save", "artifact ls": "artifact list",
	"artifact create": "artifact create-from-plan", "artifact save": "artifact create-from-plan", "artifact get": "artifact show", "artifact compare": "artifact diff",
	"artifact draw": "artifact graph", "artifacts": "artifact list", "events": "event list", "audit": "event list", "log": "event list",
	"work": "worker", "cap get": "cap show", "cap describe": "cap show", "list": "cap list", "ls": "cap list", "cap ls": "cap list",
	"caps": "cap list", "capabilities": "cap list", "nodes": "cap list", "tools": "cap list",
	"types": "schema", "shapes": "schema", "plan schema": "schema", "codes": "code list", "errors": "code list", "code show": "explain", "code explain": "explain", "code ls": "code list", "describe": "explain",
	"config check": "config validate", "config lint": "config validate", "config show": "config validate", "init": "config schema",
	"config init": "config schema", "exit-codes": "help exit-codes",
}

// intended is a hint which command does what an unknown word of a group asks for; "" if nobody knows.
func intended(group *cobra.Command, word string) string {
	name := strings.ToLower(word)
	if group.HasParent() {
		name = words(group) + " " + name
	}
	if strings.HasSuffix(name, ".json") && words(group) == "run" {
		return `did you mean "wf try ` + word + `", or "wf run start --plan ` + word + `"?`
	}
	if command, ok := intents[name]; ok {
		return `did you mean "wf ` + command + `"?`
	}
	return ""
}
