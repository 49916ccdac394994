package schema

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lda.chat/wf/internal/value"
)

// TestCheckTexts runs testdata/check.txt: what is said about what is wrong.
func TestCheckTexts(t *testing.T) {
	t.Parallel()
	const file = "testdata/check.txt"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(text), "\n-- ")
	got := strings.TrimRight(parts[0], "\n") + "\n"
	for _, part := range parts[1:] {
		lines := strings.Split(strings.TrimSpace(part), "\n")
		s, v := mustParse(t, lines[1]), parsed(t, lines[2])
		got += "\n-- " + strings.Join(lines[:3], "\n") + "\n"
		var first []Violation
		for i := range 20 { // the library's order is random, ours is not
			list := s.Check(v)
			if i == 0 {
				first = list
			} else if diff := cmp.Diff(first, list); diff != "" {
				t.Fatalf("%s: not the same twice:\n%s", lines[0], diff)
			}
		}
		for _, x := range first {
			got += fmt.Sprintf("%s\t%s\t%s\t%s\t%s\n", x.Pointer, x.Keyword, x.Message, show(x.Expected), show(x.Actual))
		}
	}
	if os.Getenv("WF_UPDATE") != "" {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(text), got); diff != "" && os.Getenv("WF_UPDATE") == "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func show(v value.Value) string {
	if v.IsAbsent() {
		return "-"
	}
	return v.String()
}

func TestCheckLarge(t *testing.T) {
	t.Parallel()
	s := mustParse(t, `{"type":"array","items":{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}}`)
	items := make([]value.Value, 400_000)
	for i := range items {
		items[i] = value.Object(value.Member{Key: "n", Value: value.Int(int64(i))})
	}
	items[399_999] = value.Object(value.Member{Key: "n", Value: value.String("x")})
	list := s.Check(value.Array(items...))
	if len(list) != 1 || list[0].Pointer != "/399999/n" || list[0].Keyword != "type" {
		t.Errorf("got %v", list)
	}
	many := s.Check(value.Array(make([]value.Value, 0)...).Append(manyNulls(5_000)...))
	if len(many) != maxViolations || many[1].Pointer != "/1" {
		t.Errorf("%d violations, the second at %s", len(many), many[1].Pointer)
	}
	if list := s.Check(value.Value{}); len(list) != 1 {
		t.Errorf("absent: %v", list)
	}
}

func manyNulls(n int) []value.Value {
	list := make([]value.Value, n)
	for i := range list {
		list[i] = value.Null
	}
	return list
}
