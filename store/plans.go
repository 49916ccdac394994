package store

import (
	"context"
	"errors"

	"lda.chat/wf"
)

// PlanKind is the kind of the records that plans are kept in, by digest.
const PlanKind = "plan"

// PutPlan keeps a plan as a record; it is what stores do for [wf.Plans].
func PutPlan(ctx context.Context, records Records, digest string, plan []byte) error {
	_, err := records.PutRecord(ctx, PlanKind, digest, 0, plan)
	if _, there := errors.AsType[*wf.ConflictError](err); there {
		return nil
	}
	return err
}

// Plan returns a plan that PutPlan has kept.
func Plan(ctx context.Context, records Records, digest string) ([]byte, error) {
	r, err := records.GetRecord(ctx, PlanKind, digest)
	return r.Value, err
}
