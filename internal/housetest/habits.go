package housetest

import (
	"bytes"
	"go/ast"
	"regexp"
	"strings"
)

// MaxLines is how long a Go file may be that is not a test.
const MaxLines = 400

const (
	whyLong    = "one concept a file: split it by concept"
	whyDoc     = "every package says once what it is for"
	whyOpen    = "what is left to do is an issue; a comment may name it as (#number)"
	whyMachine = "the repository must read and run the same on every machine"
	whyInit    = "nothing happens before main: registries are values that the host fills"
	whyWith    = "configure with one Options struct, last, nil allowed"
	whyLeak    = "no type of a library stands in our API: it could not be exchanged, and its changes would be ours"
)

// Habits judges how files are made: their length, the package comment, comments that leave things open, paths of
// one machine, init functions and option functions.
func (t *Tree) Habits() []Finding {
	out := t.machinePaths()
	t.packages(func(dir string, files []*file) bool {
		out = append(out, t.packageDocs(files)...)
		return true
	})
	for _, f := range t.files {
		out = append(out, t.openEnds(f)...)
		if f.test {
			continue
		}
		if f.lines > MaxLines {
			out = append(out, Finding{f.path, MaxLines + 1, "more than 400 lines", whyLong})
		}
		for _, decl := range f.ast.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			switch {
			case !ok || fn.Recv != nil:
			case fn.Name.Name == "init":
				out = append(out, t.found(f, fn.Pos(), whyInit, "an init function"))
			case optionName.MatchString(fn.Name.Name):
				out = append(out, t.found(f, fn.Pos(), whyWith, "the option function %s", fn.Name.Name))
			}
		}
	}
	return sorted(out)
}

var (
	openEnd    = regexp.MustCompile(`\b(?:TODO|FIXME|XXX)\b(?:\(#[0-9]+\))?`)
	optionName = regexp.MustCompile(`^With[A-Z]`)
	// A path that begins at the root of a disk and names a home, a temporary or a mounted folder.
	machinePath = regexp.MustCompile("(?m)(?:^|[\\s\"'`(=:,\\[])(?:/(?:home|Users|root|work|tmp)/[\\w.-]|[A-Z]:\\\\+Users\\\\)")
)

// packageDocs wants exactly one package comment.
func (t *Tree) packageDocs(files []*file) []Finding {
	var first *file
	var out []Finding
	for _, f := range files {
		switch {
		case f.ast.Doc == nil || strings.TrimSpace(f.ast.Doc.Text()) == "":
		case first == nil:
			first = f
		default:
			out = append(out, t.found(f, f.ast.Package, whyDoc, "a second package comment; the first is in %s", first.path))
		}
	}
	if first == nil {
		out = append(out, t.found(files[0], files[0].ast.Package, whyDoc, "package %s has no package comment", files[0].ast.Name.Name))
	}
	return out
}

func (t *Tree) openEnds(f *file) []Finding {
	var out []Finding
	for _, group := range f.ast.Comments {
		for _, c := range group.List {
			for _, word := range openEnd.FindAllString(c.Text, -1) {
				if !strings.HasSuffix(word, ")") {
					out = append(out, t.found(f, c.Pos(), whyOpen, "a comment says %s", word))
				}
			}
		}
	}
	return out
}

func (t *Tree) machinePaths() []Finding {
	var out []Finding
	for _, text := range t.texts {
		for _, at := range machinePath.FindAllIndex(text.data, -1) {
			line := 1 + bytes.Count(text.data[:at[1]], []byte("\n"))
			out = append(out, Finding{text.path, line, "a path of one machine", whyMachine})
		}
	}
	return out
}
