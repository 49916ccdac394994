package wftest

import (
	"slices"
	"strings"
	"testing"
)

func TestComparePaths(t *testing.T) {
	t.Parallel()
	want := []string{"", "/", "/each#2[3]", "/each[2]", "/each[02]/x", "/each[9]", "/each[10]", "/each[10]/a", "/split:a", "/split:b", "run_10"}
	for i, a := range want {
		for j, b := range want {
			if got := comparePaths(a, b); got < 0 != (i < j) || got > 0 != (i > j) {
				t.Errorf("%q and %q compare as %d", a, b, got)
			}
		}
	}
}

func TestDiff(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("same\n", 10)
	for name, c := range map[string]struct{ want, got, diff string }{
		"middle": {"a\nb\nc\n", "a\nx\nc\n", "  a\n- b\n+ x\n  c\n"},
		"added":  {"a\n", "a\nb\n", "  a\n+ b\n"},
		"gone":   {"a\nb\n", "b\n", "- a\n  b\n"},
		"far":    {long + "a\n" + long, long + "b\n" + long, "  …\n  same\n  same\n  same\n- a\n+ b\n  same\n  same\n  same\n  …\n"},
		"mixed":  {"a\nx\nb\n", "b\nx\nc\n", "- a\n- x\n  b\n+ x\n+ c\n"},
	} {
		if got := diff(c.want, c.got); got != c.diff {
			t.Errorf("%s:\n%s", name, got)
		}
	}
	// Too much to compare pair by pair is told as a whole.
	a := strings.Split(strings.Repeat("a", 3000), "")
	b := strings.Split(strings.Repeat("b", 3000), "")
	if got := diff(strings.Join(a, "\n"), strings.Join(b, "\n")); strings.Count(got, "- a\n") != len(a) || !slices.Contains(lines(got), "+ b") {
		t.Error("a long difference is not told whole")
	}
}
