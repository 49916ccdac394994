package wf

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"testing"
)

// TestJunkHasNoFollowers: where one value of a sound plan is no value that could stand there, or is gone, and the plan cannot
// be read, nothing is found but that.
func TestJunkHasNoFollowers(t *testing.T) {
	t.Parallel()
	for _, text := range [][]byte{[]byte(soundPlan), parsed(t, soundPlan).Canonical()} {
		var plan any
		if err := json.Unmarshal(text, &plan); err != nil {
			t.Fatal(err)
		}
		unread, count := 0, 0
		check := func(what string) {
			if count++; count%4 != 0 { // a quarter is enough
				return
			}
			text := jsonOf(plan)
			w, want := ParseWorkflow(text)
			if w != nil {
				return
			}
			unread++
			_, got := CheckText(text, nil)
			checkTextFindings(t, text, got)
			if fmt.Sprint(findings(got)) != fmt.Sprint(findings(want)) {
				t.Errorf("%s: found %v\nwant %v", what, got, findings(want))
			}
		}
		var visit func(v any, at string)
		try := func(at string, old any, set func(any)) {
			for _, junk := range []any{json.RawMessage("null"), 5, -7, "", []any{}, []any{1}, true} {
				set(junk)
				check(fmt.Sprintf("%s = %s", at, jsonOf(junk)))
			}
			set(old)
			visit(old, at)
		}
		visit = func(v any, at string) {
			switch v := v.(type) {
			case map[string]any:
				for _, key := range slices.Sorted(maps.Keys(v)) {
					old := v[key]
					try(at+"/"+key, old, func(x any) { v[key] = x })
					delete(v, key)
					check(at + "/" + key + " removed")
					v[key] = old
				}
			case []any:
				for i := range v {
					try(at+"/"+strconv.Itoa(i), v[i], func(x any) { v[i] = x })
				}
			}
		}
		visit(plan, "")
		if unread < 100 {
			t.Errorf("only %d plans could not be read", unread)
		}
	}
}
