package value_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lda.chat/wf/internal/value"
)

func TestFromAny(t *testing.T) {
	t.Parallel()
	type text string
	type flag bool
	type count uint8
	for _, c := range []struct {
		x    any
		want string
	}{
		{nil, "null"}, {true, "true"}, {"s", `"s"`}, {7, "7"}, {int8(-7), "-7"}, {uint64(math.MaxUint64), "18446744073709551615"},
		{1.5, "1.5"}, {float32(0.1), "0.1"}, {text("t"), `"t"`}, {flag(true), "true"}, {count(3), "3"},
		{json.Number("1.10"), "1.10"}, {json.RawMessage(`{"b":1,"a":[2]}`), `{"a":[2],"b":1}`}, {json.RawMessage(nil), "null"},
		{value.Int(4), "4"}, {value.Value{}, "absent"}, {[]any(nil), "[]"}, {map[string]any(nil), "{}"},
		{map[string]any{"b": []any{1, "x", nil, value.Value{}}, "a": map[string]any{}, "c": value.Value{}}, `{"a":{},"b":[1,"x",null,null]}`},
	} {
		got, err := value.FromAny(c.x)
		if err != nil || got.String() != c.want {
			t.Errorf("FromAny(%#v) = %v, %v, want %s", c.x, got, err, c.want)
		}
	}
	cyclic := []any{nil}
	cyclic[0] = cyclic
	const unknown = "found something that is not plain JSON data, expected nil, a boolean, a string, a number, a list or a map with string keys"
	for _, c := range []struct {
		x    any
		want string
	}{
		{struct{}{}, unknown},
		{[]any{1, map[string]any{"a": 1, "f": func() {}, "g": func() {}}}, "at /1/f: " + unknown},
		{[]any{math.NaN()}, "at /0: found NaN, expected a finite number"},
		{json.Number("x"), `"x" is not a JSON number: found x, expected a digit`},
		{json.RawMessage("[1"), "line 1, column 3: found the end of the text, expected ',' or ']' after the element"},
		{json.RawMessage{}, "line 1, column 1: found the end of the text, expected a value"},
		{cyclic, "found more than 200 lists and maps inside one another"},
	} {
		if got, err := value.FromAny(c.x); err == nil || err.Error() != c.want {
			t.Errorf("got %v, %v, want %s", got, err, c.want)
		}
	}
}

func TestToAny(t *testing.T) {
	t.Parallel()
	got := parse(t, `{"n":9007199254740993,"l":[null,true,"s",[],{},[[1.50]]],"o":{"a":{"b":[2]}}}`).ToAny()
	want := map[string]any{
		"n": json.Number("9007199254740993"),
		"l": []any{nil, true, "s", []any{}, map[string]any{}, []any{[]any{json.Number("1.50")}}},
		"o": map[string]any{"a": map[string]any{"b": []any{json.Number("2")}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := (value.Value{}).ToAny(); got != nil {
		t.Errorf("absent became %v", got)
	}
}
