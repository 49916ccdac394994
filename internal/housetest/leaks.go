package housetest

import (
	"go/ast"
	"path"
	"regexp"
	"strings"
)

// Leaks finds types of libraries in the exported declarations of packages that others can import.
func (t *Tree) Leaks() []Finding {
	var out []Finding
	for _, f := range t.files {
		if f.test || f.ast.Name.Name == "main" || strings.Contains("/"+f.dir+"/", "/internal/") {
			continue
		}
		foreign := t.foreign(f)
		if len(foreign) == 0 {
			continue
		}
		for _, part := range exportedParts(f.ast) {
			ast.Inspect(part, func(n ast.Node) bool {
				sel, ok := n.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				if pkg, ok := sel.X.(*ast.Ident); ok && foreign[pkg.Name] != "" {
					out = append(out, t.found(f, sel.Pos(), whyLeak, "%s of %s in an exported declaration", sel.Sel.Name, foreign[pkg.Name]))
				}
				return true
			})
		}
	}
	return sorted(out)
}

// foreign maps the names by which a file knows the packages of libraries to their import paths.
func (t *Tree) foreign(f *file) map[string]string {
	out := map[string]string{}
	for _, spec := range f.ast.Imports {
		p := imported(spec)
		if _, ok := t.local(p); ok || standard(p) {
			continue
		}
		name := path.Base(majorVersion.ReplaceAllString(p, ""))
		if spec.Name != nil {
			name = spec.Name.Name
		}
		out[name] = p
	}
	return out
}

var majorVersion = regexp.MustCompile(`(/v|\.v)[0-9]+$`)

// exportedParts returns what a user of the package sees of a file: signatures, types without their unexported fields,
// the written types of variables and constants. Bodies and values are left out.
func exportedParts(f *ast.File) []ast.Node {
	var out []ast.Node
	for _, decl := range f.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Name.IsExported() {
				out = append(out, decl.Type)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				out = append(out, exportedSpec(spec)...)
			}
		}
	}
	return out
}

func exportedSpec(spec ast.Spec) []ast.Node {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		if !spec.Name.IsExported() {
			return nil
		}
		fields := []*ast.Field(nil)
		switch t := spec.Type.(type) {
		case *ast.StructType:
			fields = t.Fields.List
		case *ast.InterfaceType:
			fields = t.Methods.List
		default:
			return []ast.Node{spec.Type}
		}
		var out []ast.Node
		for _, field := range fields {
			if len(field.Names) == 0 || field.Names[0].IsExported() {
				out = append(out, field.Type)
			}
		}
		return out
	case *ast.ValueSpec:
		for _, name := range spec.Names {
			if name.IsExported() && spec.Type != nil {
				return []ast.Node{spec.Type}
			}
		}
	}
	return nil
}
