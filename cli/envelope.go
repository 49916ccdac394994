package cli

import (
	"bytes"
	"encoding/json"

	"lda.chat/wf"
)

// answer is what a command has to say, whatever the format.
type answer struct {
	exit   int
	result any // as JSON; nil: there is none
	diags  wf.Diagnostics
	next   []nextAction // at most three
	stack  string       // of a bug, for standard error

	brief any      // the result for the compact format, without what is long; nil: the result
	left  []string // what the brief form leaves out
	whole string   // the command that gives what is left out; "": the same

	text  func(*page) // the result for people
	table *table      // nil: the text is the table too
	items []item      // the parts of the result, one JSON line each; nil: the result is one
	notes []string    // for people, on standard error: what was done
}

// item is a part of a result.
type item struct {
	kind  string // "type" of its line
	value any
}

// nextAction is advice what to do next.
type nextAction struct {
	Method string   `json:"method,omitempty"` // the operation; what only the command line does, with files of this machine, has none
	CLI    string   `json:"cli"`              // the same as a command
	Params any      `json:"params"`
	Fill   []string `json:"fill,omitempty"` // JSON Pointers into params: examples, in whose place somebody puts what is meant
	Reason string   `json:"reason"`
	Kind   string   `json:"kind"` // repair, inspect, continue
}

// envelope is the JSON that every command answers with.
type envelope struct {
	OK          bool           `json:"ok"`
	Result      any            `json:"result"`
	Diagnostics wf.Diagnostics `json:"diagnostics"`
	NextActions []nextAction   `json:"next_actions"`
	Meta        meta           `json:"meta"`
}

// meta is about the command itself.
type meta struct {
	Command  string `json:"command"`
	Config   string `json:"config,omitempty"` // the configuration that was read
	ExitCode int    `json:"exit_code"`
	Version  string `json:"version"` // of the binary
}

func (a *app) envelope(out *answer) *envelope {
	e := &envelope{
		OK: out.exit == ExitDone, Result: out.result, Diagnostics: out.diags, NextActions: out.next,
		Meta: meta{Command: a.command, Config: a.config, ExitCode: out.exit, Version: a.Version},
	}
	if e.Diagnostics == nil {
		e.Diagnostics = wf.Diagnostics{}
	}
	if e.NextActions == nil {
		e.NextActions = []nextAction{}
	}
	return e
}

// encode writes a Go value as JSON. Pieces of JSON in it keep their digits; nothing is escaped for HTML.
func encode(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	err := enc.Encode(v)
	return b.Bytes(), err
}

// line is one line of the format jsonl.
type line struct {
	Type string `json:"type"`
	Data any    `json:"data"`
}

// lines writes the answer as lines of JSON: one for each part of the result, and an "end" with the rest of the envelope.
func (a *app) lines(out *answer) ([]byte, error) {
	items := out.items
	if items == nil && out.result != nil {
		items = []item{{"result", out.result}}
	}
	e := a.envelope(out)
	items = append(items[:len(items):len(items)], item{"end", struct {
		OK          bool           `json:"ok"`
		Diagnostics wf.Diagnostics `json:"diagnostics"`
		NextActions []nextAction   `json:"next_actions"`
		Meta        meta           `json:"meta"`
	}{e.OK, e.Diagnostics, e.NextActions, e.Meta}})
	var all []byte
	for _, it := range items {
		text, err := encode(line{it.kind, it.value}, "")
		if err != nil {
			return nil, err
		}
		all = append(all, text...)
	}
	return all, nil
}
