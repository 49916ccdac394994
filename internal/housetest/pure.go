package housetest

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
)

const whyPure = "the same events must always give the same decisions, so nothing there may wait, race or depend on the order of a map"

// Pure judges the package of a folder that must be a function of its inputs: no goroutine, channel or select, no
// loop over a map, no variable of the package that code may change.
//
// The package and what it imports of the tree are type-checked; Go's library is not, and stands there as empty
// packages. A map that only a function of the library returns is therefore not seen: the room's list of library
// packages must hold none that returns maps.
func (t *Tree) Pure(dir string) []Finding {
	checked := checker{tree: t, done: map[string]*types.Package{}}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
	files := checked.check(dir, info)
	var out []Finding
	for _, f := range files {
		ast.Inspect(f.ast, func(n ast.Node) bool {
			what := impure(n, info)
			if what != "" {
				out = append(out, t.found(f, n.Pos(), whyPure, "%s %s", dir, what))
			}
			return true
		})
	}
	return sorted(out)
}

// impure says what is wrong with a node, if anything is.
func impure(n ast.Node, info *types.Info) string {
	switch n := n.(type) {
	case *ast.GoStmt:
		return "starts a goroutine"
	case *ast.SelectStmt:
		return "waits in a select"
	case *ast.SendStmt:
		return "sends on a channel"
	case *ast.ChanType:
		return "has a channel"
	case *ast.RangeStmt:
		if isMap(info.TypeOf(n.X)) {
			return "ranges over a map"
		}
	case *ast.AssignStmt:
		for _, left := range n.Lhs {
			if name := packageVar(left, info); n.Tok != token.DEFINE && name != "" {
				return "changes the package variable " + name
			}
		}
	case *ast.IncDecStmt:
		if name := packageVar(n.X, info); name != "" {
			return "changes the package variable " + name
		}
	}
	return ""
}

// packageVar returns the name of the package variable that an assignment to x changes.
func packageVar(x ast.Expr, info *types.Info) string {
	switch x := x.(type) {
	case *ast.Ident:
		v, ok := info.Uses[x].(*types.Var)
		if ok && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
			return x.Name
		}
	case *ast.SelectorExpr:
		if v, ok := info.Uses[x.Sel].(*types.Var); ok && !v.IsField() {
			return x.Sel.Name // of another package
		}
		return packageVar(x.X, info)
	case *ast.IndexExpr:
		return packageVar(x.X, info)
	case *ast.StarExpr:
		return packageVar(x.X, info)
	case *ast.ParenExpr:
		return packageVar(x.X, info)
	}
	return ""
}

func isMap(t types.Type) bool {
	if t == nil {
		return false
	}
	if p, ok := t.(*types.TypeParam); ok {
		return hasMap(p.Constraint())
	}
	_, ok := t.Underlying().(*types.Map)
	return ok
}

// hasMap reports whether a constraint lets a map in.
func hasMap(constraint types.Type) bool {
	i, ok := constraint.Underlying().(*types.Interface)
	if !ok {
		return isMap(constraint)
	}
	for embedded := range i.EmbeddedTypes() {
		u, ok := embedded.(*types.Union)
		if !ok {
			if hasMap(embedded) {
				return true
			}
			continue
		}
		for term := range u.Terms() {
			if hasMap(term.Type()) {
				return true
			}
		}
	}
	return false
}

// checker type-checks packages of the tree and imports them from one another.
type checker struct {
	tree *Tree
	done map[string]*types.Package
}

// check type-checks the package of a folder as well as can be done without Go's library, and fills info, if any.
func (c *checker) check(dir string, info *types.Info) []*file {
	var files []*file
	var parsed []*ast.File
	for _, f := range c.tree.files {
		if f.dir == dir && !f.test {
			files, parsed = append(files, f), append(parsed, f.ast)
		}
	}
	importPath := path.Join(c.tree.module, dir)
	config := types.Config{Importer: c, Error: func(error) {}, IgnoreFuncBodies: info == nil}
	pkg, _ := config.Check(importPath, c.tree.fset, parsed, info) // errors are what is missing of Go's library
	c.done[importPath] = pkg
	return files
}

// Import is the method of [types.Importer].
func (c *checker) Import(importPath string) (*types.Package, error) {
	if p := c.done[importPath]; p != nil {
		return p, nil
	}
	if dir, ok := c.tree.local(importPath); ok {
		c.done[importPath] = types.NewPackage(importPath, path.Base(importPath)) // what a cycle would find
		c.check(dir, nil)
	} else {
		p := types.NewPackage(importPath, path.Base(importPath))
		p.MarkComplete()
		c.done[importPath] = p
	}
	return c.done[importPath], nil
}
