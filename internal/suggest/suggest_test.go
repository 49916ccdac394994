package suggest

import "testing"

func TestNearest(t *testing.T) {
	t.Parallel()
	known := []string{"read", "review", "extract_report", "local.report.render", "ok", "eq", "rejected"}
	tests := []struct{ name, want string }{
		{"reed", "read"}, {"raed", "read"}, {"READ", "read"}, {"extract-report", "extract_report"}, {"extractreport", "extract_report"},
		{"report.render", "local.report.render"}, {"render", "local.report.render"}, {"okay", ""}, {"write", ""}, {"", ""}, {"read", ""},
		{"rejeted", "rejected"}, {"xx", ""}, {"e", ""}, {"o", ""},
	}
	for _, test := range tests {
		if got, ok := Nearest(test.name, known); got != test.want || ok != (test.want != "") {
			t.Errorf("%q: got %q, want %q", test.name, got, test.want)
		}
	}
	if got, _ := Nearest("aa", []string{"ab", "ac"}); got != "ab" {
		t.Errorf("of equals the first counts, got %q", got)
	}
	if _, ok := Nearest("read", []string{"a.read", "b.read"}); ok {
		t.Error("two capabilities of that name: there is no nearest one")
	}
}

func TestEditDistance(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b        string
		limit, want int
	}{
		{"", "", 0, 0}, {"a", "", 2, 1}, {"kitten", "sitting", 5, 3}, {"ab", "ba", 3, 1}, {"abc", "cba", 5, 2},
		{"kitten", "sitting", 2, 3}, {"naïve", "naive", 2, 1}, {"short", "a very long name", 3, 4},
	} {
		if got := editDistance(test.a, test.b, test.limit); got != test.want {
			t.Errorf("%q to %q: %d, want %d", test.a, test.b, got, test.want)
		}
		if got := editDistance(test.b, test.a, test.limit); got != test.want {
			t.Errorf("%q to %q: %d, want %d", test.b, test.a, got, test.want)
		}
	}
}
