package edit

import (
	"cmp"
	"slices"

	"lda.chat/wf/internal/value"
)

// reading is the order in which people read the members of steps, edges, bindings and schemas; others follow by name.
var reading = []string{
	"op", "in", "format", "name", "id", "type", "desc", "description", "kind", "node", "workflow", "code", "message",
	"check", "cases", "when", "default", "over", "as", "mode", "on_item_error", "max_concurrency", "branches", "join", "on_branch_error",
	"seconds", "until", "complete", "source", "target", "path", "value", "text", "object", "list", "request", "request_schema",
	"from", "codes", "outcome", "error", "to", "max_visits", "exhausted", "if_absent",
	"input_schema", "state_schema", "output_schema", "outcomes", "result", "input", "output", "unset", "resume", "resume_schema", "resume_schemas",
	"node_defs", "workflows", "limits", "timeout_seconds", "timeout_outcome", "retry", "catch", "start", "nodes", "edges", "next", "on",
	"properties", "items", "required",
}

// inReadingOrder writes a value that an edit brings on one line, with a space after each comma and colon.
func inReadingOrder(v value.Value) []byte { return appendOrdered(nil, v) }

func appendOrdered(dst []byte, v value.Value) []byte {
	switch v.Kind() {
	case value.KindArray:
		dst = append(dst, '[')
		for i, item := range v.Items() {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = appendOrdered(dst, item)
		}
		return append(dst, ']')
	case value.KindObject:
		var keys []string
		for key := range v.Members() {
			keys = append(keys, key)
		}
		slices.SortStableFunc(keys, func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
		dst = append(dst, '{')
		for i, key := range keys {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = appendOrdered(append(value.String(key).AppendJSON(dst), ": "...), v.Get(key))
		}
		return append(dst, '}')
	}
	return v.AppendJSON(dst)
}

func rank(key string) int {
	if i := slices.Index(reading, key); i >= 0 {
		return i
	}
	return len(reading)
}
