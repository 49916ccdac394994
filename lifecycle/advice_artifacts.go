package lifecycle

import "fmt"

// advice says what to do next with an artifact.
func (a *Artifact) advice() *Advice {
	return advise(fmt.Sprintf("the artifact %q is saved, and never changes", a.Artifact), false,
		showArtifact(a.Artifact, "the plan as it was saved"),
		action(toInspect, "artifacts.graph", GraphArtifact{Artifact: a.Artifact}, "the workflow, drawn", "artifact", "graph", a.Artifact))
}

// advice says what to do next with a list of artifacts.
func (l *ArtifactList) advice(p *ListArtifacts) *Advice {
	var actions []NextAction
	if len(l.Artifacts) > 0 {
		actions = append(actions, showArtifact(l.Artifacts[0].Artifact, "what the artifact is"))
	}
	if l.Next != "" {
		more := *p
		more.Cursor = l.Next
		words := []string{"artifact", "list"}
		if p.Name != "" {
			words = append(words, "--name", p.Name)
		}
		actions = append(actions, action(toInspect, "artifacts.list", more, "the next page", pageWords(words, "--prefix", p.Prefix, p.Limit, l.Next)...))
	}
	if len(l.Artifacts) == 0 {
		return advise("no artifact is as it was asked for", false, append(actions, action(toInspect, "drafts.list", ListDrafts{}, "which drafts could be saved", "draft", "list"))...)
	}
	return advise(plural(len(l.Artifacts), "artifact", "artifacts"), true, actions...)
}
