package wf_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"lda.chat/wf"
)

// A secret goes where the plan sends it, and nowhere else.
func TestSecretsAndUntracedFields(t *testing.T) {
	t.Parallel()
	const canary, bulk = "tr0ub4dor", "bulky"
	login := &script{answers: []string{`{"token":"` + canary + `","page":"` + bulk + `","user":"maya"}`}}
	use := &script{answers: []string{`{"done":true}`}}
	refLogin, fLogin := local("login", login)
	refUse, fUse := local("use", use)
	r := runPlan(t, nodes{refLogin: fLogin, refUse: fUse}, `{"name": "secrets",
		"state_schema": {"type": "object", "properties": {"token": {"x-secret": true}, "page": {"x-trace": false}, "user": {}}},
		"output": {"user": "state.user", "token": "state.token"},
		"nodes": [
			{"id": "login", "node": "t.login", "output": {"token": "state.token", "page": "state.page", "user": "state.user"}, "next": "use"},
			{"id": "use", "node": "t.use", "input": {"token": "state.token", "again": "steps.login.token", "page": "state.page",
				"header": {"text": "Bearer {state.token}"}, "user": "state.user"}, "next": "__end__"}]}`, `{}`)
	wantStatus(t, r, wf.StatusCompleted)
	if want := `{"again":"` + canary + `","header":"Bearer ` + canary + `","page":"` + bulk + `","token":"` + canary + `","user":"maya"}`; use.inputs[0] != want {
		t.Fatalf("the call was given %s", use.inputs[0])
	}
	entries := trace(t, r)
	wantJSON(t, "input", entries[1].Input, `{"again":"[secret]","header":"[secret]","token":"[secret]","user":"maya"}`)
	wantJSON(t, "output", entries[0].Output, `{"token":"[secret]","user":"maya"}`)
	info := r.Info()
	wantJSON(t, "state", info.State, `{"token":"[secret]","user":"maya"}`)
	wantJSON(t, "shown output", info.Output, `{"token":"[secret]","user":"maya"}`)
	for _, w := range entries[0].Writes {
		if w.Hidden != (w.Path != "state.user") || strings.Contains(string(w.Value), canary) || strings.Contains(string(w.Value), bulk) {
			t.Fatalf("write %+v", w)
		}
	}
	var out struct {
		Token string `json:"token"`
	}
	if err := r.Output(&out); err != nil || out.Token != canary {
		t.Fatalf("the caller's output %+v, %v", out, err)
	}
}

// A secret that was copied, quoted in a text, compared, refused by a schema or given as an input stays hidden in all that a
// run tells.
func TestSecretsDoNotLeak(t *testing.T) {
	t.Parallel()
	const canary = "tr0ub4dor"
	for name, plan := range map[string]string{
		"copies and texts": `"nodes": [{"id": "s", "type": "set", "output": {"state.copy": "state.token", "state.text": {"text": "Bearer {state.token}"}}, "next": "e"},
			{"id": "e", "type": "end", "outcome": "ok", "output": {"token": "state.token", "all": "state", "input": "input"}}]`,
		"a condition": `"nodes": [{"id": "c", "type": "condition", "check": {"gt": ["state.token", 5]}, "on": {"true": "__end__", "false": "__end__"}}]`,
		"a caught condition": `"nodes": [{"id": "c", "type": "condition", "check": {"gt": ["state.token", 5]},
			"catch": [{"codes": ["*"], "outcome": "odd", "error": "state.copy"}], "on": {"true": "__end__", "false": "__end__", "odd": "__end__"}}]`,
		"a message": `"nodes": [{"id": "f", "type": "fail", "code": "no_way", "message": {"text": "refused {state.token}"}}]`,
		"a schema":  `"nodes": [{"id": "s", "type": "set", "output": {"state.n": "state.token"}, "next": "__end__"}]`,
		"an input":  `"nodes": [{"id": "u", "node": "t.use", "input": {"n": "input.token", "whole": "input"}, "next": "__end__"}]`,
	} {
		use := wf.RawNode(&wf.NodeDef{Name: "use", InputSchema: wf.Schema(`{"properties": {"n": {"type": "integer"}}}`)}, (&script{answers: []string{`{}`}}).call)
		rt := newRuntime(t, nodes{"t.use": use.OfSource("t")})
		w := parsePlan(t, `{"name": "leak", "input_schema": {"type": "object", "properties": {"token": {"x-secret": true}, "pin": {"x-secret": true}}},
			"state_schema": {"type": "object", "properties": {"token": {"x-secret": true}, "copy": {}, "text": {}, "n": {"type": "integer"}}}, `+plan+`}`)
		r, err := rt.Run(t.Context(), w, json.RawMessage(`{"token": "`+canary+`", "pin": "`+canary+`"}`))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		info := r.Info()
		info.Trace = trace(t, r)
		told, err := json.Marshal(info)
		if err != nil {
			t.Fatal(err)
		}
		if text := string(told) + fmt.Sprint(r.Err()); strings.Contains(text, canary) {
			t.Errorf("%s: the run tells its secret: %s", name, text)
		}
	}
}

// An input that is refused is told about without the secrets in it, also where these are cut, are no texts, or stand elsewhere too.
func TestRefusedInputTellsNoSecrets(t *testing.T) {
	t.Parallel()
	const canary = "tr0ub4dor"
	w := parsePlan(t, `{"name": "p", "input_schema": {"type": "object", "required": ["user"], "properties": {"user": {"type": "string"},
			"token": {"type": "string", "maxLength": 20, "x-secret": true}, "a/b": {"type": "integer", "x-secret": true}, "key": {"type": "integer"}}},
		"state_schema": {"type": "object", "properties": {"key": {"type": "integer", "x-secret": true}}},
		"nodes": [{"id": "s", "type": "set", "output": {"state.key": {"value": 1}}, "next": "__end__"}]}`)
	for _, input := range []string{
		`{"user": "maya", "token": "` + strings.Repeat(canary, 9) + `"}`,
		`{"user": "maya", "token": ["` + canary + `"]}`,
		`{"user": "maya", "token": {"at": "` + canary + `"}}`,
		`{"user": "maya", "a/b": "` + canary + `"}`,
		`{"user": "maya", "key": "` + canary + `"}`,
		`{"user": ["` + canary + `"], "token": "` + canary + `"}`,
		`{"token": "` + canary + `"}`,
	} {
		_, err := newRuntime(t, nil).Run(t.Context(), w, json.RawMessage(input))
		e, ok := errors.AsType[*wf.Error](err)
		if !ok || e.Code != wf.CodeInputInvalid {
			t.Fatalf("%s: %v", input, err)
		}
		if text := e.Message + string(e.Details); strings.Contains(text, canary) || !strings.Contains(text, "violations") {
			t.Errorf("%s: the refusal tells %s", input, text)
		}
	}
}
