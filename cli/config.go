package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle"
	"lda.chat/wf/source"
)

// configName is the configuration that is read when none is named and the working directory has it.
const configName = "wf.config.json"

// configFlag names the configuration.
func configFlag(cmd *cobra.Command, name *string) {
	cmd.Flags().StringVar(name, "config", "", "`FILE` with the configuration; without it WF_CONFIG, then "+configName+" of the working directory if it is there")
}

// config is what a wf.config.json says.
type config struct {
	Store   string // a store's name; "": none
	Sources []sourceConfig
}

// sourceConfig is one source of a configuration.
type sourceConfig struct {
	Kind     string `json:"kind"`
	ID       string `json:"id"`
	Registry string `json:"registry"`

	at string // its place in the file
}

// sourceKinds are the kinds of sources that a configuration can have.
var sourceKinds = []string{"go"}

// readConfig reads the configuration that was named, or found; nil if there is none.
func (a *app) readConfig(ctx context.Context, name string) (*config, *jsonFile, error) {
	if name == "" {
		name = a.Env("WF_CONFIG")
	}
	if name == "" {
		if _, err := os.Stat(a.path(configName)); errors.Is(err, fs.ErrNotExist) {
			return nil, nil, nil
		}
		name = configName
	}
	data, err := a.read(ctx, name, "the configuration")
	if err != nil {
		return nil, nil, err
	}
	a.config = name
	f := parseFile(name, data)
	return f.config(a.stores()), f, nil
}

// config reads the file's members. stores are the kinds of stores that there are.
func (f *jsonFile) config(stores lifecycle.Stores) *config {
	c := &config{}
	top := f.object("", "a configuration", "$schema", "store", "sources")
	top.text("$schema", false)
	c.Store = f.store(top, stores)
	for i := range top.list("sources", false) {
		o := f.object("/sources/"+strconv.Itoa(i), "a source", "kind", "id", "registry")
		s := sourceConfig{at: o.at, ID: o.text("id", true), Registry: o.text("registry", true)}
		s.Kind = o.word("kind", sourceKinds)
		if o.ok {
			c.Sources = append(c.Sources, s)
		}
	}
	return c
}

// sources are the sources of the host and of the configuration. All that is wrong with the configuration is reported at once.
func (a *app) sources(ctx context.Context, configFile string) (*source.Set, error) {
	c, f, err := a.readConfig(ctx, configFile)
	if err != nil {
		return nil, err
	}
	all := slices.Clone(a.Sources)
	if c != nil {
		a.inConfig = c.Store
		all = append(all, a.configured(c, f)...)
		if f.diags.HasErrors() {
			return nil, f.failure()
		}
	}
	set, err := source.NewSet(ctx, all...)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, interrupted()
	case err != nil:
		return nil, failed(ExitDiagnostics, codeSourceInvalid, err.Error(), "")
	}
	return set, nil
}

// failure is that of a configuration with errors.
func (f *jsonFile) failure() *failure {
	f.diags.Sort()
	return invalid(f.diags, append(explainNext(f.diags), nextAction{
		CLI: "wf config validate --config " + quoted(f.name), Kind: "repair",
		Params: map[string]any{"config": f.name}, Reason: "check again when the findings are repaired",
	})...)
}

// configured makes the sources that a configuration names.
func (a *app) configured(c *config, f *jsonFile) []source.Source {
	taken := map[string]string{}
	for _, s := range a.Sources {
		taken[s.ID()] = "of this binary"
	}
	var all []source.Source
	for _, s := range c.Sources {
		registry, ok := a.Registries[s.Registry]
		switch {
		case !ok && s.Kind == "go":
			known := slices.Sorted(maps.Keys(a.Registries))
			hint := nearest(s.Registry, known)
			if hint == "" {
				hint = "this binary has " + listed(known)
			}
			f.add(wf.Diagnostic{Code: codeRegistryUnknown, Path: s.at + "/registry", RepairHint: hint,
				Message: fmt.Sprintf("this binary has no registry %q", s.Registry)})
		case !ok:
		default:
			src, err := registry.Source(s.ID)
			if err != nil {
				f.addProblems(s, err)
				continue
			}
			all = append(all, src)
		}
		if other, is := taken[s.ID]; is {
			f.add(wf.Diagnostic{Code: codeSourceDuplicate, Path: s.at + "/id", Message: fmt.Sprintf("the id %q is that of another source, %s", s.ID, other)})
		}
		taken[s.ID] = "at " + s.at
	}
	return all
}

// addProblems reports why a source cannot be made: mistakes in its functions, or its id.
func (f *jsonFile) addProblems(s sourceConfig, err error) {
	problems := wf.DiagnosticsOf(err)
	for _, d := range problems {
		f.add(wf.Diagnostic{Severity: d.Severity, Code: d.Code, Path: s.at + "/registry", Message: d.Message, RepairHint: d.RepairHint})
	}
	if problems == nil {
		f.add(wf.Diagnostic{Code: codeSourceInvalid, Path: s.at + "/id", Message: err.Error()})
	}
}

// runtime makes the runtime of the sources.
func (a *app) runtime(set *source.Set) (*wf.Runtime, error) {
	var opts wf.RuntimeOptions
	if a.Runtime != nil {
		opts = *a.Runtime
	}
	opts.Nodes = set
	opts.Reducers = append(slices.Clone(opts.Reducers), set.Reducers()...)
	rt, err := wf.NewRuntime(&opts)
	if err != nil {
		return nil, failed(ExitDiagnostics, codeSourceInvalid, err.Error(), "")
	}
	return rt, nil
}

// runtimeWith is the runtime with the sources of a configuration.
func (a *app) runtimeWith(ctx context.Context, configFile string) (*wf.Runtime, error) {
	set, err := a.sources(ctx, configFile)
	if err != nil {
		return nil, err
	}
	return a.runtime(set)
}

// listed writes names for a message.
func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	out := ""
	for i, name := range names {
		if i > 0 {
			out += ", "
		}
		out += strconv.Quote(name)
	}
	return out
}
