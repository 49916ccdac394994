package corpus

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSpan(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"30d": "30d", "29d23h59m59s": "29d23h59m59s", "1.5s": "1.5s", "0s": "0s"} {
		got, err := span(text)
		if err != nil || duration(got) != want {
			t.Errorf("%s: %s, %v", text, duration(got), err)
		}
	}
	for _, text := range []string{"", "d", "-1s", "1", "xd", "1d1"} {
		if _, err := span(text); err == nil {
			t.Errorf("%q was taken", text)
		}
	}
}

func TestNatural(t *testing.T) {
	t.Parallel()
	got := []string{"/each[10]/a", "/each[2]/b", "/each[2]/a#10", "/each[2]/a#9", "/b", "/each[2]/a"}
	slices.SortFunc(got, natural)
	want := []string{"/b", "/each[2]/a", "/each[2]/a#9", "/each[2]/a#10", "/each[2]/b", "/each[10]/a"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestScriptSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"jump":                  "unknown",
		"answer t.a":            "missing",
		"answer t.a fail x":     "quotes",
		"answer t.a ok {":       "",
		"answer t.a hang now":   "too much",
		"answer t.a after 1 ok": "span",
		"advance soon":          "span",
		"cancel now":            "quotes",
		"until":                 "one visit",
		"resume /ask":           "outcome",
		"resume /ask yes {":     "",
		"expect weather fine":   "nobody knows",
		"expect calls t.a":      "needs more",
		"expect state.x":        "missing",
		"expect state.x[a] 1":   "position",
	} {
		if _, err := ParseScript("wait\n" + line); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%q: %v", line, err)
		}
	}
}

func FuzzScript(f *testing.F) {
	f.Add("answer t.a after 10ms late ok {\"n\": 1}\nresume /a yes {} refused x\nexpect state.a[0].b absent\nadvance 1d2h")
	f.Add("answer /each[2]/a#2 fail transport unsent \"x\"\nexpect error.message has \"y\"\ncancel \"z\"")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseScript(text)
		if err == nil {
			for i := range s.actions {
				if s.actions[i].line == 0 || s.actions[i].verb == "" {
					t.Errorf("an action without a line or verb: %+v", s.actions[i])
				}
			}
		}
	})
}
