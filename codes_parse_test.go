package wf

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestParseCodesHaveTheirExamples(t *testing.T) {
	t.Parallel()
	for _, info := range parseCodes {
		t.Run(string(info.Code), func(t *testing.T) {
			t.Parallel()
			if w, diags := ParseWorkflow([]byte(info.Good)); w == nil || len(diags) > 0 {
				t.Errorf("the good example: %v", diags)
			}
			if !strings.HasPrefix(info.Bad, "{") { // told in words; it has a test of its own
				return
			}
			w, diags := ParseWorkflow([]byte(info.Bad))
			checkFindings(t, diags, w == nil)
			if !slices.ContainsFunc(diags, func(d Diagnostic) bool { return d.Code == info.Code && d.Severity == info.Severity }) {
				t.Errorf("the bad example has not the finding %s %q: %v", info.Severity, info.Code, diags)
			}
			if !strings.HasPrefix(info.Title, strings.ToUpper(info.Title[:1])) || strings.HasSuffix(info.Title, ".") || len(info.Title) > 80 {
				t.Errorf("title %q: begin it with a capital, no full stop, one line", info.Title)
			}
			checkSafeFixes(t, []byte(info.Bad), diags)
		})
	}
}

func TestCodesAreUnique(t *testing.T) {
	t.Parallel()
	codes := Codes()
	for i := 1; i < len(codes); i++ {
		if codes[i].Code == codes[i-1].Code {
			t.Errorf("two entries for %q", codes[i].Code)
		}
	}
}

func TestTooLarge(t *testing.T) {
	t.Parallel()
	list := "[" + strings.Repeat("0,", 3<<19) + "0]" // 3 MiB of text, 18 in canonical form
	_, diags := ParseWorkflow([]byte(`{"name": "p", "nodes": [{"id": "a", "node": "x.y", "input": {"list": ` + list + `}}]}`))
	if len(diags) != 1 || diags[0].Code != "too_large" {
		t.Errorf("found %v", diags)
	}
	_, diags = ParseWorkflow([]byte(`{"name": "p", "description": "` + strings.Repeat("x", 17<<20) + `", "nodes": []}`))
	if len(diags) != 1 || diags[0].Code != "too_large" {
		t.Errorf("found %v", diags)
	}
}

func TestTooManyFindings(t *testing.T) {
	t.Parallel()
	nodes := strings.Repeat(`{"id": "a", "node": "x.y", "zzz": 1},`, 200)
	_, diags := ParseWorkflow([]byte(`{"name": "p", "nodes": [` + strings.TrimSuffix(nodes, ",") + `]}`))
	if len(diags) != maxDiagnostics+1 {
		t.Fatalf("%d findings", len(diags))
	}
	if !slices.ContainsFunc(diags, func(d Diagnostic) bool { return d.Code == "too_many_findings" }) {
		t.Error("nothing says that there are more")
	}
}

var codeInSource = regexp.MustCompile(`Code: "([a-z_]+)"|Code(?:, trust)? = "([a-z_]+)"`)

// TestReaderUsesTheTable finds the codes in the source of the reader: each stands in the table, and each of the table
// is used.
func TestReaderUsesTheTable(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("parse*.go")
	if err != nil {
		t.Fatal(err)
	}
	used := map[Code]bool{}
	for _, kind := range []string{"key_duplicate", "trailing_data", "unicode_invalid", "number_out_of_range"} { // of the decoder
		used[Code(kind)] = true
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range codeInSource.FindAllStringSubmatch(string(text), -1) {
			code := Code(m[1] + m[2])
			used[code] = true
			if _, ok := LookupCode(code); !ok && !strings.HasSuffix(file, "_test.go") {
				t.Errorf("%s: the table has no code %q", file, code)
			}
		}
	}
	for _, info := range parseCodes {
		if !used[info.Code] {
			t.Errorf("nothing finds %q", info.Code)
		}
	}
}
