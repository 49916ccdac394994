package wf

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"lda.chat/wf/internal/schema"
	"lda.chat/wf/internal/value"
)

// The other members that the format adds to the properties of schemas, beside x-reducer.
const (
	keySecret  = "x-secret"
	keyTrace   = "x-trace"
	keyDefault = "default"
)

// annotated is a schema of the plan with what its annotations do: on which of its top-level properties each has an effect.
type annotated struct {
	raw    Schema
	at     *place
	step   int
	what   string   // for messages: "the state schema"
	effect []string // keys that work on its top-level properties
	// defaults says that a default is read here as something that will be filled in.
	defaults bool
}

// checkAnnotations looks at what the format adds to schemas: whether it stands where it has an effect, and says what it can say.
func (c *checker) checkAnnotations() {
	c.checkAnnotated(annotated{c.w.StateSchema, c.top("state_schema"), noStep, "the state schema", []string{keyReducer, keySecret, keyTrace, keyDefault}, true})
	c.checkAnnotated(annotated{c.w.InputSchema, c.top("input_schema"), noStep, "the input schema", []string{keySecret, keyDefault}, true})
	c.checkAnnotated(annotated{c.w.OutputSchema, c.top("output_schema"), noStep, "the output schema", nil, false})
	for i, s := range c.w.Nodes {
		switch s := s.(type) {
		case *NodeStep:
			c.checkAnnotated(annotated{s.OutputSchema, c.node(i).key("output_schema"), i, "a step's output schema", nil, false})
		case *InterruptStep:
			c.checkAnnotated(annotated{s.RequestSchema, c.node(i).key("request_schema"), i, "a request's schema", nil, false})
			c.checkAnnotated(annotated{s.ResumeSchema, c.node(i).key("resume_schema"), i, "an answer's schema", nil, false})
			for _, o := range slices.Sorted(maps.Keys(s.ResumeSchemas)) {
				c.checkAnnotated(annotated{s.ResumeSchemas[o], c.node(i).key("resume_schemas").key(string(o)), i, "an answer's schema", nil, false})
			}
		}
	}
}

func (c *checker) checkAnnotated(a annotated) {
	s := c.schema(a.raw)
	if s == nil || !mayBeAnnotated(a.raw) {
		return
	}
	works := make(map[string]bool) // the positions that describe top-level properties
	if a.effect != nil {
		for _, p := range s.Properties() {
			for _, pointer := range p.Pointers() {
				works[pointer] = true
			}
		}
	}
	for _, position := range s.Positions() {
		if position.Raw.Kind() != value.KindObject {
			continue
		}
		top := works[position.Pointer]
		for key, v := range position.Raw.Members() {
			switch {
			case !slices.Contains([]string{keyReducer, keySecret, keyTrace, keyDefault}, key):
				if meant := meantAnnotation(key, top); slices.Contains(a.effect, meant) && position.Raw.Get(meant).IsAbsent() {
					c.reportMeant(a, position, key, meant)
				}
			case top && slices.Contains(a.effect, key):
				c.checkAnnotation(a, position, key, v)
			case key == keyDefault && (!a.defaults || position.Pointer == ""):
			default:
				c.checkIdle(a, s, position, key, v)
			}
		}
	}
}

// mayBeAnnotated reports whether the text of a schema can have anything to look at, which spares most schemas the walk.
func mayBeAnnotated(raw Schema) bool {
	text := strings.ToLower(string(raw))
	for _, word := range []string{`"x`, `"default`, "secret", "reduce", "trace"} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// meantAnnotation is the annotation that a key nearly spells, "" if it does not. Without the x- a key may mean something
// to others, so only that of a top-level property counts.
func meantAnnotation(key string, top bool) string {
	word := strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(key))
	bare, marked := strings.CutPrefix(word, "x")
	if !marked && !top {
		return ""
	}
	for stem, meant := range map[string]string{"reducer": keyReducer, "reduce": keyReducer, "reducers": keyReducer, "secret": keySecret, "secrets": keySecret, "trace": keyTrace} {
		if bare == stem || word == stem {
			return meant
		}
	}
	if marked && strings.HasPrefix(key, "x") {
		if meant, ok := nearestName(bare, []string{"reducer", "secret", "trace"}); ok {
			return "x-" + meant
		}
	}
	return ""
}

// checkAnnotation checks the value of an annotation where it has an effect. The values of defaults have a check of their own.
func (c *checker) checkAnnotation(a annotated, position schema.Position, key string, v value.Value) {
	wanted := "true or false"
	switch {
	case key == keyReducer && v.Kind() != value.KindString:
		wanted = "a reducer's name"
	case key == keyReducer, key == keyDefault, v.Kind() == value.KindBool:
		return
	}
	d := c.reportAnnotation("annotation_invalid", a, position.Pointer, key, fmt.Sprintf("%s is %s, it must be %s; as it stands it does nothing", key, clip(v.String()), wanted), "write "+wanted)
	if truth, ok := meantBool(v); ok && key != keyReducer {
		at := d.Path
		d.fix(fmt.Sprintf("Write %t", truth), FixSafe, patchOp{"test", at, jsonOf(v)}, patchOp{"replace", at, jsonOf(truth)})
	}
}

// meantBool is the truth that other forms of writing one mean.
func meantBool(v value.Value) (truth, ok bool) {
	text, _ := v.AsString()
	if n, isInt := v.AsInt(); isInt {
		text = fmt.Sprint(n)
	}
	switch strings.ToLower(text) {
	case "true", "yes", "on", "1":
		return true, true
	case "false", "no", "off", "0":
		return false, true
	}
	return false, false
}

// reportMeant reports a key that nearly spells an annotation.
func (c *checker) reportMeant(a annotated, position schema.Position, key, meant string) {
	d := c.reportAnnotation("annotation_unknown", a, position.Pointer, key, fmt.Sprintf("%q says nothing to the engine", key), fmt.Sprintf("did you mean %q?", meant))
	v := position.Raw.Get(key)
	d.fix(fmt.Sprintf("Write %q", meant), FixUnsafe, patchOp{"test", d.Path, jsonOf(v)}, patchOp{Op: "remove", Path: d.Path},
		patchOp{"add", pointerTo(a, position.Pointer, meant), jsonOf(v)})
}

// checkIdle reports an annotation that has no effect where it stands, unless the whole field around it has the same.
func (c *checker) checkIdle(a annotated, s *schema.Schema, position schema.Position, key string, v value.Value) {
	message, hint, outer := fmt.Sprintf("%s has no effect in %s", key, a.what), "put it at the state field that is meant, or remove it", schema.Property{}
	switch {
	case slices.Contains(a.effect, key):
		message = fmt.Sprintf("%s has no effect here: it counts at a top-level property of %s", key, a.what)
		hint = idleHints[key]
		outer = topProperty(s, position.Pointer)
	case key == keySecret:
		hint = "put it at the state field, or at the property of the input, that the value comes from"
	}
	hides := (key == keySecret || key == keyTrace) && v.Kind() == value.KindBool && outer.Schema != nil
	if hides && value.Equal(outer.Ext(key), v) {
		return
	}
	d := c.reportAnnotation("annotation_idle", a, position.Pointer, key, message, hint)
	if key == keyDefault {
		d.Severity = SeverityInfo
	}
	test, remove := patchOp{"test", d.Path, jsonOf(v)}, patchOp{Op: "remove", Path: d.Path}
	if hides && outer.Ext(key).IsAbsent() {
		d.RepairHint = fmt.Sprintf("put it at %q, all of which is hidden then, or make a field of its own of what is to be hidden", outer.Name)
		d.fix(fmt.Sprintf("Put it at %q", outer.Name), FixUnsafe, test, remove,
			patchOp{"add", pointerTo(a, "/properties/"+escapePointer.Replace(outer.Name), key), jsonOf(v)})
	}
	d.fix("Remove it", FixUnsafe, test, remove)
}

// idleHints say what to do with an annotation inside a top-level property.
var idleHints = map[string]string{
	keyReducer: "writes merge whole fields: put it at the field, or make a field of its own of this part",
	keySecret:  "whole fields are hidden: put it at the field, or make a field of its own of this part",
	keyTrace:   "whole fields are left out: put it at the field, or make a field of its own of this part",
	keyDefault: "only a whole field gets its default: put this into the field's default, or remove it",
}

// topProperty is the property of the document's own "properties" in which a position lies, the zero Property if there is none.
func topProperty(s *schema.Schema, pointer string) schema.Property {
	for _, p := range s.Properties() {
		if strings.HasPrefix(pointer, "/properties/"+escapePointer.Replace(p.Name)+"/") {
			return p
		}
	}
	return schema.Property{}
}

// reportAnnotation reports at a member of a schema position.
func (c *checker) reportAnnotation(code Code, a annotated, pointer, key, message, hint string) *Diagnostic {
	d := c.report(code, a.at, a.step, message, hint)
	d.Path = pointerTo(a, pointer, key)
	return d
}

func pointerTo(a annotated, pointer, key string) string {
	return a.at.String() + pointer + "/" + escapePointer.Replace(key)
}
