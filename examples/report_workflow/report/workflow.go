package report

import (
	"lda.chat/wf"
	"lda.chat/wf/plugin"
)

// Source is the id under which the plan names the functions.
const Source = "local.report"

// Registry offers the three functions as capabilities.
func Registry() *plugin.Registry {
	return &plugin.Registry{Nodes: []*wf.Func{
		wf.Node("read_notes", ReadNotes).Effect(wf.EffectRead).Describe("Reads the notes of a meeting from a file."),
		wf.Node("extract_report", ExtractReport).Effect(wf.EffectPure).Describe("Finds the title, summary, action items, risks and follow-ups in notes."),
		wf.Node("render_markdown_report", RenderMarkdownReport).Effect(wf.EffectPure).Describe("Renders a report as Markdown."),
	}}
}

// State is what the workflow remembers.
type State struct {
	Text     string `json:"text"`
	Report   Report `json:"report"`
	Markdown string `json:"markdown"`
}

// Output is what the workflow gives.
type Output struct {
	Report   Report `json:"report"`
	Markdown string `json:"markdown"`
}

// Workflow builds the plan report_case_study in Go. workflow.plan.json is the same plan as data.
func Workflow() (*wf.Workflow, error) {
	var read, extract, render *wf.Func
	for i, to := range []**wf.Func{&read, &extract, &render} {
		*to = Registry().Nodes[i].OfSource(Source)
	}
	return wf.Define[ReadInput, State, Output]("report_case_study").
		Describe("Reads notes of a meeting, finds the report in them and renders it as Markdown.").
		Step("read", read).
		Step("extract", extract).Out(".", "state.report").
		Step("render", render).
		Build()
}
