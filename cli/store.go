package cli

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle"
	"lda.chat/wf/source"
)

// storeVariable is the environment's store, where --store names none.
const storeVariable = "WF_STORE"

// inMemory is the store that lasts as long as the command.
const inMemory = "memory"

// storeFlags say where drafts, artifacts and runs are kept, and what sources there are.
type storeFlags struct {
	store, config string
	optional      bool // unless --store names one, what is there without a store is shown where it is none or cannot be opened
}

func (s *storeFlags) add(a *app, cmd *cobra.Command) {
	cmd.Flags().StringVar(&s.store, "store", "", "`STORE` where drafts, artifacts and runs are kept: file:FOLDER, sqlite:FILE, postgres://…, or memory; without it WF_STORE, then that of the configuration")
	configFlag(cmd, &s.config)
}

// words are the flags, for a command that follows.
func (s *storeFlags) words() string {
	words := configWords(s.config)
	if s.store != "" {
		words += " --store " + withoutPassword(quoted(s.store))
	}
	return words
}

// wordsFor are those of the flags that the command of an operation has.
func (s *storeFlags) wordsFor(method string) string {
	switch group, _, _ := strings.Cut(method, "."); group {
	case "codes", "schemas":
		return ""
	case "sources":
		return configWords(s.config)
	case "capabilities":
		if s.store == inMemory {
			return configWords(s.config)
		}
	}
	return s.words()
}

// stores are the kinds of stores that this binary has.
func (a *app) stores() lifecycle.Stores {
	all := lifecycle.StandardStores()
	maps.Copy(all, a.Stores)
	return all
}

// opened is what a command works with: the operations on a store, in this process.
type opened struct {
	*lifecycle.Service
	lacking wf.Diagnostics // why an optional store is not looked at
	close   func()
}

// lettingGo is how long calls that are out may go on when the command is over.
const lettingGo = 3 * time.Second

// open opens the store that is named, and offers the operations on it; it makes one only if the command does. The caller closes it.
func (a *app) open(ctx context.Context, flags *storeFlags) (*opened, error) {
	return a.openWith(ctx, flags, func(*wf.RuntimeOptions) {})
}

// openWith is open with other options of the runtime.
func (a *app) openWith(ctx context.Context, flags *storeFlags, tune func(*wf.RuntimeOptions)) (*opened, error) {
	set, err := a.sources(ctx, flags.config)
	if err != nil {
		return nil, err
	}
	name := cmp.Or(flags.store, a.Env(storeVariable), a.inConfig)
	if name == "" && flags.optional {
		name = inMemory
	}
	if name == "" {
		return nil, failed(ExitUsage, codeUsage, "no store is named", `name one with --store, as in --store file:runs, or with `+storeVariable+`, or as "store" in the configuration`)
	}
	var runtime wf.RuntimeOptions
	if a.Runtime != nil {
		runtime = *a.Runtime
	}
	runtime.Nodes, runtime.Journal = nil, nil
	tune(&runtime)
	if runtime.Logger == nil { // who waits is told when the store does not keep something
		runtime.Logger = slog.New(slog.NewTextHandler(a.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))
	}
	opts := &lifecycle.OpenOptions{Logger: runtime.Logger}
	if runtime.Clock != nil {
		opts.Now = runtime.Clock.Now
	}
	service, st, err := a.serve(ctx, name, set, &runtime, opts)
	var lacking wf.Diagnostics
	if err != nil && flags.optional && flags.store == "" && ctx.Err() == nil {
		if _, none := errors.AsType[noStore](err); !none {
			lacking = failureOf(a.failure(err, flags)).diags
			lacking[0].Severity = wf.SeverityWarning
		}
		service, st, err = a.serve(ctx, inMemory, set, &runtime, opts)
	}
	if err != nil {
		return nil, a.failure(err, flags)
	}
	return &opened{service, lacking, func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lettingGo)
		defer cancel()
		_ = service.Close(ctx) // what is unfinished stays in the store, as it stands
		_ = st.Close()
	}}, nil
}

// serve opens a store, or makes it if the command does, and offers the operations on it.
func (a *app) serve(ctx context.Context, name string, set *source.Set, runtime *wf.RuntimeOptions, opts *lifecycle.OpenOptions) (*lifecycle.Service, io.Closer, error) {
	if err := a.lookAt(name); err != nil {
		return nil, nil, err
	}
	st, err := a.stores().Open(ctx, a.placed(name), opts)
	if e, ok := errors.AsType[*lifecycle.Error](err); ok && errors.Is(err, fs.ErrPermission) {
		e.Diagnostics[0].RepairHint = "a store is read and written: see that you may do both, with what it names and with the folder that this is in"
	}
	if err != nil {
		return nil, nil, err
	}
	service, err := lifecycle.NewService(st, set, runtime)
	if err != nil {
		return nil, nil, errors.Join(failed(ExitDiagnostics, codeSourceInvalid, err.Error(), ""), st.Close())
	}
	return service, st, nil
}

// placed makes the place in a store's name one in the directory that paths begin at.
func (a *app) placed(name string) string {
	if a.Dir == "" {
		return name
	}
	return a.stores().Placed(name, a.path)
}

// kinds of failures have exit codes.
var exitOf = map[lifecycle.Kind]int{
	lifecycle.Internal: ExitInternal, lifecycle.BadRequest: ExitUsage, lifecycle.Invalid: ExitDiagnostics, lifecycle.NotFound: ExitNotFound,
	lifecycle.Conflict: ExitConflict, lifecycle.NotAllowed: ExitNotAllowed, lifecycle.TimedOut: ExitTimeout, lifecycle.Cancelled: ExitInterrupted,
}

// failure makes a failure of the command of one of an operation.
func (a *app) failure(err error, flags *storeFlags) error {
	e, ok := errors.AsType[*lifecycle.Error](err)
	if !ok {
		return err
	}
	f := &failure{exit: exitOf[e.Kind], diags: e.Diagnostics, next: nextOf(e.NextActions, flags)}
	if len(f.next) == 0 {
		f.next = explainNext(e.Diagnostics)
	}
	return f
}

// warn tells people what is to be thought of before they do something next.
func (out *answer) warn(advice *lifecycle.Advice) {
	for _, text := range advice.Warnings {
		out.notes = append(out.notes, "warning: "+text)
	}
}

// nextOf makes next actions of advice: commands that work on the same store.
func nextOf(advice []lifecycle.NextAction, flags *storeFlags) []nextAction {
	var list []nextAction
	for _, n := range advice {
		if flags.store == inMemory && strings.Contains(flags.wordsFor(n.Method), inMemory) {
			continue // what it is about ends with the command
		}
		list = append(list, nextAction{Method: n.Method, CLI: n.CLI + flags.wordsFor(n.Method), Params: n.Params, Fill: n.Fill, Reason: n.Reason, Kind: n.Kind})
	}
	return list
}
