package schema

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	oracle "github.com/santhosh-tekuri/jsonschema/v6"

	"lda.chat/wf/internal/value"
)

// validations is how many checks of values are compared with those of an independent implementation, in this test and in
// TestMutants: 20,000 unless WF_VALIDATIONS says another number.
func validations(t *testing.T) int { return numberOf(t, "WF_VALIDATIONS", 20_000) }

func numberOf(t *testing.T, variable string, usual int) int {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil || n <= 0 {
		t.Fatalf("%s: %q is no number above 0", variable, text)
	}
	return n
}

// TestAgreement: on random schemas and values the fast check, the library and an independent implementation agree.
func TestAgreement(t *testing.T) {
	t.Parallel()
	const parts = 4
	each := validations(t) / 2 / parts
	for seed := range uint64(parts) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			m := &maker{rand.New(rand.NewPCG(seed, uint64(each)))}
			valid, invalid := 0, 0
			for valid+invalid < each {
				defs := value.Object(value.Member{Key: "a", Value: m.schema(2)}, value.Member{Key: "b", Value: m.recursive()})
				raw := value.Object(value.Member{Key: "$defs", Value: defs}, value.Member{Key: "allOf", Value: value.Array(m.schema(3))})
				s, problems := FromValue(raw, nil)
				if s == nil {
					t.Fatalf("%s\n%v", raw, problems)
				}
				third := compileOracle(t, raw)
				for i := range 40 {
					v := m.instance(3)
					if i%2 == 0 {
						v = m.fitting(s.node, 4)
					}
					fast, lib, check, want := s.Valid(v), s.lib().valid(v, s.node), s.Check(v), third.Validate(v.ToAny()) == nil
					if fast != want || lib != want || (check == nil) != want || check != nil && check[0].Message == unexplained {
						t.Fatalf("schema %s\nvalue %s\nfast %v, library %v, oracle %v\n%v", raw, v, fast, lib, want, check)
					}
					if want {
						valid++
					} else {
						invalid++
					}
				}
			}
			t.Logf("%d valid and %d invalid values", valid, invalid)
			if valid < each/5 || invalid < each/5 {
				t.Errorf("%d valid and %d invalid values: too one-sided to mean anything", valid, invalid)
			}
		})
	}
}

func compileOracle(t *testing.T, raw value.Value) *oracle.Schema {
	c := oracle.NewCompiler()
	c.UseLoader(noLoader{})
	if err := c.AddResource("http://wf.test/s", raw.ToAny()); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("http://wf.test/s")
	if err != nil {
		t.Fatalf("%s\n%v", raw, err)
	}
	return s
}

type noLoader struct{}

func (noLoader) Load(string) (any, error) { return nil, errors.New("nothing is loaded") }

// maker makes schemas and values up, from few names and values, so that they often meet.
type maker struct{ *rand.Rand }

func (m *maker) pick(list ...string) string { return list[m.IntN(len(list))] }

func (m *maker) name() string { return m.pick("a", "b", "c", "aa", "~/é") }

func (m *maker) number() value.Value {
	text := m.pick("0", "1", "-1", "2", "3", "1.0", "1.5", "2e0", "0.1", "0.3", "1e2", "9007199254740992", "9007199254740993",
		"12345678901234567890", "12345678901234567891", "12345678901234567890.5", "-0", "1e300", "1e-3")
	v, err := value.Number(text)
	if err != nil {
		panic(err)
	}
	return v
}

func (m *maker) instance(depth int) value.Value {
	switch n := m.IntN(7); {
	case n == 0:
		return value.Null
	case n == 1:
		return value.Bool(m.IntN(2) == 0)
	case n == 2:
		return m.number()
	case n == 3 || depth <= 0:
		return value.String(m.pick("", "a", "b", "ab", "ééé", "aaaa"))
	case n == 4:
		items := make([]value.Value, m.IntN(4))
		for i := range items {
			items[i] = m.instance(depth - 1)
		}
		return value.Array(items...)
	}
	var members []value.Member
	for range m.IntN(4) {
		members = append(members, value.Member{Key: m.name(), Value: m.instance(depth - 1)})
	}
	return value.Object(members...)
}

// recursive is a definition that goes down before it comes back to itself.
func (m *maker) recursive() value.Value {
	self := value.Object(value.Member{Key: "$ref", Value: value.String("#/$defs/b")})
	return value.Object(
		value.Member{Key: m.pick("items", "contains", "additionalProperties"), Value: self},
		value.Member{Key: "type", Value: value.Array(value.String("array"), value.String(m.pick("null", "object")), value.String("string"))},
		value.Member{Key: "maxItems", Value: value.Int(int64(m.IntN(4)))},
	)
}

func (m *maker) schema(depth int) value.Value {
	if m.IntN(8) == 0 {
		return value.Bool(m.IntN(4) > 0)
	}
	var members []value.Member
	add := func(keyword string, v value.Value) { members = append(members, value.Member{Key: keyword, Value: v}) }
	sub := func() value.Value { return m.schema(depth - 1) }
	list := func(n int) value.Value {
		items := make([]value.Value, 1+m.IntN(n))
		for i := range items {
			items[i] = sub()
		}
		return value.Array(items...)
	}
	object := func(key func() string) value.Value {
		var members []value.Member
		for range 1 + m.IntN(3) {
			members = append(members, value.Member{Key: key(), Value: sub()})
		}
		return value.Object(members...)
	}
	count := func() value.Value { return value.Int(int64(m.IntN(4))) }
	for range 1 + m.IntN(3) {
		n := 31
		if depth == 0 {
			n = 16
		}
		switch m.IntN(n) {
		case 0, 1:
			add("type", value.String(m.pick(typeNames[:]...)))
		case 2:
			add("type", value.Array(value.String(m.pick("integer", "string", "null")), value.String(m.pick("object", "array"))))
		case 3:
			add("enum", value.Array(m.instance(1), m.instance(1), m.number(), m.number()))
		case 4:
			add("const", m.instance(1))
		case 5:
			add(m.pick("minimum", "exclusiveMinimum"), m.number())
		case 6:
			add(m.pick("maximum", "exclusiveMaximum"), m.number())
		case 7:
			add("multipleOf", parsedNumber(m.pick("2", "0.1", "1.5", "1")))
		case 8:
			add(m.pick("minLength", "maxLength"), count())
		case 9:
			add("pattern", value.String(m.pick("^a", "b$", "^.{2}$", "é")))
		case 10:
			add(m.pick("minItems", "maxItems"), count())
		case 11:
			add("uniqueItems", value.True)
		case 12:
			add(m.pick("minProperties", "maxProperties"), count())
		case 13:
			add("required", value.Array(value.String(m.pick("a", "b")), value.String(m.pick("c", "aa"))))
		case 14:
			add("dependentRequired", value.Object(value.Member{Key: m.name(), Value: value.Array(value.String(m.name()))}))
		case 15:
			add("$ref", value.String("#/$defs/b"))
		case 16, 17, 18:
			add("properties", object(m.name))
		case 19:
			add("patternProperties", object(func() string { return m.pick("^a", "b$", "é") }))
		case 20:
			add("additionalProperties", sub())
		case 21, 22:
			add("items", sub())
		case 23:
			add("prefixItems", list(2))
		case 24:
			add("contains", sub())
			add(m.pick("minContains", "maxContains"), count())
		case 25:
			add(m.pick("allOf", "anyOf"), list(3))
		case 26:
			add("oneOf", list(3))
		case 27:
			add("not", sub())
		case 28:
			add("if", sub())
			add(m.pick("then", "else"), sub())
		case 29:
			add(m.pick("propertyNames", "items"), sub())
			add("dependentSchemas", object(m.name))
		case 30:
			add(m.pick("unevaluatedItems", "unevaluatedProperties"), sub())
		}
	}
	return value.Object(members...)
}

func parsedNumber(text string) value.Value {
	v, err := value.Number(text)
	if err != nil {
		panic(err)
	}
	return v
}
