package cli

import (
	"bytes"
	"context"
	_ "embed"

	"github.com/spf13/cobra"
)

// bashCompletion is the script for bash. That of the library needs the package bash-completion, and does not complete behind "@".
//
//go:embed completion.bash
var bashCompletion string

var shells = []string{"bash", "fish", "powershell", "zsh"}

func completionCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "completion SHELL",
		Short:   "Write a script that completes commands on Tab",
		Long:    "Writes a script that makes a shell complete commands, flags and names on Tab, for bash, fish, powershell or zsh.",
		Example: "  source <(wf completion bash)\n  wf completion zsh > \"${fpath[1]}/_wf\"",
		Args:    takes(1, 1, "one SHELL: bash, fish, powershell or zsh"),
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
		b.WriteString(bashCompletion)
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
