package lifecycle

import (
	"encoding/json"
	"strings"
)

// Advice is what can be done next, worked out from the state alone. It is never authority: status and diagnostics are the truth.
type Advice struct {
	CanContinue bool         `json:"can_continue"`                    // there is something to be done
	CanSaveNow  bool         `json:"can_save_now,omitempty"`          // a draft that is complete
	Recommended string       `json:"recommended_next_tool,omitempty"` // the method of the first action
	Reason      string       `json:"reason"`                          // in a sentence, where things stand
	NextActions []NextAction `json:"next_actions"`                    // three at most
	Warnings    []string     `json:"warnings,omitempty"`
}

// NextAction is one thing to do next. Its params are valid for its method; where only somebody can know a value, as
// what to answer, the first possible one stands there.
type NextAction struct {
	Method string          `json:"method"`
	CLI    string          `json:"cli"` // the same as a command
	Params json.RawMessage `json:"params"`
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
	a := &Advice{Reason: reason, CanContinue: canContinue, NextActions: actions[:min(len(actions), mostActions)]}
	if len(actions) > 0 {
		a.Recommended = actions[0].Method
	} else {
		a.NextActions = []NextAction{}
	}
	return a
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
