package cli

import (
	"context"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"lda.chat/wf"
)

// buildVersion is the version of the main module, as Go built it in.
func buildVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(unknown)"
}

func versionCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Show the version",
		Args:  takes(0, 0, ""),
		RunE: a.run(func(context.Context, []string) (*answer, error) {
			v := struct {
				Version    string `json:"version"`
				PlanFormat string `json:"plan_format"`
				Go         string `json:"go"`
			}{a.Version, wf.Format, runtime.Version()}
			return &answer{result: v, text: func(p *page) { p.line("wf", v.Version, "(plans "+v.PlanFormat+", "+v.Go+")") }}, nil
		}),
	}
}
