package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle"
)

// since is a flag that is a moment, or a span of time before now.
type since struct {
	value *time.Time
	now   func() time.Time
}

func (s since) String() string {
	if s.value == nil || s.value.IsZero() {
		return ""
	}
	return s.value.Format(time.RFC3339)
}
func (s since) Type() string { return "time" }
func (s since) Set(text string) error {
	if d, err := time.ParseDuration(text); err == nil && d > 0 {
		*s.value = s.now().Add(-d)
		return nil
	}
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		if t, err = time.Parse(time.DateOnly, text); err != nil {
			return errors.New("expected a time as 2026-11-30, 2026-11-30T12:00:00Z, or how long ago, as 90m or 24h")
		}
	}
	*s.value = t
	return nil
}

// now is the clock that commands go by.
func (a *app) now() time.Time {
	if a.Runtime != nil && a.Runtime.Clock != nil {
		return a.Runtime.Clock.Now()
	}
	return time.Now()
}

// listFlags say which runs are meant.
type listFlags struct{ lifecycle.ListRuns }

// statuses is a flag that may be given several times.
type statuses struct{ list *[]wf.RunStatus }

var statusWords = []string{string(wf.StatusRunning), string(wf.StatusInterrupted), string(wf.StatusCompleted), string(wf.StatusFailed), string(wf.StatusCancelled)}

func (s statuses) String() string { return "" }
func (s statuses) Type() string   { return "STATUS" }
func (s statuses) Set(word string) error {
	if !slices.Contains(statusWords, word) {
		return fmt.Errorf("expected one of %s%s", listed(statusWords), orNearest(word, statusWords))
	}
	*s.list = append(*s.list, wf.RunStatus(word))
	return nil
}

func (l *listFlags) add(a *app, cmd *cobra.Command) {
	l.Labels = map[string]string{}
	flags := cmd.Flags()
	flags.StringVar(&l.Workflow, "workflow", "", "only runs of the workflow of this `NAME`")
	flags.StringVar(&l.Deployment, "deployment", "", "only runs of this `DEPLOYMENT`")
	flags.Var(statuses{&l.Status}, "status", "only runs that are running, interrupted, completed, failed or cancelled; may be given several times")
	flags.BoolVar(&l.Waiting, "waiting", false, "only runs that wait for somebody's answer or decision")
	flags.BoolVar(&l.Stuck, "stuck", false, "only runs that do not go on although something is due")
	flags.Var(labels(l.Labels), "label", "only runs with this label; may be given several times")
	flags.Var(since{&l.CreatedFrom, a.now}, "since", "only runs started at or after this time, or at most so long ago (24h)")
	flags.Var(since{&l.CreatedBefore, a.now}, "before", "only runs started before this time, or longer ago")
	flags.Var(since{&l.UpdatedBefore, a.now}, "unchanged-since", "only runs to which nothing has happened since this time, or for so long")
	flags.IntVar(&l.Limit, "limit", 0, "how many `RUNS` are shown; 50, if it is not given")
	flags.StringVar(&l.Cursor, "cursor", "", "go on with the page behind this `CURSOR`")
}

func runListCommand(a *app) *cobra.Command {
	var flags storeFlags
	var list listFlags
	cmd := &cobra.Command{
		Use:     "list",
		Short:   summaryOf("runs.list"),
		Example: "  wf run list --waiting --store file:runs\n  wf run list --status failed --since 24h --limit 10 --store file:runs",
		Args:    takes(0, 0, ""),
	}
	list.add(a, cmd)
	flags.add(a, cmd)
	cmd.RunE = a.on(&flags, nil, func(ctx context.Context, api *opened, _ []string) (*answer, error) {
		found, err := api.ListRuns(ctx, &list.ListRuns)
		if err != nil {
			return nil, err
		}
		t := &table{head: []string{"RUN", "WORKFLOW", "STATUS", "STARTED", "UPDATED", "LABELS"}}
		out := &answer{result: found, table: t, text: t.write, items: []item{}, next: nextOf(found.Advice.NextActions, &flags)}
		for _, r := range found.Runs {
			status := string(r.Status)
			if r.Stuck != nil {
				status += ", stuck: " + r.Stuck.Reason
			}
			t.rows = append(t.rows, []string{r.RunID, r.Workflow, status, moment(r.Created), moment(r.Updated), labelText(r.Labels)})
			out.items = append(out.items, item{"run", r})
		}
		if len(found.Runs) == 0 {
			out.notes = []string{found.Advice.Reason}
			out.text, out.table = nil, nil
		}
		found.Advice = nil
		return out, nil
	})
	return cmd
}
