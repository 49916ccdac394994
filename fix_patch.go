package wf

import (
	"encoding/json"

	"lda.chat/wf/internal/jsonpatch"
	"lda.chat/wf/internal/value"
)

// PatchPlan applies a JSON Patch (RFC 6902) of a plan's canonical form, such as a fix of [Validate], to the plan's text in
// whatever form that is. As with [ApplySafeFixes], what the patch is not about stays as it was written, unless the text has no
// such place: then it is written anew. It fails if the text or what comes out cannot be read as a plan, or if the patch does not apply.
func PatchPlan(text []byte, patch json.RawMessage) ([]byte, error) {
	w, found := ParseWorkflow(text)
	if w == nil {
		return nil, found.Err()
	}
	operations, err := value.Parse(patch)
	if err != nil {
		return nil, err
	}
	parsed, err := jsonpatch.Parse(operations)
	if err != nil {
		return nil, err
	}
	return (&fixable{text: text, workflow: w}).patched(operations, parsed)
}

// patched is a plan's text after a patch of its canonical form.
func (p *fixable) patched(operations value.Value, patch jsonpatch.Patch) ([]byte, error) {
	canonical, err := value.Parse(p.workflow.Canonical())
	if err != nil {
		return nil, err
	}
	repaired, err := jsonpatch.Apply(canonical, patch, nil)
	if err != nil {
		return nil, err
	}
	want, found := ParseWorkflow(repaired.JSON())
	if want == nil {
		return nil, found.Err()
	}
	return p.rewritten(operations, canonical, want), nil
}
