package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle"
	"lda.chat/wf/lifecycle/gate"
	"lda.chat/wf/source"
)

// bindingFlag is a flag that may be given several times: LOGICAL=SOURCE.
type bindingFlag struct{ list *source.Bindings }

func (b bindingFlag) String() string { return "" }
func (b bindingFlag) Type() string   { return "LOGICAL=SOURCE" }
func (b bindingFlag) Set(text string) error {
	logical, id, ok := strings.Cut(text, "=")
	if !ok || logical == "" || id == "" {
		return errors.New(`expected a source of the plan, "=" and the one that stands for it, as in local.report=local.report`)
	}
	*b.list = append(*b.list, source.Binding{Logical: logical, Source: id})
	return nil
}

// word is a flag that is one of a few words, and "" if it is not given.
type word[T ~string] struct {
	value *T
	known []string
}

func (w word[T]) String() string {
	if w.value == nil {
		return ""
	}
	return string(*w.value)
}
func (w word[T]) Type() string { return strings.Join(w.known, "|") }
func (w word[T]) Set(text string) error {
	var one string
	if err := (choice{&one, w.known}).Set(text); err != nil {
		return err
	}
	*w.value = T(one)
	return nil
}

func deploySaveCommand(a *app) *cobra.Command {
	var flags storeFlags
	var version string
	var none, enabled bool
	var retention time.Duration
	var maxRuns int
	defaults := jsonFlags{}
	p := &lifecycle.SaveDeployment{}
	cmd := &cobra.Command{
		Use:   "save DEPLOYMENT",
		Short: summaryOf("deployments.save"),
		Long: `Makes a deployment of an artifact, or changes one: what is not given stays as it is. Runs go on with what they began with. A deployment that
cannot run is saved and explained; "wf deploy validate" tells by its exit code.`,
		Example: "  wf deploy save report_case_study.default --artifact report_case_study@1 --binding local.report=local.report --store file:runs\n" +
			"  wf deploy save report_case_study.default --revision 1 --max-runs 10 --retention 720h --store file:runs",
		Args: takes(1, 1, "one DEPLOYMENT"),
	}
	cmd.Flags().StringVar(&p.Artifact, "artifact", "", "the artifact that it runs, `NAME@VERSION`; a new deployment needs one")
	cmd.Flags().StringVar(&version, "version", "", "the artifact's `VERSION`, if --artifact is its name alone")
	cmd.Flags().Var(bindingFlag{&p.Bindings}, "binding", "which source stands for a source of the plan; may be given several times, and then is all of them")
	cmd.Flags().BoolVar(&none, "no-bindings", false, "no source stands for one of the plan any more")
	defaults.add(cmd, "defaults", "members of the input of a run that is started without them")
	drifts, doubts := []string{string(gate.DriftRefuse), string(gate.DriftWarn)}, []string{string(wf.DoubtAsk), string(wf.DoubtRetry), string(wf.DoubtFail)}
	cmd.Flags().Var(word[gate.DriftPolicy]{&p.DriftPolicy, drifts}, "drift-policy", "what becomes of capabilities that have changed so that what worked may fail; refuse, of a new deployment")
	cmd.Flags().Var(word[wf.DoubtPolicy]{&p.InDoubt, doubts}, "in-doubt", "what becomes of calls that may have happened and must not be made twice; ask, of a new deployment")
	cmd.Flags().DurationVar(&retention, "retention", 0, "for how long runs are kept when they have ended (720h): wf worker deletes them, and wf deploy retain; 0s is for good")
	cmd.Flags().IntVar(&maxRuns, "max-runs", 0, "how `MANY` of its runs may be under way at a time; 0 is any number")
	cmd.Flags().BoolVar(&enabled, "enabled", true, "whether runs can be started")
	revisionOf(cmd, &p.Revision)
	flags.add(a, cmd)
	cmd.RunE = a.on(&flags, nil, func(ctx context.Context, api *opened, args []string) (*answer, error) {
		p.Deployment = args[0]
		set := cmd.Flags().Changed
		switch {
		case none && len(p.Bindings) > 0:
			return nil, usagef("--binding and --no-bindings exclude each other: give one of them")
		case none:
			p.Bindings = source.Bindings{}
		}
		if version != "" {
			if p.Artifact == "" || strings.Contains(p.Artifact, "@") {
				return nil, usagef("--version needs the artifact's name: --artifact NAME --version %s", version)
			}
			p.Artifact += "@" + version
		}
		if set("retention") {
			seconds := int64(retention / time.Second)
			if retention%time.Second != 0 {
				return nil, usagef("--retention %s: expected whole seconds, as 90s, 30m or 720h; 0s is for good", retention)
			}
			p.RetentionSeconds = &seconds
		}
		if set("max-runs") {
			p.MaxRuns = &maxRuns
		}
		if set("enabled") {
			p.Enabled = &enabled
		}
		var err error
		if p.Defaults, err = defaults.read(ctx, a, &flags); err != nil {
			return nil, err
		}
		d, err := api.SaveDeployment(ctx, p)
		if err != nil {
			return nil, err
		}
		return deployed(d, &flags), nil
	})
	return cmd
}

// revisionOf names the state of a deployment that a change is for.
func revisionOf(cmd *cobra.Command, revision *uint64) {
	cmd.Flags().Uint64Var(revision, "revision", 0, "the `REVISION` that was looked at: if the deployment is at another one, nothing is done")
}

func deployEnableCommand(a *app) *cobra.Command {
	p := &lifecycle.EnableDeployment{}
	cmd := aDeployment(a, "deployments.enable", "enable", `Lets runs of a deployment be started.`, "  wf deploy enable report_case_study.default --store file:runs",
		func(ctx context.Context, api *opened, id string, flags *storeFlags) (*answer, error) {
			p.Deployment = id
			d, err := api.EnableDeployment(ctx, p)
			if err != nil {
				return nil, err
			}
			return deployed(d, flags), nil
		})
	revisionOf(cmd, &p.Revision)
	return cmd
}

func deployDisableCommand(a *app) *cobra.Command {
	p := &lifecycle.DisableDeployment{}
	cmd := aDeployment(a, "deployments.disable", "disable", `Lets no more runs of a deployment be started. Those that are under way go on.`, "  wf deploy disable report_case_study.default --store file:runs",
		func(ctx context.Context, api *opened, id string, flags *storeFlags) (*answer, error) {
			p.Deployment = id
			d, err := api.DisableDeployment(ctx, p)
			if err != nil {
				return nil, err
			}
			return deployed(d, flags), nil
		})
	revisionOf(cmd, &p.Revision)
	return cmd
}

func deployDeleteCommand(a *app) *cobra.Command {
	var yes bool
	p := &lifecycle.DeleteDeployment{}
	cmd := aDeployment(a, "deployments.delete", "delete", `Deletes a deployment that has no runs under way. Its runs that have ended stay.`, "  wf deploy delete report_case_study.default --yes --store file:runs",
		func(ctx context.Context, api *opened, id string, flags *storeFlags) (*answer, error) {
			if err := a.confirmed(ctx, yes, "deleting a deployment"); err != nil {
				return nil, err
			}
			p.Deployment = id
			gone, err := api.DeleteDeployment(ctx, p)
			if err != nil {
				return nil, err
			}
			out := &answer{result: gone, next: nextOf(gone.Advice.NextActions, flags), notes: []string{gone.Deployment + " is deleted"}}
			gone.Advice = nil
			return out, nil
		})
	revisionOf(cmd, &p.Revision)
	cmd.Flags().BoolVar(&yes, "yes", false, "do it: what is deleted is gone")
	return cmd
}

func deployRetainCommand(a *app) *cobra.Command {
	var flags storeFlags
	var yes bool
	p := &lifecycle.RetainRuns{}
	cmd := &cobra.Command{
		Use:   "retain",
		Short: summaryOf("deployments.retain"),
		Long: `Deletes the runs that ended longer ago than their deployment keeps runs. Deployments without a retention keep them for good.
"wf worker" does so by itself.`,
		Example: "  wf deploy retain --yes --store file:runs",
		Args:    takes(0, 0, ""),
	}
	cmd.Flags().StringVar(&p.Deployment, "deployment", "", "only runs of this `DEPLOYMENT`")
	cmd.Flags().IntVar(&p.Limit, "limit", 0, "how `MANY` runs are deleted at most; all whose time is over, if it is not given")
	cmd.Flags().BoolVar(&yes, "yes", false, "do it: what is deleted is gone")
	flags.add(a, cmd)
	cmd.RunE = a.on(&flags, nil, func(ctx context.Context, api *opened, _ []string) (*answer, error) {
		if err := a.confirmed(ctx, yes, "deleting runs"); err != nil {
			return nil, err
		}
		r, err := api.RetainRuns(ctx, p)
		if err != nil {
			return nil, err
		}
		out := &answer{result: r, next: nextOf(r.Advice.NextActions, &flags), notes: []string{fmt.Sprintf("%s deleted", counted(r.Deleted, "run"))}}
		r.Advice = nil
		return out, nil
	})
	return cmd
}
