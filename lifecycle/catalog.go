package lifecycle

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/internal/suggest"
)

// ListCodes are the parameters of codes.list.
type ListCodes struct {
	Text string `json:"text,omitempty" jsonschema_description:"only those with this text in the code, its title or its text, in upper or lower case"`
}

// ExplainCode are the parameters of codes.explain.
type ExplainCode struct {
	Code string `json:"code" jsonschema_description:"the code of a diagnostic or of a failure"`
}

// GetSchemas are the parameters of schemas.get.
type GetSchemas struct {
	Name string `json:"name,omitempty" jsonschema_description:"only this shape, with its JSON Schema; a kind of step may be named by its type alone"`
}

// CodeList is all codes, by name.
type CodeList struct {
	Codes  []ListedCode `json:"codes"`
	Advice *Advice      `json:"advice,omitempty"`
}

// ListedCode is a code in a list.
type ListedCode struct {
	Code     wf.Code     `json:"code"`
	Severity wf.Severity `json:"severity"`
	Title    string      `json:"title"`
}

// ExplainedCode is a code with its explanation.
type ExplainedCode struct {
	wf.CodeInfo
	Advice *Advice `json:"advice,omitempty"`
}

// SchemaList is the shapes that an author writes, the workflow first.
type SchemaList struct {
	Shapes []CatalogShape `json:"shapes"`
	Advice *Advice        `json:"advice,omitempty"`
}

// CatalogShape is a shape of a plan's JSON. Canonical and Schema are told of one that was asked for by its name.
type CatalogShape struct {
	Name      string          `json:"name"`
	Doc       string          `json:"doc"`
	Example   json.RawMessage `json:"example"`             // in the short form, which authors write
	Canonical json.RawMessage `json:"canonical,omitempty"` // the same as it is saved
	Schema    json.RawMessage `json:"schema,omitempty"`    // of the canonical form
}

// allCodes are those of plans, runs and operations, by name.
func allCodes() []wf.CodeInfo {
	all := slices.Concat(wf.Codes(), codes)
	slices.SortFunc(all, func(a, b wf.CodeInfo) int { return cmp.Compare(a.Code, b.Code) })
	return all
}

// ListCodes implements [Catalog].
func (s *Service) ListCodes(_ context.Context, p *ListCodes) (*CodeList, error) {
	return p.Among(allCodes()), nil
}

// Among lists those of some codes that are asked for: for surfaces that have codes of their own beside those of operations.
func (p *ListCodes) Among(codes []wf.CodeInfo) *CodeList {
	list := &CodeList{Codes: []ListedCode{}}
	for _, c := range codes {
		if strings.Contains(strings.ToLower(string(c.Code)+"\n"+c.Title+"\n"+c.Text), strings.ToLower(p.Text)) {
			list.Codes = append(list.Codes, ListedCode{Code: c.Code, Severity: c.Severity, Title: c.Title})
		}
	}
	if len(list.Codes) == 0 {
		list.Advice = advise("no code is as it was asked for", false, action(toInspect, "codes.list", ListCodes{}, "which codes there are", "code", "list"))
		return list
	}
	first := string(list.Codes[0].Code)
	list.Advice = advise(plural(len(list.Codes), "code", "codes"), false,
		action(toInspect, "codes.explain", ExplainCode{Code: first}, "what a code means, with an example that has the problem and one that has not", "explain", first))
	return list
}

// ExplainCode implements [Catalog].
func (s *Service) ExplainCode(_ context.Context, p *ExplainCode) (*ExplainedCode, error) {
	var names []string
	for _, c := range allCodes() {
		if string(c.Code) == p.Code {
			return &ExplainedCode{CodeInfo: c, Advice: advise(c.Title, false)}, nil
		}
		names = append(names, string(c.Code))
	}
	return nil, failed(NotFound, codeCodeUnknown, fmt.Sprintf("there is no code %q", clip(p.Code)), meant(p.Code, names)).
		next(action(toInspect, "codes.list", ListCodes{}, "which codes there are", "code", "list"))
}

// meant is the hint which name was probably meant; "" if none is near.
func meant(name string, names []string) string {
	if near, ok := suggest.Nearest(name, names); ok {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return ""
}

// GetSchemas implements [Catalog].
func (s *Service) GetSchemas(_ context.Context, p *GetSchemas) (*SchemaList, error) {
	list := &SchemaList{Shapes: []CatalogShape{}}
	var names []string
	for _, shape := range wf.Shapes() {
		names = append(names, shape.Name)
		switch {
		case p.Name == "":
			list.Shapes = append(list.Shapes, CatalogShape{Name: shape.Name, Doc: shape.Doc, Example: shape.Short})
		case p.Name == shape.Name, p.Name+"_step" == shape.Name:
			list.Shapes = append(list.Shapes, CatalogShape{Name: shape.Name, Doc: shape.Doc, Example: shape.Short, Canonical: shape.Example, Schema: shape.Schema})
		}
	}
	if len(list.Shapes) == 0 {
		return nil, failed(NotFound, codeShapeUnknown, fmt.Sprintf("there is no shape %q", clip(p.Name)), meant(p.Name, names)).
			next(action(toInspect, "schemas.get", GetSchemas{}, "which shapes there are", "schema"))
	}
	if p.Name != "" {
		list.Advice = advise(list.Shapes[0].Doc, false)
	} else {
		list.Advice = advise(plural(len(list.Shapes), "shape", "shapes"), false, action(toInspect, "schemas.get", GetSchemas{Name: "workflow"}, "the whole of one of them", "schema", "workflow"))
	}
	return list, nil
}
