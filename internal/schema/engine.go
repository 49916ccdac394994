package schema

import (
	"fmt"
	"sync"

	library "github.com/kaptinlin/jsonschema"

	"lda.chat/wf/internal/value"
)

// engine is a schema compiled by the validation library. The library is handled with care: by default it fetches references
// while compiling, accepts everything where one is unresolved, shares one compiled schema among equal $ids, asserts content
// keywords, writes to shared maps while validating, and cannot be stopped. So it gets a fresh compiler without loaders, a
// copy without what it treats badly, and only values whose check is known to be short.
type engine struct {
	schema *library.Schema
	err    error
	mu     *sync.Mutex // held while validating where the library writes to the schema; otherwise nil
}

func newEngine(n *node) (e *engine) {
	e = &engine{}
	defer func() {
		if p := recover(); p != nil {
			e.schema, e.err = nil, fmt.Errorf("the validation library failed on the schema: %v", p)
		}
	}()
	c := library.NewCompiler()
	clear(c.Loaders)
	c.SetAssertFormat(false)
	// A batch of one: it resolves references once at the end, where Compile resolves them again at every level, which takes
	// seconds for a thousand definitions.
	batch, err := c.CompileBatch(map[string][]byte{"": engineCopy(n).JSON()})
	if err != nil {
		e.err = err
		return e
	}
	s := batch[""]
	if refs := s.UnresolvedReferenceURIs(); len(refs) > 0 {
		e.err = fmt.Errorf("the reference %q is not resolved", refs[0])
		return e
	}
	if warm(s, map[*library.Schema]bool{}) {
		e.mu = &sync.Mutex{}
	}
	e.schema = s
	return e
}

// run validates; nil if the library could not.
func (e *engine) run(v value.Value) (result *library.EvaluationResult) {
	if e.err != nil {
		return nil
	}
	if e.mu != nil {
		e.mu.Lock()
		defer e.mu.Unlock()
	}
	defer func() {
		if recover() != nil {
			result = nil
		}
	}()
	// A string or bytes given to Validate directly could be taken for JSON text; ValidateStruct takes any decoded value as it is.
	return e.schema.ValidateStruct(v.ToAny())
}

// warm fills the library's caches of patterns, which it would otherwise fill while validating. It reports whether there are
// patternProperties, whose cache it rewrites on every use.
func warm(s *library.Schema, seen map[*library.Schema]bool) (rewrites bool) {
	if s == nil || seen[s] {
		return false
	}
	seen[s] = true
	if s.Pattern != nil {
		s.ValidateStruct("")
	}
	rewrites = s.PatternProperties != nil
	visit := func(list ...*library.Schema) {
		for _, c := range list {
			rewrites = warm(c, seen) || rewrites
		}
	}
	for _, table := range []map[string]*library.Schema{s.Defs, s.DependentSchemas, members(s.Properties), members(s.PatternProperties)} {
		for _, c := range table {
			visit(c)
		}
	}
	visit(s.AllOf...)
	visit(s.AnyOf...)
	visit(s.OneOf...)
	visit(s.PrefixItems...)
	visit(s.Not, s.If, s.Then, s.Else, s.Items, s.Contains, s.AdditionalProperties, s.PropertyNames, s.UnevaluatedItems, s.UnevaluatedProperties)
	return rewrites
}

func members(m *library.SchemaMap) map[string]*library.Schema {
	if m == nil {
		return nil
	}
	return *m
}
