package golden

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Derive compares what is derived of the files NAME.json in the archives that glob names, each archive in a test of its own: behind
// each such file stand those that derive gives, NAME.txt and NAME.kind.json.
func Derive(t *testing.T, glob string, derive func(t *testing.T, stem string, file File) []File) {
	t.Helper()
	archives, err := filepath.Glob(glob)
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives %s: %v", glob, err)
	}
	for _, path := range archives {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			was := Parse(string(text))
			now := &Archive{Comment: was.Comment}
			for _, file := range was.Files {
				stem, given := strings.CutSuffix(file.Name, ".json")
				if !given || strings.Contains(stem, ".") {
					continue
				}
				now.Files = append(append(now.Files, file), derive(t, stem, file)...)
				if t.Failed() {
					t.Fatal(file.Name)
				}
			}
			Compare(t, path, now.String())
		})
	}
}
