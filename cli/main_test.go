package cli

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"lda.chat/wf"
	"lda.chat/wf/internal/golden"
	"lda.chat/wf/lifecycle"
	"lda.chat/wf/plugin"
	"lda.chat/wf/source"
)

// demo is a working directory with the demo functions and some plans.
func demo(t *testing.T) *session {
	t.Helper()
	return newSession(t, &golden.Archive{Files: []golden.File{
		{Name: "wf.config.json", Data: `{"sources": [{"kind": "go", "id": "local.demo", "registry": "demo"}]}`},
		{Name: "hang.json", Data: `{"name": "hang", "nodes": [{"id": "wait", "node": "local.demo.hang", "next": "__end__"}]}`},
		{Name: "echo.json", Data: `{"name": "echo", "nodes": [{"id": "s", "type": "end", "output": {"all": "input.all"}}]}`},
	}})
}

// parsed reads an envelope.
func (r ran) parsed(t *testing.T) (e struct {
	OK          bool
	Result      json.RawMessage
	Diagnostics wf.Diagnostics
	NextActions []nextAction `json:"next_actions"`
	Meta        meta
}) {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(r.stdout))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&e); err != nil {
		t.Fatalf("standard output is no envelope: %v\n%s", err, r.stdout)
	}
	if _, err := dec.Token(); err != io.EOF {
		t.Errorf("more than an envelope is on standard output:\n%s", r.stdout)
	}
	if e.OK != (r.exit == ExitDone) || e.Meta.ExitCode != r.exit || e.Diagnostics == nil || e.NextActions == nil || len(e.NextActions) > 3 {
		t.Errorf("exit %d, with the envelope\n%s", r.exit, r.stdout)
	}
	for _, n := range e.NextActions {
		if _, known := lifecycle.LookupMethod(n.Method); !known && n.Method != "" {
			t.Errorf("there is no method %q, which is advised", n.Method)
		}
	}
	return e
}

func TestInterruptCancelsTheRun(t *testing.T) {
	t.Parallel()
	s := demo(t)
	ctx, cancel := context.WithCancel(t.Context())
	host := testHost()
	started := make(chan struct{})
	host.Registries["demo"] = &plugin.Registry{Nodes: []*wf.Func{
		wf.Node("hang", func(ctx context.Context, _ struct{}) (struct{}, error) {
			close(started)
			<-make(chan struct{}) // it does not even look at its context
			return struct{}{}, nil
		}),
	}}
	go func() { <-started; cancel() }()
	r := s.runHost(ctx, host, nil, nil, "try", "hang.json", "--format", "json")
	e := r.parsed(t)
	if r.exit != ExitInterrupted || !strings.Contains(string(e.Result), `"status": "cancelled"`) || len(e.Diagnostics) != 1 ||
		e.Diagnostics[0].Code != wf.CodeCancelled || e.Diagnostics[0].Step != "wait" {
		t.Errorf("exit %d\n%s", r.exit, r.stdout)
	}
}

func TestInterruptWhileReading(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	stdin, _ := io.Pipe() // nobody writes
	host := testHost()
	host.Stdin = readerFunc(func(p []byte) (int, error) { cancel(); return stdin.Read(p) })
	r := demo(t).runHost(ctx, host, nil, nil, "try", "-", "--format", "json")
	if r.parsed(t); r.exit != ExitInterrupted {
		t.Errorf("exit %d\n%s", r.exit, r.stdout)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// brokenSource is a source that cannot do what it promises.
type brokenSource struct{ panics bool }

func (brokenSource) ID() string { return "broken" }
func (b brokenSource) Inventory(context.Context) (*source.Inventory, error) {
	if b.panics {
		panic("out of cheese")
	}
	return nil, errors.New("the server does not answer")
}

func testInternalFailures(t *testing.T) {
	t.Parallel()
	s := demo(t)
	host := testHost()
	host.Sources = []source.Source{brokenSource{panics: true}}
	r := s.runHost(t.Context(), host, nil, nil, "cap", "list", "-ojson")
	if e := r.parsed(t); r.exit != ExitInternal || e.Diagnostics[0].Code != codeInternal || !strings.Contains(r.stderr, "goroutine") {
		t.Errorf("exit %d\n%s%s", r.exit, r.stdout, r.stderr)
	}
	host = testHost()
	host.Sources = []source.Source{brokenSource{}}
	r = s.runHost(t.Context(), host, nil, nil, "cap", "list", "-ojson")
	if e := r.parsed(t); r.exit != ExitDiagnostics || e.Diagnostics[0].Code != codeSourceInvalid {
		t.Errorf("exit %d\n%s%s", r.exit, r.stdout, r.stderr)
	}
}

func testUnwritable(t *testing.T) {
	t.Parallel()
	s := demo(t)
	name := strings.Repeat("n", 250) // with what the new file beside it is called, the name is too long
	s.write(name, "{\"name\": \"x\",   \"nodes\": []}\n")
	r := s.run(t.Context(), nil, nil, "plan", "format", "--write", "--format", "json", name)
	if e := r.parsed(t); r.exit != ExitInternal || e.Diagnostics[0].Code != codeFileUnwritable {
		t.Errorf("exit %d\n%s", r.exit, r.stdout)
	}
	if data, err := os.ReadFile(filepath.Join(s.dir, name)); err != nil || string(data) != "{\"name\": \"x\",   \"nodes\": []}\n" {
		t.Errorf("the file is now %q, %v", data, err)
	}
}

func TestWriteKeepsLinksAndPermissions(t *testing.T) {
	t.Parallel()
	s := demo(t)
	s.write("real/plan.json", `{"name": "x", "nodes": []}`)
	real, link := filepath.Join(s.dir, "real/plan.json"), filepath.Join(s.dir, "link.json")
	if err := os.Chmod(real, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Skip("no links here: ", err)
	}
	if r := s.run(t.Context(), nil, nil, "plan", "format", "--write", "link.json"); r.exit != ExitDone {
		t.Fatal(r.transcript())
	}
	info, err := os.Lstat(link)
	if err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is now %v, %v", info.Mode(), err)
	}
	info, err = os.Stat(real)
	if err != nil || info.Mode().Perm() != 0o640 || info.Size() < 30 {
		t.Errorf("the file is now %v with %d bytes, %v", info.Mode(), info.Size(), err)
	}
	if entries, err := os.ReadDir(filepath.Dir(real)); err != nil || len(entries) != 1 {
		t.Errorf("something was left beside it: %v, %v", entries, err)
	}
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestAnswerThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	host := testHost()
	host.Stdout = failingWriter{}
	r := demo(t).runHost(t.Context(), host, nil, nil, "version")
	if r.exit != ExitInternal || !strings.Contains(r.stderr, "no space left on device") {
		t.Errorf("exit %d, %s", r.exit, r.stderr)
	}
}

// Ctrl-C ends whatever waits for a function that hangs. In a store the run goes on, for whoever takes it up.
func TestInterruptedWaiting(t *testing.T) {
	t.Parallel()
	s := furnished(t)
	s.write("asks_hangs.json", `{"name": "asks_hangs", "nodes": [{"id": "ask", "type": "interrupt", "kind": "k", "outcomes": ["ok"], "on": {"ok": "wait"}},
		{"id": "wait", "node": "local.demo.hang", "next": "__end__"}]}`)
	s.must(ExitWaiting, "run start --plan asks_hangs.json --run-id asked --store file:runs")
	s.must(ExitDone, "run start --plan hang.json --run-id slowly --step-by-step --store file:runs")
	s.must(ExitDone, "run start --plan hang.json --run-id queued --queued --store file:runs")
	for line, exit := range map[string]int{
		"try hang.json":                                      ExitInterrupted,
		"cap call local.demo.hang":                           ExitInterrupted,
		"run start --plan hang.json --store file:runs":       ExitInterrupted,
		"run resume asked --answer ask=ok --store file:runs": ExitInterrupted,
		"run step slowly --store file:runs":                  ExitInterrupted,
		"run fork slowly --event 1 --store file:runs":        ExitInterrupted,
		"worker --grace 1ms --store file:runs":               ExitDone, // that is how it ends
	} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			host, once := testHost(), sync.OnceFunc(cancel)
			host.Runtime = nil // by the real clock: leases are renewed now and then
			host.Registries["demo"] = demoFunctions()
			for i, f := range host.Registries["demo"].Nodes {
				if f.Contract().Name == "hang" {
					host.Registries["demo"].Nodes[i] = wf.RawNode(&wf.NodeDef{Name: "hang", Effect: wf.EffectRead}, func(ctx context.Context, _ json.RawMessage) (*wf.Result, error) {
						once()
						<-ctx.Done()
						return nil, ctx.Err()
					})
				}
			}
			r := s.copied(t).runHost(ctx, host, map[string]string{"WF_FORMAT": "json"}, nil, strings.Fields(line)...)
			if e := r.parsed(t); r.exit != exit || exit != ExitDone && len(e.Diagnostics) == 0 {
				t.Errorf("exit %d\n%s", r.exit, r.transcript())
			}
		})
	}
}
