package wf

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"lda.chat/wf/internal/kernel"
	"lda.chat/wf/internal/schema"
	"lda.chat/wf/internal/value"
)

// resolvedNode is whom a node step calls: the function and the contract that the plan holds it to.
type resolvedNode struct {
	ref      string
	fn       *Func
	def      *NodeDef // what the plan says of it, else what it says itself
	live     *NodeDef // what it says itself
	outcomes []Outcome
	input    *schema.Schema   // nil: anything goes
	taken    *schema.Schema   // the function's own input schema, where the plan's is another
	typed    bool             // the function checks its input itself, as its Go type and the schema are one
	promised *schema.Schema   // what the def says of the output, nil: nothing
	outputs  []*schema.Schema // the def's, where the function does not keep it by itself, and the step's own; all must hold
	declared []string         // the output's members, sorted, when no others are declared; nil: all are
}

func resolveNode(ref string, def *NodeDef, fn *Func, narrowed *schema.Schema, read func(Schema) *schema.Schema) *resolvedNode {
	live := fn.Contract()
	if def == nil {
		def = live
	}
	c := &resolvedNode{ref: ref, fn: fn, def: def, live: live, outcomes: def.Outcomes, input: read(def.InputSchema)}
	if len(c.outcomes) == 0 {
		c.outcomes = []Outcome{OK}
	}
	same := sameSchema(def.InputSchema, live.InputSchema)
	c.typed = fn.inputChecked && same
	if !same { // the plan's contract says what is bound, the live one what the function takes
		c.taken = read(live.InputSchema)
	}
	output := read(def.OutputSchema)
	c.promised = output
	if output != nil && !(fn.outputChecked && sameSchema(def.OutputSchema, live.OutputSchema)) {
		c.outputs, c.declared = append(c.outputs, output), declaredMembers(output, narrowed)
	}
	if narrowed != nil {
		c.outputs = append(c.outputs, narrowed)
	}
	return c
}

// plainObject are the keywords of schemas that say which members an object has, and nothing more about which it may have.
var plainObject = []string{"type", "properties", "required", "additionalProperties", "title", "description", "examples", "default", "$defs",
	"$schema", "$comment", "deprecated"}

// declaredMembers lists the members that the output schemas of a step declare, sorted: others are extra. It is nil if any
// schema leaves a doubt whether it declares more.
func declaredMembers(schemas ...*schema.Schema) []string {
	var names []string
	for _, s := range schemas {
		if s == nil {
			continue
		}
		doc := s.Value()
		for key := range doc.Members() {
			if !slices.Contains(plainObject, key) && !strings.HasPrefix(key, "x-") {
				return nil
			}
		}
		if more := doc.Get("additionalProperties"); !more.IsAbsent() && !value.Equal(more, value.False) || doc.Kind() != value.KindObject {
			return nil
		}
		for name := range doc.Get("properties").Members() {
			names = append(names, name)
		}
		for _, name := range doc.Get("required").Items() {
			text, _ := name.AsString()
			names = append(names, text)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func sameSchema(a, b Schema) bool {
	x, errX := value.Parse(a)
	y, errY := value.Parse(b)
	return errX == nil && errY == nil && value.Equal(x, y)
}

// invoke is the one way in which every driver makes a call: it checks the input, calls, checks that the outcome is
// declared, and checks the output. It fills in ev, the event to post, keeps nothing of the input, and
// never panics.
func (c *resolvedNode) invoke(ctx context.Context, ref kernel.Ref, input kernel.Bound, ev *kernel.Event) {
	ev.Kind, ev.Ref = kernel.CallFailed, ref
	if !c.typed {
		if ev.Failure = c.refuse(input.Value()); ev.Failure != nil {
			return
		}
	}
	outcome, output, err := c.call(ctx, input)
	if err != nil {
		ev.Failure = callFailure(err)
		if ev.Failure.Code == kernel.CodeInputInvalid && c.typed {
			if fail := c.refuse(input.Value()); fail != nil {
				ev.Failure = fail // says more than the type does
			}
		}
		return
	}
	if ev.Failure = c.accept(outcome, output, ev); ev.Failure == nil {
		ev.Kind = kernel.CallCompleted
	}
}

// accept judges a result by the contract, and fills it in.
func (c *resolvedNode) accept(outcome Outcome, output value.Value, ev *kernel.Event) *kernel.Failure {
	if !slices.Contains(c.outcomes, outcome) {
		return &kernel.Failure{Code: kernel.CodeUndeclaredOutcome,
			Message: fmt.Sprintf("%s returned the outcome %q, but declares only %s", c.ref, outcome, outcomeList(c.outcomes))}
	}
	if c.declared != nil {
		output, ev.Extra = split(output, c.declared)
	}
	for _, s := range c.outputs {
		if !s.Valid(output) {
			return violationFailure(kernel.CodeOutputInvalid, s.Check(output))
		}
	}
	ev.Outcome, ev.Output = string(outcome), output
	return nil
}

// supplied judges a result that somebody gives in place of the function.
func (c *resolvedNode) supplied(outcome Outcome, output value.Value, ev *kernel.Event) *kernel.Failure {
	if fail := c.accept(outcome, output, ev); fail != nil {
		return fail
	}
	if c.promised != nil && !c.promised.Valid(ev.Output) {
		return violationFailure(kernel.CodeOutputInvalid, c.promised.Check(ev.Output))
	}
	return nil
}

// refuse tells why the input schema does not let an input in, nil if it does.
func (c *resolvedNode) refuse(input value.Value) *kernel.Failure {
	for _, s := range []*schema.Schema{c.input, c.taken} {
		if s != nil && !s.Valid(input) {
			f := violationFailure(kernel.CodeInputInvalid, s.Check(input))
			f.Unsent = true
			return f
		}
	}
	return nil
}

// call runs the function and turns a panic into an error.
func (c *resolvedNode) call(ctx context.Context, input kernel.Bound) (outcome Outcome, output value.Value, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &Error{Code: CodeHandlerPanic, Message: c.ref + " panicked: " + panicText(r), Stack: string(debug.Stack())}
		}
	}()
	return c.fn.invoke(ctx, input)
}

// outcomeList writes outcomes for a message.
func outcomeList(outcomes []Outcome) string {
	names := make([]string, len(outcomes))
	for i, o := range outcomes {
		names[i] = strconv.Quote(string(o))
	}
	return strings.Join(names, ", ")
}

// split takes the members that the contract does not declare out of an output.
func split(output value.Value, declared []string) (kept, extra value.Value) {
	if output.Kind() != value.KindObject {
		return output, value.Value{}
	}
	known := 0
	for key := range output.Members() {
		if _, ok := slices.BinarySearch(declared, key); ok {
			known++
		}
	}
	if known == output.Len() {
		return output, value.Value{}
	}
	var in, out []value.Member
	for key, v := range output.Members() {
		if _, ok := slices.BinarySearch(declared, key); ok {
			in = append(in, value.Member{Key: key, Value: v})
		} else {
			out = append(out, value.Member{Key: key, Value: v})
		}
	}
	return value.Object(in...), value.Object(out...)
}

// callFailure gives a function's error its code: the one it names, else by its kind, else handler_error. The error's own
// methods are code of others, and may panic.
func callFailure(err error) (f *kernel.Failure) {
	defer func() {
		if r := recover(); r != nil {
			f = &kernel.Failure{Code: string(CodeHandlerError), Message: "an error that panics when it is looked at: " + panicText(r)}
		}
	}()
	f = &kernel.Failure{Code: string(CodeHandlerError), Message: errorText(err), Cause: err}
	var named *Error
	var misfit *misfitError
	switch {
	case errors.As(err, &misfit):
		f.Code = string(misfit.code)
		f.Unsent = misfit.code == CodeInputInvalid
	case errors.As(err, &named) && named != nil:
		f.Message = cutText(named.Message)
		if mayName(named.Code) {
			f.Code = string(named.Code)
		}
		if size := len(named.Details); size > mostDetails {
			f.Message += fmt.Sprintf(" (its details are left out: they have %d bytes, and may have %d)", size, mostDetails)
		} else {
			f.Details = literal(named.Details)
		}
		f.Stack, f.Unsent = named.Stack[:min(len(named.Stack), mostDetails)], named.Unsent
	case errors.Is(err, context.DeadlineExceeded):
		f.Code = string(CodeTimeout)
	}
	f.Unknown = (f.Code == string(CodeTimeout) || f.Code == string(CodeTransport)) && !f.Unsent
	return f
}

// mostDetails is how many bytes of JSON the details of an error may have, and the text of its stack.
const mostDetails = 64 << 10

// mayName reports whether a function may give its failure this code: one of its own, or one of the engine's that is
// about calls. A code that no plan could name, or that is the engine's to give, becomes handler_error.
func mayName(code Code) bool {
	switch code {
	case CodeTransport, CodeTimeout, CodeProviderError, CodeHandlerError, CodeHandlerPanic, CodeInputInvalid, CodeOutputInvalid, CodeValueTooLarge:
		return true
	}
	return isDotted(string(code)) && !slices.Contains(engineCodes, code)
}

// errorText is what an error says, also if its method panics, cut to what a message can hold.
func errorText(err error) (text string) {
	defer func() {
		if r := recover(); r != nil {
			text = "an error whose text cannot be told"
		}
	}()
	return cutText(err.Error())
}

// panicText is what a panic says; package fmt bears values whose own methods panic.
func panicText(p any) string { return cutText(fmt.Sprint(p)) }

// cutText bounds a text of somebody else to what a message can hold, and makes it Unicode.
func cutText(text string) string {
	const most = 4 << 10
	if len(text) > most {
		text = text[:most] + "…"
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}

// violationFailure tells what a schema found, worst first, bounded.
func violationFailure(code string, found []schema.Violation) *kernel.Failure {
	const most = 10
	f := &kernel.Failure{Code: code}
	items := make([]value.Value, 0, min(len(found), most))
	for i, v := range found {
		if i == most {
			break
		}
		if i == 0 {
			f.Message = locate(v.Pointer) + v.Message
		}
		items = append(items, value.Object(
			value.Member{Key: "path", Value: value.String(v.Pointer)},
			value.Member{Key: "keyword", Value: value.String(v.Keyword)},
			value.Member{Key: "message", Value: value.String(v.Message)},
			value.Member{Key: "expected", Value: v.Expected},
			value.Member{Key: "actual", Value: v.Actual},
		))
	}
	if len(found) > 1 {
		f.Message += fmt.Sprintf(" (and %d more)", len(found)-1)
	}
	f.Details = value.Object(value.Member{Key: "violations", Value: value.Array(items...)})
	return f
}

func locate(pointer string) string {
	if pointer == "" {
		return ""
	}
	return pointer + ": "
}
