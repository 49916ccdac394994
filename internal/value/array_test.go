package value_test

import (
	"sync"
	"testing"

	"lda.chat/wf/internal/value"
)

func TestAppend(t *testing.T) {
	t.Parallel()
	var v value.Value
	for i := range 1000 {
		v = v.Append(value.Int(int64(i)))
	}
	for i := range 1000 {
		if got, ok := v.Index(i).AsInt(); !ok || got != int64(i) {
			t.Fatalf("element %d = %v", i, v.Index(i))
		}
	}
	if got := value.Array().Append(value.Null, value.Value{}, value.True).String(); got != "[null,null,true]" {
		t.Errorf("got %s", got)
	}
	if got := value.Int(1).Append(value.Null); got.String() != "1" {
		t.Errorf("appending to a number gave %v", got)
	}
}

// Every version of an array stays what it was, whichever of its successors came first.
func TestAppendVersions(t *testing.T) {
	t.Parallel()
	base := value.Array(value.Int(1)).Append(value.Int(2))
	first := base.Append(value.String("first"))
	second := base.Append(value.String("second"))
	third := base.Append(value.String("third"), value.Null)
	longer := first.Append(value.String("longer"))
	for _, c := range []struct {
		v    value.Value
		want string
	}{
		{base, `[1,2]`}, {first, `[1,2,"first"]`}, {second, `[1,2,"second"]`}, {third, `[1,2,"third",null]`}, {longer, `[1,2,"first","longer"]`},
	} {
		if c.v.String() != c.want {
			t.Errorf("got %v, want %s", c.v, c.want)
		}
	}
}

func TestAppendConcurrently(t *testing.T) {
	t.Parallel()
	base := value.Value{}.Append(value.Int(-1), value.Int(-2), value.Int(-3), value.Int(-4), value.Int(-5)) // leaves room behind it
	var wait sync.WaitGroup
	results := make([]value.Value, 8)
	for i := range results {
		wait.Go(func() {
			v := base
			for j := range 100 {
				v = v.Append(value.Int(int64(1000*i + j)))
				if value.Size(base) != len("[-1,-2,-3,-4,-5]") || base.Len() != 5 {
					t.Error("the common version changed")
				}
				value.Size(v)
			}
			results[i] = v
		})
	}
	wait.Wait()
	for i, v := range results {
		if v.Len() != 105 || value.Size(v) != len(v.JSON()) {
			t.Errorf("result %d has %d elements and the size %d", i, v.Len(), value.Size(v))
		}
		for j := range 100 {
			if got, _ := v.Index(5 + j).AsInt(); got != int64(1000*i+j) {
				t.Fatalf("result %d, element %d = %d", i, j, got)
			}
		}
	}
}

func TestArrayItems(t *testing.T) {
	t.Parallel()
	v := parse(t, `["a","b","c"]`)
	var seen string
	for i, item := range v.Items() {
		if i == 2 {
			break
		}
		s, _ := item.AsString()
		seen += s
	}
	if seen != "ab" {
		t.Errorf("seen %q", seen)
	}
}
