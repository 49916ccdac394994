package source

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"lda.chat/wf"
	"lda.chat/wf/internal/schema"
	"lda.chat/wf/internal/value"
)

// ContractHash identifies what a capability promises, however it is written: "contract1:" and a digest. What schemas accept, the
// outcomes in any order, the effect, the retry and the timeout count. The name does not, so that a capability can be known again
// under another one; descriptions, titles and the other annotations of schemas do not either. Two contracts with one hash promise
// the same; the reverse does not hold. The number after "contract" changes when these rules do.
func ContractHash(def *wf.NodeDef) string {
	outcomes := []value.Value{}
	for _, o := range slices.Sorted(slices.Values(outcomesOf(def))) {
		outcomes = append(outcomes, value.String(string(o)))
	}
	retry, err := value.FromAny(retryMembers(def.Retry))
	if err != nil {
		retry = value.String(err.Error()) // a number that is none
	}
	timeout, err := value.Float(def.TimeoutSeconds)
	if err != nil {
		timeout = value.String(err.Error())
	}
	sum := sha256.Sum256(value.Object(
		value.Member{Key: "input", Value: value.String(shapeOf(def.InputSchema))},
		value.Member{Key: "output", Value: value.String(shapeOf(def.OutputSchema))},
		value.Member{Key: "outcomes", Value: value.Array(outcomes...)},
		value.Member{Key: "effect", Value: value.String(string(effectOf(def)))},
		value.Member{Key: "retry", Value: retry},
		value.Member{Key: "timeout_seconds", Value: timeout},
	).AppendCanonical(nil))
	return "contract1:" + hex.EncodeToString(sum[:])
}

// outcomesOf are the outcomes that a contract declares, if only by saying nothing.
func outcomesOf(def *wf.NodeDef) []wf.Outcome {
	if len(def.Outcomes) == 0 {
		return []wf.Outcome{wf.OK}
	}
	return def.Outcomes
}

// effectOf is the effect by which a capability is called: one that says nothing is called like an idempotent one.
func effectOf(def *wf.NodeDef) wf.Effect {
	if def.Effect == "" {
		return wf.EffectIdempotent
	}
	return def.Effect
}

// schemaOf reads a schema of a contract; one that is not there accepts anything. It is nil if it is no schema.
func schemaOf(raw wf.Schema) *schema.Schema {
	if len(raw) == 0 {
		raw = wf.Schema("true")
	}
	s, _ := schema.Parse(raw, nil)
	return s
}

// shapeOf is a schema's shape hash; what is no schema is known by its text.
func shapeOf(raw wf.Schema) string {
	if s := schemaOf(raw); s != nil {
		return s.ShapeHash()
	}
	return "text:" + string(raw)
}

// retryMembers is a retry as JSON has it; nil if there is none.
func retryMembers(r *wf.Retry) any {
	if r == nil {
		return nil
	}
	on := []any{}
	for _, code := range r.On {
		on = append(on, string(code))
	}
	return map[string]any{
		"max_attempts": r.MaxAttempts, "initial_interval_seconds": r.InitialIntervalSeconds, "backoff": r.Backoff,
		"max_interval_seconds": r.MaxIntervalSeconds, "total_seconds": r.TotalSeconds, "on": on,
	}
}
