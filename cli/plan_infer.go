package cli

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/spf13/cobra"

	"lda.chat/wf"
	"lda.chat/wf/internal/jsonpatch"
	"lda.chat/wf/internal/value"
)

func planInferCommand(a *app) *cobra.Command {
	var configFile string
	var write bool
	cmd := &cobra.Command{
		Use:   "infer PLAN",
		Short: "Fill in the schemas that a plan leaves out",
		Long: `Adds to a plan what its steps tell: the contracts of the capabilities that it calls, from the configuration's sources, and the
schemas of inputs, state fields and outputs that have none, from what is written there and what those who read it ask for. What
was added, and from which steps, is said as information; so is what is not clear. What the plan says itself stays as it is, and
nothing is added that would be an error.

Without another flag the plan goes to standard output. --write puts it in the place of the file at once.`,
		Example: `  wf plan infer plan.json --config wf.config.json
  wf plan infer plan.json --config wf.config.json --write`,
		Args: takes(1, 1, "one PLAN"),
	}
	configFlag(cmd, &configFile)
	cmd.Flags().BoolVar(&write, "write", false, "rewrite the file in place")
	cmd.RunE = a.run(func(ctx context.Context, args []string) (*answer, error) {
		if write && args[0] == stdinName {
			return nil, usagef("--write has no file to write: the plan comes from standard input")
		}
		if err := stdinOnce(configFile, args[0]); err != nil {
			return nil, err
		}
		rt, err := a.runtimeWith(ctx, configFile)
		if err != nil {
			return nil, err
		}
		plan, err := a.readPlan(ctx, args[0])
		if err != nil {
			return nil, err
		}
		if plan.workflow == nil {
			return nil, invalid(plan.diags, plan.repair(configFile)...)
		}
		return a.inferred(plan, rt, write)
	})
	return cmd
}

// filledIn is a plan with what was inferred.
type filledIn struct {
	Plan    string          `json:"plan"` // the file
	Digest  string          `json:"digest"`
	Changed bool            `json:"changed"`
	Written bool            `json:"written"`
	Added   int             `json:"added"` // what was added, each with a finding of its own
	Content json.RawMessage `json:"content,omitempty"`
}

func (a *app) inferred(plan *planFile, rt *wf.Runtime, write bool) (*answer, error) {
	filled, said := rt.Infer(plan.workflow)
	text := plan.meaning(filled)
	now := parsePlan(plan.arg, text)
	now.check(said)
	done := filledIn{Plan: plan.name, Digest: filled.Digest(), Changed: !bytes.Equal(text, plan.text)}
	for _, d := range said {
		if d.Code != "schema_unclear" {
			done.Added++
		}
	}
	out := &answer{diags: now.diags}
	if write {
		if done.Changed {
			if err := a.replace(plan.arg, text); err != nil {
				return nil, err
			}
			done.Written = true
		}
		out.text = func(p *page) {
			word := "nothing to add"
			if done.Written {
				word = counted(done.Added, "addition") + ", rewritten"
			}
			p.line(plan.name+":", word)
		}
	} else {
		out.brief, out.left = done, []string{"/result/content"}
		done.Content = bytes.TrimPrefix(text, []byte("\uFEFF"))
		out.text = func(p *page) { p.Write(text) }
	}
	out.result, out.items = done, []item{{"plan", done}}
	return out, nil
}

// meaning is the plan's text, changed as little as can be so that it means another workflow; or that one written anew, in the form
// that the text has.
func (p *planFile) meaning(want *wf.Workflow) []byte {
	digest := want.Digest()
	if p.workflow.Digest() == digest {
		return p.text
	}
	if patch, err := jsonpatch.Parse(p.rebaser().changed(want, false)); err == nil {
		text, err := jsonpatch.ApplyText(p.text, patch, nil, spaced)
		if got, _ := wf.ParseWorkflow(text); err == nil && got != nil && got.Digest() == digest {
			return text
		}
	}
	if isShort(p.doc.Root) {
		return want.Short()
	}
	return want.Indented()
}

// spaced writes a value on one line, with a space after each comma and colon.
func spaced(v value.Value) []byte { return appendSpaced(nil, v) }

func appendSpaced(dst []byte, v value.Value) []byte {
	comma := func(i int) {
		if i > 0 {
			dst = append(dst, ", "...)
		}
	}
	switch v.Kind() {
	case value.KindArray:
		dst = append(dst, '[')
		for i, item := range v.Items() {
			comma(i)
			dst = appendSpaced(dst, item)
		}
		return append(dst, ']')
	case value.KindObject:
		dst = append(dst, '{')
		i := 0
		for key, member := range v.Members() {
			comma(i)
			i++
			dst = appendSpaced(append(value.String(key).AppendJSON(dst), ": "...), member)
		}
		return append(dst, '}')
	}
	return v.AppendJSON(dst)
}
