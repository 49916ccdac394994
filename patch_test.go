package wf

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"lda.chat/wf/internal/value"
)

// applyFix applies a fix's patch to a text.
func applyFix(t *testing.T, text []byte, fix Fix) []byte {
	t.Helper()
	doc, err := value.ParseDocument(text)
	if err != nil {
		t.Fatal(err)
	}
	var ops []struct {
		Op, Path, From string
		Value          json.RawMessage
	}
	if err := json.Unmarshal(fix.Patch, &ops); err != nil {
		t.Fatalf("fix %q: %v", fix.Title, err)
	}
	if len(ops) < 2 || ops[0].Op != "test" {
		t.Errorf("fix %q does not begin with a test: %s", fix.Title, fix.Patch)
	}
	root := doc.Root
	for _, op := range ops {
		arg, _ := value.Parse(op.Value)
		switch op.Op {
		case "test":
			if got := pointed(root, op.Path); !value.Equal(got, arg) {
				t.Fatalf("fix %q: test of %s: found %s, expected %s", fix.Title, op.Path, got, arg)
			}
		case "replace":
			if pointed(root, op.Path).IsAbsent() {
				t.Fatalf("fix %q replaces %s, which is not there", fix.Title, op.Path)
			}
			root, err = edited(root, op.Path, arg)
		case "add":
			root, err = edited(root, op.Path, arg)
		case "remove":
			root, err = edited(root, op.Path, value.Value{})
		case "move":
			moved := pointed(root, op.From)
			if root, err = edited(root, op.From, value.Value{}); err == nil {
				root, err = edited(root, op.Path, moved)
			}
		default:
			err = fmt.Errorf("no operation %q", op.Op)
		}
		if err != nil {
			t.Fatalf("fix %q: %s %s: %v", fix.Title, op.Op, op.Path, err)
		}
	}
	return root.JSON()
}

var unescapeToken = strings.NewReplacer("~1", "/", "~0", "~")

// pointed is the value at a pointer.
func pointed(v value.Value, pointer string) value.Value {
	if pointer == "" {
		return v
	}
	token, rest := cutToken(pointer)
	if v.Kind() == value.KindArray {
		i, err := strconv.Atoi(token[1:])
		if err != nil {
			return value.Value{}
		}
		return pointed(v.Index(i), rest)
	}
	return pointed(v.Get(unescapeToken.Replace(token[1:])), rest)
}

// edited sets a member or an element, or removes it if x is absent.
func edited(v value.Value, pointer string, x value.Value) (value.Value, error) {
	if pointer == "" {
		return x, nil
	}
	token, rest := cutToken(pointer)
	key := unescapeToken.Replace(token[1:])
	if v.Kind() != value.KindArray {
		inner, err := edited(v.Get(key), rest, x)
		return v.With(key, inner), err
	}
	if key == "-" && rest == "" {
		return v.Append(x), nil
	}
	at, err := strconv.Atoi(key)
	if err != nil || at >= v.Len() {
		return v, fmt.Errorf("no element %s", key)
	}
	var items []value.Value
	for i, item := range v.Items() {
		if i == at {
			if item, err = edited(item, rest, x); item.IsAbsent() {
				continue
			}
		}
		items = append(items, item)
	}
	return value.Array(items...), err
}

// checkSafeFixes applies each safe fix of a text alone: its finding must be gone and no other error come.
func checkSafeFixes(t *testing.T, text []byte, diags Diagnostics) {
	t.Helper()
	before := map[string]int{}
	for _, d := range diags {
		before[findingKey(d)]++
	}
	for _, d := range diags {
		for _, fix := range d.Fixes {
			repaired := applyFix(t, text, fix)
			if fix.Applicability != FixSafe || before["too_many_findings "] > 0 {
				continue
			}
			_, left := ParseWorkflow(repaired)
			after := map[string]int{}
			for _, l := range left {
				if after[findingKey(l)]++; after[findingKey(l)] > before[findingKey(l)] {
					t.Errorf("the safe fix %q of %v\nadds %v\nto %s", fix.Title, d, l, repaired)
				}
			}
			if after[findingKey(d)] >= before[findingKey(d)] {
				t.Errorf("the safe fix %q does not remove %v\nof %s", fix.Title, d, repaired)
			}
		}
	}
}

// findingKey tells findings apart, but for where they are: a fix may move what follows it.
func findingKey(d Diagnostic) string {
	if d.Code == "too_many_findings" {
		return "too_many_findings "
	}
	return string(d.Code) + " " + d.Step + " " + d.Message
}
