// Package housetest judges a tree of Go source files by the rules that the repository keeps: who may import whom,
// which packages are pure, how files are made. It parses files and never runs the go command: the test cache sees
// the files that a test opens, but not what a program that it starts looks at, and would answer "ok" for a tree
// that has changed.
package housetest

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Tree is a parsed tree of source files: that of a module and of the modules nested in it. It does not change once
// loaded.
type Tree struct {
	module string // the module path of its top folder
	fset   *token.FileSet
	files  []*file // Go files, sorted by path
	texts  []text  // all files that hold text, Go files too
}

// file is a parsed Go file.
type file struct {
	path  string // slash-separated, from the top folder
	dir   string // "." for the top folder
	test  bool
	lines int
	ast   *ast.File
}

type text struct {
	path string
	data []byte
}

// Finding is one breach of a rule.
type Finding struct {
	File string
	Line int
	What string // what stands there
	Why  string // the reason of the rule
}

func (f Finding) String() string { return fmt.Sprintf("%s:%d: %s: %s", f.File, f.Line, f.What, f.Why) }

// Load parses every Go file of fsys, whose top folder is the module of that path. Like the go command it leaves out
// folders named testdata and vendor and names that begin with a dot or an underscore.
func Load(fsys fs.FS, module string) (*Tree, error) {
	t := &Tree{module: module, fset: token.NewFileSet()}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name == "." {
			return nil
		}
		left := strings.ContainsRune("._", rune(d.Name()[0])) || slices.Contains(outside, d.Name())
		if left && d.IsDir() {
			return fs.SkipDir
		}
		if left || !d.Type().IsRegular() {
			return nil
		}
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		if bytes.IndexByte(data, 0) >= 0 {
			return nil
		}
		t.texts = append(t.texts, text{name, data})
		if path.Ext(name) != ".go" {
			return nil
		}
		parsed, err := parser.ParseFile(t.fset, name, data, parser.ParseComments)
		if err != nil {
			return err
		}
		t.files = append(t.files, &file{
			path: name, dir: path.Dir(name), test: strings.HasSuffix(name, "_test.go"),
			lines: bytes.Count(data, []byte("\n")), ast: parsed,
		})
		return nil
	})
	return t, err
}

// outside are folders that hold no code of the house.
var outside = []string{"testdata", "vendor", "node_modules"}

func (t *Tree) line(pos token.Pos) int { return t.fset.Position(pos).Line }

// found makes the finding that something stands at a place of a Go file.
func (t *Tree) found(f *file, pos token.Pos, why, format string, args ...any) Finding {
	return Finding{f.path, t.line(pos), fmt.Sprintf(format, args...), why}
}

// local returns the folder of an import path of this tree.
func (t *Tree) local(importPath string) (dir string, ok bool) {
	if importPath == t.module {
		return ".", true
	}
	return strings.CutPrefix(importPath, t.module+"/")
}

// packages calls yield with the files of each package that is not a test, sorted by folder.
func (t *Tree) packages(yield func(dir string, files []*file) bool) {
	byDir := map[string][]*file{}
	for _, f := range t.files {
		if !f.test {
			byDir[f.dir] = append(byDir[f.dir], f)
		}
	}
	dirs := make([]string, 0, len(byDir))
	for dir := range byDir {
		dirs = append(dirs, dir)
	}
	slices.Sort(dirs)
	for _, dir := range dirs {
		if !yield(dir, byDir[dir]) {
			return
		}
	}
}

// imported returns the path of an import.
func imported(spec *ast.ImportSpec) string {
	p, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return spec.Path.Value
	}
	return p
}

// standard reports whether an import path is one of Go's own library: its first element has no dot.
func standard(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	return !strings.Contains(first, ".")
}

// sorted puts findings in the order of their places.
func sorted(fs []Finding) []Finding {
	slices.SortStableFunc(fs, func(a, b Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return fs
}
