package cli

import (
	"context"
	_ "embed" // the schema
	"encoding/json"
	"strconv"

	"github.com/spf13/cobra"

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
		Args:  takes(0, 0, ""),
	}
	configFlag(cmd, &configFile)
	cmd.RunE = a.run(func(ctx context.Context, _ []string) (*answer, error) {
		set, err := a.sources(ctx, configFile)
		if err != nil {
			return nil, err
		}
		if a.config == "" {
			return nil, failed(ExitNotFound, codeFileMissing, "there is no configuration: --config names none, and there is no "+configName+" in the working directory", "")
		}
		type sourceInfo struct {
			ID           string `json:"id"`
			Capabilities int    `json:"capabilities"`
		}
		var sources []sourceInfo
		t := &table{head: []string{"SOURCE", "CAPABILITIES"}}
		for _, id := range set.IDs() {
			n := capabilitiesOf(set, id)
			sources = append(sources, sourceInfo{id, n})
			t.rows = append(t.rows, []string{id, strconv.Itoa(n)})
		}
		return &answer{
			result: map[string]any{"config": a.config, "sources": sources}, table: t,
			text: func(p *page) { p.line(a.config + ": valid"); t.write(p) },
		}, nil
	})
	return cmd
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
