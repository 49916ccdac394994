// Package report turns Markdown notes of a meeting into a structured report, in three functions that a workflow
// calls one after the other: [ReadNotes], [ExtractReport], [RenderMarkdownReport]. They are ordinary Go functions;
// nothing here knows of workflows. They may be called by several goroutines at once.
package report

// DefaultTitle is the title of a report whose notes have none.
const DefaultTitle = "Untitled notes"

// ReadInput says which notes to read.
type ReadInput struct {
	Path string `json:"path" jsonschema:"minLength=1" jsonschema_description:"File with the notes, relative to the working directory"`
}

// Notes are the notes as they were written.
type Notes struct {
	Text string `json:"text" jsonschema_description:"The notes, in Markdown or plain text"`
}

// Report is what the notes say, in order. Its lists are empty, never nil, where [ExtractReport] found nothing.
type Report struct {
	Title       string       `json:"title"`
	Summary     string       `json:"summary" jsonschema_description:"Paragraphs and lists in Markdown; empty if the notes have no summary"`
	ActionItems []ActionItem `json:"action_items"`
	Risks       []string     `json:"risks"`
	Followups   []string     `json:"followups"`
}

// ActionItem is something that somebody has to do.
type ActionItem struct {
	Task    string `json:"task"`
	Owner   string `json:"owner,omitempty" jsonschema_description:"Who does it; several names are separated by commas"`
	DueDate string `json:"due_date,omitempty" jsonschema_description:"The date as the notes give it: 2026-05-01, Friday, end of May"`
}

// RenderInput is the report to render.
type RenderInput struct {
	Report Report `json:"report"`
}

// Rendered is a report as Markdown.
type Rendered struct {
	Markdown string `json:"markdown"`
}
