package value_test

import (
	"testing"

	"lda.chat/wf/internal/value"
)

// What is on the path of every step of a run does not allocate. AllocsPerRun wants these tests not to be parallel.
func TestAllocations(t *testing.T) {
	text := "some text"
	small := parse(t, smallText)
	same := parse(t, smallText)
	wide := object(50)
	half, third := parse(t, "0.5"), parse(t, "0.33")
	shape := value.NewShape("a", "b", "c")
	buf := make([]byte, 0, 1024)
	grown := value.Value{}
	for range 1025 {
		grown = grown.Append(value.Null)
	}
	where := path("tags", 1)
	for _, c := range []struct {
		name string
		want float64
		run  func()
	}{
		{"Int", 0, func() { sink = value.Int(1 << 40) }},
		{"Bool", 0, func() { sink = value.Bool(true) }},
		{"String", 0, func() { sink = value.String(text) }},
		{"AsString", 0, func() { small.Get("title").AsString() }},
		{"Get small", 0, func() { sink = small.Get("score") }},
		{"Get wide", 0, func() { sink = wide.Get("field_040") }},
		{"At", 0, func() { sink = small.At(where) }},
		{"Append with room", 0, func() { grown = grown.Append(value.Int(1)) }},
		{"AppendJSON", 0, func() { buf = small.AppendJSON(buf[:0]) }},
		{"AppendCanonical", 0, func() { buf = small.AppendCanonical(buf[:0]) }},
		{"Equal", 0, func() { value.Equal(small, same) }},
		{"Compare integers", 0, func() { value.Compare(value.Int(1), value.Int(2)) }},
		{"Compare decimals", 0, func() { value.Compare(half, third) }},
		{"Compare an integer with a decimal", 0, func() { value.Compare(value.Int(1<<60), third) }},
		{"Add integers", 0, func() { sink, _ = value.Add(value.Int(1), value.Int(2)) }},
		{"Add decimals", 1, func() { sink, _ = value.Add(half, third) }},
		{"Size", 0, func() { value.Size(small) }},
		{"Shape.Object", 1, func() {
			vals := [...]value.Value{value.Int(1), value.String(text), value.True}
			sink = shape.Object(vals[:])
		}},
		{"With", 1, func() { sink = small.With("id", value.Int(2)) }},
	} {
		if got := testing.AllocsPerRun(100, c.run); got > c.want {
			t.Errorf("%s allocates %v times, want %v", c.name, got, c.want)
		}
	}
}

// Ten thousand appends allocate for their growth only.
func TestAppendAmortised(t *testing.T) {
	got := testing.AllocsPerRun(5, func() {
		var v value.Value
		for i := range 10_000 {
			v = v.Append(value.Int(int64(i)))
		}
		sink = v
	})
	if got > 50 {
		t.Errorf("%v allocations for 10,000 appends", got)
	}
}
