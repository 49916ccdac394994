package cli

import (
	"encoding/json"
	"testing"
)

// What flags say of bindings, as the edits that they become.
func TestBindings(t *testing.T) {
	t.Parallel()
	type flag struct{ name, text string }
	for _, c := range []struct {
		op    string
		flags []flag
		want  string // "": refused
	}{
		{"set-input", []flag{{"map", "input.a=a"}, {"value", "n=5"}, {"value", `s="x"`}, {"text", "t={input.a}="}},
			`[{"bind":{"a":"input.a","n":5,"s":{"value":"x"},"t":{"text":"{input.a}="}},"op":"set-input"}]`},
		{"set-input", []flag{{"map", "state.x=."}}, `[{"bind":{".":"state.x"},"op":"set-input"}]`},
		{"set-input", []flag{{"map", `input["a=b"]=a`}}, `[{"bind":{"a":"input[\"a=b\"]"},"op":"set-input"}]`},
		{"set-input", []flag{{"default", "a=null"}, {"map", "input.a=a"}}, `[{"bind":{"a":{"default":null,"path":"input.a"}},"op":"set-input"}]`},
		{"set-input", []flag{{"default", "a=1"}, {"step", "s"}}, `[{"default":1,"op":"bind","step":"s","to":"a"}]`},
		{"set-input", []flag{{"map", "input.a=to[0]"}, {"value", "to[1]=2"}}, `[{"bind":{"to":["input.a",2]},"op":"set-input"}]`},
		{"set-input", []flag{{"map", "input.a=to[1]"}}, ""},
		{"set-input", []flag{{"map", "input.a=to[0]"}, {"map", "input.b=to"}}, ""},
		{"set-input", []flag{{"default", "to[0]=2"}}, ""},
		{"set-input", []flag{{"map", "input.a=a"}, {"map", "input.b=a"}}, ""},
		{"set-input", []flag{{"map", "input.a="}}, ""},
		{"set-input", []flag{{"map", "=a"}}, ""},
		{"set-output", []flag{{"map", "text=state.text"}, {"map", ".=state.all"}}, `[{"bind":{".":"state.all","text":"state.text"},"op":"set-output"}]`},
		{"set-output", []flag{{"map", "input.n=state.n"}}, `[{"bind":{"state.n":"input.n"},"op":"set-output"}]`},         // of a set step
		{"set-output", []flag{{"map", "state.report=report"}}, `[{"bind":{"report":"state.report"},"op":"set-output"}]`}, // of an end
		{"add-step", []flag{{"id", "x"}, {"type", "end"}, {"outcome", "gone"}}, `[{"op":"add-step","step":{"id":"x","outcome":"gone","type":"end"}}]`},
		{"add-step", []flag{{"outcome", "a"}, {"set", "n=1"}, {"set", "s=word"}}, `[{"op":"add-step","step":{"n":1,"outcomes":["a"],"s":"word"}}]`},
	} {
		given, refused := newGivenEdit(c.op), false
		for _, f := range c.flags {
			for _, e := range focusedEdits {
				for _, flag := range e.flags {
					if e.op == c.op && flag.name == f.name {
						refused = refused || (&editValue{edit: given, flag: flag}).Set(f.text) != nil
					}
				}
			}
		}
		list, err := given.edits()
		text, _ := json.Marshal(list)
		if refused = refused || err != nil; refused != (c.want == "") || !refused && string(text) != c.want {
			t.Errorf("%s %v: %s, refused %v; expected %s", c.op, c.flags, text, refused, c.want)
		}
	}
}
