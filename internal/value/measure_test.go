package value_test

import (
	"math/rand/v2"
	"testing"

	"lda.chat/wf/internal/value"
)

// depth is the obvious way to work out what Depth remembers.
func depth(v value.Value) int {
	deepest := 0
	for _, item := range v.Items() {
		deepest = max(deepest, depth(item))
	}
	for _, member := range v.Members() {
		deepest = max(deepest, depth(member))
	}
	if k := v.Kind(); k == value.KindArray || k == value.KindObject {
		return deepest + 1
	}
	return 0
}

func TestSize(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`null`, `true`, `false`, `0`, `-12`, `1.50`, `""`, `"a\n\u0001\"é"`, `[]`, `{}`, `[[],{}]`, `{"a\n":1,"b":[1,2,3]}`} {
		v := parse(t, text)
		for range 2 { // measured, then remembered
			if got := value.Size(v); got != len(v.JSON()) {
				t.Errorf("Size(%s) = %d, want %d", v, got, len(v.JSON()))
			}
			if got := value.Depth(v); got != depth(v) {
				t.Errorf("Depth(%s) = %d, want %d", v, got, depth(v))
			}
		}
	}
	if value.Size(value.Value{}) != 0 || value.Depth(value.Value{}) != 0 {
		t.Error("absent has a size")
	}
}

// Whatever versions are made and measured in whatever order, each has the size of its text.
func TestSizeOfVersions(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	leaves := []value.Value{value.Null, value.Int(1234567), value.String("x\ny"), parse(t, "1.25"), value.Array(), value.Object(), parse(t, `[[[{"a":1}]]]`), {}}
	versions := []value.Value{value.Array(), value.Object()}
	for range 5000 {
		pick := func() value.Value { return versions[random.IntN(len(versions))] }
		x := leaves[random.IntN(len(leaves))]
		if random.IntN(8) == 0 {
			x = pick()
		}
		v := pick()
		if v.Kind() == value.KindArray {
			v = v.Append(x)
			if random.IntN(4) == 0 {
				v = v.Append(x, leaves[random.IntN(len(leaves))], value.True)
			}
		} else {
			v = v.With(string(rune('a'+random.IntN(6))), x)
		}
		if value.Size(v) > 100_000 || depth(v) > 100 {
			continue
		}
		versions = append(versions, v)
		for _, v := range []value.Value{v, pick(), pick()} {
			if random.IntN(3) > 0 {
				continue
			}
			if got, want := value.Size(v), len(v.JSON()); got != want {
				t.Fatalf("Size(%s) = %d, want %d", v, got, want)
			}
			if got, want := value.Depth(v), depth(v); got != want {
				t.Fatalf("Depth(%s) = %d, want %d", v, got, want)
			}
		}
	}
}

// A value of 2^40 leaves, in forty shared arrays, is measured at once.
func TestSizeSaturates(t *testing.T) {
	t.Parallel()
	v := value.Int(1)
	for range 40 {
		v = value.Array(v, v)
	}
	const most = 1<<(30+2*(^uint(0)>>63)) - 1
	if got := value.Size(v); got != most {
		t.Errorf("Size = %d", got)
	}
	if got := value.Size(v.Append(value.Null)); got != most {
		t.Errorf("Size with one more = %d", got)
	}
	if got := value.Depth(v); got != 40 {
		t.Errorf("Depth = %d", got)
	}
	o := value.Object(value.Member{Key: "a", Value: v})
	if value.Size(o) != most || value.Size(o.With("a", value.Int(1))) != len(`{"a":1}`) {
		t.Errorf("Size of an object around it = %d, and without it %d", value.Size(o), value.Size(o.With("a", value.Int(1))))
	}
}
