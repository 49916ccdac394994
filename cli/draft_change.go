package cli

import (
	"context"
	"encoding/json"

	"github.com/spf13/cobra"

	"lda.chat/wf/lifecycle"
)

// changeCommand makes the command of an operation that changes a draft.
func changeCommand(a *app, method, word, long, example string, flags *draftFlags, p *lifecycle.DraftChange, do func(ctx context.Context, api *opened) (*lifecycle.Draft, error)) *cobra.Command {
	cmd := &cobra.Command{
		Use:     word + " DRAFT",
		Short:   summaryOf(method),
		Long:    long,
		Example: example,
		Args:    takes(1, 1, "one DRAFT"),
	}
	revisionFlag(cmd, &p.Revision)
	flags.add(a, cmd)
	cmd.RunE = a.on(&flags.storeFlags, nil, func(ctx context.Context, api *opened, args []string) (*answer, error) {
		p.DraftID = args[0]
		d, err := do(ctx, api)
		if err != nil {
			return nil, err
		}
		return drafted(d, &flags.storeFlags), nil
	})
	return cmd
}

func draftFixCommand(a *app) *cobra.Command {
	var flags draftFlags
	p := &lifecycle.FixDraft{}
	return changeCommand(a, "drafts.fix", "fix", `Applies the safe fixes of what is found, one at a time, each checked. What is left is shown.`,
		"  wf draft fix report --revision 4 --store file:runs", &flags, &p.DraftChange, func(ctx context.Context, api *opened) (*lifecycle.Draft, error) {
			p.DraftView = flags.view
			return api.FixDraft(ctx, p)
		})
}

func draftUndoCommand(a *app) *cobra.Command {
	var flags draftFlags
	p := &lifecycle.UndoDraft{}
	cmd := changeCommand(a, "drafts.undo", "undo", `Brings an earlier plan back, as a new revision. To undo that is possible too: --to names the revision whose plan comes back.`,
		"  wf draft undo report --store file:runs\n  wf draft undo report --to 3 --store file:runs", &flags, &p.DraftChange, func(ctx context.Context, api *opened) (*lifecycle.Draft, error) {
			p.DraftView = flags.view
			return api.UndoDraft(ctx, p)
		})
	cmd.Flags().Uint64Var(&p.To, "to", 0, "the `REVISION` whose plan comes back; the one before, if it is not given")
	return cmd
}

func draftPatchCommand(a *app) *cobra.Command {
	var flags draftFlags
	var patch jsonFlags
	p := &lifecycle.PatchDraft{}
	cmd := changeCommand(a, "drafts.patch", "patch", `Applies a JSON Patch (RFC 6902) to a draft, all of it or nothing. It is for what the focused commands do not do.`,
		`  wf draft patch report --revision 4 --patch '[{"op": "remove", "path": "/nodes/2"}]' --store file:runs`, &flags, &p.DraftChange, func(ctx context.Context, api *opened) (*lifecycle.Draft, error) {
			var err error
			if p.Patch, err = patch.read(ctx, a, &flags.storeFlags); err != nil {
				return nil, err
			}
			p.DraftView = flags.view
			return api.PatchDraft(ctx, p)
		})
	patch.add(cmd, "patch", "the patch")
	cmd.Flags().Var(word[string]{&p.Of, []string{"written", "canonical"}}, "of", "the form of the plan that the patch is made for; written, if it is not given")
	patch.required = true
	return cmd
}

func draftApplyCommand(a *app) *cobra.Command {
	var flags draftFlags
	var edits jsonFlags
	var title string
	var sources []string
	p := &lifecycle.ApplyDraft{}
	var cmd *cobra.Command
	cmd = changeCommand(a, "drafts.apply", "apply", `Makes edits of a draft, all or none of them, as one revision. An edit is an object whose "op" is a focused command, such as set-input.
An unfinished plan is kept and explained.`,
		`  wf draft apply report --edits '[{"op": "rename-step", "step": "call", "to": "read"}, {"op": "set-name", "name": "report"}]' --store file:runs`, &flags, &p.DraftChange,
		func(ctx context.Context, api *opened) (*lifecycle.Draft, error) {
			var err error
			if p.Edits, err = edits.read(ctx, a, &flags.storeFlags); err != nil {
				return nil, err
			}
			if cmd.Flags().Changed("title") {
				p.Title = &title
			}
			if cmd.Flags().Changed("source") {
				p.Sources = &sources
			}
			p.DraftView = flags.view
			return api.ApplyDraft(ctx, p)
		})
	edits.add(cmd, "edits", "the edits, one or a list")
	cmd.Flags().StringVar(&title, "title", "", "another title of the draft")
	cmd.Flags().StringArrayVar(&sources, "source", nil, "the plan may call this `SOURCE` and no other; may be given several times")
	return cmd
}

// jsonFlags are two flags for one JSON text: itself, or a file that has it.
type jsonFlags struct {
	name, text, file string
	required         bool
	cmd              *cobra.Command
}

func (f *jsonFlags) add(cmd *cobra.Command, name, what string) {
	f.name, f.cmd = name, cmd
	cmd.Flags().StringVar(&f.text, name, "", what+", in `JSON`")
	cmd.Flags().StringVar(&f.file, name+"-file", "", "`FILE` with "+what+"; \"-\" is standard input")
}

// read gives the text; nil if there is none.
func (f *jsonFlags) read(ctx context.Context, a *app, flags *storeFlags) (json.RawMessage, error) {
	text, file := f.cmd.Flags().Changed(f.name), f.cmd.Flags().Changed(f.name+"-file")
	switch {
	case text && file:
		return nil, usagef("--%s and --%s-file exclude each other: give one of them", f.name, f.name)
	case file:
		if err := stdinOnce(f.file, flags.config); err != nil {
			return nil, err
		}
		return a.readJSON(ctx, f.file, "--"+f.name+"-file")
	case text:
		return wellFormed("--"+f.name, []byte(f.text))
	case f.required:
		return nil, usagef("%s needs --%s or --%s-file", f.cmd.CommandPath(), f.name, f.name)
	}
	return nil, nil
}

// readJSON reads a file that is JSON.
func (a *app) readJSON(ctx context.Context, name, what string) (json.RawMessage, error) {
	data, err := a.read(ctx, name, what)
	if err != nil {
		return nil, err
	}
	return wellFormed(displayName(name), data)
}

// wellFormed gives a text back that is JSON.
func wellFormed(name string, text []byte) (json.RawMessage, error) {
	if _, err := parseInput(name, text); err != nil {
		return nil, err
	}
	return text, nil
}
