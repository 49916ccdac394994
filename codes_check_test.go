package wf

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lda.chat/wf/internal/schema"
)

// parsed reads a plan that must be readable.
func parsed(t *testing.T, text string) *Workflow {
	t.Helper()
	w, ds := ParseWorkflow([]byte(text))
	if w == nil {
		t.Fatalf("cannot be read: %v\n%s", ds, text)
	}
	return w
}

func TestCheckCodeExamples(t *testing.T) {
	t.Parallel()
	for _, info := range checkCodes {
		t.Run(string(info.Code), func(t *testing.T) {
			t.Parallel()
			w := parsed(t, info.Bad)
			found := Validate(w, nil)
			checkFound(t, w, found)
			if !slices.ContainsFunc(found, func(d Diagnostic) bool { return d.Code == info.Code }) {
				t.Errorf("the bad example does not have it, but: %v", found)
			}
			for _, d := range Validate(parsed(t, info.Good), nil) {
				if d.Severity == SeverityError || d.Code == info.Code {
					t.Errorf("the good example: %v", d)
				}
			}
		})
	}
}

func TestCheckCodesAreComplete(t *testing.T) {
	t.Parallel()
	for _, info := range checkCodes {
		if info.Title == "" || info.Text == "" || info.Severity == "" || strings.HasSuffix(info.Title, ".") {
			t.Errorf("%s: title, text or severity is missing", info.Code)
		}
	}
	for _, code := range []string{
		schema.CodeInvalid, schema.CodeRefRemote, schema.CodeRefMissing, schema.CodeRefCycle, schema.CodeRefDynamic,
		schema.CodePatternUnsupported, schema.CodeKeywordUnsupported, schema.CodeDialectUnknown, schema.CodeTooLarge,
	} {
		if _, ok := LookupCode(Code(code)); !ok {
			t.Errorf("the gate's code %s is not in the table", code)
		}
	}
}

// TestCheckCodesAreInTheTable reads the validator's own source: every code that it can report stands in the table, and
// every code of the table that is not the gate's can be reported.
func TestCheckCodesAreInTheTable(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("validate*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no source", err)
	}
	slug := regexp.MustCompile(`^[a-z]+(_[a-z]+)+$`)
	reporters := []string{"report", "reportEdge", "reportNoStep", "reportAnnotation", "checkField", "checkOutput"}
	reported := make(map[Code]bool)
	note := func(e ast.Expr) {
		if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if text, _ := strconv.Unquote(lit.Value); slug.MatchString(text) {
				reported[Code(text)] = true
			}
		}
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				if f, ok := n.Fun.(*ast.SelectorExpr); ok && slices.Contains(reporters, f.Sel.Name) && len(n.Args) > 0 {
					note(n.Args[0])
				}
			case *ast.KeyValueExpr:
				if key, ok := n.Key.(*ast.Ident); ok && (key.Name == "unknown" || key.Name == "unbound") {
					note(n.Value)
				}
			}
			return true
		})
	}
	for code := range reported {
		if _, ok := LookupCode(code); !ok {
			t.Errorf("%s is reported, but not in the table", code)
		}
	}
	for _, info := range checkCodes {
		if !reported[info.Code] && (!strings.HasPrefix(string(info.Code), "schema_") || info.Code == "schema_not_object") {
			t.Errorf("%s is in the table, but never reported", info.Code)
		}
	}
}
