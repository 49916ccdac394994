package cli

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"lda.chat/wf/lifecycle"
	"lda.chat/wf/source"
)

// mostOffered is how many names of a store are looked at.
const mostOffered = 1000

// ask lets something be asked of the store that the command line names; of none, nothing is.
func (q *question) ask(do func(api *opened)) {
	api, err := q.open(q.ctx, &storeFlags{store: q.flag("store"), config: q.flag("config")})
	if err != nil {
		return
	}
	defer api.close()
	do(api)
}

func (q *question) drafts() (names []string) {
	q.ask(func(api *opened) {
		if list, err := api.ListDrafts(q.ctx, &lifecycle.ListDrafts{Prefix: q.begun, Limit: mostOffered}); err == nil {
			for _, d := range list.Drafts {
				names = append(names, d.DraftID)
			}
		}
	})
	return names
}

func (q *question) artifacts() []string     { return savedNames(q, true, false) }
func (q *question) artifactNames() []string { return savedNames(q, false, true) }

func (q *question) artifactsAndNames() []string { return savedNames(q, true, true) }

// savedNames are artifacts as NAME@VERSION, as names alone, or as both.
func savedNames(q *question, versions, alone bool) (names []string) {
	prefix, _, _ := strings.Cut(q.begun, "@")
	q.ask(func(api *opened) {
		list, err := api.ListArtifacts(q.ctx, &lifecycle.ListArtifacts{Prefix: prefix, Limit: mostOffered})
		if err != nil {
			return
		}
		for _, r := range list.Artifacts {
			name, _, _ := strings.Cut(r.Artifact, "@")
			if alone {
				names = append(names, name)
			}
			if versions {
				names = append(names, r.Artifact)
			}
		}
	})
	return names
}

func (q *question) deployments() (names []string) {
	q.ask(func(api *opened) {
		if list, err := api.ListDeployments(q.ctx, &lifecycle.ListDeployments{Prefix: q.begun, Limit: mostOffered}); err == nil {
			for _, d := range list.Deployments {
				names = append(names, d.Deployment)
			}
		}
	})
	return names
}

func (q *question) runIDs() []string {
	return ofRuns(q, func(r *lifecycle.ListedRun) string { return r.RunID })
}

func (q *question) workflowsOfRuns() []string {
	return ofRuns(q, func(r *lifecycle.ListedRun) string { return r.Workflow })
}

func ofRuns(q *question, name func(*lifecycle.ListedRun) string) (names []string) {
	q.ask(func(api *opened) {
		if list, err := api.ListRuns(q.ctx, &lifecycle.ListRuns{Limit: mostOffered}); err == nil {
			for i := range list.Runs {
				names = append(names, name(&list.Runs[i]))
			}
		}
	})
	return names
}

func (q *question) stepsOfRun() (names []string) {
	q.ask(func(api *opened) {
		if trace, err := api.TraceRun(q.ctx, &lifecycle.TraceRun{RunID: q.arg(0), Limit: mostOffered}); err == nil {
			for _, t := range trace.Entries {
				names = append(names, t.Step)
			}
		}
	})
	return names
}

// run looks at the run that the command is about.
func (q *question) run(do func(*lifecycle.Run)) {
	q.ask(func(api *opened) {
		if r, err := api.InspectRun(q.ctx, &lifecycle.InspectRun{RunID: q.arg(0)}); err == nil {
			do(r)
		}
	})
}

func (q *question) doubts() (names []string) {
	q.run(func(r *lifecycle.Run) {
		for _, d := range r.Doubts {
			names = append(names, d.ID)
		}
	})
	return names
}

// outcomesOfDoubts are those that the calls in doubt can have had.
func (q *question) outcomesOfDoubts() (names []string) {
	q.run(func(r *lifecycle.Run) {
		for _, d := range r.Doubts {
			for _, outcome := range d.Outcomes {
				names = append(names, string(outcome))
			}
		}
	})
	return names
}

// answers are the interrupts of a run, each with the outcomes that it can be answered with.
func (q *question) answers() (names []string) {
	if words(q.cmd) == "try" { // the run is not there yet
		return nil
	}
	q.run(func(r *lifecycle.Run) {
		for _, open := range r.Interrupts {
			for _, outcome := range open.Outcomes {
				names = append(names, open.ID+"="+string(outcome))
			}
		}
	})
	return names
}

// set is what the configuration has; nil if it cannot be read.
func (q *question) set() *source.Set {
	set, err := q.app.sources(q.ctx, q.flag("config"))
	if err != nil {
		return nil
	}
	return set
}

// refs are what steps can call, or run.
func (q *question) refs() []string { return append(q.sourceRefs(), q.artifacts()...) }

func (q *question) sourceRefs() []string {
	if set := q.set(); set != nil {
		return set.Refs()
	}
	return nil
}

func (q *question) sourceIDs() []string {
	if set := q.set(); set != nil {
		return set.IDs()
	}
	return nil
}

// bindings are the sources that the deployment's artifact names, each with those that can stand for it.
func (q *question) bindings() (names []string) {
	q.ask(func(api *opened) {
		artifact := q.flag("artifact")
		if version := q.flag("version"); version != "" {
			artifact += "@" + version
		}
		if artifact == "" {
			d, err := api.ShowDeployment(q.ctx, &lifecycle.ShowDeployment{Deployment: q.arg(0)})
			if err != nil {
				return
			}
			artifact = d.Artifact
		}
		saved, err := api.ShowArtifact(q.ctx, &lifecycle.ShowArtifact{Artifact: artifact, ArtifactView: lifecycle.ArtifactView{Form: "none", Full: true}})
		if err != nil {
			return
		}
		list, err := api.ListSources(q.ctx, &lifecycle.ListSources{})
		if err != nil {
			return
		}
		for _, logical := range saved.Sources {
			if !strings.HasPrefix(q.begun, logical+"=") {
				names = append(names, logical+"=")
				continue
			}
			for _, s := range list.Sources {
				names = append(names, logical+"="+s.Source)
			}
		}
	})
	q.openEnded(names)
	return names
}

// openEnded lets the user go on behind a name that ends with "=", "/" or ":".
func (q *question) openEnded(names []string) {
	for _, name := range fitting(names, q.begun) {
		if strings.ContainsAny(name[len(name)-1:], "=/:") {
			q.directive |= cobra.ShellCompDirectiveNoSpace
		}
	}
}

// stores are the kinds of stores, and, behind one that is in files, these.
func (q *question) storeNames() (names []string) {
	kind, path, named := strings.Cut(q.begun, ":")
	for _, k := range slices.Sorted(maps.Keys(q.app.stores())) {
		switch k {
		case inMemory:
			names = append(names, k)
		case "postgres":
			names = append(names, k+"://")
		default:
			names = append(names, k+":")
		}
	}
	if named && (kind == "file" || kind == "sqlite") {
		dir, _ := filepath.Split(path)
		entries, _ := os.ReadDir(q.path(dir + "."))
		for _, e := range entries {
			switch name := kind + ":" + dir + e.Name(); {
			case e.IsDir() && (kind != "file" || !hasJournal(q.path(dir+e.Name()))):
				names = append(names, name+"/")
			case e.IsDir() == (kind == "file"):
				names = append(names, name)
			}
		}
	}
	q.openEnded(names)
	return names
}
