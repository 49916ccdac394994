package wf

import (
	"fmt"
	"slices"

	"lda.chat/wf/internal/schema"
	"lda.chat/wf/internal/value"
)

// container is what a path looks into.
type container struct {
	what   string         // for messages: "the state schema"
	of     string         // whose it is, "" if there is only one
	schema *schema.Schema // nil: anything
	names  []string       // instead of a schema: all members
	kept   []string       // beside a schema: the members that are kept, others are dropped; nil: all are
}

// String names the container in messages.
func (k container) String() string {
	if k.of == "" {
		return k.what
	}
	return fmt.Sprintf("%s %q", k.what, k.of)
}

func (c *checker) stateFields() container {
	return container{what: "the state schema", schema: c.state}
}

// member is one part of a path below a schema; inside is what the schema says of it.
type (
	member struct {
		of   *schema.Schema
		part Part
	}
	inside struct {
		schema   *schema.Schema // nil: nothing is known
		presence schema.Presence
	}
)

// lookup is [schema.Schema.Lookup] of one part, remembered: a plan names the same fields again and again.
func (sh *checkShared) lookup(s *schema.Schema, part Part) inside {
	key := member{s, part}
	found, ok := sh.inside[key]
	if !ok {
		found.schema, found.presence = s.Lookup(value.Path{{Key: part.Name, Index: part.Index, IsIndex: part.IsIndex}})
		sh.inside[key] = found
	}
	return found
}

// walk goes down from a schema, as far as something is known. wrong is the part that cannot exist, or -1; then last
// is the schema of the whole path, nil if it says nothing. Otherwise last is the schema of what the part is missing in.
func (sh *checkShared) walk(s *schema.Schema, parts []Part) (last *schema.Schema, wrong int) {
	for i, part := range parts {
		if s == nil {
			return nil, -1
		}
		next := sh.lookup(s, part)
		if next.presence == schema.Never {
			return s, i
		}
		s = next.schema
	}
	return s, -1
}

// below is the schema of a place inside a value, nil if nothing is known about it.
func (sh *checkShared) below(s *schema.Schema, parts ...Part) *schema.Schema {
	if last, wrong := sh.walk(s, parts); wrong < 0 {
		return last
	}
	return nil
}

// propertyNames lists the properties that a schema declares, by name.
func propertyNames(s *schema.Schema) []string {
	var names []string
	for _, p := range s.Properties() {
		names = append(names, p.Name)
	}
	return names
}

// regionResults are what a foreach or a fork offers when it ends.
var regionResults = []string{"count", "errors", "failed", "succeeded"}

// outputOf tells what a step's output can hold, as far as that is known, and whether the step has one at all.
func (c *checker) outputOf(step int) (out container, has bool) {
	switch s := c.w.Nodes[step].(type) {
	case *NodeStep:
		out = container{what: "the output of", of: s.Node}
	case *SubgraphStep:
		out = container{what: "the output of workflow", of: s.Workflow}
	case *ForeachStep:
		out = container{what: "what is offered by foreach", of: s.ID, names: regionResults}
		if s.Result != nil {
			out.names = append(slices.Clip(regionResults), "results")
		}
	case *ForkStep:
		out = container{what: "what is offered by fork", of: s.ID, names: regionResults}
	case *InterruptStep:
		out = container{what: "the answer to", of: s.ID}
		if len(s.ResumeSchemas) == 0 { // else which one counts depends on the answer
			out.schema = c.schema(s.ResumeSchema)
		}
	default:
		return container{}, false
	}
	if call := c.calls[step]; call != nil {
		out.schema, out.kept = call.output, call.kept
	}
	return out, true
}
