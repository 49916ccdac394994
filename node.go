package wf

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"lda.chat/wf/internal/kernel"
	"lda.chat/wf/internal/value"
)

// A Callable can stand in a workflow as a step: a [Func], a [Capability] of a source, a [Question], another [Workflow].
type Callable interface {
	// Contract returns what a step may rely on. The caller owns the result.
	Contract() *NodeDef
}

// localSource is the source of Go functions that were built into a workflow and never given to a registry.
const localSource = "local"

// Func is a Go function as a callable. Its methods that set something may be used until it is handed to a workflow or a
// source; after that it is immutable and safe for concurrent use, as far as the function is.
type Func struct {
	def      NodeDef // Name without the source
	source   string  // "" until a registry takes it
	problems problems

	call invokeFunc
	// inputChecked: call itself refuses whatever input the schema forbids. outputChecked: no output of it does.
	inputChecked, outputChecked bool
}

// invokeFunc calls a function and keeps nothing of its input. It lets panics through, and does not look at the outcome.
type invokeFunc func(ctx context.Context, input kernel.Bound) (Outcome, value.Value, error)

// Node makes a callable of a function with one outcome, [OK]. The schemas are those of In, which must be a struct or
// a map, and Out. An error means that the call failed; a result that is a matter of business is an outcome, see
// [Decision]. The name has letters, digits, "_" and "-". Mistakes are reported by [Func.Problems], and by whoever the
// function is handed to.
//
// In plans a function has a ref. Used as it is in a workflow that is built in Go, it is "local." and its name; a registry
// that makes a source of it puts the source's id before the name, see [Func.OfSource].
//
// Types are read and written by the rules of encoding/json, with two differences that keep a plan's data exact: a member's
// name has to match letter by letter, and a number in an `any` is a [json.Number].
func Node[In, Out any](name string, f func(context.Context, In) (Out, error)) *Func {
	fn := newFunc(name, f == nil, nil)
	fn.call = typedCall(fn, func(ctx context.Context, in In) (Outcome, Out, error) {
		out, err := f(ctx, in)
		return OK, out, err
	})
	return fn
}

// Decision makes a callable of a function that also chooses one of the outcomes. Everything else is as for [Node].
func Decision[In, Out any](name string, f func(context.Context, In) (Outcome, Out, error), outcomes ...Outcome) *Func {
	fn := newFunc(name, f == nil, outcomes)
	if len(outcomes) == 0 {
		fn.problems.add("outcomes_missing", "a decision without outcomes", `name the outcomes it may choose: Decision(name, f, "approved", "rejected")`)
	}
	fn.call = typedCall(fn, f)
	return fn
}

// typedCall makes the untyped form of a function. Where it keeps its values between the codecs and the function is used
// again by later calls.
func typedCall[In, Out any](fn *Func, f func(context.Context, In) (Outcome, Out, error)) invokeFunc {
	type frame struct {
		in  In
		out Out
	}
	in, out := typesOf[In, Out](fn)
	frames := sync.Pool{New: func() any { return new(frame) }}
	return func(ctx context.Context, input kernel.Bound) (outcome Outcome, output value.Value, err error) {
		fr := frames.Get().(*frame)
		if err := in.decode(input, &fr.in); err != nil {
			return "", value.Value{}, &misfitError{CodeInputInvalid, err}
		}
		if outcome, fr.out, err = f(ctx, fr.in); err != nil {
			return "", value.Value{}, err
		}
		if output, err = out.Encode(&fr.out); err != nil {
			return "", value.Value{}, &misfitError{CodeOutputInvalid, err}
		}
		*fr = frame{}
		frames.Put(fr)
		return outcome, output, nil
	}
}

// Result is what a raw function returns.
type Result struct {
	Outcome Outcome         // "" is [OK]
	Output  json.RawMessage // nil is the empty object
}

// RawNode makes a callable of a function that reads and writes JSON text, for contracts that are known as data only. The
// definition's name is as for [Node]; an effect that is left out is "idempotent". A nil result is an empty one.
func RawNode(def *NodeDef, f func(ctx context.Context, input json.RawMessage) (*Result, error)) *Func {
	if def == nil {
		def = &NodeDef{}
	}
	fn := newFunc(def.Name, f == nil, def.Outcomes)
	outcomes, effect := fn.def.Outcomes, fn.def.Effect
	fn.def = *cloneDef(def)
	fn.def.Outcomes = outcomes
	if fn.def.Effect == "" {
		fn.def.Effect = effect
	}
	fn.call = func(ctx context.Context, input kernel.Bound) (Outcome, value.Value, error) {
		result, err := f(ctx, input.Value().JSON())
		if err != nil {
			return "", value.Value{}, err
		}
		if result == nil {
			result = &Result{}
		}
		outcome, output := result.Outcome, value.Object()
		if outcome == "" {
			outcome = OK
		}
		if len(result.Output) > value.DefaultLimits.Bytes {
			return "", value.Value{}, tooLarge("the output", len(result.Output))
		}
		if result.Output != nil {
			if output, err = value.Parse(result.Output); err != nil {
				return "", value.Value{}, &misfitError{"output_invalid", err}
			}
		}
		return outcome, output, nil
	}
	return fn
}

// newFunc begins a Func and checks its name and outcomes.
func newFunc(name string, missing bool, outcomes []Outcome) *Func {
	f := &Func{def: NodeDef{Name: name, Effect: EffectIdempotent}}
	f.problems.subject = "function " + quoteJSON(name)
	if !isName(name) {
		f.problems.add("name_invalid", "its name is not one", `use letters, digits, "_" and "-", at most 128`)
	}
	if missing {
		f.problems.add("callable_missing", "there is no function: it is nil", "pass a function")
	}
	f.def.Outcomes = checkOutcomes(&f.problems, outcomes)
	return f
}

// Describe sets what the function does, for people and language models that choose among callables.
func (f *Func) Describe(text string) *Func { f.def.Description = text; return f }

// Effect sets what calling it again would do; without it, it is idempotent.
func (f *Func) Effect(e Effect) *Func { f.def.Effect = e; return f }

// Retry sets how failed calls are tried again; without it they are not.
func (f *Func) Retry(r Retry) *Func {
	r.On = slices.Clone(r.On)
	f.def.Retry = &r
	return f
}

// Timeout bounds one attempt.
func (f *Func) Timeout(d time.Duration) *Func {
	f.def.TimeoutSeconds = f.problems.seconds(d)
	return f
}

// Contract returns the function's contract. Its name is the one the function was given, with the source's id and a dot
// before it once a registry took it.
func (f *Func) Contract() *NodeDef {
	def := cloneDef(&f.def)
	if f.source != "" {
		def.Name = f.source + "." + def.Name
	}
	return def
}

// Problems returns what is wrong with the function, nil if nothing is.
func (f *Func) Problems() Diagnostics { return slices.Clone(f.problems.list) }

// ref is the function's name in plans.
func (f *Func) ref() string {
	if f.source == "" {
		return localSource + "." + f.def.Name
	}
	return f.source + "." + f.def.Name
}

// OfSource returns the function as a capability of a source: its ref is the source's id, a dot and its name. f stays as it is.
func (f *Func) OfSource(source string) *Func {
	g := *f
	g.source = source
	return &g
}

// invoke calls the function. It does not recover from panics, and checks neither the input, the outcome nor the output,
// beyond what the Go types refuse: that is for the invoker that all callables share.
func (f *Func) invoke(ctx context.Context, input kernel.Bound) (Outcome, value.Value, error) {
	return f.call(ctx, input)
}

// misfitError is an input that a function's Go type cannot hold, or a result that has no JSON form.
type misfitError struct {
	code Code // input_invalid or output_invalid
	err  error
}

// Error implements error.
func (e *misfitError) Error() string { return e.err.Error() }

// Unwrap returns what does not fit.
func (e *misfitError) Unwrap() error { return e.err }

// cloneDef copies a definition; its schemas, which nobody changes, are shared.
func cloneDef(def *NodeDef) *NodeDef {
	c := *def
	c.Outcomes = slices.Clone(def.Outcomes)
	if def.Retry != nil {
		r := *def.Retry
		r.On = slices.Clone(r.On)
		c.Retry = &r
	}
	return &c
}
