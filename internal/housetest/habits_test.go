package housetest

import (
	"strings"
	"testing"
)

func TestHabits(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		files []string
		want  []string
	}{
		{name: "nothing wrong", files: []string{"a.go", "// Package a is.\npackage a\n", "b.go", "package a\n", "a_test.go", "package a_test\n"}},
		{name: "no package comment", files: []string{"a.go", "package a\n"}, want: []string{"a.go:1: package a has no package comment"}},
		{name: "two package comments", files: []string{"a.go", "// Package a is.\npackage a\n", "b.go", "// Package a is too.\npackage a\n"},
			want: []string{"b.go:2: a second package comment; the first is in a.go"}},
		{name: "400 lines", files: []string{"a.go", "// Package a is.\npackage a\n" + strings.Repeat("\n", 398)}},
		{name: "401 lines", files: []string{"a.go", "// Package a is.\npackage a\n" + strings.Repeat("\n", 399)},
			want: []string{"a.go:401: more than 400 lines"}},
		{name: "a long test", files: []string{"a_test.go", "package a\n" + strings.Repeat("\n", 999)}},
		{name: "left open", files: []string{"a_test.go", "package a\n\n// TO" + "DO: more\nvar s = \"FIXME\" // XXX(#12): why\n"},
			want: []string{"a_test.go:3: a comment says TO" + "DO"}},
		{name: "paths of one machine", files: []string{"README.md", "see\n\"/ho" + "me/ann/x\"\n", "b.json", "{\"p\":\"C:\\\\Use" + "rs\\\\ann\"}", "c.txt", "see /wo" + "rk/x\nhttps://example.org/home/x, a/tmp/x, /v1/root/x"},
			want: []string{"README.md:2: a path of one machine", "b.json:1: a path of one machine", "c.txt:1: a path of one machine"}},
		{name: "init and option functions", files: []string{"a.go", `// Package a is.
package a

func init() {}

func WithColour() {}

func Without() {}

type T struct{}

func (T) With() T { return T{} }
`}, want: []string{"a.go:4: an init function", "a.go:6: the option function WithColour"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			expect(t, tree(t, tt.files...).Habits(), tt.want...)
		})
	}
}

func TestLeaks(t *testing.T) {
	t.Parallel()
	const src = `package p

import (
	"time"
	"github.com/a/yaml/v3"
	odd "github.com/a/go-odd"
)

type Open struct {
	Node  *yaml.Node
	Time  time.Time
	inner yaml.Node
}

type closed struct{ Node yaml.Node }

type Doer interface{ Do(odd.Thing) }

type List []odd.Thing

var Shown odd.Thing
var hidden odd.Thing

func Make(n int) (map[string]yaml.Node, error) { var x odd.Thing; return nil, x }
func make2(odd.Thing) {}
`
	want := []string{
		"p/p.go:10: Node of github.com/a/yaml/v3 in an exported declaration",
		"p/p.go:17: Thing of github.com/a/go-odd in an exported declaration",
		"p/p.go:19: Thing of github.com/a/go-odd in an exported declaration",
		"p/p.go:21: Thing of github.com/a/go-odd in an exported declaration",
		"p/p.go:24: Node of github.com/a/yaml/v3 in an exported declaration",
	}
	expect(t, tree(t, "p/p.go", src).Leaks(), want...)
	expect(t, tree(t, "internal/p/p.go", src).Leaks())
	expect(t, tree(t, "p/p_test.go", src).Leaks())
}
