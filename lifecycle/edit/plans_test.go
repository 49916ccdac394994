package edit_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"testing"

	"lda.chat/wf"
	"lda.chat/wf/internal/golden"
	"lda.chat/wf/lifecycle/edit"
)

// plan is a plan that can be read. Tests share it.
type plan struct {
	name  string
	w     *wf.Workflow
	forms []*edit.Doc // as it is written, and canonical
}

// plans are all plans of the repository's test data, examples and pages that can be read.
func plans(t *testing.T) []plan {
	t.Helper()
	all, err := readPlans()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

var readPlans = sync.OnceValues(func() (all []plan, err error) {
	take := func(name, text string) {
		w, _ := wf.ParseWorkflow([]byte(text))
		if w == nil || len(w.Nodes) == 0 || len(text) > 20_000 {
			return
		}
		p := plan{name: name, w: w}
		for _, form := range []string{text, string(w.Indented())} {
			doc, failed := edit.FromPlan([]byte(form))
			err = errors.Join(err, failed)
			p.forms = append(p.forms, doc)
		}
		all = append(all, p)
	}
	root := filepath.Join("..", "..")
	for _, dir := range []string{"testdata", "examples", "docs", filepath.Join("internal", "corpus")} {
		walked := filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			switch filepath.Ext(path) {
			case ".json":
				take(path, string(text))
			case ".txtar":
				for _, f := range golden.Parse(string(text)).Files {
					take(path+" "+f.Name, f.Data)
				}
			case ".md":
				for i, block := range regexp.MustCompile("(?s)```json [a-z]+\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
					take(fmt.Sprint(path, " ", i), block[1])
				}
			}
			return err
		})
		err = errors.Join(err, walked)
	}
	if len(all) < 200 {
		err = errors.Join(err, fmt.Errorf("only %d plans were found", len(all)))
	}
	return all, err
})

// sparing is n, so that one in n is tried; with WF_SEEDS in the environment it is 1, and all are.
func sparing(n int) int {
	if os.Getenv("WF_SEEDS") != "" {
		return 1
	}
	return n
}
