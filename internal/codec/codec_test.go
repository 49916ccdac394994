package codec

import (
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lda.chat/wf/internal/value"
)

type named string

type color int // written by a value receiver, read by a pointer receiver

func (c color) MarshalText() ([]byte, error) { return []byte([]string{"red", "green"}[c]), nil }
func (c *color) UnmarshalText(b []byte) error {
	*c = 0
	if string(b) == "green" {
		*c = 1
	}
	return nil
}

type shy struct{ n int } // written by a pointer receiver only

func (s *shy) MarshalJSON() ([]byte, error) { return json.Marshal([]int{s.n}) }

type never struct{ X int }

func (never) IsZero() bool { return true }

type inner struct {
	A int    `json:"a"`
	B string `json:"b,omitempty"`
}

type Deep struct {
	C   int
	Dup int
}

type Other struct{ Dup int }

type embedding struct {
	inner
	*Deep
	Other
	A string `json:"a"` // hides inner's
	X inner  `json:"x"`
}

type list struct {
	Next *list `json:"next,omitempty"`
	N    int
}

type zoo struct {
	Bool   bool
	I8     int8
	I      int
	U64    uint64
	F32    float32
	F64    float64
	S      string
	Named  named
	Tagged string `json:"tagged"`
	Odd    string `json:"odd name"`
	Skip   string `json:"-"`
	//lint:ignore SA5008 encoding/json takes it as the name "-"
	Dash    string         `json:"-,"`
	Empty   string         `json:"empty,omitempty"`
	EmptyN  int            `json:",omitempty"`
	EmptyM  map[string]int `json:",omitempty"`
	EmptyA  [0]int         `json:",omitempty"`
	EmptyS  struct{}       `json:",omitempty"`
	ZeroT   time.Time      `json:",omitzero"`
	ZeroN   never          `json:",omitzero"`
	ZeroS   inner          `json:",omitzero"`
	QuotedI int            `json:",string"`
	QuotedB bool           `json:",string"`
	QuotedS string         `json:",string"`
	QuotedP *float64       `json:",string"`
	//lint:ignore SA5008 it has no effect, as in encoding/json
	QuotedL []int `json:",string"`
	Bytes   []byte
	Array   [3]byte
	Ints    []int
	Structs []inner
	Map     map[string]inner
	IntMap  map[int8]bool
	Colors  map[color]string
	Ptr     *int
	PtrPtr  **string
	Time    time.Time
	Color   color
	Addr    netip.Addr
	Shy     shy
	Shies   []shy
	ShyMap  map[string]shy
	Any     any
	Raw     json.RawMessage
	Number  json.Number
	Big     *big.Int
	Embed   embedding
	List    *list
	Nest    map[string][]map[string]*inner
}

func full() zoo {
	n, f, s := 7, 2.5, "deep"
	p := &s
	return zoo{
		Bool: true, I8: -128, I: math.MaxInt64, U64: math.MaxUint64, F32: 0.1, F64: 1e21, S: "<é\u2028>", Named: "n",
		Tagged: "t", Odd: "o", Skip: "skipped", Dash: "d", Empty: "e", EmptyN: 1, EmptyM: map[string]int{"k": 1},
		ZeroT: time.Unix(1, 5).UTC(), ZeroS: inner{A: 1}, QuotedI: -3, QuotedB: true, QuotedS: `"<`, QuotedP: &f, QuotedL: []int{1},
		Bytes: []byte("bytes"), Array: [3]byte{1, 2, 3}, Ints: []int{}, Structs: []inner{{1, "x"}, {2, ""}},
		Map: map[string]inner{"b": {1, ""}, "a": {2, "y"}}, IntMap: map[int8]bool{-1: true}, Colors: map[color]string{1: "g"},
		Ptr: &n, PtrPtr: &p, Time: time.Date(2026, 11, 30, 1, 2, 3, 4, time.FixedZone("", 3600)), Color: 1,
		Addr: netip.MustParseAddr("::1"), Shy: shy{1}, Shies: []shy{{2}}, ShyMap: map[string]shy{"k": {3}},
		Any: map[string]any{"list": []any{1, "x", nil, inner{A: 4}, &inner{A: 5}, shy{6}, &shy{7}}},
		Raw: json.RawMessage(`{"b":1.50,"a":[ ]}`), Number: "12345678901234567890.5", Big: big.NewInt(5),
		Embed: embedding{inner: inner{A: 1, B: "b"}, Deep: &Deep{C: 2, Dup: 3}, Other: Other{4}, A: "outer", X: inner{A: 6}},
		List:  &list{N: 1, Next: &list{N: 2}}, Nest: map[string][]map[string]*inner{"k": {nil, {"p": nil, "q": {A: 1}}}},
	}
}

// wantJSON is what encoding/json makes of a pointer to the value.
func wantJSON(t *testing.T, p any) value.Value {
	t.Helper()
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	v, err := value.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestEncodeLikeJSON(t *testing.T) {
	t.Parallel()
	whole, empty := full(), zoo{}
	got, err := Encode(&whole)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wantJSON(t, &whole), got); diff != "" {
		t.Errorf("full (-want +got):\n%s", diff)
	}
	if got, err = Encode(&empty); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wantJSON(t, &empty), got); diff != "" {
		t.Errorf("empty (-want +got):\n%s", diff)
	}
}

func TestDecodeLikeJSON(t *testing.T) {
	t.Parallel()
	source := full()
	source.Any = nil // numbers below it differ, see TestDecodeAny
	source.Shy, source.Shies, source.ShyMap = shy{}, nil, nil
	v := wantJSON(t, &source).With("Shy", value.Value{}).With("Raw", value.Null)
	var want zoo
	if err := json.Unmarshal(v.JSON(), &want); err != nil {
		t.Fatal(err)
	}
	got := full() // what was there before must not shine through
	if err := Decode(v, &got); err != nil {
		t.Fatal(err)
	}
	same := cmp.Options{cmp.AllowUnexported(embedding{}), cmp.Comparer(func(a, b netip.Addr) bool { return a == b }),
		cmp.Comparer(func(a, b *big.Int) bool { return (a == nil) == (b == nil) && (a == nil || a.Cmp(b) == 0) }),
		cmp.Comparer(func(a, b shy) bool { return a == b })}
	if diff := cmp.Diff(want, got, same); diff != "" {
		t.Errorf("(-json +codec):\n%s", diff)
	}
}

func TestDecodeAny(t *testing.T) {
	t.Parallel()
	v, err := value.Parse([]byte(`{"n":12345678901234567890.10,"l":[true,null,"s"]}`))
	if err != nil {
		t.Fatal(err)
	}
	var got any
	if err := Decode(v, &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"n": json.Number("12345678901234567890.10"), "l": []any{true, nil, "s"}}
	if diff := cmp.Diff(any(want), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDecodeExactNames(t *testing.T) {
	t.Parallel()
	v, err := value.Parse([]byte(`{"A":1,"b":"exact","unknown":[1]}`))
	if err != nil {
		t.Fatal(err)
	}
	got := inner{A: 9}
	if err := Decode(v, &got); err != nil {
		t.Fatal(err)
	}
	if want := (inner{A: 0, B: "exact"}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// into decodes into a new T.
func into[T any](v value.Value) error {
	var x T
	return Decode(v, &x)
}

func TestDecodeErrors(t *testing.T) {
	t.Parallel()
	type counted struct {
		Items []struct {
			Count uint8 `json:"count"`
		} `json:"items"`
	}
	for _, test := range []struct {
		text   string
		decode func(value.Value) error
		want   string // "" for no error
	}{
		{`{"items":[{"count":1},{"count":300}]}`, into[counted], "/items/1/count: 300 does not fit into 8 bits"},
		{`{"items":[{"count":-1}]}`, into[counted], "/items/0/count: -1 is too small for 8 bits"},
		{`{"items":{}}`, into[counted], "/items: expected an array, found an object"},
		{`{"items":[{"count":null}, null, {}]}`, into[counted], ""},
		{`[]`, into[counted], "expected an object, found an array"},
		{`"x"`, into[int], "expected an integer, found a string"},
		{`1.5`, into[int], "1.5 is not an integer"},
		{`1.0`, into[int], ""},
		{`1e2`, into[uint8], ""},
		{`9223372036854775808`, into[int64], "9223372036854775808 does not fit into 64 bits"},
		{`9223372036854775808`, into[uint64], ""},
		{`1e19`, into[uint64], ""},
		{`18446744073709551616`, into[uint64], "18446744073709551616 does not fit into 64 bits"},
		{`1e39`, into[float32], "1e39 does not fit into 32 bits"},
		{`true`, into[string], "expected a string, found a boolean"},
		{`1`, into[bool], "expected a boolean, found a number"},
		{`"x"`, into[float64], "expected a number, found a string"},
		{`"*"`, into[[]byte], "expected base64: illegal base64 data at input byte 0"},
		{`"yesterday"`, into[time.Time], "expected a time like 2006-01-02T15:04:05Z (RFC 3339), found another string"},
		{`{"a/b":{"~":"x"}}`, into[map[string]map[string]int], "/a~1b/~0: expected an integer, found a string"},
		{`{"300":true}`, into[map[int8]bool], "/300: its name is not an integer of 8 bits"},
		{`[1,2,3]`, into[[2]int], ""},
		{`1`, into[error], "this place can be written but not read"},
		{`null`, into[error], ""},
		{`{"Q":5}`, into[struct {
			Q int `json:",string"`
		}], "/Q: expected a string that holds JSON, found a number"},
	} {
		v, err := value.Parse([]byte(test.text))
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := test.decode(v); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s:\n got %q\nwant %q", test.text, got, test.want)
		}
	}
}

// encoded encodes a value and gives its error.
func encoded[T any](x T) error {
	_, err := Encode(&x)
	return err
}

type failing struct{}

var errFailing = errors.New("out of ink")

func (failing) MarshalJSON() ([]byte, error) { return nil, errFailing }

func TestEncodeErrors(t *testing.T) {
	t.Parallel()
	var loop any
	loop = &loop
	ring := &list{}
	ring.Next = ring
	for _, test := range []struct {
		err  error
		want string
	}{
		{encoded(map[string]any{"x": []float64{1, math.NaN()}}), "/x/1: "},
		{encoded(float32(math.Inf(1))), "Inf"},
		{encoded(loop), "a pointer that leads back to itself"},
		{encoded(ring), "nested more than 200 deep: does it contain itself?"},
		{encoded(struct{ C chan int }{}), "/C: a channel has no JSON form"},
		{encoded(struct{ F []func() }{}), "a function has no JSON form"},
		{encoded(map[string]any{"c": 1i}), "/c: a complex number has no JSON form"},
		{encoded(map[[1]int]int{}), "a map with array keys has no JSON form"},
		{encoded([]any{failing{}}), "/0: out of ink"},
		{encoded(json.RawMessage(`{"a":1,}`)), "its own JSON form cannot be read"},
		{encoded(json.Number("1x")), "1x"},
	} {
		if test.err == nil || !strings.Contains(test.err.Error(), test.want) {
			t.Errorf("got %v, want ...%s...", test.err, test.want)
		}
	}
	if !errors.Is(encoded([]any{failing{}}), errFailing) {
		t.Error("a marshaler's error is lost")
	}
}

func TestRecursiveType(t *testing.T) {
	t.Parallel()
	x := list{N: 1, Next: &list{N: 2}}
	v, err := Encode(&x)
	if err != nil {
		t.Fatal(err)
	}
	var back list
	if err := Decode(v, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(x, back); diff != "" {
		t.Error(diff)
	}
}

func TestReflect(t *testing.T) {
	t.Parallel()
	c, err := For(reflect.TypeFor[inner]())
	if err != nil {
		t.Fatal(err)
	}
	v, err := c.Encode(reflect.ValueOf(&inner{A: 1}))
	if err != nil || string(v.JSON()) != `{"a":1}` {
		t.Errorf("got %s, %v", v.JSON(), err)
	}
	into := inner{B: "old"}
	if err := c.Decode(v, reflect.ValueOf(&into)); err != nil || into != (inner{A: 1}) {
		t.Errorf("got %+v, %v", into, err)
	}
	if _, err := c.Encode(reflect.ValueOf(new(int))); err == nil {
		t.Error("another type was accepted")
	}
}

// TestValueMember: an absent Value is left out; missing is not null.
func TestValueMember(t *testing.T) {
	t.Parallel()
	x := struct{ A, B value.Value }{A: value.Null}
	v, err := Encode(&x)
	if err != nil || string(v.JSON()) != `{"A":null}` {
		t.Errorf("got %s, %v", v.JSON(), err)
	}
}
