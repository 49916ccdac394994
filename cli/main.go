package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle"
	"lda.chat/wf/plugin"
	"lda.chat/wf/source"
)

// Options configure [Main]. The zero value is the command line of the process, without functions of its own.
type Options struct {
	Args   []string            // without the program's name; nil: those of the process
	Stdin  io.Reader           // nil: the process's
	Stdout io.Writer           // nil: the process's; coloured if it is a terminal
	Stderr io.Writer           // nil: the process's; coloured if it is a terminal
	Env    func(string) string // nil: the process's environment
	Dir    string              // where relative paths of files begin; "": the working directory

	// Registries are the Go functions that a configuration can name: {"kind": "go", "registry": the key}.
	Registries map[string]*plugin.Registry
	// Sources are at hand whatever the configuration says.
	Sources []source.Source
	// Stores are kinds of stores beside those of [lifecycle.StandardStores].
	Stores lifecycle.Stores
	// Runtime configures the runtime of runs: logger, clock, reducers. Its Nodes and its Journal are not used; nil allowed.
	Runtime *wf.RuntimeOptions

	Version string // of the binary; "": the version that Go built in
}

// Main runs one command and returns the exit code. When ctx ends, a run is cancelled and the code is [ExitInterrupted].
// It writes nothing but the two writers and the files that a command names. opts may be nil. It may be called by several
// goroutines at once.
func Main(ctx context.Context, opts *Options) int {
	a := newApp(opts)
	if who := a.Env("USER"); who != "" {
		ctx = lifecycle.Acting(ctx, who) // events tell who it was
	}
	return a.finish(a.answer(ctx))
}

// app is one run of the command line.
type app struct {
	Options
	format     string
	maxChars   int
	command    string // the words of the command that was found, without "wf"
	config     string // the configuration that was read
	inConfig   string // the store that it names
	makesStore bool   // the command makes its store where there is none
	result     *answer
	messages   *messages // standard error
}

func newApp(opts *Options) *app {
	a := &app{}
	if opts != nil {
		a.Options = *opts
	}
	if a.Args == nil {
		a.Args = os.Args[1:]
	}
	if a.Stdin == nil {
		a.Stdin = os.Stdin
	}
	if a.Stdout == nil {
		a.Stdout = os.Stdout
	}
	if a.Stderr == nil {
		a.Stderr = os.Stderr
	}
	a.messages = &messages{to: a.Stderr}
	a.Stderr = a.messages
	if a.Env == nil {
		a.Env = os.Getenv
	}
	if a.Version == "" {
		a.Version = buildVersion()
	}
	a.format = a.wantedFormat()
	a.maxChars = a.wantedChars()
	return a
}

// mostTold is how many characters a message of a failure has at most.
const mostTold = 1000

// answer runs the command. It never panics.
func (a *app) answer(ctx context.Context) (out *answer) {
	defer func() {
		if r := recover(); r != nil {
			out = internalFailure(fmt.Sprint(r), string(debug.Stack())).answer()
		}
	}()
	if err := a.execute(ctx); err != nil {
		out = failureOf(err).answer()
		for i := range out.diags {
			out.diags[i].Message = shortened(out.diags[i].Message, mostTold) // somebody gave a text for a name
		}
		return out
	}
	return a.result
}

// path is where a file that was named on the command line is.
func (a *app) path(name string) string {
	if a.Dir == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(a.Dir, name)
}
