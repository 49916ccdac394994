package edit_test

import (
	"encoding/json"
	"testing"

	"lda.chat/wf/lifecycle/edit"
)

// An edit changes the text where it reaches and nowhere else: what puts something in and what takes it out again give the text back, byte
// by byte, in plans of the repository.
func TestTextStaysAsWritten(t *testing.T) {
	t.Parallel()
	every, tried := sparing(6), 0
	for _, p := range plans(t) {
		name, doc, first := p.name, p.forms[0], p.w.Nodes[0].StepID()
		text := string(doc.JSON())
		var has struct {
			Nodes []struct {
				Desc any `json:"desc"`
			} `json:"nodes"`
			Limits any `json:"limits"`
		}
		if err := json.Unmarshal([]byte(text), &has); err != nil {
			t.Fatal(err)
		}
		pairs := [][]edit.Edit{{
			&edit.AddStep{Step: []byte(`{"id": "new-step", "type": "wait", "seconds": 1}`)}, &edit.RemoveStep{Step: "new-step"},
		}}
		if has.Nodes[0].Desc == nil {
			pairs = append(pairs, []edit.Edit{&edit.SetStep{Step: first, Set: map[string]json.RawMessage{"desc": []byte(`"new"`)}}, &edit.SetStep{Step: first, Remove: []string{"desc"}}})
		}
		if has.Limits == nil {
			pairs = append(pairs, []edit.Edit{&edit.SetWorkflow{Set: map[string]json.RawMessage{"limits": []byte(`{"max_steps": 5}`)}}, &edit.SetWorkflow{Remove: []string{"limits"}}})
		}
		for i, pair := range pairs {
			if (i+len(name))%every > 0 {
				continue
			}
			there, _, err := doc.Apply(pair[:1], nil)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			back, _, err := there.Apply(pair[1:], nil)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			} else if string(back.JSON()) != text {
				t.Errorf("%s: there and back it is\n%s\nand was\n%s", name, back.JSON(), text)
			}
			tried++
		}
	}
	if tried < 500/every {
		t.Errorf("only %d edits were tried", tried)
	}
}
