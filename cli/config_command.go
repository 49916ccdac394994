package cli

import (
	"context"
	_ "embed" // the schema
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"lda.chat/wf"
	"lda.chat/wf/source"
)

//go:embed config.schema.json
var configSchema []byte

func configCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Check the configuration, show its schema",
	}
	cmd.AddCommand(configValidateCommand(a), &cobra.Command{
		Use:   "schema",
		Short: "Show the JSON Schema of " + configName,
		Args:  takes(0, 0, ""),
		RunE: a.run(func(context.Context, []string) (*answer, error) {
			return &answer{result: json.RawMessage(configSchema), text: func(p *page) { p.Write(configSchema) }}, nil
		}),
	})
	return cmd
}

func configValidateCommand(a *app) *cobra.Command {
	var configFile string
	cmd := &cobra.Command{
		Use:   "validate",
		Short: "Find everything that is wrong with the configuration",
		Long: `Finds everything that is wrong with the configuration: fields, sources and their ids, and whether its store can be opened, or made where there is
none yet. Nothing is made or changed.`,
		Args: takes(0, 0, ""),
	}
	configFlag(cmd, &configFile)
	cmd.RunE = a.run(func(ctx context.Context, _ []string) (*answer, error) {
		c, f, err := a.readConfig(ctx, configFile)
		if err != nil {
			return nil, err
		}
		if c == nil {
			return nil, failed(ExitNotFound, codeFileMissing, "there is no configuration: --config names none, and there is no "+configName+" in the working directory", "")
		}
		set, err := a.examine(ctx, c, f)
		if err != nil {
			return nil, err
		}
		type sourceInfo struct {
			ID           string `json:"id"`
			Capabilities int    `json:"capabilities"`
		}
		sources := []sourceInfo{}
		t := &table{head: []string{"SOURCE", "CAPABILITIES"}}
		for _, id := range set.IDs() {
			n := capabilitiesOf(set, id)
			sources = append(sources, sourceInfo{id, n})
			t.rows = append(t.rows, []string{id, strconv.Itoa(n)})
		}
		result := map[string]any{"config": a.config, "sources": sources}
		if c.Store != "" {
			result["store"] = withoutPassword(c.Store)
		}
		return &answer{
			result: result, table: t,
			text: func(p *page) { p.line(a.config + ": valid"); t.write(p) },
		}, nil
	})
	return cmd
}

// examine finds all that is wrong with a configuration, without starting or making anything.
func (a *app) examine(ctx context.Context, c *config, f *jsonFile) (*source.Set, error) {
	all := append(slices.Clone(a.Sources), a.configured(c, f)...)
	if c.Store != "" {
		a.checkStore(ctx, c.Store, f)
	}
	set, err := source.NewSet(ctx, all...)
	if err == nil {
		_, err = a.runtime(set)
	}
	isTold := slices.ContainsFunc(f.diags, func(d wf.Diagnostic) bool { return strings.HasPrefix(d.Path, "/sources") })
	switch {
	case ctx.Err() != nil:
		return nil, interrupted()
	case err != nil && !isTold:
		f.add(wf.Diagnostic{Code: codeSourceInvalid, Path: "/sources", Message: err.Error()})
	}
	if f.diags.HasErrors() {
		return nil, f.failure()
	}
	return set, nil
}

// capabilitiesOf counts the capabilities of one source.
func capabilitiesOf(set *source.Set, id string) int {
	n := 0
	for _, ref := range set.Refs() {
		if of, _ := source.Of(ref); of == id {
			n++
		}
	}
	return n
}

// configExample is a configuration with everything that one can have.
const configExample = `{"store": {"kind": "file", "path": ".wf"}, "sources": [{"kind": "go", "id": "local.report", "registry": "report"}]}`
