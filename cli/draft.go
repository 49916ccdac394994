package cli

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"lda.chat/wf/lifecycle"
)

func draftCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "draft",
		Short: "Write plans edit by edit, check and save them",
	}
	cmd.AddCommand(draftCreateCommand(a), draftListCommand(a), draftShowCommand(a), draftValidateCommand(a), draftFixCommand(a), draftUndoCommand(a),
		draftApplyCommand(a), draftPatchCommand(a), draftSaveCommand(a), draftDeleteCommand(a))
	for i := range focusedEdits {
		cmd.AddCommand(focusedCommand(a, &focusedEdits[i]))
	}
	return cmd
}

// planForms are how a draft's plan can be written in an answer.
var planForms = []string{"short", "canonical", "written", "none"}

// draftFlags are those of all commands on one draft.
type draftFlags struct {
	storeFlags
	view lifecycle.DraftView
}

func (f *draftFlags) add(a *app, cmd *cobra.Command) {
	f.storeFlags.add(a, cmd)
	cmd.Flags().Var(word[string]{&f.view.Form, planForms}, "form", "how the plan is shown; written is as its author left it")
	cmd.Flags().BoolVar(&f.view.Full, "full", false, "show all, also what is large")
}

// revisionFlag names the state of a draft that a change is for.
func revisionFlag(cmd *cobra.Command, revision *uint64) {
	cmd.Flags().Uint64Var(revision, "revision", 0, "the `REVISION` that was looked at: if the draft is at another one, nothing is done; without it the change is made to what is there")
}

// draftResult is a draft without what stands elsewhere in the envelope.
type draftResult struct {
	*lifecycle.Draft
	Diagnostics *struct{} `json:"diagnostics,omitempty"`
	Advice      *struct{} `json:"advice,omitempty"`
}

// drafted is the answer about a draft.
func drafted(d *lifecycle.Draft, flags *storeFlags) *answer {
	out := &answer{result: draftResult{Draft: d}, diags: d.Diagnostics, next: nextOf(d.Advice.NextActions, flags)}
	for _, c := range d.Changes {
		out.items = append(out.items, item{"change", c})
	}
	rest := *d
	rest.Changes = nil
	out.items = append(out.items, item{"draft", draftResult{Draft: &rest}})
	changes := make([]string, len(d.Changes))
	for i, c := range d.Changes {
		changes[i] = changeText(c.Step, c.Message)
	}
	out.brief = struct {
		DraftID  string          `json:"draft_id"`
		Revision uint64          `json:"revision"`
		Steps    int             `json:"steps"`
		Errors   int             `json:"errors"`
		Warnings int             `json:"warnings"`
		Changes  []string        `json:"changes,omitempty"`
		Plan     json.RawMessage `json:"plan,omitempty"`
	}{d.DraftID, d.Revision, d.Steps, d.Errors, d.Warnings, changes, d.Plan}
	out.left = []string{"/result: times, and where changes were made"}
	out.whole = "wf draft show " + quoted(d.DraftID) + " --full" + flags.words() + " --format json"
	out.text = func(p *page) {
		p.line(p.bold(d.DraftID) + "  " + standing(d))
		for _, text := range changes {
			p.line("  " + visible(text))
		}
		p.omitted(d.Omitted)
		if d.Plan != nil {
			p.plan(d.Plan)
		}
	}
	return out
}

func changeText(step, message string) string {
	if step == "" {
		return message
	}
	return step + ": " + message
}

// standing says in a line where a draft stands.
func standing(d *lifecycle.Draft) string {
	parts := []string{"revision " + strconv.FormatUint(d.Revision, 10), counted(d.Steps, "step"), counted(d.Errors, "error")}
	if d.Warnings > 0 {
		parts = append(parts, counted(d.Warnings, "warning"))
	}
	return strings.Join(parts, ", ")
}

// plan writes a plan as it is written, if it has lines.
func (p *page) plan(text json.RawMessage) {
	if !bytes.ContainsRune(text, '\n') {
		p.json(text)
		return
	}
	p.Write(text)
	if !bytes.HasSuffix(text, []byte("\n")) {
		p.line()
	}
}
