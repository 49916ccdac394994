package corpus

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"lda.chat/wf/internal/golden"
	"lda.chat/wf/internal/value"
)

// Case is one file of the corpus.
type Case struct {
	Name   string // its path without the extension
	Plan   []byte
	Input  value.Value
	Script *Script

	path    string
	archive *golden.Archive
}

// Load reads all cases below a folder, sorted by name.
func Load(dir string) ([]*Case, error) {
	var cases []*Case
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".txtar" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		c, err := Parse(string(text))
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		c.path, c.Name = path, strings.TrimSuffix(filepath.ToSlash(name), ".txtar")
		cases = append(cases, c)
		return nil
	})
	return cases, err
}

// Parse reads a case.
func Parse(text string) (*Case, error) {
	c := &Case{archive: golden.Parse(text), Input: value.Object(), Script: &Script{}}
	if strings.TrimSpace(c.archive.Comment) == "" {
		return nil, fmt.Errorf("the comment that says what the case shows is missing")
	}
	for _, f := range c.archive.Files {
		var err error
		switch f.Name {
		case "plan.json":
			c.Plan = []byte(f.Data)
		case "input.json":
			c.Input, err = value.Parse([]byte(f.Data))
		case "script":
			c.Script, err = ParseScript(f.Data)
		case "diagnostics", "end", "ledger", "trace":
		default:
			err = fmt.Errorf("a case has no such part")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	if c.Plan == nil {
		return nil, fmt.Errorf("plan.json is missing")
	}
	return c, nil
}
