package suggest

import "testing"

func TestNearest(t *testing.T) {
	t.Parallel()
	known := []string{"approved", "local.report.extract_report", "ok", "reject", "rejected"}
	for name, want := range map[string]string{
		"rejeted":        "rejected",
		"reject":         "rejected", // a name is no guess for itself
		"REJECTED":       "rejected",
		"aproved":        "approved",
		"apporved":       "approved", // neighbours exchanged
		"extract_report": "local.report.extract_report",
		"mcp.x.ok":       "ok",
		"ko":             "ok",
		"something_else": "",
		"":               "",
	} {
		got, found := Nearest(name, known)
		if got != want || found != (want != "") {
			t.Errorf("Nearest(%q) = %q, %v; want %q", name, got, found, want)
		}
	}
}

func TestNearestPrefersTheFirstOfEquals(t *testing.T) {
	t.Parallel()
	if got, _ := Nearest("cat", []string{"bat", "hat"}); got != "bat" {
		t.Errorf("got %q, want the first", got)
	}
}
