package wf

// NodeDef is the reusable contract of a capability.
type NodeDef struct {
	Name           string    `json:"name"` // logical ref: source id, dot, capability name
	Description    string    `json:"description,omitempty"`
	InputSchema    Schema    `json:"input_schema,omitempty"`
	OutputSchema   Schema    `json:"output_schema,omitempty"`
	Outcomes       []Outcome `json:"outcomes,omitempty"` // ["ok"] if left out
	Effect         Effect    `json:"effect,omitempty"`
	Retry          *Retry    `json:"retry,omitempty"`
	TimeoutSeconds float64   `json:"timeout_seconds,omitempty"` // one attempt
}

// Effect says what calling a capability again would do.
type Effect string

// The effects, from harmless to not repeatable.
const (
	// EffectPure does nothing but compute: calling again costs time only.
	EffectPure Effect = "pure"
	// EffectRead only looks: calling again changes nothing, but may find something else.
	EffectRead Effect = "read"
	// EffectIdempotent changes something, and calling again with the same input changes nothing more.
	EffectIdempotent Effect = "idempotent"
	// EffectKeyed is called again without harm because it honours the idempotency key of the call ([CallInfo]).
	EffectKeyed Effect = "keyed"
	// EffectOnce must not happen twice: it is never called again by itself, whatever the retry says, unless the failure
	// proves that nothing happened (an input that was refused, [Error.Unsent]).
	EffectOnce Effect = "once"
)

var effects = []Effect{EffectPure, EffectRead, EffectIdempotent, EffectKeyed, EffectOnce}

// Retry says how often and when a failed step is tried again. Zero fields mean the default; without a Retry there is
// one attempt. A pause is shortened by up to a fifth, so that runs that failed together do not come back together.
type Retry struct {
	MaxAttempts            int     `json:"max_attempts,omitempty"`             // the first included; 3 by default
	InitialIntervalSeconds float64 `json:"initial_interval_seconds,omitempty"` // the first pause; 1 by default
	Backoff                float64 `json:"backoff,omitempty"`                  // each pause is the last one times this; 2 by default
	MaxIntervalSeconds     float64 `json:"max_interval_seconds,omitempty"`     // no pause is longer; 60 by default
	TotalSeconds           float64 `json:"total_seconds,omitempty"`            // all attempts and pauses together; no limit by default
	On                     []Code  `json:"on,omitempty"`                       // transport, timeout, provider_error, handler_error by default
}
