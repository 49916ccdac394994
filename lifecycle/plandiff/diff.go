// Package plandiff says how one plan differs from another in what it means: steps, routes, schemas, contracts, results and the
// workflows inside it, not lines of text. How a plan is written, and in which order its steps stand, makes no difference.
package plandiff

import (
	"encoding/json"
	"slices"

	"lda.chat/wf"
	"lda.chat/wf/internal/value"
)

// Kind is what happened to a subject.
type Kind string

// The kinds of changes. What is widened accepts, or may hold, more than before; what is narrowed less; what is changed neither, or both.
const (
	Added    Kind = "added"
	Removed  Kind = "removed"
	Changed  Kind = "changed"
	Renamed  Kind = "renamed" // a step that is otherwise the same
	Widened  Kind = "widened"
	Narrowed Kind = "narrowed"
)

// The subjects of changes.
const (
	SubjectPlan     = "plan"     // its name, description, start and limits; Name is the member
	SubjectOutcome  = "outcome"  // of the plan
	SubjectInput    = "input"    // schema; Name is where in the value
	SubjectOutput   = "output"   // schema; Name is where in the value
	SubjectResult   = "result"   // what the output is made of; Name is the member
	SubjectState    = "state"    // Name is the field, or where in the value
	SubjectStep     = "step"     // Name is its id, Member what of it
	SubjectRoute    = "route"    // Name is the step's id, Member the outcome
	SubjectContract = "contract" // Name is the capability's ref
	SubjectWorkflow = "workflow" // Name is that of the workflow inside
)

// Change is one thing that is different.
type Change struct {
	Kind     Kind            `json:"kind"`
	Subject  string          `json:"subject"`
	Workflow string          `json:"workflow,omitempty"` // the workflow inside the plan, and in others with slashes between, where it is
	Name     string          `json:"name,omitempty"`
	Member   string          `json:"member,omitempty"`
	Path     string          `json:"path"`               // JSON Pointer into the canonical form of the new plan; of what was removed, of the old one
	OldPath  string          `json:"old_path,omitempty"` // into the old plan's, where that is another
	Old      json.RawMessage `json:"old,omitempty"`      // in the short form; left out if there was nothing, or if it has more than 4 KiB
	New      json.RawMessage `json:"new,omitempty"`
	Breaking bool            `json:"breaking,omitempty"` // those who start the plan, or call what it names, can no longer rely on what they did
	Message  string          `json:"message"`
}

// Diff is how two plans differ.
type Diff struct {
	OldDigest string   `json:"old_digest"`
	NewDigest string   `json:"new_digest"`
	Changes   []Change `json:"changes"` // in the order: plan, schemas, result, contracts, steps, routes, workflows inside
}

// Compare says how a plan differs from an older one. It accepts plans with mistakes. Neither is changed. Its time grows with the size of
// the plans; what their schemas cost is bounded.
func Compare(old, new *wf.Workflow) *Diff {
	d := &Diff{OldDigest: old.Digest(), NewDigest: new.Digest(), Changes: []Change{}}
	if d.OldDigest != d.NewDigest {
		d.compare(readVersion(old.Canonical(), old.Short(), old), readVersion(new.Canonical(), new.Short(), new))
	}
	return d
}

// version is one of the two plans, or of the workflows inside it.
type version struct {
	w         *wf.Workflow
	canonical value.Value // for places
	short     value.Value // for what people read
	at        string      // JSON Pointer of it
	name      string      // of a workflow inside; "" of the plan
}

func readVersion(canonical, short []byte, w *wf.Workflow) *version {
	v := &version{w: w}
	var err error
	if v.canonical, err = value.Parse(canonical); err != nil {
		v.canonical = value.Object() // not for what we wrote ourselves
	}
	if v.short, err = value.Parse(short); err != nil {
		v.short = value.Object()
	}
	return v
}

// inside is a workflow inside another.
func (v *version) inside(name string) *version {
	full := name
	if v.name != "" {
		full = v.name + "/" + name
	}
	return &version{w: v.w.Workflows[name], canonical: v.canonical.Get("workflows").Get(name), short: v.short.Get("workflows").Get(name),
		at: v.at + "/workflows/" + escape(name), name: full}
}

// compare compares two versions of one workflow.
func (d *Diff) compare(old, new *version) {
	c := &comparison{diff: d, old: old, new: new, was: stepsOf(old), is: stepsOf(new)}
	c.findRenames()
	c.head()
	c.schema(SubjectInput, "input_schema")
	c.schema(SubjectOutput, "output_schema")
	c.state()
	c.result()
	c.contracts()
	c.steps()
	c.routes()
	names := both(keys(old.w.Workflows), keys(new.w.Workflows))
	for _, name := range names {
		was, is := old.w.Workflows[name], new.w.Workflows[name]
		at := "/workflows/" + escape(name)
		switch {
		case was == nil && is != nil:
			c.add(Change{Kind: Added, Subject: SubjectWorkflow, Name: name, Path: at, Message: "the workflow is new"})
		case was != nil && is == nil:
			c.add(Change{Kind: Removed, Subject: SubjectWorkflow, Name: name, Path: at, Message: "the workflow is gone"})
		}
	}
	for _, name := range names {
		if old.w.Workflows[name] != nil && new.w.Workflows[name] != nil {
			d.compare(old.inside(name), new.inside(name))
		}
	}
}

// comparison is that of one workflow.
type comparison struct {
	diff     *Diff
	old, new *version
	was, is  map[string]placedStep
	renames  map[string]string // old ids of steps to new ones
}

// renamed is what a step of the old plan is called in the new one.
func (c *comparison) renamed(id string) string {
	if to := c.renames[id]; to != "" {
		return to
	}
	return id
}

// add notes a change whose places are within the workflow.
func (c *comparison) add(change Change) {
	change.Workflow = c.new.name
	change.Path = c.new.at + change.Path
	if change.OldPath != "" {
		change.OldPath = c.old.at + change.OldPath
	}
	if change.OldPath == change.Path {
		change.OldPath = ""
	}
	c.diff.Changes = append(c.diff.Changes, change)
}

// both is two lists of names in one, sorted.
func both(a, b []string) []string {
	list := slices.Concat(a, b)
	slices.Sort(list)
	return slices.Compact(list)
}
