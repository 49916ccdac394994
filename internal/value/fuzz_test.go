package value_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/big"
	"reflect"
	"testing"
	"unicode/utf8"

	"lda.chat/wf/internal/value"
)

// FuzzParse: no text makes the decoder panic; what it accepts keeps its value through writing and reading; it agrees with
// encoding/json on what is JSON, but for the rules of its own, and on what the text says.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		smallText, `[]`, `{"a":{"b":[1,-0,1.5e-7,"\u00e9\ud83d\ude00"]}}`, `[1,]`, `{"a":1,"a":2}`, `"\ud800"`, "\"\xff\"", `1e400`, ` null `, "\uFEFF[]", `[[[[`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := value.Parse(text)
		if err != nil {
			var bad *value.SyntaxError
			if !errors.As(err, &bad) {
				t.Fatalf("an error of another kind: %v", err)
			}
			if bad.Offset < 0 || bad.Offset > len(text) || bad.Line < 1 || bad.Column < 1 || bad.Msg == "" {
				t.Errorf("a place that does not exist: %+v", bad)
			}
			if json.Valid(text) && (bad.Kind == value.SyntaxGeneral || bad.Kind == value.SyntaxTrailingData) {
				t.Errorf("%q is JSON, but: %v", text, err)
			}
			return
		}
		if !json.Valid(text) {
			t.Fatalf("%q is not JSON, but was read as %v", text, v)
		}
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.UseNumber()
		var other any
		if err := decoder.Decode(&other); err != nil || !reflect.DeepEqual(other, v.ToAny()) {
			t.Errorf("%q is %v, encoding/json has %v, %v", text, v, other, err)
		}
		for name, written := range map[string][]byte{"JSON": v.JSON(), "canonical": v.AppendCanonical(nil), "Indent": value.Indent(v)} {
			again, err := value.Parse(written)
			if err != nil || !value.Equal(v, again) {
				t.Errorf("%s of %q is %s, which reads as %v, %v", name, text, written, again, err)
			}
			if got := again.AppendCanonical(nil); !bytes.Equal(got, v.AppendCanonical(nil)) {
				t.Errorf("two canonical forms: %s and %s", got, v.AppendCanonical(nil))
			}
		}
		if value.Size(v) != len(v.JSON()) || value.Depth(v) != depth(v) {
			t.Errorf("%v has the size %d and the depth %d", v, value.Size(v), value.Depth(v))
		}
		if again, err := value.FromAny(v.ToAny()); err != nil || !value.Equal(v, again) {
			t.Errorf("%v by way of Go values: %v, %v", v, again, err)
		}
		d, err := value.ParseDocument(text)
		if err != nil || !value.Equal(d.Root, v) {
			t.Fatalf("as a document: %v", err)
		}
		checkPositions(t, d, nil, v)
	})
}

// checkPositions finds every value of a document.
func checkPositions(t *testing.T, d *value.Document, p value.Path, v value.Value) {
	if len(p) > 6 {
		return
	}
	if _, _, ok := d.Position(p.Pointer()); !ok {
		t.Errorf("%s has no position", p.Pointer())
	}
	for i, item := range v.Items() {
		checkPositions(t, d, append(p[:len(p):len(p)], value.Part{Index: i, IsIndex: true}), item)
	}
	for key, member := range v.Members() {
		checkPositions(t, d, append(p[:len(p):len(p)], value.Part{Key: key}), member)
	}
}

// FuzzPath: what is set at a path is found there, and nothing else has changed; what is unset is gone.
func FuzzPath(f *testing.F) {
	f.Add([]byte(`{"a":[1,{"b":2}]}`), []byte(`["a",1,"b"]`), []byte(`"new"`))
	f.Add([]byte(`{"a":null}`), []byte(`["a","b",0]`), []byte(`[]`))
	f.Add([]byte(`[]`), []byte(`[-1]`), []byte(`0`))
	f.Add([]byte(`{}`), []byte(`["x","","~/"]`), []byte(`{"y":{}}`))
	f.Fuzz(func(t *testing.T, doc, parts, text []byte) {
		v, _ := value.Parse(doc) // absent if it is no JSON
		x, errX := value.Parse(text)
		list, errList := value.Parse(parts)
		if errX != nil || errList != nil {
			return
		}
		var p value.Path
		for _, part := range list.Items() {
			if i, ok := part.AsInt(); ok {
				p = append(p, value.Part{Index: int(i), IsIndex: true})
			} else if s, ok := part.AsString(); ok {
				p = append(p, value.Part{Key: s})
			}
		}
		before := v.String()
		set, err := v.Set(p, x)
		if err != nil {
			var bad *value.PathError
			if !errors.As(err, &bad) || bad.At < 0 || bad.At >= len(p) || bad.Error() == "" {
				t.Fatalf("Set(%s): %v", p.Pointer(), err)
			}
			if found := v.At(p[:bad.At]).Kind(); found != bad.Found {
				t.Errorf("%s is said to be %s, it is %s", p[:bad.At].Pointer(), bad.Found, found)
			}
			if !v.At(p).IsAbsent() {
				t.Errorf("%s exists and cannot be set", p.Pointer())
			}
		} else {
			if got := set.At(p); !value.Equal(got, x) {
				t.Errorf("set %v at %s, found %v", x, p.Pointer(), got)
			}
			if old := v.At(p); !old.IsAbsent() {
				if back, err := set.Set(p, old); err != nil || !value.Equal(back, v) {
					t.Errorf("set back at %s: %v, %v", p.Pointer(), back, err)
				}
			}
			if value.Size(set) != len(set.JSON()) {
				t.Errorf("the size of %v is %d", set, value.Size(set))
			}
		}
		unset := v.Unset(p)
		last := len(p) - 1
		switch {
		case last < 0 || p[last].IsIndex || v.At(p).IsAbsent():
			if !value.Equal(unset, v) {
				t.Errorf("Unset(%s) of %v gave %v", p.Pointer(), v, unset)
			}
		case !unset.At(p).IsAbsent() || unset.At(p[:last]).Len() != v.At(p[:last]).Len()-1:
			t.Errorf("Unset(%s) of %v gave %v", p.Pointer(), v, unset)
		}
		if v.String() != before {
			t.Errorf("the old version became %v, was %s", v, before)
		}
	})
}

// FuzzNumber compares with the exact fractions of math/big.
func FuzzNumber(f *testing.F) {
	for _, c := range [][2]string{{"1", "1.0"}, {"0.1", "0.2"}, {"-0", "0e5"}, {"9223372036854775807", "1"}, {"1e308", "-9e-300"}, {"1E+2", "100"}, {"12.340e-3", "-0.01234"}, {"1e400", "01"}} {
		f.Add(c[0], c[1])
	}
	f.Fuzz(func(t *testing.T, s, u string) {
		a, errA := value.Number(s)
		b, errB := value.Number(u)
		if valid := json.Valid([]byte(s)) && s != "" && (s[0] == '-' || s[0]-'0' <= 9) && s[len(s)-1]-'0' <= 9; valid != (errA == nil || errors.Is(errA, value.ErrNumberRange)) {
			t.Fatalf("Number(%q): %v", s, errA)
		}
		if errA != nil || errB != nil {
			return
		}
		if a.NumberText() != s && !(len(s) < 20 && a.String() == s) {
			t.Errorf("%s became %s", s, a.NumberText())
		}
		if fromText := parse(t, s); !value.Equal(fromText, a) || fromText.String() != s {
			t.Errorf("Parse(%s) = %v", s, fromText)
		}
		x, y := fraction(t, s), fraction(t, u)
		if got, ok := value.Compare(a, b); !ok || sign(got) != x.Cmp(y) {
			t.Errorf("Compare(%s, %s) = %d, want %d", s, u, got, x.Cmp(y))
		}
		if value.Equal(a, b) != (x.Cmp(y) == 0) {
			t.Errorf("Equal(%s, %s) = %v", s, u, value.Equal(a, b))
		}
		canonA, canonB := a.AppendCanonical(nil), b.AppendCanonical(nil)
		if bytes.Equal(canonA, canonB) != value.Equal(a, b) {
			t.Errorf("canonical forms of %s and %s: %s and %s", s, u, canonA, canonB)
		}
		if fraction(t, string(canonA)).Cmp(x) != 0 || !json.Valid(canonA) {
			t.Errorf("canonical form of %s: %s", s, canonA)
		}
		if i, ok := a.AsInt(); ok != (x.IsInt() && x.Num().IsInt64()) || ok && i != x.Num().Int64() {
			t.Errorf("AsInt of %s: %d, %v", s, i, ok)
		}
		if a.IsInteger() != x.IsInt() {
			t.Errorf("IsInteger of %s: %v", s, a.IsInteger())
		}
		sum, err := value.Add(a, b)
		if err != nil {
			if !errors.Is(err, value.ErrNumberRange) {
				t.Errorf("%s + %s: %v", s, u, err)
			}
			return
		}
		if got := fraction(t, sum.NumberText()); got.Cmp(new(big.Rat).Add(x, y)) != 0 {
			t.Errorf("%s + %s = %v", s, u, sum)
		}
		if string(sum.AppendCanonical(nil)) != sum.NumberText() {
			t.Errorf("%s + %s = %v, which is not canonical", s, u, sum)
		}
		if swapped, err := value.Add(b, a); err != nil || swapped.NumberText() != sum.NumberText() {
			t.Errorf("%s + %s = %v, the other way round %v, %v", s, u, sum, swapped, err)
		}
	})
}

func sign(order int) int {
	switch {
	case order < 0:
		return -1
	case order > 0:
		return 1
	}
	return 0
}

// fraction reads a literal exactly. A zero's exponent, which may be any, is left out.
func fraction(t *testing.T, literal string) *big.Rat {
	t.Helper()
	if v := number(t, literal); string(v.AppendCanonical(nil)) == "0" {
		for _, c := range []byte(literal) {
			if c == 'e' || c == 'E' {
				break
			}
			if c >= '1' && c <= '9' {
				t.Fatalf("%s became zero", literal)
			}
		}
		return new(big.Rat)
	}
	r, ok := new(big.Rat).SetString(literal)
	if !ok {
		t.Fatalf("math/big does not read %s", literal)
	}
	return r
}

// FuzzString: any bytes become a string that JSON can hold, and a valid one is kept.
func FuzzString(f *testing.F) {
	f.Add("plain")
	f.Add("a\x00\"\\\u2028\xff\xed\xa0\x80é😀")
	f.Fuzz(func(t *testing.T, s string) {
		v := value.String(s)
		kept, _ := v.AsString()
		if utf8.ValidString(s) != (kept == s) {
			t.Errorf("%q became %q", s, kept)
		}
		var other string
		if err := json.Unmarshal(v.JSON(), &other); err != nil || other != kept {
			t.Errorf("%q was written as %s, which reads as %q, %v", s, v, other, err)
		}
		if !value.Equal(parse(t, v.String()), v) || value.Size(v) != len(v.JSON()) {
			t.Errorf("%q was written as %s", s, v)
		}
		if o := (value.Value{}).With(s, v); !value.Equal(parse(t, o.String()), o) || !value.Equal(o, value.Object(value.Member{Key: s, Value: v})) {
			t.Errorf("as a key %q was written as %s", s, o)
		}
	})
}
