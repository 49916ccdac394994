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
	EffectPure       Effect = "pure"
	EffectRead       Effect = "read"
	EffectIdempotent Effect = "idempotent"
	EffectKeyed      Effect = "keyed" // honours our idempotency key
	EffectOnce       Effect = "once"
)

var effects = []Effect{EffectPure, EffectRead, EffectIdempotent, EffectKeyed, EffectOnce}

// Retry says how often and when a failed step is tried again. Zero fields mean the default.
type Retry struct {
	MaxAttempts            int     `json:"max_attempts,omitempty"` // the first included; 3 by default
	InitialIntervalSeconds float64 `json:"initial_interval_seconds,omitempty"`
	Backoff                float64 `json:"backoff,omitempty"`
	MaxIntervalSeconds     float64 `json:"max_interval_seconds,omitempty"`
	TotalSeconds           float64 `json:"total_seconds,omitempty"` // all attempts and pauses together
	On                     []Code  `json:"on,omitempty"`            // transport, timeout, provider_error, handler_error by default
}
