package wf

import (
	"encoding/json"
	"fmt"
	"strings"

	"lda.chat/wf/internal/value"
)

// path reads a path: text, or an object with root and parts.
func (r *reader) path(v value.Value, at string) Path {
	switch v.Kind() {
	case value.KindString:
		s, _ := v.AsString()
		path, _ := r.pathText(v, s, at, false)
		return path
	case value.KindObject:
		return r.pathObject(v, at)
	}
	r.wrongType(v, at, `a path such as "state.text"`)
	return holePath()
}

// pathObject reads a path in its canonical form.
func (r *reader) pathObject(v value.Value, at string) Path {
	o, _ := r.object(v, at, "a path", []string{"root", "parts"})
	root, rootAt, ok := o.need("root", "add one of "+rootList())
	path := holePath()
	if ok {
		path.Root = Root(o.word(root, rootAt, "root", wordsOf(roots)))
	}
	items, partsAt := o.items("parts", "a list of member names and indexes")
	if parts, _, ok := o.get("parts"); ok && parts.Kind() != value.KindArray {
		path.Root = hole
	}
	for i, item := range items {
		index, whole := item.AsInt()
		switch {
		case item.Kind() == value.KindString:
			name, _ := item.AsString()
			path.Parts = append(path.Parts, namePart(name))
		case whole && index >= 0 && index <= maxCount:
			path.Parts = append(path.Parts, indexPart(int(index)))
		default:
			o.wrongType(item, element(partsAt, i), "a member's name or an element's index, from 0")
			path.Root = hole
		}
	}
	return path
}

// localPath reads a path below local; in text the root may be left out.
func (r *reader) localPath(v value.Value, at, what string) Path {
	if s, ok := v.AsString(); ok {
		path, err := parseLocalPath(s)
		if err != nil {
			r.add(Diagnostic{Code: "path_invalid", Path: at, Message: what + ": " + err.Error(), RepairHint: "write it like items[0].title"})
			return holePath()
		}
		return path
	}
	return r.below(v, at, what, RootLocal)
}

// statePath reads a path that is written to.
func (r *reader) statePath(v value.Value, at, what string) Path {
	s, isText := v.AsString()
	if isText && !isRooted(s) {
		d := Diagnostic{Code: "path_root", Path: at, Message: fmt.Sprintf("%s is a path below state, found %s", what, quoteShort(s)),
			RepairHint: `write it with its root, for example "state.text"`}
		if fixed, ok := stateText(s); ok {
			d.RepairHint = "write " + quoteShort(fixed)
			d.Fixes = []Fix{r.replace(v, at, fixed, FixUnsafe)}
		}
		r.add(d)
		return holePath()
	}
	return r.below(v, at, what, RootState)
}

// below reads a path that has to begin with a root.
func (r *reader) below(v value.Value, at, what string, root Root) Path {
	path := r.path(v, at)
	if path.isHole() || path.Root == root {
		return path
	}
	r.wrongRoot(at, what, path, root)
	return holePath()
}

// stateText puts a path below state: a bare name, or a path that is wrapped as in other languages.
func stateText(s string) (string, bool) {
	if inner, ok := unwrapPath(s); ok {
		return inner, strings.HasPrefix(inner, string(RootState))
	}
	path, err := parseLocalPath(s)
	path.Root = RootState
	return path.String(), err == nil
}

func (r *reader) wrongRoot(at, what string, found Path, root Root) {
	r.add(Diagnostic{Code: "path_root", Path: at, Expected: jsonOf(root), Actual: jsonOf(found.Root),
		Message:    fmt.Sprintf("%s is a path below %s, found %s", what, root, quoteShort(found.String())),
		RepairHint: fmt.Sprintf("begin it with %s", root)})
}

func wordsOf[T ~string](list []T) []string {
	words := make([]string, len(list))
	for i, w := range list {
		words[i] = string(w)
	}
	return words
}

// tree is the canonical form of a path.
func (p Path) tree() fields {
	parts := make([]any, len(p.Parts))
	for i, part := range p.Parts {
		parts[i] = part.tree()
	}
	return fields{{"root", string(p.Root)}, {"parts", parts}}
}

func (p Part) tree() any {
	if p.IsIndex {
		return int64(p.Index)
	}
	return p.Name
}

// MarshalJSON writes the canonical form: {"root": …, "parts": […]}.
func (p Path) MarshalJSON() ([]byte, error) { return compact(p.tree()), nil }

// UnmarshalJSON reads the canonical form, or the text of [ParsePath] as a JSON string.
func (p *Path) UnmarshalJSON(data []byte) error {
	return readJSON(data, p, func(r *reader, v value.Value) Path { return r.path(v, "") })
}

// readJSON reads one shape by itself, strictly. Its error carries all findings.
func readJSON[T any](data []byte, into *T, read func(*reader, value.Value) T) error {
	v, err := value.Parse(data)
	if err != nil {
		return Diagnostics{syntaxDiagnostic(err)}.Err()
	}
	r := &reader{}
	result := read(r, v)
	if r.failed() {
		return r.finish().Err()
	}
	*into = result
	return nil
}

// jsonString returns the text of a literal that is a string.
func jsonString(literal json.RawMessage) (string, bool) {
	if len(literal) == 0 || literal[0] != '"' {
		return "", false
	}
	v, err := value.Parse(literal)
	if err != nil {
		return "", false
	}
	return v.AsString()
}
