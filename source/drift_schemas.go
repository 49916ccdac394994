package source

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/internal/jsonpatch"
	"lda.chat/wf/internal/schema"
	"lda.chat/wf/internal/value"
)

// mostShown bounds, in bytes, what a difference shows of the contracts.
const mostShown = 4 << 10

// side is one of a contract's two schemas, saved and live.
type side struct {
	name        string // input, output
	saved, live wf.Schema
	direction   schema.Direction
}

func sidesOf(saved, live *wf.NodeDef) [2]side {
	return [2]side{
		{"input", saved.InputSchema, live.InputSchema, schema.Input},
		{"output", saved.OutputSchema, live.OutputSchema, schema.Output},
	}
}

func (s *side) at(pointer string) string { return "/" + s.name + "_schema" + pointer }

// schemas judges how what a capability takes and gives has changed.
func (d *Drift) schemas(saved, live *wf.NodeDef) {
	for _, s := range sidesOf(saved, live) {
		was, is := schemaOf(s.saved), schemaOf(s.live)
		if was == nil || is == nil {
			if shapeOf(s.saved) != shapeOf(s.live) {
				d.add(Difference{Kind: SchemaUndecided, Verdict: VerdictBreaking, Path: s.at(""), Saved: shown(rawValue(s.saved)), Live: shown(rawValue(s.live)),
					Message: "one of the two is no schema that can be read, so nobody knows whether values still fit"})
			}
			continue
		}
		change := schema.Compare(was, is, s.direction)
		for _, diff := range change.Differences {
			d.add(s.difference(diff, was.Value(), is.Value()))
		}
		given := was // the values that have to fit
		if s.direction == schema.Output {
			given = is
		}
		if change.Kind == schema.Breaking && change.Fit == schema.Undecided && given.Types() != nil { // else it is clear: anything is given
			reasons := make([]string, len(change.Reasons))
			for i, r := range change.Reasons {
				reasons[i] = r.String()
			}
			d.add(Difference{Kind: SchemaUndecided, Verdict: VerdictBreaking, Path: s.at(""),
				Message: fmt.Sprintf("it could not be proved that the %s still fits: %s", s.name, strings.Join(reasons, "; "))})
		}
	}
}

// difference is one of a schema, as a difference of the contract.
func (s *side) difference(diff schema.Difference, was, is value.Value) Difference {
	out := Difference{Verdict: VerdictCompatible, Path: s.at(diff.Old)}
	if diff.Breaking {
		out.Verdict = VerdictBreaking
	}
	var meaning string
	if s.direction == schema.Input {
		switch {
		case diff.Breaking:
			out.Kind, meaning = InputNarrowed, "what was accepted may be refused"
		case diff.Widens:
			out.Kind, meaning = InputWidened, "it takes more than before"
		default:
			out.Kind, meaning = InputChanged, "what was accepted still is"
		}
	} else {
		switch {
		case diff.Breaking:
			out.Kind, meaning = OutputWidened, "it may give what was not promised"
		case diff.Narrows:
			out.Kind, meaning = OutputNarrowed, "it promises more than before"
		default:
			out.Kind, meaning = OutputChanged, "what was promised still is"
		}
	}
	subject := s.name
	if diff.Path != "" {
		subject += " " + diff.Path
	}
	out.Message = fmt.Sprintf("%s %s: %s", subject, diff.Message, meaning)
	if diff.New != diff.Old {
		out.LivePath = s.at(diff.New)
	}
	if !isBelow(diff.New, diff.Old) {
		out.Saved = shown(find(was, diff.Old))
	}
	if !isBelow(diff.Old, diff.New) {
		out.Live = shown(find(is, diff.New))
	}
	return out
}

// isBelow reports whether a pointer is that of a keyword of the schema at another: the keyword that the other side does not have.
func isBelow(keyword, pointer string) bool {
	rest, below := strings.CutPrefix(keyword, pointer+"/")
	return below && !strings.Contains(rest, "/")
}

func find(v value.Value, pointer string) value.Value {
	p, err := jsonpatch.ParsePointer(pointer)
	if err != nil {
		return value.Value{}
	}
	return p.Find(v)
}

func rawValue(raw wf.Schema) value.Value {
	v, err := value.Parse(raw)
	if err != nil {
		return value.String(string(raw))
	}
	return v
}

func shown(v value.Value) json.RawMessage {
	if v.IsAbsent() || value.Size(v) > mostShown {
		return nil
	}
	return v.JSON()
}

// annotations are the keywords that say something to people and nothing to values.
var annotations = []string{"title", "description", "examples", "$comment", "deprecated", "readOnly", "writeOnly"}

// described notes what is said in other words: a text that changes under those who act on it is worth a look.
func (d *Drift) described(saved, live *wf.NodeDef) {
	if saved.Description != live.Description {
		d.describe("/description", value.String(saved.Description), value.String(live.Description))
	}
	for _, s := range sidesOf(saved, live) {
		was, is := schemaOf(s.saved), schemaOf(s.live)
		if was == nil || is == nil || was.ExactHash() == is.ExactHash() {
			continue
		}
		now := map[string]value.Value{}
		for _, p := range is.Positions() {
			now[p.Pointer] = p.Raw
		}
		for _, p := range was.Positions() {
			other, stands := now[p.Pointer]
			if !stands {
				continue
			}
			for _, key := range notes(p.Raw, other) {
				if a, b := p.Raw.Get(key), other.Get(key); !value.Equal(a, b) {
					d.describe(s.at(p.Pointer+"/"+escape.Replace(key)), a, b)
				}
			}
		}
	}
}

// notes are the keywords of two schemas that are annotations, those of others too.
func notes(a, b value.Value) []string {
	list := slices.Clone(annotations)
	for _, v := range []value.Value{a, b} {
		for key := range v.Members() {
			if strings.HasPrefix(key, "x-") && !slices.Contains(list, key) {
				list = append(list, key)
			}
		}
	}
	return list
}

var escape = strings.NewReplacer("~", "~0", "/", "~1")

func (d *Drift) describe(path string, was, is value.Value) {
	d.add(Difference{Kind: DescriptionChanged, Verdict: VerdictSame, Path: path, Saved: shown(was), Live: shown(is),
		Message: "says something else to those who read it: whoever acts on it should read it again"})
}
