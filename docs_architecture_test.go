package wf_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func page(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The maps of docs/architecture.md have every file of the root and of the kernel, and no row for files that are not there.
func TestFileMap(t *testing.T) {
	t.Parallel()
	_, section, _ := strings.Cut(page(t, "docs/architecture.md"), "## The files of the root")
	section, _, _ = strings.Cut(section, "\nTests stand")
	root, kernel, _ := strings.Cut(section, "## The files of the kernel")
	checkFileMap(t, root, ".")
	checkFileMap(t, kernel, "internal/kernel")
}

func checkFileMap(t *testing.T, section, dir string) {
	mapped := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| (`.*?) \\|").FindAllStringSubmatch(section, -1) {
		for _, m := range regexp.MustCompile("`(.*?)`").FindAllStringSubmatch(row[1], -1) {
			files, err := filepath.Glob(filepath.Join(dir, m[1]))
			if err != nil || len(files) == 0 {
				t.Errorf("the map of %s has %s, and there is none: %v", dir, m[1], err)
			}
			for _, file := range files {
				mapped[file] = true
			}
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		if !strings.HasSuffix(file, "_test.go") && !mapped[file] {
			t.Errorf("the map of %s does not have %s", dir, file)
		}
	}
}

// The drawing is one, in both pages, and every room in it stands.
func TestDrawingIsOfWhatStands(t *testing.T) {
	t.Parallel()
	drawn := regexp.MustCompile(`(?m)^    \S+ → .*\n`)
	one, other := drawn.FindString(page(t, "docs/architecture.md")), drawn.FindString(page(t, "AGENTS.md"))
	if one == "" || one != other {
		t.Errorf("docs/architecture.md and AGENTS.md draw\n%s%s", one, other)
	}
	for _, room := range strings.FieldsFunc(one, func(r rune) bool { return strings.ContainsRune(" →,\n", r) }) {
		if room == "wf" {
			room = "."
		}
		if info, err := os.Stat(room); err != nil || !info.IsDir() {
			t.Errorf("the drawing has %s, and there is none", room)
		}
	}
}
