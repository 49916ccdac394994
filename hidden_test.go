package wf_test

import (
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
