package value_test

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lda.chat/wf/internal/value"
)

func TestKinds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		v    value.Value
		kind value.Kind
		name string
		text string
	}{
		{value.Value{}, value.KindAbsent, "absent", "absent"},
		{value.Null, value.KindNull, "null", "null"},
		{value.True, value.KindBool, "boolean", "true"},
		{value.Bool(false), value.KindBool, "boolean", "false"},
		{value.Int(0), value.KindNumber, "number", "0"},
		{value.Int(math.MinInt64), value.KindNumber, "number", "-9223372036854775808"},
		{value.Uint(math.MaxUint64), value.KindNumber, "number", "18446744073709551615"},
		{value.String(""), value.KindString, "string", `""`},
		{value.String("é"), value.KindString, "string", `"é"`},
		{value.Array(), value.KindArray, "array", "[]"},
		{value.Array(value.Int(1), value.Value{}), value.KindArray, "array", "[1,null]"},
		{value.Object(), value.KindObject, "object", "{}"},
	} {
		if got := c.v.Kind(); got != c.kind || got.String() != c.name {
			t.Errorf("Kind of %s = %v, want %s", c.text, got, c.name)
		}
		if got := c.v.String(); got != c.text {
			t.Errorf("String() = %s, want %s", got, c.text)
		}
		if got := c.v.IsAbsent(); got != (c.kind == value.KindAbsent) {
			t.Errorf("IsAbsent of %s = %v", c.text, got)
		}
		if got := c.v.IsNull(); got != (c.kind == value.KindNull) {
			t.Errorf("IsNull of %s = %v", c.text, got)
		}
	}
	if got := value.Kind(200).String(); got != "unknown" {
		t.Errorf("name of a kind that does not exist = %q", got)
	}
}

// Every accessor answers every kind, and none panics.
func TestAccessorsOfOtherKinds(t *testing.T) {
	t.Parallel()
	all := []value.Value{{}, value.Null, value.True, value.Int(7), number(t, "1.5"), value.String("s"), value.Array(value.Int(1)), object(1)}
	for _, v := range all {
		kind := v.Kind()
		if _, ok := v.AsBool(); ok != (kind == value.KindBool) {
			t.Errorf("AsBool of %v: %v", v, ok)
		}
		if _, ok := v.AsString(); ok != (kind == value.KindString) {
			t.Errorf("AsString of %v: %v", v, ok)
		}
		if _, ok := v.AsFloat(); ok != (kind == value.KindNumber) {
			t.Errorf("AsFloat of %v: %v", v, ok)
		}
		if (v.NumberText() != "") != (kind == value.KindNumber) {
			t.Errorf("NumberText of %v: %q", v, v.NumberText())
		}
		if v.Index(0).IsAbsent() != (kind != value.KindArray) {
			t.Errorf("Index of %v: %v", v, v.Index(0))
		}
		if _, m := v.MemberAt(0); m.IsAbsent() != (kind != value.KindObject) {
			t.Errorf("MemberAt of %v: %v", v, m)
		}
		if v.Get("field_000").IsAbsent() != (kind != value.KindObject) {
			t.Errorf("Get of %v: %v", v, v.Get("field_000"))
		}
		count := 0
		for range v.Items() {
			count++
		}
		for range v.Members() {
			count++
		}
		if count != v.Len() {
			t.Errorf("%v yields %d, has the length %d", v, count, v.Len())
		}
		for _, i := range []int{-1, 1, math.MaxInt, math.MinInt} {
			if _, m := v.MemberAt(i); !m.IsAbsent() || !v.Index(i).IsAbsent() {
				t.Errorf("%v has something at %d", v, i)
			}
		}
	}
}

func TestEqual(t *testing.T) {
	t.Parallel()
	classes := [][]string{ // equal within a class, different between classes
		{`null`}, {`true`}, {`false`}, {`0`, `-0`, `0.0`, `0e7`, `-0.00E-3`},
		{`1`, `1.0`, `1e0`, `10e-1`, `0.1E1`}, {`-1`, `-1.0`}, {`100`, `1e2`, `1E+2`},
		{`9007199254740992`, `9007199254740992.0`}, {`9007199254740993`}, {`9007199254740993.5`},
		{`18446744073709551615`, `18446744073709551615.00`}, {`18446744073709551616`},
		{`0.1`, `1e-1`, `0.10`}, {`0.10000000000000001`},
		{`""`}, {`"a"`, `"\u0061"`}, {`"0"`}, {`"é"`, `"\u00e9"`}, {`"e\u0301"`}, // composed and decomposed are two strings
		{`[]`}, {`[1]`, `[1.0]`}, {`[1,2]`}, {`[2,1]`}, {`[[]]`}, {`[null]`}, {`[[1],[2]]`, `[[1.0],[2e0]]`}, {`[[1],[3]]`},
		{`{}`}, {`{"a":1,"b":2}`, `{"b":2.0,"a":1e0}`}, {`{"a":1}`}, {`{"a":2}`}, {`{"b":1}`}, {`{"a":null}`},
		{`{"a":{"b":[1,{"c":2}]}}`, `{"a":{"b":[1,{"c":2.0}]}}`}, {`{"a":{"b":[1,{"c":3}]}}`},
	}
	for i, class := range classes {
		for _, a := range class {
			for j, other := range classes {
				for _, b := range other {
					if got := value.Equal(parse(t, a), parse(t, b)); got != (i == j) {
						t.Errorf("Equal(%s, %s) = %v", a, b, got)
					}
				}
			}
			if parse(t, a).Equal(value.Value{}) || (value.Value{}).Equal(parse(t, a)) {
				t.Errorf("%s equals absent", a)
			}
			if got, want := parse(t, a).AppendCanonical(nil), parse(t, class[0]).AppendCanonical(nil); string(got) != string(want) {
				t.Errorf("canonical form of %s is %s, of its equal %s it is %s", a, got, class[0], want)
			}
		}
	}
	if !(value.Value{}).Equal(value.Value{}) {
		t.Error("absent does not equal absent")
	}
}

func TestCompare(t *testing.T) {
	t.Parallel()
	ascending := [][]string{
		{"-1e308", "-18446744073709551616", "-9223372036854775808", "-2", "-1.5", "-1.25", "-1e-300", "0", "1e-300", "0.09", "0.1", "0.11", "1",
			"2", "10", "9007199254740992", "9007199254740992.5", "9007199254740993", "9223372036854775807", "18446744073709551615", "1e300", "9e300"},
		{`""`, `"A"`, `"a"`, `"aa"`, `"b"`, `"é"`, `"\uffff"`, `"😀"`}, // UTF-16 would put the last before the one before it
	}
	for _, list := range ascending {
		for i, a := range list {
			for j, b := range list {
				got, ok := value.Compare(parse(t, a), parse(t, b))
				if !ok || (got < 0) != (i < j) || (got > 0) != (i > j) {
					t.Errorf("Compare(%s, %s) = %d, %v", a, b, got, ok)
				}
			}
		}
	}
	none := []value.Value{{}, value.Null, value.True, value.Array(), value.Object()}
	for _, a := range none {
		for _, b := range append(none, value.Int(1), number(t, "1.5"), value.String("s")) {
			if _, ok := value.Compare(a, b); ok {
				t.Errorf("%v and %v have an order", a, b)
			}
			if _, ok := value.Compare(b, a); ok {
				t.Errorf("%v and %v have an order", b, a)
			}
		}
	}
	if _, ok := value.Compare(value.String("1"), number(t, "1.5")); ok {
		t.Error("a string and a number have an order")
	}
}

func TestInvalidUTF8IsMended(t *testing.T) {
	t.Parallel()
	bad := "a\xff\xfeb"
	good := "a\uFFFDb"
	for _, v := range []value.Value{
		value.Object(value.Member{Key: bad, Value: value.String(bad)}),
		value.Value{}.With(bad, value.String(bad)),
	} {
		if want := fmt.Sprintf(`{"%s":"%s"}`, good, good); v.String() != want {
			t.Errorf("got %s, want %s", v, want)
		}
		parse(t, v.String())
	}
}

// The value works with the packages that Go programmers use beside it.
func TestOtherPackages(t *testing.T) {
	t.Parallel()
	type record struct {
		Name  string
		Value value.Value
		Maybe value.Value `json:",omitzero"`
	}
	in := record{Name: "n", Value: parse(t, `{"n":9007199254740993,"s":"<b>"}`)}
	data, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	var out record
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(in, out); diff != "" {
		t.Error(diff)
	}
	if _, err := json.Marshal(struct{ V value.Value }{}); err == nil {
		t.Error("an absent value was written as JSON")
	}
	if err := json.Unmarshal([]byte(`{"Value":{"a":1,"a":2}}`), &out); err == nil {
		t.Error("a duplicate key was accepted")
	}
	if got := fmt.Sprintf("%v %s", in.Value, value.Null); got != `{"n":9007199254740993,"s":"<b>"} null` {
		t.Errorf("got %s", got)
	}
}
