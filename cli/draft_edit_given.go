package cli

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"lda.chat/wf"
)

// givenEdit is an edit as flags say it.
type givenEdit struct {
	members map[string]any
	in      string
}

func newGivenEdit(op string) *givenEdit { return &givenEdit{members: map[string]any{"op": op}} }

// at is the object that has a member, and its name there.
func (g *givenEdit) at(member string) (map[string]any, string) {
	outer, name, isInside := strings.Cut(member, "/")
	if !isInside {
		return g.members, member
	}
	inside, _ := g.members[outer].(map[string]any)
	if inside == nil {
		inside = map[string]any{}
		g.members[outer] = inside
	}
	return inside, name
}

// edits are the edit, and behind it those that give bindings that are there their defaults.
func (g *givenEdit) edits() ([]map[string]any, error) {
	if g.in != "" {
		g.members["in"] = g.in
	}
	list := []map[string]any{g.members}
	if step, ok := g.members["step"].(map[string]any); ok {
		g.completeStep(step)
	}
	bind, ok := g.members["bind"].(bindings)
	if !ok {
		return list, nil
	}
	operands, err := bind.operands()
	if err != nil {
		return nil, err
	}
	g.members["bind"] = operands
	if len(operands) == 0 {
		list = nil
	}
	for _, place := range slices.Sorted(maps.Keys(bind)) {
		if b := bind[place]; b.isDefault() {
			fallback := map[string]any{"op": "bind", "to": place, "default": b.fallback}
			for _, member := range []string{"step", "in"} {
				if v, ok := g.members[member]; ok {
					fallback[member] = v
				}
			}
			list = append(list, fallback)
		}
	}
	return list, nil
}

// completeStep puts the members of a step that is added where they belong.
func (g *givenEdit) completeStep(step map[string]any) {
	more, _ := step["set"].(map[string]json.RawMessage)
	delete(step, "set")
	for name, v := range more {
		step[name] = v
	}
	if ref, ok := step["node"].(string); ok && step["workflow"] == nil && strings.Contains(ref, "@") {
		delete(step, "node") // a saved workflow is run
		step["workflow"] = ref
	}
	if outcomes, ok := step["outcomes"].([]string); ok && len(outcomes) == 1 && step["type"] == string(wf.TypeEnd) {
		delete(step, "outcomes")
		step["outcome"] = outcomes[0]
	}
}

// editValue is a flag's value.
type editValue struct {
	edit *givenEdit
	flag editFlag
	text string // that was given last
}

func (v *editValue) String() string { return v.text }
func (v *editValue) Type() string   { return v.flag.kind.word }
func (v *editValue) Set(text string) error {
	holder, name := v.edit.at(v.flag.member)
	now, err := v.flag.kind.read(holder[name], text)
	if err == nil {
		holder[name], v.text = now, text
	}
	return err
}
