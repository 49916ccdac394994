package apitest

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"lda.chat/wf/internal/jsonpatch"
	"lda.chat/wf/internal/value"
	"lda.chat/wf/lifecycle"
)

// Actions checks that next actions are what they should be: three at most, no two the same, complete, of methods that there are, with the
// parameters that these have, and with places to fill in that are there.
func Actions(t testing.TB, list []lifecycle.NextAction) {
	t.Helper()
	if len(list) > 3 {
		t.Errorf("%d next actions, expected three at most", len(list))
	}
	for i, a := range list {
		m, ok := lifecycle.LookupMethod(a.Method)
		if !ok || a.Reason == "" || a.CLI == "" || !slices.Contains([]string{"repair", "inspect", "continue"}, a.Kind) {
			t.Errorf("the next action %+v is not complete", a)
			continue
		}
		for _, b := range list[:i] {
			if b.Method == a.Method && bytes.Equal(b.Params, a.Params) {
				t.Errorf("the next action %s %s stands there twice", a.Method, a.Params)
			}
		}
		params, err := value.Parse(a.Params)
		if err != nil {
			t.Errorf("the params of the next action %s: %v: %s", a.Method, err, a.Params)
			continue
		}
		dec := json.NewDecoder(bytes.NewReader(a.Params))
		dec.DisallowUnknownFields()
		if err := dec.Decode(m.NewParams()); err != nil {
			t.Errorf("the params of the next action %s: %v: %s", a.Method, err, a.Params)
		}
		for _, p := range m.Params() {
			if p.Required && params.Get(p.Name).IsAbsent() {
				t.Errorf("the next action %s has no %q: %s", a.Method, p.Name, a.Params)
			}
		}
		for _, at := range a.Fill {
			if p, err := jsonpatch.ParsePointer(at); err != nil || len(p) == 0 || p.Find(params).IsAbsent() {
				t.Errorf("the next action %s is to be filled in at %q, where nothing is: %s", a.Method, at, a.Params)
			}
		}
	}
}

// AdviceOf is what a result or an error of an operation advises.
func AdviceOf(result any, err error) []lifecycle.NextAction {
	if e, ok := err.(*lifecycle.Error); ok {
		return e.NextActions
	}
	if v := reflect.ValueOf(result); v.Kind() == reflect.Pointer && !v.IsNil() && v.Elem().Kind() == reflect.Struct {
		if a, ok := v.Elem().FieldByName("Advice").Interface().(*lifecycle.Advice); ok && a != nil {
			return a.NextActions
		}
	}
	return nil
}
