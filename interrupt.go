package wf

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"lda.chat/wf/internal/kernel"
	"lda.chat/wf/internal/value"
)

// Interrupt is a request that a run has raised and that waits for somebody's answer.
type Interrupt struct {
	ID       string             `json:"id"` // names it in its run: the frame's path, the step and from the second visit on its number
	Frame    string             `json:"frame"`
	Step     string             `json:"step"`
	Visit    int                `json:"visit"`
	Kind     string             `json:"kind,omitempty"`
	Request  json.RawMessage    `json:"request"`
	Outcomes []Outcome          `json:"outcomes"`          // to answer with
	Answers  map[Outcome]Schema `json:"answers,omitempty"` // what the payload must be, by outcome; one that is missing takes anything
	OpenedAt time.Time          `json:"opened_at"`
	Deadline *time.Time         `json:"deadline,omitempty"`
}

// Answer answers one interrupt of a run.
type Answer struct {
	// Interrupt is its id; it may be left out while only one is open.
	Interrupt string `json:"interrupt,omitempty"`
	// Outcome is one of the interrupt's; it may be left out if there is only one.
	Outcome Outcome `json:"outcome,omitempty"`
	// Payload is a Go value, encoded as encoding/json would, or json.RawMessage. Nil is an empty object.
	Payload any `json:"payload,omitempty"`
}

// Interrupts returns the open interrupts, in the order of their frames. Requests made of secret fields are redacted.
func (r *RunHandle) Interrupts() []Interrupt {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.interrupts()
}

func (r *RunHandle) interrupts() []Interrupt {
	questions := r.machine.Questions()
	if len(questions) == 0 {
		return []Interrupt{}
	}
	list := make([]Interrupt, len(questions))
	hide := r.mask(r.records())
	for i := range questions {
		q := &questions[i]
		flow := r.prog.of(q.Ref.Frame())
		about := flow.inquiries[q.Ref.Op]
		list[i] = Interrupt{
			ID: q.ID, Frame: q.Frame, Step: q.Op.ID, Visit: int(q.Ref.Visit), Kind: q.Op.Ask.Kind,
			Request:  hide.value(flow.showBound(q.Op.Input, q.Request)).JSON(),
			Outcomes: slices.Clone(about.outcomes), Answers: maps.Clone(about.answers), OpenedAt: moment(q.Opened),
		}
		if q.Deadline != 0 {
			deadline := moment(q.Deadline)
			list[i].Deadline = &deadline
		}
	}
	return list
}

// Resume answers open interrupts. Each answer is judged alone, in the order given, and what is taken is taken: the run
// goes on with it. The error joins an [*Error] for each answer that was refused, in that order, and is nil if none was; its
// details name the interrupt. A refused answer changes nothing: its interrupt stays open. The codes are [CodePayloadInvalid]
// (the details list the places), [CodeUndeclaredOutcome], [CodeInterruptUnknown], [CodeInterruptAmbiguous], [CodeAlreadyResumed],
// [CodeInterruptClosed] (its time was over, or the frame that asked has ended), [CodeRunEnded], and those of a step whose
// writes the state cannot take. Resume does not wait for the run: see [RunHandle.Wait].
func (r *RunHandle) Resume(ctx context.Context, answers ...Answer) error {
	var refused []error
	for i := range answers {
		if err := ctx.Err(); err != nil {
			return errors.Join(append(refused, context.Cause(ctx))...)
		}
		if err := r.resume(ctx, &answers[i]); err != nil {
			refused = append(refused, err)
		}
	}
	return errors.Join(refused...)
}

func (r *RunHandle) resume(ctx context.Context, a *Answer) error {
	payload, err := encodeGiven(a.Payload, "the payload", CodePayloadInvalid)
	if err != nil {
		return err
	}
	return r.deliver(ctx, letter{answer: a, payload: payload})
}

// answering makes the event of an answer.
func (r *RunHandle) answering(a *Answer, payload value.Value, ev *kernel.Event) error {
	ref, fail := r.addressee(a.Interrupt)
	if fail != nil {
		return fail
	}
	outcome, declared := a.Outcome, r.prog.of(ref.Frame()).inquiries[ref.Op].outcomes
	if outcome == "" && len(declared) == 1 {
		outcome = declared[0]
	}
	*ev = kernel.Event{Kind: kernel.Resumed, Ref: ref, Outcome: string(outcome), Output: payload}
	return nil
}

// addressee finds the interrupt that an answer is for.
func (r *RunHandle) addressee(id string) (kernel.Ref, error) {
	if id != "" {
		if ref, ok := r.machine.Find(id); ok {
			return ref, nil
		}
		return kernel.Ref{}, r.unaddressed(id)
	}
	open := r.machine.Questions()
	switch len(open) {
	case 0:
		if err := r.ended(); err != nil {
			return kernel.Ref{}, err
		}
		return kernel.Ref{}, &Error{Code: CodeInterruptUnknown, Message: "the run has no open interrupt"}
	case 1:
		return open[0].Ref, nil
	}
	ids := make([]string, len(open))
	for i := range open {
		ids[i] = open[i].ID
	}
	return kernel.Ref{}, &Error{Code: CodeInterruptAmbiguous, Details: jsonOf(map[string]any{"open": ids}),
		Message: fmt.Sprintf("%d interrupts are open: %s; say which one is answered", len(open), listSome(ids))}
}

// ended is the error of answering a run that has ended.
func (r *RunHandle) ended() error {
	status := r.status()
	if status == StatusRunning || status == StatusInterrupted {
		return nil
	}
	return &Error{Code: CodeRunEnded, Message: "the run has ended: it is " + string(status) + ", and nothing can be answered any more"}
}

// unaddressed tells why there is no open interrupt with an id. Only here are the records searched. Somebody may have named the step.
func (r *RunHandle) unaddressed(id string) error {
	for _, q := range r.machine.Questions() {
		if q.Op.ID == id {
			return &Error{Code: CodeInterruptUnknown, Message: fmt.Sprintf("the run has no interrupt %q: that is a step, and it asks as %q", clip(id), q.ID)}
		}
	}
	details := jsonOf(map[string]any{"interrupt": id})
	asked, answered := false, false
	for _, record := range r.records().each {
		for i := range record.Entries {
			e := &record.Entries[i]
			if e.Kind == kernel.StepAsked || e.Kind == kernel.StepDone && record.Event == kernel.Resumed && e.Ref().At().Kind == kernel.Interrupt {
				if e.Ref().At().ID == id || strings.HasPrefix(id, e.Frame.Path()) && e.Ref().ID() == id {
					asked, answered = true, e.Kind == kernel.StepDone
				}
			}
		}
	}
	if answered {
		return &Error{Code: CodeAlreadyResumed, Details: details, Message: fmt.Sprintf("the interrupt %q was answered before", clip(id))}
	}
	if err := r.ended(); err != nil {
		return err
	}
	if asked {
		return &Error{Code: CodeInterruptClosed, Details: details,
			Message: fmt.Sprintf("the interrupt %q is closed: its time was over, or the frame that asked has ended", clip(id))}
	}
	return &Error{Code: CodeInterruptUnknown, Message: fmt.Sprintf("the run never had an interrupt %q", clip(id))}
}

// refusedAbout makes the error of an answer or a decision that was refused: what names it, key the detail that names what it is about.
func refusedAbout(what, key, id string, fail *kernel.Failure) *Error {
	details := fail.Details
	if details.IsAbsent() {
		details = value.Object()
	}
	return &Error{Code: Code(fail.Code), Message: what + id + ": " + fail.Message, Details: details.With(key, value.String(id)).JSON()}
}
