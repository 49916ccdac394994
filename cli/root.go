package cli

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// handler does the work of a command.
type handler func(ctx context.Context, args []string) (*answer, error)

// execute finds the command and runs it.
func (a *app) execute(ctx context.Context) error {
	root := newRoot(a)
	if f := a.unknownCommand(root); f != nil {
		return f
	}
	cmd, err := root.ExecuteContextC(ctx)
	if a.command == "" {
		a.command = words(cmd)
	}
	if err == nil && a.result == nil { // cobra's own completion has written its answer
		a.result = &answer{}
		a.format = formatText
	}
	return err
}

// words are a command's words without the program's name.
func words(cmd *cobra.Command) string {
	_, rest, _ := strings.Cut(cmd.CommandPath(), " ")
	return rest
}

// newRoot builds the tree of commands.
func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "wf",
		Short: "Check, run and inspect workflows that are plans in JSON",
		Long: `wf checks, runs and inspects workflows that are plans in JSON.

Every command answers in the format of --format, in success and in failure. Standard output holds the result, standard
error everything else; "wf help exit-codes" explains the exit codes.`,
		Example: `  wf schema                             the shapes that a plan is written with
  wf try plan.json --input '{"n": 1}'   run a plan now
  wf plan validate plan.json            all that is wrong with it
  wf status                             what there is in a store`,
		SilenceErrors:     true,
		SilenceUsage:      true,
		DisableAutoGenTag: true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	flags := root.PersistentFlags()
	flags.VarP(choice{&a.format, formats}, "format", "o", "how the answer is written; the environment's WF_FORMAT is the default")
	flags.Lookup("format").DefValue = formatText // what it is when neither says anything
	flags.Var(chars{&a.maxChars}, "max-output-chars", "how long an answer of the format compact may be")

	root.AddCommand(tryCommand(a), planCommand(a), draftCommand(a), artifactCommand(a), deployCommand(a), runCommand(a), workerCommand(a), statusCommand(a), eventCommand(a), capCommand(a), sourceCommand(a), schemaCommand(a), configCommand(a), codeCommand(a), explainCommand(a),
		versionCommand(a), completionCommand(a))
	root.SetHelpCommand(helpCommand(a, root))
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { a.help(cmd) })
	root.SetFlagErrorFunc(flagFailure)
	root.SetArgs(append([]string{}, a.Args...))
	root.SetIn(a.Stdin)
	root.SetOut(a.Stdout)
	root.SetErr(a.Stderr)
	guard(a, root)
	if a.completing() {
		root.InitDefaultHelpCmd() // else it comes when the command is carried out
		a.complete(root)
	}
	return root
}

// guard makes every group of commands an action of its own that shows help and takes no arguments: cobra alone takes a
// mistyped command for a question about its group, and exits 0. It lets no flag be given two values, of which one would be dropped.
func guard(a *app, cmd *cobra.Command) {
	for _, flags := range []*pflag.FlagSet{cmd.Flags(), cmd.PersistentFlags()} {
		flags.VisitAll(func(f *pflag.Flag) {
			if !strings.Contains(f.Usage, severalTimes) {
				f.Value = &once{Value: f.Value}
			}
		})
	}
	for _, child := range cmd.Commands() {
		guard(a, child)
	}
	if cmd.HasSubCommands() && !cmd.Runnable() {
		cmd.Args = cobra.NoArgs
		cmd.RunE = func(cmd *cobra.Command, _ []string) error { a.help(cmd); return nil }
	}
}

// run makes a command's action of a handler.
func (a *app) run(h handler) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		a.command, a.makesStore = words(cmd), makesStore(cmd)
		if env := a.Env(formatVariable); env != "" && !slices.Contains(formats, env) && !cmd.Flags().Changed("format") {
			return failed(ExitUsage, codeFlagInvalid, formatVariable+` cannot be "`+env+`": expected one of `+strings.Join(formats, ", "), nearest(env, formats))
		}
		out, err := h(cmd.Context(), args)
		a.result = out
		return err
	}
}

// unknownCommand reports the first word that is no command of the group it stands in.
func (a *app) unknownCommand(root *cobra.Command) *failure {
	group, rest, err := root.Find(a.Args)
	if err != nil || !group.HasSubCommands() || a.completing() {
		return nil
	}
	word := firstWord(root.PersistentFlags(), rest)
	if word == "" || word == "help" && group == root {
		return nil
	}
	a.command = words(group)
	var known []string
	for _, c := range group.Commands() {
		if c.IsAvailableCommand() {
			known = append(known, c.Name())
		}
	}
	slices.Sort(known)
	hint := cmp.Or(intended(group, word), nearest(word, known))
	if hint == "" {
		hint = "the commands are: " + strings.Join(known, ", ")
	}
	return failed(ExitUsage, codeCommandUnknown, group.CommandPath()+` has no command "`+word+`"`, hint)
}

// firstWord finds the first argument that is neither one of the flags nor a flag's value; "" if there is none, or an
// unknown flag stands before it.
func firstWord(flags *pflag.FlagSet, args []string) string {
	for i := 0; i < len(args); i++ {
		long, isLong := strings.CutPrefix(args[i], "--")
		short, isShort := strings.CutPrefix(args[i], "-")
		switch {
		case !isShort:
			return args[i]
		case strings.Contains(long, "="):
		case isLong && flags.Lookup(long) != nil, len(short) == 1 && flags.ShorthandLookup(short) != nil:
			i++ // its value
		case !isLong && short != "" && flags.ShorthandLookup(short[:1]) != nil: // -ojson
		default:
			return ""
		}
	}
	return ""
}
