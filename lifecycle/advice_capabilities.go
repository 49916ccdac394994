package lifecycle

import (
	"context"
	"fmt"

	"lda.chat/wf"
	"lda.chat/wf/internal/value"
	"lda.chat/wf/source"
)

// draftOf is the call that begins a draft with a step of a capability.
func (s *Service) draftOf(ctx context.Context, id, ref, reason string) NextAction {
	if id = id[:min(len(id), mostID)]; checkID("draft_id", id, mostID) != nil {
		id = theCall
	}
	p := CreateDraft{DraftID: s.free(ctx, kindDraft, id), Capability: ref}
	return action(toContinue, "drafts.create", p, reason, "draft", "create", p.DraftID, "--capability", ref)
}

// callNow is the call of a capability with the least input.
func callNow(ref string, schema wf.Schema) NextAction {
	least, places := LeastOf(schema)
	return callWith(toContinue, ref, least, places, "call it now")
}

func callWith(kind, ref string, input []byte, places []string, reason string) NextAction {
	return action(kind, "capabilities.call", CallCapability{Capability: ref, Input: input}, reason, "cap", "call", ref, "--input", string(input)).filling("/input", places...)
}

// callAgain is the call whose input was refused with what is wrong in it to be filled in.
func callAgain(p *CallCapability, schema wf.Schema) NextAction {
	given, _ := value.Parse(orObject(p.Input))
	input, places := mended(schema, given)
	if len(places) == 0 {
		places = []string{""}
	}
	return callWith(toRepair, p.Capability, input, places, "call it with the input corrected")
}

// callAdvice says what to do next when a capability was called.
func (s *Service) callAdvice(ctx context.Context, c *CapabilityCall) *Advice {
	if c.Error != nil {
		return advise(fmt.Sprintf("the call has failed: %s", c.Error.Message), false, showCapability(c.Capability), explainCodeOf(c.Error))
	}
	_, name := source.Of(c.Capability)
	return advise(fmt.Sprintf("the outcome is %q", c.Outcome), false, s.draftOf(ctx, name, c.Capability, "begin a draft with a step that calls it"))
}
