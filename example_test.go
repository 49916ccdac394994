package wf_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"lda.chat/wf"
)

type Request struct {
	Path string `json:"path"`
}

type Notes struct {
	Text string `json:"text"`
}

type Report struct {
	Title string `json:"title"`
	Words int    `json:"words"`
}

// State is what the workflow remembers: here what it returns.
type State struct {
	Title string `json:"title"`
	Words int    `json:"words"`
}

func readNotes(ctx context.Context, in Request) (Notes, error) {
	return Notes{Text: "weekly update\nall is well"}, nil // a real one reads in.Path
}

func extract(ctx context.Context, in Notes) (Report, error) {
	title, _, _ := strings.Cut(in.Text, "\n")
	return Report{Title: title, Words: len(strings.Fields(in.Text))}, nil
}

type Verdict struct {
	Title string `json:"title"`
}

func review(ctx context.Context, in Report) (wf.Outcome, Verdict, error) {
	if in.Words == 0 {
		return "rejected", Verdict{}, nil
	}
	return "approved", Verdict{Title: strings.ToUpper(in.Title)}, nil
}

func Example() {
	report, err := wf.Define[Request, State, Report]("weekly_report").
		Step("read", wf.Node("read_notes", readNotes)).
		Step("extract", wf.Node("extract_report", extract)).
		Step("review", wf.Decision("review", review, "approved", "rejected")).
		Loop("rejected", "read", 3, "gave_up"). // back three times, then give up
		Fail("gave_up", "no_good_report").
		Build()
	if err != nil {
		log.Fatal(wf.DiagnosticsOf(err)) // every mistake at once, each with a code and a hint
	}
	rt, err := wf.NewRuntime(nil)
	if err != nil {
		log.Fatal(err)
	}
	out, err := wf.Run[Report](context.Background(), rt, report, Request{Path: "notes.md"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(out.Title, out.Words)
	// Output: WEEKLY UPDATE 5
}
