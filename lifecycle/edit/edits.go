package edit

import (
	"reflect"
)

// Edit is one operation on a document: a pointer to one of the structs of this package. Its members are those of the struct; where
// JSON stands in one, it is as in a plan, in the short or the canonical form.
//
// In, which most of them have, names the workflow that is meant: "" the plan itself, "price" one of its workflows, "price/tax" one of
// that one's.
type Edit interface {
	edit(s *session) *Error
}

// Operation describes a kind of edit.
type Operation struct {
	Name string // the member "op" of its JSON
	Doc  string // what it does, a sentence
	kind reflect.Type
}

// Ops lists all operations, in the order in which a draft is mostly written.
func Ops() []Operation { return append([]Operation(nil), operations...) }

// New returns an empty edit of that kind, a pointer to its struct.
func (o Operation) New() Edit { return reflect.New(o.kind).Interface().(Edit) }

var operations = []Operation{
	op[SetName]("set-name", "Name the workflow, and say what it is for."),
	op[SetWorkflow]("set-workflow", "Set or remove members of the workflow, such as its outcomes and limits, or put another workflow into it."),
	op[SetInput]("set-input", "Without a step: declare what the workflow is given. With one: bind what the step is given."),
	op[SetState]("set-state", "Declare what the workflow remembers: fields, their reducers and defaults."),
	op[SetOutput]("set-output", "Without a step: declare what the workflow returns. With one: bind what the step returns to the state."),
	op[SetWorkflowOutput]("set-workflow-output", "Bind what the workflow returns."),
	op[SetSchema]("set-schema", "Write any other schema: of a step's request, answer or output, of a contract, or a shared definition."),
	op[AddStep]("add-step", "Add a step, alone or between others."),
	op[SetStep]("set-step", "Set or remove members of a step, or write it anew."),
	op[RemoveStep]("remove-step", "Remove a step; what led to it leads on where it led."),
	op[RenameStep]("rename-step", "Give a step another id, everywhere."),
	op[Branch]("branch", "Lead an outcome of a step somewhere; with a condition, add a case."),
	op[Handle]("handle", "Turn failures of a step into an outcome, and lead it somewhere."),
	op[Bind]("bind", "Bind one value to one place, and declare the field on the other side if it is not declared."),
	op[Unbind]("unbind", "Remove bindings."),
	op[Patch]("patch", "Apply a JSON Patch (RFC 6902) to the document."),
	op[Fix]("fix", "Apply the safe fixes of what the validator finds."),
}

func op[T any](name, doc string) Operation { return Operation{name, doc, reflect.TypeFor[T]()} }

// opOf is an edit's operation; "" for none.
func opOf(e Edit) string {
	v := reflect.ValueOf(e)
	if e == nil || v.IsNil() {
		return ""
	}
	for _, o := range operations {
		if o.kind == v.Type().Elem() {
			return o.Name
		}
	}
	return ""
}

// isRaw reports whether an edit may leave a document that is no plan: it is for those who repair one by hand.
func isRaw(e Edit) bool {
	switch e.(type) {
	case *Patch, *Fix:
		return true
	}
	return false
}
