package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// samples are command lines that work, in the directory that [furnished] makes. Each command has one.
var samples = map[string]string{
	"try":           `hello.json --input {"name":"Ada"}`,
	"plan validate": "hello.json",
	"plan fix":      "hello.json --safe",
	"plan infer":    "hello.json",
	"plan format":   "hello.json",
	"plan graph":    "hello.json",

	"draft create":              "new --plan hello.json --store file:runs",
	"draft list":                "--store file:runs",
	"draft show":                "d --store file:runs",
	"draft validate":            "d --store file:runs",
	"draft fix":                 "d --store file:runs",
	"draft undo":                "d --store file:runs",
	"draft apply":               `d --edits {"op":"set-name","name":"x"} --store file:runs`,
	"draft patch":               `d --patch [{"op":"replace","path":"/name","value":"x"}] --store file:runs`,
	"draft save":                "d --store file:runs",
	"draft delete":              "d --yes --store file:runs",
	"draft set-name":            "d --name x --store file:runs",
	"draft set-workflow":        "d --set description=x --store file:runs",
	"draft set-input":           "d --field age=integer? --store file:runs",
	"draft set-output":          "d --field age=integer? --store file:runs",
	"draft set-state":           "d --field age=integer? --store file:runs",
	"draft set-workflow-output": "d --value n=5 --store file:runs",
	"draft set-schema":          "d input --field age=integer? --store file:runs",
	"draft add-step":            "d --id more --type wait --set seconds=1 --after greet --store file:runs",
	"draft set-step":            "d --step greet --set timeout_seconds=5 --store file:runs",
	"draft remove-step":         "d --step greet --store file:runs",
	"draft rename-step":         "d --step greet --id hello --store file:runs",
	"draft branch":              "d --step greet --outcome ok --to __end__ --store file:runs",
	"draft handle":              "d --step greet --code timeout --outcome late --to __end__ --store file:runs",
	"draft bind":                "d --step greet --to name --text Ada --store file:runs",
	"draft unbind":              "d --step greet --input name --store file:runs",

	"artifact create-from-plan": "hello.json --store file:runs",
	"artifact list":             "--store file:runs",
	"artifact show":             "hello@1 --store file:runs",
	"artifact export":           "hello@1 --store file:runs",
	"artifact import":           "hello.artifact.json --store file:runs",
	"artifact diff":             "hello@1 ask@1 --store file:runs",
	"artifact graph":            "hello@1 --store file:runs",

	"deploy save":     "d --artifact hello@1 --binding local.demo=local.demo --store file:runs",
	"deploy list":     "--store file:runs",
	"deploy show":     "hello --store file:runs",
	"deploy validate": "hello --store file:runs",
	"deploy preview":  "hello --store file:runs",
	"deploy enable":   "hello --store file:runs",
	"deploy disable":  "hello --store file:runs",
	"deploy delete":   "hello --yes --store file:runs",
	"deploy retain":   "--yes --store file:runs",

	"run start":    `--deployment hello --input {"name":"Ada"} --store file:runs`,
	"run list":     "--store file:runs",
	"run inspect":  "done --store file:runs",
	"run trace":    "done --store file:runs",
	"run watch":    "done --store file:runs",
	"run explain":  "asks --store file:runs",
	"run resume":   "asks --answer ask=ok --store file:runs",
	"run decide":   "pay --verdict result --store file:runs",
	"run step":     "stepped --store file:runs",
	"run cancel":   "asks --yes --store file:runs",
	"run delete":   "done --yes --store file:runs",
	"run replay":   "done --event 1 --store file:runs",
	"run diff":     "done done@1 --store file:runs",
	"run fork":     "done --event 1 --new-id fork --store file:runs",
	"run backtest": "hello.json --store file:runs",

	"status":          "--store file:runs",
	"worker":          "--store file:runs", // until it is interrupted
	"event list":      "--store file:runs",
	"cap list":        "--store file:runs",
	"cap show":        "local.demo.greet --store file:runs",
	"cap call":        `local.demo.greet --input {"name":"Ada"} --store file:runs`,
	"code list":       "",
	"source list":     "",
	"source inspect":  "local.demo",
	"schema":          "foreach",
	"config validate": "",
	"config schema":   "",
	"explain":         "node_unknown",
	"version":         "",
	"completion":      "bash",
}

// furnished is a directory with plans and a store in which there is some of everything.
func furnished(t *testing.T) *session {
	t.Helper()
	s := demo(t)
	s.write("hello.json", `{"name": "hello", "input_schema": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]},
		"nodes": [{"id": "greet", "node": "local.demo.greet", "input": {"name": "input.name"}, "next": "__end__"}]}`)
	s.write("ask.json", `{"name": "ask", "nodes": [{"id": "ask", "type": "interrupt", "kind": "k", "outcomes": ["ok"], "on": {"ok": "__end__"}}]}`)
	s.write("pay.json", `{"name": "pay", "node_defs": [{"name": "local.demo.hang", "effect": "once", "input_schema": {"type": "object"}}],
		"nodes": [{"id": "pay", "node": "local.demo.hang", "timeout_seconds": 0.01, "next": "__end__"}]}`)
	for line, exit := range map[string]int{
		"draft create d --plan hello.json": 0, "run start --plan pay.json --run-id pay": ExitWaiting, "run start --plan ask.json --run-id asks": ExitWaiting,
		`run start --plan hello.json --run-id done --input {"name":"Ada"}`:                   0,
		`run start --plan hello.json --run-id stepped --input {"name":"Ada"} --step-by-step`: 0,
		"artifact create-from-plan ask.json":                                                 0,
	} {
		s.must(exit, line+" --store file:runs")
	}
	s.must(0, "draft set-name d --name hello --store file:runs")
	s.must(0, "draft set-name d --name hello2 --store file:runs")
	s.must(0, "artifact create-from-plan hello.json --store file:runs")
	s.must(0, "deploy save hello --artifact hello@1 --binding local.demo=local.demo --store file:runs")
	s.write("hello.artifact.json", s.must(0, "artifact export hello@1 --store file:runs").stdout)
	return s
}

// must runs a command line that ends so.
func (s *session) must(exit int, line string) ran {
	s.t.Helper()
	r := s.run(s.t.Context(), nil, nil, strings.Fields(line)...)
	if r.exit != exit {
		s.t.Fatalf("wf %s\n%s", line, r.transcript())
	}
	return r
}

// copied is a copy of the directory, to do something in.
func (s *session) copied(t *testing.T) *session {
	t.Helper()
	c := &session{t: t, dir: t.TempDir()}
	if err := os.CopyFS(c.dir, os.DirFS(s.dir)); err != nil {
		t.Fatal(err)
	}
	return c
}

// sampleOf is a command's words and a sample of its arguments.
func sampleOf(t *testing.T, command string) (line []string, arguments int) {
	t.Helper()
	sample, ok := samples[command]
	if !ok {
		t.Fatalf("the command %q has no sample: give it one", command)
	}
	args := strings.Fields(sample)
	return append(strings.Fields(command), args...), len(strings.Fields(command))
}

// commandOf is a command of a tree of its own.
func commandOf(t *testing.T, command string) *cobra.Command {
	t.Helper()
	cmd, rest, err := newRoot(newApp(&Options{Args: []string{}})).Find(strings.Fields(command))
	if err != nil || len(rest) > 0 {
		t.Fatalf("%q: %v", command, err)
	}
	return cmd
}

// goWords are the words of Go, which no message has.
var goWords = regexp.MustCompile(`strconv|json: |\btime: (invalid|unknown|missing)|\*\w+\.|%!|goroutine|<nil>|\bnil\b|map\[|\[\]\w+|cli\.|lifecycle\.|panic`)

// told checks an answer as JSON: one envelope, with findings that somebody can understand, and nothing beside it.
func (r ran) told(t *testing.T, line []string) {
	t.Helper()
	e := r.parsed(t)
	if r.stderr != "" && !slices.Contains(line, "worker") {
		t.Errorf("%.200q writes to standard error: %s", line, r.stderr)
	}
	failed := r.exit != ExitDone && r.exit != ExitWaiting
	if failed && len(e.Diagnostics) == 0 {
		t.Errorf("%.200q: exit %d, and no word why", line, r.exit)
	}
	if r.exit == ExitInternal {
		t.Errorf("%.200q: an internal failure: %.500s", line, r.stdout)
	}
	for _, d := range e.Diagnostics {
		if d.Message == "" || d.Code == "" || strings.HasSuffix(d.Message, "\n") || goWords.MatchString(d.Message) || !utf8.ValidString(d.Message) || utf8.RuneCountInString(d.Message) > mostTold+1 {
			t.Errorf("%.200q says %q [%s]", line, d.Message, d.Code)
		}
		if r.exit == ExitUsage && d.Message == d.RepairHint {
			t.Errorf("%.200q repeats itself: %q", line, d.Message)
		}
	}
}

// What strangers do to a command line that works, and how it ends. What a command takes is read from its usage.
var strangers = []struct {
	what  string
	lines func(cmd *cobra.Command, line []string, at int) [][]string // at: where the arguments begin
	stdin string
	exits []int
	says  string // of one finding at least, in its message or its hint
}{
	{what: "a missing argument", exits: []int{ExitUsage}, says: "needs", lines: func(cmd *cobra.Command, line []string, at int) [][]string {
		if use := strings.Fields(cmd.Use); len(use) < 2 || strings.HasPrefix(use[1], "[") {
			return nil
		}
		return [][]string{slices.Delete(slices.Clone(line), at, at+1)}
	}},
	{what: "an argument too many", exits: []int{ExitUsage}, says: "see wf", lines: func(cmd *cobra.Command, line []string, _ int) [][]string {
		if strings.HasSuffix(cmd.Use, "...") {
			return nil
		}
		return [][]string{append(slices.Clone(line), "one", "more", "too", "many")}
	}},
	{what: "a flag that there is not", exits: []int{ExitUsage}, says: "has no flag", lines: func(cmd *cobra.Command, line []string, _ int) [][]string {
		return [][]string{append(slices.Clone(line), "--bogus-flag"), append(slices.Clone(line), "-Z")}
	}},
	{what: "a flag that is mistyped", exits: []int{ExitUsage}, says: "did you mean --", lines: func(cmd *cobra.Command, line []string, _ int) (all [][]string) {
		ownFlags(cmd, func(f *pflag.Flag) {
			typo := f.Name[:len(f.Name)-2] + f.Name[len(f.Name)-1:]
			if len(f.Name) > 4 && cmd.Flags().Lookup(typo) == nil {
				all = append(all, append(slices.Clone(line), "--"+typo))
			}
		})
		return all
	}},
	{what: "a flag without its value", exits: []int{ExitUsage}, says: "needs a value", lines: func(cmd *cobra.Command, line []string, _ int) (all [][]string) {
		ownFlags(cmd, func(f *pflag.Flag) {
			if f.NoOptDefVal == "" {
				all = append(all, append(slices.Clone(line), "--"+f.Name))
			}
		})
		return all
	}},
	{what: "two values for a flag that has one", exits: []int{ExitUsage}, says: "twice", lines: func(cmd *cobra.Command, line []string, at int) (all [][]string) {
		for _, word := range line {
			name, is := strings.CutPrefix(word, "--")
			if f := cmd.Flags().Lookup(name); is && f != nil && f.NoOptDefVal == "" && !strings.Contains(f.Usage, severalTimes) {
				all = append(all, append(slices.Clone(line), word, "7"))
			}
		}
		return all
	}},
	{what: "a value of another kind", exits: []int{ExitUsage, ExitDiagnostics}, says: "expected", lines: func(cmd *cobra.Command, line []string, _ int) (all [][]string) {
		ownFlags(cmd, func(f *pflag.Flag) {
			kind := f.Value.Type()
			if kind == "string" || kind == "stringArray" || kind == "TEXT" || slices.Contains(line, "--"+f.Name) {
				return
			}
			all = append(all, append(slices.Clone(line), "--"+f.Name+"=nonsense"))
		})
		return all
	}},
	{what: "numbers that cannot be", exits: []int{ExitUsage, ExitDiagnostics}, lines: func(cmd *cobra.Command, line []string, _ int) (all [][]string) {
		ownFlags(cmd, func(f *pflag.Flag) {
			if kind := f.Value.Type(); (kind == "int" || kind == "uint64" || kind == "NUMBER" || kind == "number") && !slices.Contains(line, "--"+f.Name) {
				for _, n := range []string{"-1", "1.5", "99999999999999999999", ""} {
					all = append(all, append(slices.Clone(line), "--"+f.Name+"="+n))
				}
			}
		})
		return all
	}},
	{what: "a name that there is not", exits: []int{ExitUsage, ExitDiagnostics, ExitNotFound}, lines: func(cmd *cobra.Command, line []string, at int) [][]string {
		if use := strings.Fields(cmd.Use); len(use) < 2 || slices.Contains([]string{"draft create", "deploy save"}, words(cmd)) {
			return nil
		}
		with := func(name string) []string { return slices.Concat(line[:at], []string{name}, line[at+1:]) }
		return [][]string{with("nothing-of-this-name"), with("no/such/thing.json"), with("\x00"), with("."), with(strings.Repeat("x", 100_000)), with("é\u202e😀"), with("\xff\xfe")}
	}},
	{what: "an empty name", exits: []int{ExitUsage, ExitDiagnostics, ExitNotFound}, lines: func(cmd *cobra.Command, line []string, at int) [][]string {
		if use := strings.Fields(cmd.Use); len(use) < 2 {
			return nil
		}
		return [][]string{slices.Concat(line[:at], []string{""}, line[at+1:])}
	}},
	{what: "a configuration that is none", exits: []int{ExitUsage, ExitDiagnostics, ExitNotFound}, lines: func(cmd *cobra.Command, line []string, _ int) (all [][]string) {
		if cmd.Flags().Lookup("config") == nil {
			return nil
		}
		for _, name := range []string{"hello.json", ".", "nothing.json", "/dev/null", ""} {
			all = append(all, append(slices.Clone(line), "--config="+name))
		}
		return all[:4]
	}},
	{what: "a store that is not there", exits: []int{ExitNotFound}, says: "there is no store file:nowhere", lines: func(cmd *cobra.Command, line []string, _ int) [][]string {
		if cmd.Flags().Lookup("store") == nil || words(cmd) == "status" || slices.ContainsFunc(storeMakers, func(m struct{ command, flag string }) bool { return m.command == words(cmd) && m.flag != "plan" }) {
			return nil
		}
		return [][]string{strings.Fields(strings.ReplaceAll(strings.Join(line, " "), "file:runs", "file:nowhere"))}
	}},
	{what: "nothing on standard input", exits: []int{ExitUsage, ExitDiagnostics}, lines: fromStdin},
	{what: "white space on standard input", stdin: " \r\n\t\n", exits: []int{ExitUsage, ExitDiagnostics}, lines: fromStdin},
	{what: "half of something on standard input", stdin: `{"name": "x", `, exits: []int{ExitUsage, ExitDiagnostics}, lines: fromStdin},
	{what: "another thing on standard input", stdin: "# Notes\n", exits: []int{ExitUsage, ExitDiagnostics}, lines: fromStdin},
	{what: "bytes that are no text on standard input", stdin: "{\"name\": \"\xff\xfe\x00\"}", exits: []int{ExitUsage, ExitDiagnostics}, lines: fromStdin},
	{what: "UTF-16 on standard input", stdin: "\xff\xfe{\x00}\x00", exits: []int{ExitUsage, ExitDiagnostics}, lines: fromStdin},
	{what: "depth on standard input", stdin: strings.Repeat("[", 100_000), exits: []int{ExitUsage, ExitDiagnostics}, lines: fromStdin},
}

// ownFlags visits the flags of a command that no command before it has, with the same words about them.
func ownFlags(cmd *cobra.Command, visit func(*pflag.Flag)) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if firstWithFlag()[f.Name+f.Usage] == words(cmd) {
			visit(f)
		}
	})
}

var firstWithFlag = sync.OnceValue(func() map[string]string {
	first := map[string]string{}
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		for _, c := range cmd.Commands() {
			walk(c)
		}
		if cmd.HasSubCommands() {
			return
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if first[f.Name+f.Usage] == "" {
				first[f.Name+f.Usage] = words(cmd)
			}
		})
	}
	walk(newRoot(newApp(&Options{Args: []string{}})))
	return first
})

// fromStdin lets each file that a command reads, one at a time, be standard input.
func fromStdin(cmd *cobra.Command, line []string, at int) (all [][]string) {
	if use := strings.Fields(cmd.Use); len(use) > 1 && (strings.HasPrefix(use[1], "PLAN") || use[1] == "FILE") {
		all = append(all, slices.Concat(line[:at], []string{"-"}, line[at+1:]))
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if word, _ := pflag.UnquoteUsage(f); word == "FILE" {
			own := slices.Clone(line)
			for _, other := range []string{f.Name, strings.TrimSuffix(f.Name, "-file")} {
				if i := slices.Index(own, "--"+other); i >= 0 {
					own = slices.Delete(own, i, i+2)
				}
			}
			if words(cmd) == "run start" && f.Name == "plan" {
				own = []string{"run", "start", "--store", "file:runs"}
			}
			all = append(all, append(own, "--"+f.Name, "-"))
		}
	})
	return all
}

// Every command, as a stranger uses it: one envelope, an exit code that fits, a message that says what to do, and nothing is changed.
func TestStrangers(t *testing.T) {
	t.Parallel()
	s := furnished(t)
	before := digestOf(t, s.dir)
	for _, stranger := range strangers {
		t.Run(stranger.what, func(t *testing.T) {
			n := 0
			for _, command := range leaves(t) {
				line, at := sampleOf(t, command)
				for _, line := range stranger.lines(commandOf(t, command), line, at) {
					r := s.run(t.Context(), map[string]string{"WF_FORMAT": "json"}, []byte(stranger.stdin), line...)
					r.told(t, line)
					if n++; !slices.Contains(stranger.exits, r.exit) {
						t.Errorf("%.200q: exit %d, expected one of %v\n%.600s", line, r.exit, stranger.exits, r.stdout)
					}
					if !strings.Contains(r.stdout, stranger.says) {
						t.Errorf("%.200q does not say %q\n%.600s", line, stranger.says, r.stdout)
					}
				}
			}
			if n == 0 {
				t.Error("no command was used like this")
			}
		})
	}
	if after := digestOf(t, s.dir); after != before {
		t.Errorf("something was changed:\nbefore %s\nafter  %s", before, after)
	}
}

// digestOf lists the files of a directory, with how long they are.
func digestOf(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			size, _ := json.Marshal(info.Size())
			b.WriteString(strings.TrimPrefix(path, dir) + " " + string(size) + "\n")
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
