package cli

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle"
)

func statusCommand(a *app) *cobra.Command {
	var flags storeFlags
	cmd := &cobra.Command{
		Use:     "status",
		Short:   summaryOf("status.get"),
		Example: "  wf status --store file:runs",
		Args:    takes(0, 0, ""),
	}
	flags.add(a, cmd)
	cmd.RunE = a.run(func(ctx context.Context, _ []string) (*answer, error) {
		api, err := a.open(ctx, &flags)
		missing, none := errors.AsType[noStore](err)
		if none { // that is how it stands
			api, err = a.open(ctx, &storeFlags{store: inMemory, config: flags.config})
		}
		if err != nil {
			return nil, err
		}
		defer api.close()
		st, err := api.GetStatus(ctx, &lifecycle.GetStatus{})
		if err != nil {
			return nil, a.failure(err, &flags)
		}
		out := &answer{result: st, next: nextOf(st.Advice.NextActions, &flags), notes: []string{st.Advice.Reason}}
		out.text = func(p *page) { p.status(st, none) }
		st.Advice = nil
		if none {
			out.result, out.diags = storelessStatus{Status: st}, missing.diags
			out.diags[0].Severity = wf.SeverityWarning
		}
		return out, nil
	})
	return cmd
}

// storelessStatus is how it stands where there is no store yet.
type storelessStatus struct {
	*lifecycle.Status
	Store *struct{} `json:"store,omitempty"`
}

func (p *page) status(st *lifecycle.Status, storeless bool) {
	t := &table{}
	row := func(name, text string) { t.rows = append(t.rows, []string{name, text}) }
	if storeless {
		row("store", "none yet")
	} else {
		row("store keeps", string(st.Store.Durability))
	}
	for _, s := range st.Sources {
		row("source "+s.Source, strconv.Itoa(s.Capabilities)+" capabilities")
	}
	number := func(what string, n int) {
		text := strconv.Itoa(n)
		if slices.Contains(st.Counts.More, what) {
			text = "more than " + text
		}
		row(what, text)
	}
	number("drafts", st.Counts.Drafts)
	number("artifacts", st.Counts.Artifacts)
	number("deployments", st.Counts.Deployments)
	runs := 0
	for _, n := range st.Counts.Runs {
		runs += n
	}
	number("runs", runs)
	if st.Counts.Stuck > 0 {
		row("  stuck", strconv.Itoa(st.Counts.Stuck))
	}
	for _, status := range slices.Sorted(maps.Keys(st.Counts.Runs)) {
		row("  "+string(status), strconv.Itoa(st.Counts.Runs[status]))
	}
	row("plans", st.Versions.Plan)
	t.write(p)
}
