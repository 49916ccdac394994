package wf_test

import (
	"context"
	"fmt"
	"log"
	"strings"
	"time"

	"lda.chat/wf"
)

type ReadRequest struct {
	Path string `json:"path"`
}

type NotesText struct {
	Text string `json:"text"`
}

type NotesReport struct {
	Summary string   `json:"summary"`
	Risks   []string `json:"risks,omitempty"`
}

type ReviewVerdict struct {
	Comment string `json:"comment,omitempty"`
}

func readTheNotes(_ context.Context, in ReadRequest) (NotesText, error) {
	return NotesText{Text: "notes of " + in.Path}, nil
}

func extractReport(_ context.Context, in NotesText) (NotesReport, error) {
	return NotesReport{Summary: strings.ToUpper(in.Text)}, nil
}

func reviewReport(_ context.Context, in NotesReport) (wf.Outcome, ReviewVerdict, error) {
	if len(in.Risks) > 3 {
		return "rejected", ReviewVerdict{Comment: "too risky"}, nil
	}
	return "approved", ReviewVerdict{}, nil
}

// show prints a plan without what was reflected from Go types.
func show(w *wf.Workflow) {
	w = w.Clone()
	w.InputSchema, w.StateSchema, w.OutputSchema, w.NodeDefs = nil, nil, nil, nil
	for _, s := range w.Nodes {
		if question, ok := s.(*wf.InterruptStep); ok {
			question.RequestSchema, question.ResumeSchema = nil, nil
		}
	}
	fmt.Printf("%s", w.Short())
}

// Steps follow one another; what a step needs is bound by name. State is what is remembered: here the report, which is also
// what the workflow returns.
func ExampleDefine() {
	w, err := wf.Define[ReadRequest, NotesReport, NotesReport]("weekly_report").
		Step("read", wf.Node("read_notes", readTheNotes)).
		Step("extract", wf.Node("extract_report", extractReport)).
		Step("review", wf.Decision("review", reviewReport, "approved", "rejected")).On("rejected", "read").
		Build()
	if err != nil {
		log.Fatal(err)
	}
	show(w)
	// Output:
	// {
	//   "name": "weekly_report",
	//   "nodes": [
	//     {"id": "read", "node": "local.read_notes", "input": {"path": "input.path"}, "next": "extract"},
	//     {
	//       "id": "extract",
	//       "node": "local.extract_report",
	//       "input": {"text": "steps.read.text"},
	//       "output": {"risks": "state.risks", "summary": "state.summary"},
	//       "next": "review"
	//     },
	//     {
	//       "id": "review",
	//       "node": "local.review",
	//       "input": {"risks": "state.risks", "summary": "state.summary"},
	//       "on": {"approved": "__end__", "rejected": "read"}
	//     }
	//   ]
	// }
}

// Mistakes do not stop the building: all of them are reported together.
func ExampleBuilder_Build() {
	review := wf.Decision("review", reviewReport, "approved", "rejected")
	_, err := wf.Define[ReadRequest, struct{}, NotesReport]("weekly_report").
		Step("read", wf.Node("read notes", readTheNotes)).
		Step("extract", wf.Node("extract_report", extractReport)).In("text", "read.text").
		Step("review", review).
		Build()
	for _, d := range wf.DiagnosticsOf(err) {
		fmt.Println(d)
	}
	// Output:
	// /nodes/0: error: step "read": function "read notes": its name is not one [name_invalid]
	//   hint: use letters, digits, "_" and "-", at most 128
	// /nodes/1: error: step "extract": path "read.text" has no root: a path begins with input, state, steps, item, context or local [not_a_path]
	//   hint: begin with a root: "input.text", "state.text", "steps.read.text"
	// /nodes/2: error: step "review": 2 outcomes lead nowhere: "approved", "rejected"; one may fall through to the next step [outcome_unwired]
	//   hint: route all but one of them with On(outcome, to)
}

func ExampleBuilder_Foreach() {
	type Folder struct {
		Paths []string `json:"paths"`
	}
	type State struct {
		Risks []string `json:"risks" wf:"extend"`
	}
	w, err := wf.Define[Folder, State, State]("risks_of_folder").
		Foreach("each", "input.paths", "path", wf.Body().
			Step("read", wf.Node("read_notes", readTheNotes)).
			Step("extract", wf.Node("extract_report", extractReport))).
		Parallel(8).OnError(wf.Skip).
		Build()
	if err != nil {
		log.Fatal(err)
	}
	show(w)
	// Output:
	// {
	//   "name": "risks_of_folder",
	//   "nodes": [
	//     {
	//       "id": "each",
	//       "type": "foreach",
	//       "over": "input.paths",
	//       "as": "path",
	//       "mode": "parallel",
	//       "on_item_error": "skip",
	//       "max_concurrency": 8,
	//       "next": "__end__",
	//       "on": {"item": "read"}
	//     },
	//     {"id": "read", "node": "local.read_notes", "input": {"path": "item.path"}, "next": "extract"},
	//     {
	//       "id": "extract",
	//       "node": "local.extract_report",
	//       "input": {"text": "steps.read.text"},
	//       "output": {"risks": "state.risks"},
	//       "next": "__continue__"
	//     }
	//   ]
	// }
}

func ExampleBuilder_Fork() {
	summarize := wf.Node("summarize", extractReport)
	check := wf.Decision("check", reviewReport, "approved", "rejected")
	w, err := wf.Define[NotesText, struct{}, NotesReport]("two_views").
		Fork("views",
			wf.Branch("short", wf.Body().Step("summarize", summarize)),
			wf.Branch("long", wf.Body().Step("copy", wf.Ref("llm.write")).In("text", "input.text")).
				When(wf.Gt(wf.Length("input.text"), 1000))).
		Timeout(time.Minute, "late").
		Step("check", check).On("rejected", "late").
		Fail("late", "acme.no_report").Message("no report on {input.text}").
		Build()
	if err != nil {
		log.Fatal(err)
	}
	show(w)
	// Output:
	// {
	//   "name": "two_views",
	//   "output": {"risks": "steps.summarize.risks", "summary": "steps.summarize.summary"},
	//   "nodes": [
	//     {
	//       "id": "views",
	//       "type": "fork",
	//       "branches": ["short", {"outcome": "long", "when": {"gt": [{"length": "input.text"}, 1000]}}],
	//       "join": "views_join",
	//       "timeout_seconds": 60,
	//       "on": {"long": "copy", "short": "summarize"}
	//     },
	//     {
	//       "id": "summarize",
	//       "node": "local.summarize",
	//       "input": {"text": "input.text"},
	//       "next": "views_join"
	//     },
	//     {"id": "copy", "node": "llm.write", "input": {"text": "input.text"}, "next": "views_join"},
	//     {"id": "views_join", "type": "join", "next": "check", "on": {"timed_out": "late"}},
	//     {
	//       "id": "check",
	//       "node": "local.check",
	//       "input": {"risks": "steps.summarize.risks", "summary": "steps.summarize.summary"},
	//       "on": {"approved": "__end__", "rejected": "late"}
	//     },
	//     {
	//       "id": "late",
	//       "type": "fail",
	//       "code": "acme.no_report",
	//       "message": {"text": "no report on {input.text}"}
	//     }
	//   ]
	// }
}

func ExampleAsk() {
	approval := wf.Ask[NotesReport, ReviewVerdict]("approval", "approved", "rejected").
		Describe("May this report go out?").
		Timeout(48*time.Hour, "late")
	w, err := wf.Define[NotesText, NotesReport, NotesReport]("approved_report").
		Step("extract", wf.Node("extract_report", extractReport)).
		Step("approve", approval).
		Loop("rejected", "extract", 3, "give_up").
		On("late", "give_up").
		End("give_up", "not_approved").
		Build()
	if err != nil {
		log.Fatal(err)
	}
	show(w)
	// Output:
	// {
	//   "name": "approved_report",
	//   "outcomes": ["ok", "not_approved"],
	//   "nodes": [
	//     {
	//       "id": "extract",
	//       "node": "local.extract_report",
	//       "input": {"text": "input.text"},
	//       "output": {"risks": "state.risks", "summary": "state.summary"},
	//       "next": "approve"
	//     },
	//     {
	//       "id": "approve",
	//       "type": "interrupt",
	//       "desc": "May this report go out?",
	//       "kind": "approval",
	//       "request": {"risks": "state.risks", "summary": "state.summary"},
	//       "outcomes": ["approved", "rejected"],
	//       "timeout_seconds": 172800,
	//       "timeout_outcome": "late",
	//       "on": {
	//         "approved": "__end__",
	//         "late": "give_up",
	//         "rejected": {"to": "extract", "max_visits": 3, "exhausted": "give_up"}
	//       }
	//     },
	//     {"id": "give_up", "type": "end", "outcome": "not_approved"}
	//   ]
	// }
}

// A workflow is callable as a step of another one.
func ExampleWorkflow_Contract() {
	inner, err := wf.Define[NotesText, struct{}, NotesReport]("extraction").
		Step("extract", wf.Node("extract_report", extractReport)).
		Build()
	if err != nil {
		log.Fatal(err)
	}
	outer, err := wf.Define[ReadRequest, NotesReport, NotesReport]("report").
		Step("read", wf.Node("read_notes", readTheNotes)).
		Step("report", inner).
		Build()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(inner.Contract().Name, outer.Nodes[1].StepType())
	// Output: extraction subgraph
}

func ExampleNode() {
	f := wf.Node("read_notes", readTheNotes).
		Describe("Reads the notes of a file.").
		Effect(wf.EffectRead).
		Timeout(10 * time.Second)
	def := f.Contract()
	fmt.Println(def.Name, def.Effect, def.TimeoutSeconds)
	fmt.Println(string(def.InputSchema))
	// Output:
	// read_notes read 10
	// {"additionalProperties":false,"properties":{"path":{"type":"string"}},"required":["path"],"type":"object"}
}

func ExampleBuilder_Switch() {
	type Mail struct {
		Subject string   `json:"subject"`
		Tags    []string `json:"tags"`
	}
	w, err := wf.Define[Mail, struct{}, struct{}]("sort_mail").
		Switch("kind").
		Case(wf.Contains("input.tags", "spam"), wf.ToEnd).
		Case(wf.Or(wf.Contains("input.tags", "urgent"), wf.Matches("input.subject", "(?i)asap")), "page").
		Step("file", wf.Ref("mcp.mail.file")).InText("note", "filed: {input.subject}").Goto(wf.ToEnd).
		Step("page", wf.Ref("mcp.chat.post")).In("text", "input.subject").
		Build()
	if err != nil {
		log.Fatal(err)
	}
	show(w)
	// Output:
	// {
	//   "name": "sort_mail",
	//   "nodes": [
	//     {
	//       "id": "kind",
	//       "type": "condition",
	//       "cases": [
	//         {"when": {"contains": ["input.tags", {"value": "spam"}]}, "outcome": "end"},
	//         {
	//           "when": {
	//             "or": [
	//               {"contains": ["input.tags", {"value": "urgent"}]},
	//               {"matches": ["input.subject", "(?i)asap"]}
	//             ]
	//           },
	//           "outcome": "page"
	//         }
	//       ],
	//       "default": "default",
	//       "on": {"default": "file", "end": "__end__", "page": "page"}
	//     },
	//     {
	//       "id": "file",
	//       "node": "mcp.mail.file",
	//       "input": {"note": {"text": "filed: {input.subject}"}},
	//       "next": "__end__"
	//     },
	//     {"id": "page", "node": "mcp.chat.post", "input": {"text": "input.subject"}, "next": "__end__"}
	//   ]
	// }
}
