package value_test

import (
	"runtime/debug"
	"strings"
	"testing"

	"lda.chat/wf/internal/value"
)

const levels = 20_000

func deeplyNested(leaf value.Value) value.Value {
	v := leaf
	for i := range levels {
		if i%2 == 0 {
			v = value.Array(v)
		} else {
			v = value.Value{}.With("k", v)
		}
	}
	return v
}

// Values that nest deeper than the goroutine's stack would allow a recursion are walked all the same. So that the test is
// cheap, the stack is made small: going beyond it kills the process, which is how this test fails. It is not parallel, for
// the setting holds for all.
func TestDeepNesting(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(512 << 10))
	v, same, other := deeplyNested(value.Int(1)), deeplyNested(value.Int(1)), deeplyNested(value.Int(2))
	if !value.Equal(v, same) || value.Equal(v, other) {
		t.Error("not compared to the innermost")
	}
	text := v.JSON()
	if want := strings.Repeat(`{"k":[`, levels/2) + "1" + strings.Repeat("]}", levels/2); string(text) != want {
		t.Errorf("wrong text of %d bytes", len(text))
	}
	if string(v.AppendCanonical(nil)) != string(text) {
		t.Error("wrong canonical text")
	}
	if got := value.Size(v); got != len(text) {
		t.Errorf("Size = %d, want %d", got, len(text))
	}
	if got := value.Depth(v); got != 255 {
		t.Errorf("Depth = %d", got)
	}
	if got := value.Size(v.With("k", value.Int(1))); got != len(`{"k":1}`) {
		t.Errorf("Size without the inside = %d", got)
	}
	if got := len(value.Indent(v)); got > levels*1000 {
		t.Errorf("Indent made %d bytes", got)
	}
	if v.ToAny() == nil {
		t.Error("no Go value")
	}
	if _, err := value.FromAny(v.ToAny()); err == nil {
		t.Error("FromAny accepted it")
	}
	if _, err := value.Parse(text); err == nil {
		t.Error("Parse accepted it")
	}
	long := make(value.Path, levels)
	for i := range long {
		long[i] = value.Part{Key: "k"}
		if i%2 == 1 {
			long[i] = value.Part{IsIndex: true}
		}
	}
	if changed, err := v.Set(long, value.Int(2)); err != nil || !value.Equal(changed, other) || !value.Equal(v, same) {
		t.Errorf("Set at the innermost: %v", err)
	}
}
