package plandiff

import (
	"fmt"
	"slices"
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/internal/schema"
	"lda.chat/wf/internal/value"
	"lda.chat/wf/source"
)

// read is a schema of a workflow; one that is not there accepts anything. It is nil if it is no schema.
func read(v value.Value) *schema.Schema {
	if v.IsAbsent() {
		v = value.True
	}
	s, _ := schema.FromValue(v, nil)
	return s
}

// schema compares a schema of the workflow's own.
func (c *comparison) schema(subject, member string) {
	direction := schema.Input
	if subject == SubjectOutput {
		direction = schema.Output
	}
	c.schemas(Change{Subject: subject}, c.old.canonical.Get(member), c.new.canonical.Get(member), "/"+member, "/"+member, direction, subject != SubjectState)
}

// schemas notes how a schema has changed; about says of what.
func (c *comparison) schemas(about Change, was, is value.Value, oldAt, newAt string, direction schema.Direction, relied bool) {
	if value.Equal(was, is) {
		return
	}
	before, after := read(was), read(is)
	if before == nil || after == nil {
		about.Kind, about.Path, about.OldPath, about.Old, about.New, about.Message = kindOf(was, is), newAt, oldAt, shown(was), shown(is), from(was, is)
		c.add(about)
		return
	}
	change := schema.Compare(before, after, direction)
	for _, diff := range change.Differences {
		one := about
		one.Path, one.OldPath, one.Breaking = within(newAt, diff.New), within(oldAt, diff.Old), relied && diff.Breaking
		switch {
		case diff.Narrows == diff.Widens:
			one.Kind = Changed
		case diff.Widens:
			one.Kind = Widened
		default:
			one.Kind = Narrowed
		}
		if one.Subject == SubjectStep || one.Name != "" {
			one.Member += diff.Path
		} else {
			one.Name = diff.Path
		}
		one.Message = diff.Message
		c.add(one)
	}
	if len(change.Differences) == 0 { // descriptions, and what the format adds to schemas
		about.Kind, about.Path, about.OldPath = Changed, newAt, oldAt
		about.Message = "is described in other words"
		c.add(about)
	}
}

// within is the place of a pointer into the schema that stands at a place. A field of the state shares the definitions of its document.
func within(at, pointer string) string {
	if field, of := strings.CutPrefix(at, stateFields); of && strings.HasPrefix(pointer, "/$defs/") && field != "" {
		return "/state_schema" + pointer
	}
	return at + pointer
}

const stateFields = "/state_schema/properties/"

// fieldMarks are what the format adds to the fields of the state.
var fieldMarks = []string{"x-reducer", "x-secret", "x-trace"}

// state compares the fields of the state: which there are, what they may hold, how they are written.
func (c *comparison) state() {
	was, is := c.old.canonical.Get("state_schema"), c.new.canonical.Get("state_schema")
	if value.Equal(was, is) {
		return
	}
	before, after := was.Get("properties"), is.Get("properties")
	for _, name := range both(membersOf(before), membersOf(after)) {
		a, b := before.Get(name), after.Get(name)
		at := stateFields + escape(name)
		switch {
		case a.IsAbsent():
			c.add(Change{Kind: Added, Subject: SubjectState, Name: name, Path: at, New: shown(b), Message: "the field is new"})
		case b.IsAbsent():
			c.add(Change{Kind: Removed, Subject: SubjectState, Name: name, Path: at, Old: shown(a), Message: "the field is gone"})
		case !value.Equal(a, b):
			for _, mark := range fieldMarks {
				if x, y := a.Get(mark), b.Get(mark); !value.Equal(x, y) {
					c.add(Change{Kind: kindOf(x, y), Subject: SubjectState, Name: name, Member: mark, Path: at + "/" + mark, Old: shown(x), New: shown(y), Message: from(x, y)})
				}
				a, b = a.With(mark, value.Value{}), b.With(mark, value.Value{})
			}
			// within its document, for what it refers to
			c.schemas(Change{Subject: SubjectState, Name: name}, a.With("$defs", was.Get("$defs")), b.With("$defs", is.Get("$defs")), at, at, schema.Input, false)
		}
	}
	rest := func(v value.Value) value.Value {
		return v.With("properties", value.Value{}).With("$defs", value.Value{})
	}
	if a, b := rest(was), rest(is); !value.Equal(a, b) {
		c.add(Change{Kind: kindOf(was, is), Subject: SubjectState, Path: "/state_schema", Old: shown(a), New: shown(b), Message: "what holds of the fields together " + from(a, b)})
	}
}

// contracts compares those that the plan brings along.
func (c *comparison) contracts() {
	was, is := contractsOf(c.old), contractsOf(c.new)
	for _, ref := range both(keys(was), keys(is)) {
		a, b := was[ref], is[ref]
		switch {
		case a.def == nil:
			c.add(Change{Kind: Added, Subject: SubjectContract, Name: ref, Path: b.at, Message: "the contract is new"})
		case b.def == nil:
			c.add(Change{Kind: Removed, Subject: SubjectContract, Name: ref, Path: a.at, Message: "the contract is gone"})
		default:
			for _, diff := range source.Judge(a.def, b.def, nil).Differences {
				change := Change{Kind: contractKinds[diff.Kind], Subject: SubjectContract, Name: ref, Path: b.at + diff.Path, OldPath: a.at + diff.Path,
					Old: diff.Saved, New: diff.Live, Breaking: diff.Verdict == source.VerdictBreaking, Message: diff.Message}
				if diff.LivePath != "" {
					change.Path = b.at + diff.LivePath
				}
				if change.Kind == "" {
					change.Kind = Changed
				}
				if diff.Kind == source.OutcomeAdded {
					change.Message = fmt.Sprintf("the outcomes were %s, are %s", diff.Saved, diff.Live)
				}
				c.add(change)
			}
		}
	}
}

var contractKinds = map[source.DriftKind]Kind{
	source.InputNarrowed: Narrowed, source.InputWidened: Widened, source.OutputWidened: Widened, source.OutputNarrowed: Narrowed,
}

// placed is a contract with its place.
type placed struct {
	def *wf.NodeDef
	at  string
}

// contractsOf finds the contracts of a version by ref; their places are those of the canonical form.
func contractsOf(v *version) map[string]placed {
	list := map[string]placed{}
	for i, def := range v.canonical.Get("node_defs").Items() {
		name, _ := def.Get("name").AsString()
		j := slices.IndexFunc(v.w.NodeDefs, func(d *wf.NodeDef) bool { return d != nil && d.Name == name })
		if _, twice := list[name]; !twice && j >= 0 {
			list[name] = placed{v.w.NodeDefs[j], fmt.Sprintf("/node_defs/%d", i)}
		}
	}
	return list
}
