package main

import (
	"lda.chat/wf"
	"lda.chat/wf/examples/report_workflow/report"
	"lda.chat/wf/plugin"
)

// reportFunctions are the functions that a configuration names as the registry "report".
func reportFunctions() *plugin.Registry {
	return &plugin.Registry{Nodes: []*wf.Func{
		wf.Node("read_notes", report.ReadNotes).Describe("Reads notes from a file").Effect(wf.EffectRead),
		wf.Node("extract_report", report.ExtractReport).Describe("Finds title, summary, action items, risks and follow-ups in notes").Effect(wf.EffectPure),
		wf.Node("render_markdown_report", report.RenderMarkdownReport).Describe("Renders a report as Markdown").Effect(wf.EffectPure),
	}}
}
