package schema

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	oracle "github.com/santhosh-tekuri/jsonschema/v6"

	"lda.chat/wf/internal/value"
)

// TestMutants crosses the public suite's schemas with one another and checks them against its values: the fast check, the
// library, the explanation, an independent implementation, and every property's schema taken out of its document must agree.
func TestMutants(t *testing.T) {
	t.Parallel()
	const parts = 2
	each := validations(t) / 2 / parts
	files, err := filepath.Glob(filepath.Join(dataDir(t), "JSON-Schema-Test-Suite", "tests", "draft2020-12", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no files of the suite: %v", err)
	}
	for seed := range uint64(parts) {
		m := &mutator{Rand: rand.New(rand.NewPCG(seed, uint64(each)))}
		for _, file := range files {
			m.read(t, file)
		}
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			valid, invalid := 0, 0
			for valid+invalid < each {
				m.compare(t, &valid, &invalid)
			}
			t.Logf("%d valid and %d invalid values", valid, invalid)
			if valid < each/5 || invalid < each/5 {
				t.Errorf("%d valid and %d invalid values: too one-sided to mean anything", valid, invalid)
			}
		})
	}
}

// compare makes one schema up and compares what is said of some values.
func (m *mutator) compare(t *testing.T, valid, invalid *int) {
	left := 3
	raw := m.mutate(m.schemas[m.IntN(len(m.schemas))], &left)
	s, problems := FromValue(raw, nil)
	told := map[[2]string]string{}
	for _, p := range problems {
		if before, again := told[[2]string{p.Pointer, p.Code}]; again {
			t.Errorf("two problems of one place: %s, and before: %s\n%s", p, before, raw)
		}
		told[[2]string{p.Pointer, p.Code}] = p.Message
	}
	if s == nil {
		return
	}
	var third *oracle.Schema
	if problems == nil {
		c := oracle.NewCompiler()
		c.UseLoader(noLoader{})
		if c.AddResource("http://wf.test/s", raw.ToAny()) == nil {
			third, _ = c.Compile("http://wf.test/s")
		}
	}
	for range 16 {
		v := m.values[m.IntN(len(m.values))]
		is, list, lib := s.Valid(v), s.Check(v), s.lib().valid(v, s.node)
		if is != (list == nil) || is != lib || list != nil && list[0].Message == unexplained {
			t.Fatalf("schema %s\nvalue %s\nvalid %v, library %v (%v)\n%v", raw, v, is, lib, s.lib().err, list)
		}
		if third == nil {
			continue
		}
		if want := third.Validate(v.ToAny()) == nil; want != is {
			t.Fatalf("schema %s\nvalue %s\nvalid %v, oracle %v", raw, v, is, want)
		}
		if is {
			*valid++
		} else {
			*invalid++
		}
	}
	m.standalone(t, s)
}

type mutator struct {
	*rand.Rand
	schemas, parts, values []value.Value
}

func (m *mutator) read(t *testing.T, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	groups, err := value.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, group := range groups.Items() {
		m.schemas = append(m.schemas, group.Get("schema"))
		m.collect(group.Get("schema"))
		for _, test := range group.Get("tests").Items() {
			m.values = append(m.values, test.Get("data"))
		}
	}
}

func (m *mutator) collect(v value.Value) {
	m.parts = append(m.parts, v)
	for _, x := range v.Items() {
		m.collect(x)
	}
	for _, x := range v.Members() {
		m.collect(x)
	}
}

// mutate replaces some parts by parts of other schemas, and adds keywords of others.
func (m *mutator) mutate(v value.Value, left *int) value.Value {
	if *left > 0 && m.IntN(12) == 0 {
		*left--
		return m.parts[m.IntN(len(m.parts))]
	}
	switch v.Kind() {
	case value.KindArray:
		var items []value.Value
		for _, x := range v.Items() {
			items = append(items, m.mutate(x, left))
		}
		return value.Array(items...)
	case value.KindObject:
		var members []value.Member
		for key, x := range v.Members() {
			members = append(members, value.Member{Key: key, Value: m.mutate(x, left)})
		}
		if *left > 0 && m.IntN(6) == 0 {
			*left--
			for key, x := range m.schemas[m.IntN(len(m.schemas))].Members() {
				if m.IntN(2) == 0 {
					members = append(members, value.Member{Key: key, Value: x})
				}
			}
		}
		return value.Object(members...)
	}
	return v
}

// standalone: what a property's schema says by itself is what it says in its document.
func (m *mutator) standalone(t *testing.T, s *Schema) {
	for _, p := range s.Properties() {
		alone, problems := FromValue(p.Schema.Value(), nil)
		if alone == nil {
			t.Fatalf("%s of %s: %v", p.Name, s.Value(), problems)
		}
		for range 3 {
			if v := m.values[m.IntN(len(m.values))]; alone.Valid(v) != p.Schema.Valid(v) {
				t.Fatalf("%s of %s\nby itself %s\ndiffers on %s", p.Name, s.Value(), alone.Value(), v)
			}
		}
	}
}
