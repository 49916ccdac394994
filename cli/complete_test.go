package cli

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"lda.chat/wf/source"
)

// openWords are what values are called of which nobody knows beforehand what they are: they are new, or texts, numbers and times.
var openWords = strings.Fields(`JSON ID NAME TEXT TITLE VERSION REVISION CURSOR MANY RUNS ENTRY ENTRIES EVENT NUMBER KIND SUBJECT FRAME MEMBER WORD
	NAME=TEXT NAME=JSON NAME=TYPE TO=JSON string number duration time bool int`)

// asked asks what could stand behind the words of a command line.
func (s *session) asked(host *Options, line ...string) (names []string, r ran) {
	s.t.Helper()
	r = s.runHost(s.t.Context(), host, nil, nil, append([]string{cobra.ShellCompNoDescRequestCmd}, line...)...)
	names = strings.Split(strings.TrimSpace(r.stdout), "\n")
	return names[:len(names)-1], r
}

// Every argument and every flag is completed, or is known to be one that cannot be; and what the table says is used.
func TestEverythingIsCompleted(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	root := newRoot(newApp(&Options{Args: []string{}}))
	root.InitDefaultHelpCmd()
	check := func(own, word string, has bool) {
		used[own], used[word] = true, true
		if !has && !slices.Contains(openWords, word) {
			if _, none := completions[own]; !none {
				t.Errorf("nothing completes %s, a %s: put it into the table, or among the open words", own, word)
			}
		}
	}
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		for _, c := range cmd.Commands() {
			walk(c)
		}
		for i, word := range strings.Fields(cmd.Use)[1:] {
			word, _, _ = strings.Cut(strings.Trim(word, "[]."), "[")
			check(words(cmd)+" "+word, word, argumentCompletion(cmd, i) != nil)
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			word, _ := pflag.UnquoteUsage(f)
			if word == "" {
				word = "bool"
			}
			check(words(cmd)+" --"+f.Name, word, flagCompletion(cmd, f) != nil)
		})
	}
	walk(root)
	for key := range completions {
		if !used[key] {
			t.Errorf("no command has %q, which the table of completions has", key)
		}
	}
}

// Whatever a shell asks about, nothing is made, nothing is said, and a source or a store that breaks offers nothing.
func TestAskingLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	s := demo(t)
	before := s.list()
	broken := testHost()
	broken.Sources = []source.Source{brokenSource{panics: true}}
	for _, command := range leaves(t) {
		cmd, _, err := newRoot(newApp(&Options{Args: []string{}})).Find(strings.Fields(command))
		if err != nil {
			t.Fatal(err)
		}
		lines := [][]string{{""}, {"x", ""}, {"x", "y", ""}}
		cmd.Flags().VisitAll(func(f *pflag.Flag) { lines = append(lines, []string{"x", "--" + f.Name, ""}) })
		for _, line := range lines {
			line = append(strings.Fields(command), line...)
			if cmd.Flags().Lookup("store") != nil {
				line = slices.Insert(line, len(line)-2, "--store", "file:nowhere")
			}
			hosts := []*Options{testHost()}
			if !strings.HasPrefix(line[len(line)-2], "--") {
				hosts = append(hosts, broken)
			}
			for _, host := range hosts {
				_, r := s.asked(host, line...)
				if said := strings.TrimSpace(r.stderr); r.exit != ExitDone || !strings.HasPrefix(said, "Completion ended") || strings.Contains(said, "\n") {
					t.Errorf("%q: %s", line, r.transcript())
				}
			}
		}
	}
	if after := s.list(); after != before {
		t.Errorf("files before: %s, after: %s", before, after)
	}
}

// A store or a source that does not answer does not keep the shell waiting.
func TestShellIsNotKeptWaiting(t *testing.T) {
	t.Parallel()
	host := testHost()
	host.Sources = []source.Source{slowSource{}}
	if names, r := demo(t).asked(host, "cap", "show", ""); len(names) > 0 || r.exit != ExitDone {
		t.Errorf("%q\n%s", names, r.transcript())
	}
}

type slowSource struct{}

func (slowSource) ID() string { return "slow" }
func (slowSource) Inventory(context.Context) (*source.Inventory, error) {
	select {} // whatever its context says
}
