package value_test

import (
	"fmt"
	"testing"

	"lda.chat/wf/internal/value"
)

func TestObject(t *testing.T) {
	t.Parallel()
	type m = value.Member
	for _, c := range []struct {
		members []value.Member
		want    string
	}{
		{nil, `{}`},
		{[]m{{"b", value.Int(1)}, {"a", value.Int(2)}}, `{"a":2,"b":1}`},
		{[]m{{"a", value.Int(1)}, {"b", value.Null}, {"a", value.Int(2)}}, `{"a":2,"b":null}`},
		{[]m{{"a", value.Value{}}, {"b", value.Int(1)}}, `{"b":1}`},
		{[]m{{"a", value.Int(1)}, {"a", value.Value{}}}, `{}`},
		{[]m{{"", value.Int(1)}, {"é", value.Int(2)}, {"z", value.Int(3)}, {"\n", value.Int(4)}}, `{"":1,"\n":4,"z":3,"é":2}`},
	} {
		given := fmt.Sprint(c.members)
		if got := value.Object(c.members...).String(); got != c.want {
			t.Errorf("Object(%v) = %s, want %s", c.members, got, c.want)
		}
		if fmt.Sprint(c.members) != given {
			t.Errorf("Object changed its arguments to %v", c.members)
		}
	}
}

// Small and large objects are searched in different ways; both find every member and nothing else.
func TestGet(t *testing.T) {
	t.Parallel()
	for n := range 40 {
		v := object(n)
		for i := range n {
			key, member := v.MemberAt(i)
			got, _ := v.Get(key).AsInt()
			same, _ := member.AsInt()
			if got != int64(i) || same != int64(i) {
				t.Errorf("of %d members, %s = %v and %v", n, key, v.Get(key), member)
			}
			if got := v.Get(key + "x"); !got.IsAbsent() {
				t.Errorf("of %d members, %sx = %v", n, key, got)
			}
		}
		if !v.Get("").IsAbsent() || !v.Get("zzz").IsAbsent() {
			t.Errorf("of %d members, one with a strange key", n)
		}
	}
}

func TestWith(t *testing.T) {
	t.Parallel()
	for n := range 20 {
		v := object(n)
		before := v.String()
		for _, key := range []string{"", "field_000", "field_005", "field_005x", "field_019", "zzz"} {
			with := v.With(key, value.String("new"))
			if got, _ := with.Get(key).AsString(); got != "new" {
				t.Errorf("With(%q) on %d members: %v", key, n, with)
			}
			without := with.With(key, value.Value{})
			if !without.Get(key).IsAbsent() {
				t.Errorf("%q is still in %v", key, without)
			}
			if want := v.With(key, value.Value{}); !value.Equal(without, want) {
				t.Errorf("without %q: %v and %v", key, without, want)
			}
			for _, changed := range []value.Value{with, without} {
				if again := parse(t, changed.String()); !value.Equal(again, changed) {
					t.Errorf("%v reads back as %v", changed, again)
				}
			}
		}
		if v.String() != before {
			t.Errorf("the old version became %v", v)
		}
	}
	if got := (value.Value{}).With("a", value.Int(1)).String(); got != `{"a":1}` {
		t.Errorf("on absent: %s", got)
	}
	if got := (value.Value{}).With("a", value.Value{}).String(); got != `{}` {
		t.Errorf("nothing on absent: %s", got)
	}
	if got := value.Null.With("a", value.Int(1)).String(); got != "null" {
		t.Errorf("on null: %s", got)
	}
}

func TestShape(t *testing.T) {
	t.Parallel()
	shape := value.NewShape("a", "b", "c")
	one, two := value.Int(1), value.Int(2)
	for _, c := range []struct {
		vals []value.Value
		want string
	}{
		{[]value.Value{one, two, value.Null}, `{"a":1,"b":2,"c":null}`},
		{[]value.Value{one, {}, two}, `{"a":1,"c":2}`},
		{[]value.Value{{}, {}, two}, `{"c":2}`},
		{[]value.Value{{}, {}, {}}, `{}`},
	} {
		v := shape.Object(c.vals)
		c.vals[0], c.vals[2] = value.String("changed"), value.String("changed")
		if v.String() != c.want || !value.Equal(v, parse(t, c.want)) {
			t.Errorf("got %v, want %s", v, c.want)
		}
	}
	if got := value.NewShape().Object(nil); got.String() != "{}" {
		t.Errorf("no keys: %v", got)
	}
	for name, misuse := range map[string]func(){
		"descending": func() { value.NewShape("b", "a") },
		"twice":      func() { value.NewShape("a", "a") },
		"not UTF-8":  func() { value.NewShape("\xff") },
		"too few":    func() { shape.Object([]value.Value{one}) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			misuse()
		}()
	}
}

func TestMembers(t *testing.T) {
	t.Parallel()
	var seen string
	for key, member := range parse(t, `{"c":3,"a":1,"b":2}`).Members() {
		if key == "c" {
			break
		}
		seen += key + member.String()
	}
	if seen != "a1b2" {
		t.Errorf("seen %q", seen)
	}
}
