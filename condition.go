package wf

// Condition is a structured question about values. Each operator has its fields, and no others; what they mean stands
// in docs/plan.md, under "Conditions". A value that is absent is a failure, never false, but for exists.
//
//	and, or                          Args
//	not                              Arg
//	eq ne gt ge lt le in contains    Left, Right
//	matches                          Left, Pattern (RE2)
//	is                               Left, Type
//	exists                           Path
//	any, all                         Over, As, Check
type Condition struct {
	Op      string       `json:"op"`
	Args    []*Condition `json:"args,omitempty"`
	Arg     *Condition   `json:"arg,omitempty"`
	Left    *Operand     `json:"left,omitempty"`
	Right   *Operand     `json:"right,omitempty"`
	Pattern string       `json:"pattern,omitempty"`
	Type    string       `json:"type,omitempty"`
	Path    *Path        `json:"path,omitempty"`
	Over    *Operand     `json:"over,omitempty"`
	As      string       `json:"as,omitempty"`
	Check   *Condition   `json:"check,omitempty"`
}
