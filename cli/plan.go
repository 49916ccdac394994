package cli

import "github.com/spf13/cobra"

func planCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "plan",
		Short: "Check, repair, complete, format and draw plans",
	}
	cmd.AddCommand(planValidateCommand(a), planFixCommand(a), planInferCommand(a), planFormatCommand(a), planGraphCommand(a))
	return cmd
}
