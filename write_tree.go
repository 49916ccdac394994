package wf

import (
	"encoding/json"
	"slices"
	"strings"

	"lda.chat/wf/internal/value"
)

// A plan is written as a tree whose objects know the order that people read them in: fields, lists as []any, and at
// the leaves string, bool, int64, float64, json.RawMessage or value.Value. Both the compact canonical bytes, with
// sorted keys, and the indented text come from it.

// field is a member of an object; fields is an object.
type (
	field struct {
		key  string
		node any
	}
	fields []field
)

// add appends a member unless it is empty: an empty text, zero, nil, a list or an object without elements.
func (f *fields) add(key string, node any) {
	switch n := node.(type) {
	case string:
		if n == "" {
			return
		}
	case int64:
		if n == 0 {
			return
		}
	case float64:
		if n == 0 {
			return
		}
	case json.RawMessage:
		if n == nil {
			return
		}
	case []any:
		if len(n) == 0 {
			return
		}
	case fields:
		if len(n) == 0 {
			return
		}
	case nil:
		return
	}
	*f = append(*f, field{key, node})
}

// set appends a member, whatever it is.
func (f *fields) set(key string, node any) { *f = append(*f, field{key, node}) }

// compact writes a tree on one line, keys sorted, numbers normalised: one value, one sequence of bytes.
func compact(node any) []byte { return appendCompact(nil, node) }

func appendCompact(dst []byte, node any) []byte {
	switch n := node.(type) {
	case fields:
		sorted := slices.Clone(n)
		slices.SortFunc(sorted, func(a, b field) int { return strings.Compare(a.key, b.key) })
		dst = append(dst, '{')
		for i, f := range sorted {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(value.String(f.key).AppendJSON(dst), ':')
			dst = appendCompact(dst, f.node)
		}
		return append(dst, '}')
	case []any:
		dst = append(dst, '[')
		for i, item := range n {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendCompact(dst, item)
		}
		return append(dst, ']')
	}
	return leaf(node).AppendCanonical(dst)
}

// leaf turns a leaf of a tree into a value. A literal that is no JSON, which only a program can have put there, is
// written as the text that it is.
func leaf(node any) value.Value {
	switch n := node.(type) {
	case json.RawMessage:
		v, err := value.Parse(n)
		if err != nil {
			return value.String(strings.ToValidUTF8(string(n), "\uFFFD"))
		}
		return v
	case string:
		return value.String(n)
	case value.Value:
		return n
	}
	v, err := value.FromAny(node)
	if err != nil { // NaN and the infinities: no plan that was read has them
		return value.Null
	}
	return v
}

// lineWidth is the length up to which an object or a list stays on one line of an indented text.
const lineWidth = 100

// indented writes a tree for people, in reading order, two spaces a level. What fits on a line stays on it.
func indented(node any) []byte { return append(appendIndented(nil, node, 0, 0), '\n') }

// appendIndented writes a node whose line already has used characters beside the indent of depth.
func appendIndented(dst []byte, node any, depth, used int) []byte {
	line := appendLine(nil, node)
	if 2*depth+used+len(line) <= lineWidth {
		return append(dst, line...)
	}
	switch n := node.(type) {
	case fields:
		return appendBlock(dst, '{', '}', len(n), depth, func(dst []byte, i int) []byte {
			key := append(value.String(n[i].key).AppendJSON(nil), ": "...)
			return appendIndented(append(dst, key...), n[i].node, depth+1, len(key)+1)
		})
	case []any:
		return appendBlock(dst, '[', ']', len(n), depth, func(dst []byte, i int) []byte {
			return appendIndented(dst, n[i], depth+1, 1)
		})
	}
	if v := leaf(node); v.Kind() == value.KindArray || v.Kind() == value.KindObject {
		return appendIndented(dst, unfold(v), depth, used)
	}
	return append(dst, line...)
}

func appendBlock(dst []byte, open, end byte, n, depth int, item func(dst []byte, i int) []byte) []byte {
	if n == 0 {
		return append(dst, open, end)
	}
	dst = append(dst, open)
	for i := range n {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, "\n"+strings.Repeat("  ", depth+1)...)
		dst = item(dst, i)
	}
	return append(append(dst, "\n"+strings.Repeat("  ", depth)...), end)
}

// appendLine writes a node on one line, in reading order, with spaces after colons and commas.
func appendLine(dst []byte, node any) []byte {
	switch n := node.(type) {
	case fields:
		dst = append(dst, '{')
		for i, f := range n {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = append(value.String(f.key).AppendJSON(dst), ": "...)
			dst = appendLine(dst, f.node)
		}
		return append(dst, '}')
	case []any:
		dst = append(dst, '[')
		for i, item := range n {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = appendLine(dst, item)
		}
		return append(dst, ']')
	}
	if v := leaf(node); v.Kind() == value.KindArray || v.Kind() == value.KindObject {
		return appendLine(dst, unfold(v))
	}
	return leaf(node).AppendCanonical(dst)
}

// unfold turns an array or an object into a tree of one level.
func unfold(v value.Value) any {
	if v.Kind() == value.KindArray {
		list := []any{}
		for _, item := range v.Items() {
			list = append(list, item)
		}
		return list
	}
	f := fields{}
	for key, member := range v.Members() {
		f.set(key, member)
	}
	return f
}

// listOf makes a list of a tree.
func listOf[T any](items []T, node func(T) any) []any {
	list := make([]any, len(items))
	for i, item := range items {
		list[i] = node(item)
	}
	return list
}

func textsOf[T ~string](items []T) []any { return listOf(items, func(s T) any { return string(s) }) }
