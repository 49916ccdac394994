package wf

import (
	"lda.chat/wf/internal/codec"
	"lda.chat/wf/internal/kernel"
	"lda.chat/wf/internal/schema"
)

// typesOf sets a function's schemas to those of its types, and returns how it reads its input and writes its output.
func typesOf[In, Out any](f *Func) (typedInput[In], codec.Typed[Out]) {
	lenient, s := objectOf[In](&f.problems, "input")
	in := typedInput[In]{lenient: lenient}
	if s != nil && s.TypesOnly() {
		if strict, err := codec.Strict[In](); err == nil {
			in.strict, in.schema, f.inputChecked = strict, s, true
		}
	}
	f.def.InputSchema = schemaOf(s)
	out, s := typeOf[Out](&f.problems, "output")
	f.def.OutputSchema, f.outputChecked = schemaOf(s), s != nil && s.TypesOnly()
	return in, out
}

// typedInput reads a function's input. If the schema says no more than the type, reading strictly is checking it; otherwise
// the invoker checks it before.
type typedInput[In any] struct {
	lenient codec.Typed[In]
	strict  codec.Typed[In]
	schema  *schema.Schema // nil: only lenient
}

func (t *typedInput[In]) decode(input kernel.Bound, in *In) error {
	if t.schema != nil && input.Shape != nil && t.strict.DecodeMembers(input.Shape, input.Values, in) {
		return nil
	}
	v := input.Value()
	if t.schema == nil {
		return t.lenient.Decode(v, in)
	}
	err := t.strict.Decode(v, in)
	if err != nil && t.schema.Valid(v) { // a tag that lets more in than the type writes
		err = t.lenient.Decode(v, in)
	}
	return err
}
