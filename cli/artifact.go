package cli

import (
	"encoding/json"
	"strings"

	"github.com/spf13/cobra"

	"lda.chat/wf/lifecycle"
)

func artifactCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "artifact",
		Short: "Save workflows for good, look at them, compare and move them",
	}
	cmd.AddCommand(artifactCreateCommand(a), artifactListCommand(a), artifactShowCommand(a), artifactExportCommand(a), artifactImportCommand(a),
		artifactDiffCommand(a), artifactGraphCommand(a))
	return cmd
}

// saveFlags are those of commands that make an artifact.
func saveFlags(a *app, cmd *cobra.Command, version, title *string, view *lifecycle.ArtifactView) {
	cmd.Flags().StringVar(version, "version", "", "its `VERSION`; the next number, if it is not given, or the last one if that is the same")
	cmd.Flags().StringVar(title, "title", "", "a line for people")
	artifactFlags(a, cmd, view)
}

// artifactFlags say how much is shown of an artifact.
func artifactFlags(a *app, cmd *cobra.Command, view *lifecycle.ArtifactView) {
	cmd.Flags().Var(word[string]{&view.Form, []string{"short", "canonical", "none"}}, "form", "how the plan is shown")
	cmd.Flags().BoolVar(&view.Full, "full", false, "show all, also what is large")
}

// artifactResult is an artifact without what stands elsewhere in the envelope.
type artifactResult struct {
	*lifecycle.Artifact
	Diagnostics *struct{} `json:"diagnostics,omitempty"`
	Advice      *struct{} `json:"advice,omitempty"`
}

// saved is the answer about an artifact.
func saved(r *lifecycle.Artifact, flags *storeFlags) *answer {
	out := &answer{result: artifactResult{Artifact: r}, diags: r.Diagnostics, next: nextOf(r.Advice.NextActions, flags)}
	calls := make([]string, len(r.Requires))
	for i, c := range r.Requires {
		calls[i] = c.Ref
	}
	out.brief = struct {
		Artifact string          `json:"artifact"`
		Title    string          `json:"title,omitempty"`
		Digest   string          `json:"digest"`
		There    bool            `json:"there,omitempty"`
		Outcomes any             `json:"outcomes"`
		Sources  []string        `json:"sources"`
		Requires []string        `json:"requires"`
		Plan     json.RawMessage `json:"plan,omitempty"`
	}{r.Artifact, r.Title, r.Digest, r.There, r.Outcomes, r.Sources, calls, r.Plan}
	out.left = []string{"/result: the contracts of what it calls"}
	out.whole = "wf artifact show " + quoted(r.Artifact) + " --full" + flags.words() + " --format json"
	out.text = func(p *page) {
		p.line(p.bold(r.Artifact))
		t := &table{}
		row := func(name, text string) {
			if text != "" {
				t.rows = append(t.rows, []string{"  " + name, text})
			}
		}
		children := make([]string, len(r.Children))
		for i, c := range r.Children {
			children[i] = c.Artifact
		}
		row("title", r.Title)
		row("digest", r.Digest)
		row("outcomes", joined(r.Outcomes))
		row("sources", strings.Join(r.Sources, ", "))
		row("calls", strings.Join(calls, ", "))
		row("runs", strings.Join(children, ", "))
		row("reducers", strings.Join(r.Reducers, ", "))
		row("created", moment(r.Created))
		t.write(p)
		p.omitted(r.Omitted)
		if r.Plan != nil {
			p.plan(r.Plan)
		}
	}
	return out
}

// kept is the answer of what makes an artifact. As text, its name is the result.
func kept(r *lifecycle.Artifact, flags *storeFlags) *answer {
	out := saved(r, flags)
	out.text = func(p *page) { p.line(r.Artifact) }
	note := "saved, with the outcomes " + joined(r.Outcomes)
	if r.There {
		note = "it was there before, the same"
	}
	out.notes = []string{r.Artifact + ": " + note}
	p := &page{}
	if r.Plan != nil {
		p.plan(r.Plan)
	}
	out.say(p)
	return out
}
