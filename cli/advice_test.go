package cli

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"lda.chat/wf"
	"lda.chat/wf/internal/golden"
	"lda.chat/wf/lifecycle"
	"lda.chat/wf/plugin"
)

// newcomer knows nothing but the commands that answers advise.
type newcomer struct {
	*session
	host func() *Options
}

func newNewcomer(t *testing.T) *newcomer {
	s := newSession(t, &golden.Archive{Files: []golden.File{
		{Name: "wf.config.json", Data: `{"sources": [{"kind": "go", "id": "local.demo", "registry": "demo"}]}`},
		{Name: "hello.json", Data: `{"name": "hello", "input_schema": {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}},
			"nodes": [{"id": "greet", "node": "local.demo.greet", "input": {"name": "input.name"}, "next": "__end__"}]}`},
		{Name: "broken.json", Data: `{"name": "broken", "nodes": [{"id": "a", "node": "local.demo.gret", "next": "b"}, {"id": "b", "node": "local.demo.review"}]}`},
	}})
	return &newcomer{s, func() *Options {
		host := testHost()
		host.Runtime = nil // whose ids would be the same
		return host
	}}
}

// must runs commands that succeed.
func (n *newcomer) must(lines ...string) {
	n.t.Helper()
	for _, line := range lines {
		if r := n.runHost(n.t.Context(), n.host(), map[string]string{"WF_STORE": "file:runs"}, nil, strings.Fields(line)...); r.exit != ExitDone {
			n.t.Fatalf("%s: exit %d\n%s%s", line, r.exit, r.stdout, r.stderr)
		}
	}
}

// follow runs a command, and then what is advised first, until a run has completed.
func (n *newcomer) follow(line string) {
	n.t.Helper()
	args, path := strings.Fields(line), ""
	for range 12 {
		r := n.runHost(n.t.Context(), n.host(), map[string]string{"WF_STORE": "file:runs"}, nil, append(args, "--format", "json")...)
		e := r.parsed(n.t)
		path += "wf " + strings.Join(args, " ") + "\n"
		var run struct {
			RunID  string       `json:"run_id"`
			Status wf.RunStatus `json:"status"`
		}
		if json.Unmarshal(e.Result, &run) == nil && run.RunID != "" && run.Status == wf.StatusCompleted {
			return
		}
		if len(e.NextActions) == 0 || path != "wf "+line+"\n" && r.exit != ExitDone {
			n.t.Fatalf("the advice ends with exit %d:\n%s%s", r.exit, path, r.stderr)
		}
		args = split(e.NextActions[0].CLI)[1:]
	}
	n.t.Fatalf("the advice does not lead to a run:\n%s", path)
}

// Whoever runs the commands that are advised comes to a run, and repairs what was broken and nothing else.
func TestAdvisedCommands(t *testing.T) {
	t.Parallel()
	t.Run("from a capability", func(t *testing.T) {
		t.Parallel()
		newNewcomer(t).follow("draft create d --capability local.demo.greet")
	})
	t.Run("from nothing", func(t *testing.T) {
		t.Parallel()
		newNewcomer(t).follow("draft create d")
	})
	t.Run("from a broken plan", func(t *testing.T) {
		t.Parallel()
		newNewcomer(t).follow("draft create d --plan broken.json")
	})
	t.Run("from an input that is refused", func(t *testing.T) {
		t.Parallel()
		newNewcomer(t).follow("run start --plan hello.json")
	})
	t.Run("from drift", func(t *testing.T) {
		t.Parallel()
		n := newNewcomer(t)
		n.must("artifact create-from-plan hello.json --artifact sales", "deploy save weekly --artifact sales@1 --binding local.demo=local.demo",
			"deploy save other --artifact sales@1 --binding local.demo=local.demo", "draft create weekly --capability local.demo.echo")
		before := n.host
		n.host = func() *Options {
			host := before()
			host.Registries["demo"] = &plugin.Registry{Nodes: []*wf.Func{wf.Node("greet", func(_ context.Context, in struct {
				Name string `json:"name" jsonschema:"minLength=1,maxLength=20"`
			}) (greeting, error) {
				return greeting{"Hello, " + in.Name + "!"}, nil
			}).Effect(wf.EffectPure)}}
			return host
		}
		n.follow("deploy preview weekly")
		r := n.runHost(t.Context(), n.host(), map[string]string{"WF_STORE": "file:runs"}, nil, "deploy", "list", "--format", "json")
		var list lifecycle.DeploymentList
		if err := json.Unmarshal(r.parsed(t).Result, &list); err != nil || len(list.Deployments) != 2 || list.Deployments[0].Artifact != "sales@1" || list.Deployments[1].Artifact != "sales@2" {
			t.Errorf("deployed are %s, %v", r.stdout, err)
		}
	})
}
