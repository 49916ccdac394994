package value_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"lda.chat/wf/internal/value"
)

func TestNumber(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ literal, canonical string }{
		{"0", "0"}, {"-0", "0"}, {"0.000", "0"}, {"0e999999999999999999999", "0"}, {"-0E-99", "0"},
		{"7", "7"}, {"-7", "-7"}, {"1.0", "1"}, {"1e0", "1"}, {"1E+2", "100"}, {"12e-1", "1.2"}, {"1.10", "1.1"},
		{"100e-2", "1"}, {"0.001e3", "1"}, {"0.00120", "0.0012"}, {"120.0340", "120.034"},
		{"9007199254740993", "9007199254740993"}, {"9223372036854775807", "9223372036854775807"},
		{"9223372036854775808", "9223372036854775808"}, {"-9223372036854775808", "-9223372036854775808"},
		{"-9223372036854775809", "-9223372036854775809"}, {"18446744073709551615", "18446744073709551615"},
		{"100000000000000000000", "100000000000000000000"}, {"999999999999999999999", "999999999999999999999"},
		{"1000000000000000000000", "1e+21"}, {"1e20", "100000000000000000000"}, {"1e21", "1e+21"}, {"-123e21", "-1.23e+23"},
		{"123456789012345678901234567890.123456789", "1.23456789012345678901234567890123456789e+29"},
		{"0.0000001", "0.0000001"}, {"0.00000012", "0.00000012"}, {"0.00000001", "1e-8"}, {"12e-9", "1.2e-8"},
		{"1e308", "1e+308"}, {"9.99e308", "9.99e+308"}, {"1e-324", "1e-324"}, {"10e307", "1e+308"}, {"0.1e309", "1e+308"},
		{"-0.000000000000000000000000000000000000000000000000000000000000000000000000000001", "-1e-78"},
	} {
		v := number(t, c.literal)
		if v.NumberText() != c.literal || v.String() != c.literal {
			t.Errorf("%s reads back as %s and %s", c.literal, v.NumberText(), v)
		}
		if got := string(v.AppendCanonical(nil)); got != c.canonical {
			t.Errorf("canonical form of %s = %s, want %s", c.literal, got, c.canonical)
		}
		if got := value.Size(parse(t, c.canonical)); got != len(c.canonical) {
			t.Errorf("size of %s = %d", c.canonical, got)
		}
		again := number(t, c.canonical)
		if got := string(again.AppendCanonical(nil)); got != c.canonical || !value.Equal(v, again) {
			t.Errorf("canonical form of %s = %s, which becomes %s", c.literal, c.canonical, got)
		}
	}
}

func TestNumberRefuses(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("9", 401)
	for _, c := range []struct{ literal, message string }{
		{"", `"" is not a JSON number: found the end of the text, expected a digit`},
		{"-", `"-" is not a JSON number: found the end of the text, expected a digit`},
		{"+1", `"+1" is not a JSON number: found '+', expected a digit`},
		{"01", `"01" is not a JSON number: found 1, expected no digit after a leading 0`},
		{"1.", `"1." is not a JSON number: found the end of the text, expected a digit after '.'`},
		{".5", `".5" is not a JSON number: found '.', expected a digit`},
		{"1e", `"1e" is not a JSON number: found the end of the text, expected a digit in the exponent`},
		{"1e+x", `"1e+x" is not a JSON number: found x, expected a digit in the exponent`},
		{"1 ", `"1 " is not a JSON number: found ' ', expected the end of the number`},
		{"0x10", `"0x10" is not a JSON number: found x10, expected the end of the number`},
		{"NaN", `"NaN" is not a JSON number: found NaN, expected a digit`},
	} {
		_, err := value.Number(c.literal)
		if err == nil || err.Error() != c.message || errors.Is(err, value.ErrNumberRange) {
			t.Errorf("Number(%s): %v\nwant %s", c.literal, err, c.message)
		}
	}
	for _, literal := range []string{"1e309", "-1e400", "1e-325", "0.1e310", "1e99999999999999999999", "1e-99999999999999999999", long, "0." + long, // the last is too long in canonical form only
		long[:309] + "." + long[:90]} {
		_, err := value.Number(literal)
		if !errors.Is(err, value.ErrNumberRange) {
			t.Errorf("Number(%.20s…): %v", literal, err)
		}
		if err != nil && len(err.Error()) > 200 {
			t.Errorf("a message of %d bytes", len(err.Error()))
		}
	}
	longest := "0." + long[:398]
	if v := number(t, longest); v.NumberText() != longest {
		t.Error("a literal of 400 characters was not kept")
	}
}

func TestAsInt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		literal string
		want    int64
		ok      bool
	}{
		{"12", 12, true}, {"1.0", 1, true}, {"1e3", 1000, true}, {"-0", 0, true}, {"0.0", 0, true}, {"2500e-2", 25, true}, {"0.5e1", 5, true},
		{"-9223372036854775808.0", math.MinInt64, true}, {"9.223372036854775807e18", math.MaxInt64, true},
		{"9223372036854775808", 0, false}, {"-9223372036854775809", 0, false}, {"9.9e18", 0, false}, {"1e19", 0, false}, {"1e300", 0, false},
		{"0.5", 0, false}, {"1.5", 0, false}, {"1e-1", 0, false}, {"9007199254740993.5", 0, false},
	} {
		got, ok := number(t, c.literal).AsInt()
		if got != c.want || ok != c.ok {
			t.Errorf("AsInt of %s = %d, %v, want %d, %v", c.literal, got, ok, c.want, c.ok)
		}
	}
	if _, ok := value.String("1").AsInt(); ok {
		t.Error("a string is an integer")
	}
}

func TestIsInteger(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		`1`: true, `1.0`: true, `-0.0`: true, `1e300`: true, `12.50e1`: true, `18446744073709551616`: true,
		`0.5`: false, `1.5`: false, `1e-300`: false, `12.50e0`: false, `"1"`: false, `null`: false, `[]`: false,
	} {
		if got := parse(t, text).IsInteger(); got != want {
			t.Errorf("IsInteger of %s = %v", text, got)
		}
	}
	if (value.Value{}).IsInteger() {
		t.Error("absent is an integer")
	}
}

func TestFloat(t *testing.T) {
	t.Parallel()
	for f, want := range map[float64]string{
		0: "0", math.Copysign(0, -1): "0", 1: "1", -2.5: "-2.5", 0.1: "0.1", 1e21: "1e+21", 1e20: "100000000000000000000", 1e-7: "0.0000001",
		1.5e-9: "1.5e-9", math.MaxFloat64: "1.7976931348623157e+308", math.SmallestNonzeroFloat64: "5e-324", 1 << 53: "9007199254740992", -1 << 63: "-9223372036854776000",
	} {
		v, err := value.Float(f)
		if err != nil || v.String() != want {
			t.Errorf("Float(%g) = %v, %v, want %s", f, v, err, want)
		}
		if back, ok := v.AsFloat(); !ok || back != f {
			t.Errorf("Float(%g) reads back as %g, %v", f, back, ok)
		}
	}
	for _, f := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if v, err := value.Float(f); err == nil {
			t.Errorf("Float(%g) = %v", f, v)
		}
	}
	if f, ok := number(t, "9e308").AsFloat(); ok {
		t.Errorf("9e308 as a float64 = %g", f)
	}
}

func TestAdd(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ a, b, want string }{
		{"1", "2", "3"}, {"0.1", "0.2", "0.3"}, {"1.10", "1", "2.1"}, {"0.5", "0.5", "1"}, {"-0", "-0", "0"}, {"1.5", "-1.5", "0"}, {"0", "1.50", "1.5"},
		{"9223372036854775807", "1", "9223372036854775808"}, {"-9223372036854775808", "-1", "-9223372036854775809"},
		{"9223372036854775808", "-1", "9223372036854775807"}, {"18446744073709551615", "1", "18446744073709551616"},
		{"9007199254740992", "1", "9007199254740993"}, {"1e20", "1e-20", "100000000000000000000.00000000000000000001"}, {"1e21", "-1", "999999999999999999999"},
		{"-3.75", "1.5", "-2.25"}, {"1.5", "-3.75", "-2.25"}, {"99.99", "0.01", "100"}, {"1000", "-0.001", "999.999"},
		{"123456789012345678901234567890.123456789", "0.000000001", "1.2345678901234567890123456789012345679e+29"},
		{"5e308", "-5e308", "0"}, {"1e300", "1e-40", "1e300+1e-40"},
	} {
		got, err := value.Add(number(t, c.a), number(t, c.b))
		if c.want == "1e300+1e-40" {
			if err != nil || len(got.String()) < 341 {
				t.Errorf("%s + %s = %v, %v", c.a, c.b, got, err)
			}
			continue
		}
		if err != nil || got.String() != c.want {
			t.Errorf("%s + %s = %v, %v, want %s", c.a, c.b, got, err, c.want)
		}
	}
	for _, c := range [][2]string{{"9e308", "9e308"}, {"1e308", "1e-300"}, {"-9.5e308", "-5e307"}} {
		if got, err := value.Add(number(t, c[0]), number(t, c[1])); !errors.Is(err, value.ErrNumberRange) {
			t.Errorf("%s + %s = %v, %v", c[0], c[1], got, err)
		}
	}
	for found, other := range map[string]value.Value{
		"nothing": {}, "null": value.Null, "a boolean": value.True, "a string": value.String("1"), "an array": value.Array(), "an object": value.Object(),
	} {
		want := fmt.Sprintf("found %s, expected a number to add", found)
		if _, err := value.Add(other, value.Int(1)); err == nil || err.Error() != want {
			t.Errorf("%v + 1: %v", other, err)
		}
		if _, err := value.Add(number(t, "1.5"), other); err == nil || err.Error() != want {
			t.Errorf("1.5 + %v: %v", other, err)
		}
	}
}

func TestNE01_IntegersKeepTheirDigits(t *testing.T) {
	t.Parallel()
	text := `[9007199254740993,3544790567247868102,-9223372036854775808,18446744073709551615]`
	v := parse(t, text)
	through, err := value.FromAny(v.ToAny())
	if err != nil {
		t.Fatal(err)
	}
	for way, got := range map[string]string{
		"JSON": v.String(), "canonical": string(v.AppendCanonical(nil)), "Go values": through.String(),
		"state": parse(t, `{}`).With("n", v).Get("n").String(),
	} {
		if got != text {
			t.Errorf("by way of %s: %s", way, got)
		}
	}
}

func TestNE03_OddNumbers(t *testing.T) {
	t.Parallel()
	for _, literal := range []string{"-0", "1E+2", "0.1", "123456789012345678901234567890.123456789", "1.10"} {
		v := parse(t, literal)
		if v.String() != literal || !value.Equal(v, parse(t, string(v.AppendCanonical(nil)))) {
			t.Errorf("%s became %s, canonically %s", literal, v, v.AppendCanonical(nil))
		}
	}
	_, err := value.Parse([]byte("1e400"))
	var bad *value.SyntaxError
	if !errors.As(err, &bad) || bad.Kind != value.SyntaxNumberOutside {
		t.Errorf("1e400: %v", err)
	}
	if sum, err := value.Add(parse(t, "0.1"), parse(t, "0.2")); err != nil || sum.String() != "0.3" {
		t.Errorf("0.1 + 0.2 = %v, %v", sum, err)
	}
}

func TestRD07_ArithmeticIsExact(t *testing.T) {
	t.Parallel()
	n := parse(t, "9007199254740992")
	for range 2 {
		var err error
		if n, err = value.Add(n, value.Int(1)); err != nil {
			t.Fatal(err)
		}
	}
	if n.String() != "9007199254740994" {
		t.Errorf("the sum is %v", n)
	}
	a, b := parse(t, "9007199254740992"), parse(t, "9007199254740993")
	if order, ok := value.Compare(a, b); !ok || order >= 0 {
		t.Errorf("Compare = %d, %v", order, ok)
	}
	if value.Equal(a, b) {
		t.Error("two elements of a set became one")
	}
}
