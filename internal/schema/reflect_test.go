package schema

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lda.chat/wf/internal/value"
)

var zoo = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[string](), reflect.TypeFor[[]byte](), reflect.TypeFor[any](), reflect.TypeFor[*int](),
	reflect.TypeFor[[]string](), reflect.TypeFor[map[string]int](), reflect.TypeFor[map[int]*bool](), reflect.TypeFor[time.Time](),
	reflect.TypeFor[color](), reflect.TypeFor[loud](), reflect.TypeFor[*shy](), reflect.TypeFor[[]shy](), reflect.TypeFor[mood](),
	reflect.TypeFor[base](), reflect.TypeFor[embeds](), reflect.TypeFor[ambiguous](), reflect.TypeFor[tree](), reflect.TypeFor[*tree](),
	reflect.TypeFor[nest](), reflect.TypeFor[page[string]](), reflect.TypeFor[both](), reflect.TypeFor[everything](),
	reflect.TypeFor[map[string]everything](), reflect.TypeFor[struct{}](), reflect.TypeFor[[2][]tree](), reflect.TypeFor[struct{ X *nest }](),
}

// TestWrittenIsValid: whatever encoding/json writes for a value of a type satisfies the type's schema.
func TestWrittenIsValid(t *testing.T) {
	t.Parallel()
	for _, typ := range zoo {
		t.Run(typ.String(), func(t *testing.T) {
			t.Parallel()
			s, problems := For(typ)
			if s == nil {
				t.Fatalf("no schema: %v", problems)
			}
			random := rand.New(rand.NewPCG(1, 2))
			for i := range 300 {
				x := reflect.New(typ)
				if i > 0 {
					fill(random, x.Elem(), 0)
				}
				// By value and by pointer: encoding/json treats them differently.
				for _, written := range []any{x.Elem().Interface(), x.Interface()} {
					text, err := json.Marshal(written)
					if err != nil {
						t.Fatal(err)
					}
					v, err := value.Parse(text)
					if err != nil {
						t.Fatalf("%v: %s", err, text)
					}
					if typ.Kind() == reflect.Pointer && v.IsNull() {
						continue // a pointer at the top stands for what it points to
					}
					if list := s.Check(v); list != nil {
						t.Fatalf("%s\nis not valid: %v\nschema %s", text, list, value.Indent(s.Value()))
					}
					if !s.TypesOnly() && typ.Name() == "base" {
						t.Error("a plain struct asks for more than its type")
					}
				}
			}
		})
	}
}

// fill makes a value up, half of whose pointers, slices and maps are nil.
func fill(random *rand.Rand, v reflect.Value, depth int) {
	if !v.CanSet() {
		return
	}
	some := random.IntN(2) == 0 && depth < 6
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(time.Unix(random.Int64N(1e9), 0)))
		return
	case json.RawMessage:
		if some {
			v.Set(reflect.ValueOf(json.RawMessage(`{"a":[1]}`)))
		}
		return
	case json.Number:
		if some {
			v.Set(reflect.ValueOf(json.Number("1.50")))
		}
		return
	}
	if strings.HasPrefix(v.Type().PkgPath(), "math/big") || v.Type().PkgPath() == "net/netip" {
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(some)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(random.Int64() >> random.IntN(63) * int64(1-2*random.IntN(2)))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(random.Uint64())
	case reflect.Float32, reflect.Float64:
		v.SetFloat(random.NormFloat64() * 1e10)
	case reflect.String:
		v.SetString([]string{"", "a", "é", "good"}[random.IntN(4)])
		if v.Type().Name() == "mood" {
			v.SetString("good")
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(random, v.Index(i), depth+1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(random, v.Field(i), depth+1)
		}
	case reflect.Pointer:
		if some {
			v.Set(reflect.New(v.Type().Elem()))
			fill(random, v.Elem(), depth+1)
		}
	case reflect.Slice:
		if some {
			v.Set(reflect.MakeSlice(v.Type(), random.IntN(3), 3))
			for i := range v.Len() {
				fill(random, v.Index(i), depth+1)
			}
		}
	case reflect.Map:
		if some {
			v.Set(reflect.MakeMap(v.Type()))
			for range random.IntN(2) { // two keys can be written alike
				key, x := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
				fill(random, key, depth+1)
				fill(random, x, depth+1)
				v.SetMapIndex(key, x)
			}
		}
	case reflect.Interface:
		if some && v.NumMethod() == 0 {
			v.Set(reflect.ValueOf([]any{nil, "x", 1.5}))
		}
	}
}

// TestReflectGolden shows what the schemas look like.
func TestReflectGolden(t *testing.T) {
	t.Parallel()
	types := map[string]reflect.Type{
		"tagged": reflect.TypeFor[tagged](), "embeds": reflect.TypeFor[embeds](), "both": reflect.TypeFor[both](),
		"tree": reflect.TypeFor[tree](), "nest": reflect.TypeFor[nest](), "everything": reflect.TypeFor[everything](),
	}
	for name, typ := range types {
		s, problems := For(typ)
		if s == nil {
			t.Fatalf("%s: %v", name, problems)
		}
		got := append(value.Indent(s.Value()), '\n')
		for _, p := range problems {
			got = append(got, "# "+p.String()+"\n"...)
		}
		file := filepath.Join("testdata", "reflect", name+".golden")
		if os.Getenv("WF_UPDATE") != "" {
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

type tagged struct {
	Query   string   `json:"q" jsonschema:"minLength=1,maxLength=80,pattern=^[a-z\\,]+$" jsonschema_description:"what to look for, in words"`
	Limit   *int     `json:"limit,omitempty" jsonschema:"minimum=1,maximum=9007199254740993,default=5"`
	Color   string   `json:"color" jsonschema:"enum=red,enum=blue,default=red"`
	Tags    []string `json:"tags" wf:"append" jsonschema:"enum=a,enum=b,minItems=1,default=a,default=b"`
	Scores  []int    `json:"scores" jsonschema:"default=[1\\,2]"`
	Secret  string   `json:"secret" wf:"secret,notrace"`
	Nested  *base    `json:"nested" jsonschema:"title=Inner,default=null" wf:"merge_object"`
	Google  string   `json:"google" jsonschema:"the query"`
	Useless string   `json:"useless" jsonschema:"minimum=3"`
	One     string   `json:"one,omitempty" jsonschema:"oneof_required=one"`
	Two     string   `json:"two,omitempty" jsonschema:"oneof_required=two"`
}

func TestReflectRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		typ     reflect.Type
		pointer string
		code    string
	}{
		"channel":  {reflect.TypeFor[struct{ C []chan int }](), "/properties/C", CodeTypeUnsupported},
		"function": {reflect.TypeFor[func()](), "", CodeTypeUnsupported},
		"complex":  {reflect.TypeFor[struct{ In struct{ Z complex64 } }](), "/properties/In/properties/Z", CodeTypeUnsupported},
		"map key":  {reflect.TypeFor[struct{ M map[[2]int]int }](), "/properties/M", CodeTypeUnsupported},
		"wf typo": {reflect.TypeFor[struct {
			M int `wf:"apend"`
		}](), "/properties/M", CodeTagUnknown},
		"default": {reflect.TypeFor[struct {
			M int `jsonschema:"default=x"`
		}](), "/properties/M", CodeDefaultInvalid},
		"no type":   {nil, "", CodeTypeUnsupported},
		"panicking": {reflect.TypeFor[panicking](), "", CodeTypeUnsupported},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, problems := For(c.typ)
			if s != nil || len(problems) == 0 || !problems[0].Fatal || problems[0].Code != c.code || problems[0].Pointer != c.pointer {
				t.Errorf("got %v, %+v", s, problems)
			}
		})
	}
}

func TestReflectConcurrently(t *testing.T) {
	t.Parallel()
	type local struct{ everything }
	var group sync.WaitGroup
	schemas := make([]*Schema, 8)
	for i := range schemas {
		group.Go(func() { schemas[i], _ = For(reflect.TypeFor[local]()) })
	}
	group.Wait()
	for _, s := range schemas {
		if s == nil || s != schemas[0] {
			t.Fatal("one type gave two schemas")
		}
	}
}
