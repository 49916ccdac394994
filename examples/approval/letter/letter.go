// Package letter is a workflow that drafts a letter, asks a person whether it may go out, revises it by what that person says,
// and sends it.
package letter

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/plugin"
)

// Source is the id under which the plan file names the functions of this package.
const Source = "local.letter"

// Input is what the workflow is started with.
type Input struct {
	Topic string `json:"topic" jsonschema:"minLength=1"`
}

// State is what the workflow remembers between its rounds.
type State struct {
	Text     string   `json:"text"`
	Comments []string `json:"comments" wf:"append"`
}

// Output is what it ends with; a letter that nobody approved has no message id.
type Output struct {
	Text      string `json:"text"`
	MessageID string `json:"message_id,omitempty"`
}

// Request is what a draft is made of.
type Request struct {
	Topic    string   `json:"topic"`
	Comments []string `json:"comments,omitempty"` // on earlier drafts
}

// Letter is a draft, what the person is shown, and what is sent.
type Letter struct {
	Text string `json:"text"`
}

// Feedback is what the person says.
type Feedback struct {
	Comment string `json:"comment,omitempty"`
}

// Receipt tells that a letter is on its way.
type Receipt struct {
	MessageID string `json:"message_id"`
}

// Draft writes a letter. It stands for a language model, and follows what it is told to the letter.
func Draft(_ context.Context, in Request) (Letter, error) {
	text := "Dear all,\n\n" + in.Topic + "\n"
	for _, comment := range in.Comments {
		text += comment + "\n"
	}
	return Letter{text + "\nKind regards"}, nil
}

// Send stands for a mail server that knows a message it was given before by its key: sending again changes nothing.
func Send(ctx context.Context, in Letter) (Receipt, error) {
	if strings.TrimSpace(in.Text) == "" {
		return Receipt{}, &wf.Error{Code: "letter.empty", Message: "an empty letter is not sent"}
	}
	call, _ := wf.CallFrom(ctx)
	return Receipt{"<" + call.IdempotencyKey + "@example.com>"}, nil
}

// functions are the functions of the workflow, with what else there is to say of them.
func functions() (draft, send *wf.Func) {
	draft = wf.Node("draft", Draft).Describe("Writes a letter, and follows the comments on earlier drafts").Effect(wf.EffectPure)
	send = wf.Node("send", Send).Describe("Sends a letter").Effect(wf.EffectKeyed)
	return draft, send
}

// Registry is the functions for a command line or another host; see [Source].
func Registry() *plugin.Registry {
	draft, send := functions()
	return &plugin.Registry{Nodes: []*wf.Func{draft, send}}
}

// Workflow builds the workflow. Whoever rejects a draft has to say why; after three days without an answer, or when the fourth
// draft is no good either, the letter is not sent.
func Workflow() (*wf.Workflow, error) {
	draft, send := functions()
	approval := wf.Ask[Letter, Feedback]("approval", "approved", "rejected").
		Describe("May this letter go out?").
		AnswerSchema("rejected", json.RawMessage(`{"required": ["comment"], "properties": {"comment": {"minLength": 1}}}`)).
		Timeout(72*time.Hour, "late")
	return wf.Define[Input, State, Output]("approved_letter").
		Describe("Drafts a letter, lets a person approve it or say what is wrong, and sends it").
		Step("draft", draft.OfSource(Source)).
		Step("approve", approval).Out("comment", "state.comments").
		Loop("rejected", "draft", 3, "not_sent").On("late", "not_sent").
		Step("send", send.OfSource(Source)).
		End("not_sent", "not_sent").Return("text", "state.text").
		Build()
}
