package lifecycle

import (
	"encoding/json"
	"slices"
	"strings"
)

// Advice is what can be done next, worked out from the state alone. It is never authority: status and diagnostics are the truth.
type Advice struct {
	CanContinue bool         `json:"can_continue"`                    // there is something to be done
	CanSaveNow  bool         `json:"can_save_now,omitempty"`          // a draft that is complete
	Recommended string       `json:"recommended_next_tool,omitempty"` // the method of the first action
	Reason      string       `json:"reason"`                          // in a sentence, where things stand
	NextActions []NextAction `json:"next_actions"`                    // three at most, the best first, no two the same
	Warnings    []string     `json:"warnings,omitempty"`
}

// NextAction is one thing to do next. Its params are valid for its method. Without Fill the call can be made as it is, and
// succeeds as long as nobody else changes anything; with it, what stands at those places is an example, and belongs to whoever makes
// the call: an input, an answer, a choice between several that would do.
type NextAction struct {
	Method string          `json:"method"`
	CLI    string          `json:"cli"` // the same as a command
	Params json.RawMessage `json:"params"`
	Fill   []string        `json:"fill,omitempty"` // JSON Pointers into params: what is to be filled in
	Reason string          `json:"reason"`
	Kind   string          `json:"kind"` // repair, inspect, continue
}

// The kinds of next actions.
const (
	toRepair   = "repair"
	toInspect  = "inspect"
	toContinue = "continue"
)

// mostActions bounds advice.
const mostActions = 3

// advise makes advice of what may be done, the best first.
func advise(reason string, canContinue bool, actions ...NextAction) *Advice {
	a := &Advice{Reason: reason, CanContinue: canContinue, NextActions: distinct(actions)}
	if len(a.NextActions) > 0 {
		a.Recommended = a.NextActions[0].Method
	}
	return a
}

// distinct are the first of some actions, each once.
func distinct(actions []NextAction) []NextAction {
	list := []NextAction{}
	for _, n := range actions {
		if len(list) < mostActions && !slices.ContainsFunc(list, func(x NextAction) bool { return x.Method == n.Method && string(x.Params) == string(n.Params) }) {
			list = append(list, n)
		}
	}
	return list
}

// except leaves out of some actions what somebody just did: to look at the same once more tells nothing new.
func except(did string, actions []NextAction) []NextAction {
	return slices.DeleteFunc(actions, func(n NextAction) bool { return n.Method == did && n.Kind == toInspect })
}

// action makes a next action. words are those of the command behind "wf".
func action(kind, method string, params any, reason string, words ...string) NextAction {
	raw, err := json.Marshal(params)
	if err != nil {
		panic(err) // params are made of what JSON has
	}
	line := []string{"wf"}
	for _, w := range words {
		line = append(line, Quote(w))
	}
	return NextAction{Method: method, CLI: strings.Join(line, " "), Params: raw, Reason: reason, Kind: kind}
}

// filling is the action with places that are to be filled in, below one of its params.
func (n NextAction) filling(below string, places ...string) NextAction {
	n.Fill = slices.Clone(n.Fill)
	for _, p := range places {
		n.Fill = append(n.Fill, below+p)
	}
	return n
}

// Quote writes an argument as a POSIX shell reads it.
func Quote(arg string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./,:=@%+", r)
	}
	if arg != "" && strings.IndexFunc(arg, func(r rune) bool { return !plain(r) }) < 0 {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}
