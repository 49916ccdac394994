package cli

import (
	"bytes"
	"context"
	"strings"

	"github.com/spf13/cobra"
)

var shells = []string{"bash", "fish", "powershell", "zsh"}

func completionCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:       "completion SHELL",
		Short:     "Write a script that completes commands on Tab",
		Long:      "Writes a script that makes a shell complete commands, flags and names on Tab, for bash, fish, powershell or zsh.",
		Example:   "  source <(wf completion bash)\n  wf completion zsh > \"${fpath[1]}/_wf\"",
		ValidArgs: shells,
		Args:      takes(1, 1, "one SHELL: bash, fish, powershell or zsh"),
	}
	cmd.RunE = a.run(func(_ context.Context, args []string) (*answer, error) {
		script, err := completionScript(cmd.Root(), args[0])
		if err != nil {
			return nil, err
		}
		return &answer{
			result: map[string]string{"shell": args[0], "script": script},
			text:   func(p *page) { p.WriteString(script) },
		}, nil
	})
	return cmd
}

func completionScript(root *cobra.Command, shell string) (string, error) {
	var b bytes.Buffer
	var err error
	switch shell {
	case "bash":
		err = root.GenBashCompletionV2(&b, true)
	case "fish":
		err = root.GenFishCompletion(&b, true)
	case "powershell":
		err = root.GenPowerShellCompletionWithDesc(&b)
	case "zsh":
		err = root.GenZshCompletion(&b)
	default:
		hint := nearest(shell, shells)
		if hint == "" {
			hint = "the shells are " + listed(shells)
		}
		return "", failed(ExitUsage, codeUsage, `there is no completion for the shell "`+shell+`"`, hint)
	}
	return b.String(), err
}

// complete offers fixed values for a flag on Tab. The library keeps them for as long as the process lives, so they are
// given to it only when a shell asks.
func (a *app) complete(cmd *cobra.Command, flag string, values []string) {
	if !a.completing() {
		return
	}
	if err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // there is no such flag
	}
}

// completing reports whether a shell asks what could come next.
func (a *app) completing() bool {
	return len(a.Args) > 0 && strings.HasPrefix(a.Args[0], cobra.ShellCompRequestCmd)
}

// beginning offers, for the only argument of a command, those names that begin with what was typed.
func beginning(begun string, args, names []string) []string {
	var fitting []string
	for _, name := range names {
		if len(args) == 0 && strings.HasPrefix(name, begun) {
			fitting = append(fitting, name)
		}
	}
	return fitting
}

// completeWith offers values for a flag on Tab that are looked up.
func (a *app) completeWith(cmd *cobra.Command, flag string, look cobra.CompletionFunc) {
	if !a.completing() {
		return
	}
	if err := cmd.RegisterFlagCompletionFunc(flag, func(cmd *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		return look(cmd, nil, begun)
	}); err != nil {
		panic(err) // there is no such flag
	}
}
