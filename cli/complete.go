package cli

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle"
)

// completion finds what can stand where a shell's user pressed Tab. It need not look at what was typed there already.
type completion func(q *question) []string

// completions tell what completes a value, by the word that the usage of a command calls it: DRAFT in "wf draft show DRAFT", STEP in
// "--step STEP". Where one word means several things, the command and the flag stand before it. A value whose words are listed in its
// usage, as in mermaid|dot, is completed by them; one that is not here, by nothing.
var completions = map[string]completion{
	"DRAFT":             (*question).drafts,
	"ARTIFACT":          (*question).artifacts,
	"NAME@VERSION":      (*question).artifacts,
	"OLD":               (*question).artifacts,
	"NEW":               (*question).artifacts,
	"DEPLOYMENT":        (*question).deployments,
	"RUN":               (*question).runIDs,
	"REF":               (*question).refs,
	"SOURCE":            (*question).sourceIDs,
	"LOGICAL=SOURCE":    (*question).bindings,
	"STEP":              (*question).steps,
	"OUTCOME":           (*question).outcomes,
	"WORKFLOW":          (*question).nested,
	"PATH":              (*question).readable,
	"PLACE":             (*question).places,
	"FIELD":             (*question).fields,
	"FROM=TO":           (*question).mappings,
	"TO=JSON":           (*question).targets,
	"TO=TEXT":           (*question).targets,
	"ID=OUTCOME[:JSON]": (*question).answers,
	"OPERATION":         (*question).operations,
	"COMMAND":           (*question).commandNames,
	"STORE":             (*question).storeNames,
	"FILE":              (*question).files,
	"PLAN":              (*question).files,
	"CODE":              func(*question) []string { return codeNames() },
	"TYPE":              func(*question) []string { return shapeNames() },
	"SHELL":             func(*question) []string { return shells },
	"STATUS":            func(*question) []string { return statusWords },

	"draft create DRAFT":                   nil, // it is new
	"draft set-schema OF":                  (*question).schemasOfDraft,
	"draft set-schema --node":              (*question).sourceRefs,
	"draft add-step --workflow":            (*question).nestedOrSaved,
	"draft add-step --type":                func(*question) []string { return stepTypes() },
	"draft add-step --outcome":             nil,
	"draft add-step --on":                  (*question).outcomesOfAfter,
	"draft branch --to":                    (*question).targetsOfEdges,
	"draft handle --to":                    (*question).targetsOfEdges,
	"draft handle --code":                  func(*question) []string { return caught },
	"draft handle --error":                 (*question).written,
	"draft bind --if-absent":               func(*question) []string { return []string{"unset", "keep", "fail"} },
	"draft save --artifact":                (*question).artifactNames,
	"artifact list --name":                 (*question).artifactNames,
	"artifact create-from-plan --artifact": (*question).artifactNames,
	"deploy list --artifact":               (*question).artifactsAndNames,
	"run decide --step":                    (*question).doubts,
	"run decide --outcome":                 (*question).outcomesOfDoubts,
	"run list --workflow":                  (*question).workflowsOfRuns,
	"run backtest --workflow":              (*question).workflowsOfRuns,
	"run trace --step":                     (*question).stepsOfRun,
}

// mostTime is how long a shell waits: then nothing is offered.
const mostTime = time.Second

// question is what a shell asks.
type question struct {
	*app
	ctx       context.Context
	cmd       *cobra.Command
	args      []string // before the place
	begun     string   // what was typed at the place
	asks      string   // the flag whose value it is, "" at an argument
	directive cobra.ShellCompDirective
}

// completing reports whether a shell asks what could come next.
func (a *app) completing() bool {
	return len(a.Args) > 0 && strings.HasPrefix(a.Args[0], cobra.ShellCompRequestCmd)
}

// complete lets a shell ask about the arguments and the flags of all commands. The library keeps what it is told for as long as the
// process lives, so it is told only when a shell asks.
func (a *app) complete(cmd *cobra.Command) {
	for _, c := range cmd.Commands() {
		a.complete(c)
	}
	if cmd.HasSubCommands() && cmd.HasParent() {
		return
	}
	if cmd.HasParent() {
		cmd.ValidArgsFunction = a.offer("", func(args []string) completion { return argumentCompletion(cmd, len(args)) })
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) { a.completeFlag(cmd, f) })
	cmd.PersistentFlags().VisitAll(func(f *pflag.Flag) { a.completeFlag(cmd, f) })
}

func (a *app) completeFlag(cmd *cobra.Command, f *pflag.Flag) {
	how := flagCompletion(cmd, f)
	if err := cmd.RegisterFlagCompletionFunc(f.Name, a.offer(f.Name, func([]string) completion { return how })); err != nil {
		panic(err) // the flag has one already
	}
}

// flagCompletion finds what completes a flag of a command; nil: nothing does.
func flagCompletion(cmd *cobra.Command, f *pflag.Flag) completion {
	if own, ok := completions[words(cmd)+" --"+f.Name]; ok {
		return own
	}
	word, _ := pflag.UnquoteUsage(f)
	if listed := strings.Split(f.Value.Type(), "|"); len(listed) > 1 {
		return func(*question) []string { return listed }
	}
	return completions[word]
}

// argumentCompletion finds what completes the argument of a command behind so many others; nil: nothing does.
func argumentCompletion(cmd *cobra.Command, before int) completion {
	usage := strings.Fields(cmd.Use)[1:]
	if n := len(usage); n > 0 && strings.HasSuffix(usage[n-1], "...") {
		before = min(before, n-1)
	}
	if before >= len(usage) {
		return nil
	}
	word, _, _ := strings.Cut(strings.Trim(usage[before], "[]."), "[")
	if own, ok := completions[words(cmd)+" "+word]; ok {
		return own
	}
	return completions[word]
}

// offer makes the library's completion of one of ours: it neither fails nor takes long, whatever is looked at.
func (a *app) offer(asks string, find func(args []string) completion) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		how := find(args)
		if how == nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		ctx, cancel := context.WithTimeout(cmd.Context(), mostTime)
		defer cancel()
		type found struct {
			names     []string
			directive cobra.ShellCompDirective
		}
		done := make(chan found, 1)
		go func() {
			q := &question{app: a, ctx: ctx, cmd: cmd, args: args, begun: begun, asks: asks, directive: cobra.ShellCompDirectiveNoFileComp}
			defer func() {
				if recover() != nil { // code of others: nobody could read what it says
					done <- found{nil, cobra.ShellCompDirectiveNoFileComp}
				}
			}()
			names := how(q)
			done <- found{fitting(names, begun), q.directive}
		}()
		select {
		case f := <-done:
			return f.names, f.directive
		case <-ctx.Done():
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
	}
}

// fitting are the names that begin with what was typed, each once.
func fitting(names []string, begun string) (fits []string) {
	for _, name := range names {
		if strings.HasPrefix(name, begun) && !slices.Contains(fits, name) {
			fits = append(fits, name)
		}
	}
	return fits
}

// flag is the value of another flag of the command.
func (q *question) flag(name string) string {
	if f := q.cmd.Flags().Lookup(name); f != nil {
		return f.Value.String()
	}
	return ""
}

// arg is an argument of the command, "" if it is not there.
func (q *question) arg(i int) string {
	if i < len(q.args) {
		return q.args[i]
	}
	return ""
}

func (q *question) files() []string {
	q.directive = cobra.ShellCompDirectiveDefault
	return nil
}

func (q *question) operations() (names []string) {
	for _, m := range lifecycle.Methods() {
		names = append(names, m.Name)
	}
	return names
}

// commands are those that "wf help" can be asked about, behind the words that stand there.
func (q *question) commandNames() (names []string) {
	if cmd, rest, err := q.cmd.Root().Find(q.args); err == nil && len(rest) == 0 {
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() {
				names = append(names, c.Name())
			}
		}
	}
	if len(q.args) == 0 {
		names = append(names, "exit-codes")
	}
	return names
}

func stepTypes() []string {
	types := []wf.StepType{wf.TypeNode, wf.TypeCondition, wf.TypeInterrupt, wf.TypeForeach, wf.TypeFork, wf.TypeJoin, wf.TypeSubgraph, wf.TypeSet, wf.TypeWait,
		wf.TypeEnd, wf.TypeFail}
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = string(t)
	}
	return names
}

// caught are the failures of steps that a plan mostly handles; capabilities have others of their own.
var caught = []string{"*", string(wf.CodeTimeout), string(wf.CodeTransport), string(wf.CodeProviderError), string(wf.CodeHandlerError), string(wf.CodeHandlerPanic),
	string(wf.CodeInputInvalid), string(wf.CodeOutputInvalid), string(wf.CodeBindingMissing), string(wf.CodeLimitExceeded), string(wf.CodeInDoubt)}
