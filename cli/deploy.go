package cli

import (
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lda.chat/wf/lifecycle"
)

func deployCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "deploy",
		Short: "Let artifacts run with sources of their own, and see what they may do",
	}
	cmd.AddCommand(deploySaveCommand(a), deployListCommand(a), deployShowCommand(a), deployValidateCommand(a), deployPreviewCommand(a),
		deployEnableCommand(a), deployDisableCommand(a), deployDeleteCommand(a), deployRetainCommand(a))
	return cmd
}

// deploymentResult is a deployment without what stands elsewhere in the envelope.
type deploymentResult struct {
	*lifecycle.Deployment
	Diagnostics *struct{} `json:"diagnostics,omitempty"`
	Advice      *struct{} `json:"advice,omitempty"`
}

// deployed is the answer about a deployment.
func deployed(d *lifecycle.Deployment, flags *storeFlags) *answer {
	out := &answer{result: deploymentResult{Deployment: d}, diags: d.Diagnostics, next: nextOf(d.Advice.NextActions, flags), notes: []string{d.Deployment + ": " + d.Advice.Reason}}
	out.text = func(p *page) {
		p.line(p.bold(d.Deployment) + "  revision " + strconv.FormatUint(d.Revision, 10) + ", " + enabledWord(d.Enabled))
		t := &table{}
		row := func(name, text string) {
			if text != "" {
				t.rows = append(t.rows, []string{"  " + name, text})
			}
		}
		bindings := make([]string, len(d.Bindings))
		for i, b := range d.Bindings {
			bindings[i] = b.Logical + "=" + b.Source
		}
		row("artifact", d.Artifact)
		row("title", d.Title)
		row("bindings", strings.Join(bindings, ", "))
		if defaults := string(d.Defaults); defaults != "{}" {
			row("defaults", defaults)
		}
		row("drift", string(d.DriftPolicy))
		row("in doubt", string(d.InDoubt))
		if d.RetentionSeconds > 0 {
			row("retention", (time.Duration(d.RetentionSeconds) * time.Second).String())
		}
		if d.MaxRuns > 0 {
			row("runs at a time", strconv.Itoa(d.MaxRuns))
		}
		row("updated", moment(d.Updated))
		t.write(p)
		p.omitted(d.Omitted)
	}
	return out
}

func enabledWord(enabled bool) string {
	if enabled {
		return "enabled"
	}
	return "disabled"
}
