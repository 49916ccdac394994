package wf

import "encoding/json"

// Operand says where a value comes from. Exactly one of Path, Value, Text, Object, List and Length is set.
type Operand struct {
	Path    *Path              `json:"path,omitempty"`
	Value   json.RawMessage    `json:"value,omitempty"`  // a literal, any JSON
	Text    []Operand          `json:"text,omitempty"`   // parts joined; scalars only
	Object  map[string]Operand `json:"object,omitempty"` // non-nil, may be empty
	List    []Operand          `json:"list,omitempty"`   // non-nil, may be empty
	Length  *Operand           `json:"length,omitempty"` // of a string (code points), array or object; conditions only
	Default json.RawMessage    `json:"default,omitempty"`
}

// InputBinding fills one place of a step's input, an interrupt's request or a workflow's output.
type InputBinding struct {
	Target Path // root local
	Operand
}

// What an output binding does when its source is absent.
const (
	AbsentUnset = "unset"
	AbsentKeep  = "keep"
	AbsentFail  = "fail"
)

// OutputBinding writes one place of the state. Either Source (a path below local) or Operand is set.
type OutputBinding struct {
	Source   *Path    // root local
	Operand  *Operand // instead of Source
	Target   Path     // root state
	IfAbsent string   // AbsentUnset, AbsentKeep, AbsentFail; "": by the field's reducer and the node's schema
}
