package wf

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"lda.chat/wf/internal/kernel"
	"lda.chat/wf/internal/value"
)

// letter is what somebody outside has to say to a run: an answer, a decision or, if it is neither, that it is cancelled.
type letter struct {
	answer  *Answer
	ruling  *Ruling
	payload value.Value // the answer's, or the output of a ruling
	reason  string      // of a cancel
	cause   error       // the same, in this process
}

// The kinds of messages.
const (
	messageAnswer = "answer"
	messageRuling = "ruling"
	messageCancel = "cancel"
)

func (l *letter) cancels() bool { return l.answer == nil && l.ruling == nil }

// event makes the event that the letter means for the run as it stands. The lock is held.
func (l *letter) event(r *RunHandle, ev *kernel.Event) error {
	switch {
	case l.answer != nil:
		return r.answering(l.answer, l.payload, ev)
	case l.ruling != nil:
		return r.deciding(l.ruling, l.payload, ev)
	}
	*ev = kernel.Event{Kind: kernel.CancelRequested, Reason: l.reason, Cause: l.cause}
	return nil
}

// refusal says in the words of the letter why the machine did not take its event.
func (l *letter) refusal(r *RunHandle, ev *kernel.Event, err error) error {
	refused, ok := errors.AsType[*kernel.RefusedError](err)
	if !ok {
		return err
	}
	if l.ruling != nil {
		return refusedAbout("the decision about ", "step", ev.Ref.ID(), refused.Failure)
	}
	e := refusedAbout("the answer to ", "interrupt", ev.Ref.ID(), refused.Failure)
	if e.Code == CodeUndeclaredOutcome {
		e.Message += "; it takes " + outcomeList(r.prog.of(ev.Ref.Frame()).inquiries[ev.Ref.Op].outcomes)
	}
	return e
}

// deliver brings a letter to the run and gives the verdict on it.
func (r *RunHandle) deliver(ctx context.Context, l letter) error {
	if r.durable != nil {
		return r.durable.deliver(ctx, &l)
	}
	do, err := r.read(&l)
	if err == nil && !do.nothing() {
		r.rt.spawn(func() { r.drive(do) })
	}
	return err
}

func (r *RunHandle) read(l *letter) (todo, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var ev kernel.Event
	if err := l.event(r, &ev); err != nil {
		return todo{}, err
	}
	do, err := r.step(&ev, nil)
	if err != nil {
		err = l.refusal(r, &ev, err)
	}
	return do, err
}

// deliver brings a letter to a run on a journal: directly, if this runtime drives the run or can take it up, else by its inbox.
func (d *durable) deliver(ctx context.Context, l *letter) error {
	if d.still {
		return errPicture
	}
	verdict := make(chan error, 1)
	p := posted{letter: l, verdict: verdict}
	judged := func() error {
		select {
		case err := <-verdict:
			if l.cancels() && errors.Is(err, kernel.ErrState) {
				return nil // somebody else has cancelled it, perhaps by a message that was taken just before
			}
			return err
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	d.keeper.rt.spawn(func() { d.run.drive(d.post(p)) })
	if err := judged(); !elsewhere(err) {
		return err
	}
	switch taken, err := d.keeper.claim(ctx, d.run.id, p); {
	case err == nil && taken != nil:
		if err := judged(); !elsewhere(err) {
			return err
		}
	case err != nil && !errors.Is(err, errClosed) && !hasCode(err, CodeCapabilityMissing):
		return err
	}
	return d.mail(ctx, l)
}

// elsewhere reports whether an event was refused, and surely not kept, because this runtime does not drive the run, or no more.
func elsewhere(err error) bool { return errors.Is(err, errNotDriven) || isA[*FencedError](err) }

func hasCode(err error, code Code) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Code == code
}

// rehearse judges a letter by the run as the journal has it.
func (d *durable) rehearse(ctx context.Context, l *letter) (Revision, error) {
	f, err := d.keeper.fold(ctx, d.run.id, 0)
	if err != nil {
		return 0, err
	}
	r := &RunHandle{rt: d.run.rt, id: d.run.id}
	r.durable = &durable{run: r, keeper: d.keeper}
	r.durable.show(f)
	if l.cancels() && f.machine.Status().Ended() {
		return f.head.Revision, nil // who cancels what is over has what they wanted
	}
	var ev kernel.Event
	if err := l.event(r, &ev); err != nil {
		return f.head.Revision, err
	}
	ev.At = r.rt.clock.Now().UnixNano()
	var out kernel.Out
	if err := r.machine.Step(&ev, &out); err != nil {
		return f.head.Revision, l.refusal(r, &ev, err)
	}
	return f.head.Revision, nil
}

// mail posts a letter and waits until whoever drives the run has taken it.
func (d *durable) mail(ctx context.Context, l *letter) error {
	at, err := d.rehearse(ctx, l)
	if err != nil {
		return err
	}
	m, err := l.message(d.keeper.rt)
	if err != nil {
		return err
	}
	_, err = d.keeper.journal.Post(ctx, d.run.id, m)
	if isA[*StatusError](err) {
		_, err := d.rehearse(ctx, l)
		return err
	}
	if err != nil && !IsAmbiguous(err) {
		return err
	}
	return d.verdict(ctx, l, m.ID, at)
}

// verdict waits for what became of a message. If nobody drives the run meanwhile, this runtime takes it up.
func (d *durable) verdict(ctx context.Context, l *letter, id string, from Revision) error {
	k := d.keeper
	var verdict error
	err := k.waitFor(ctx, d.run.id, func() (bool, error) {
		pending, err := k.journal.Pending(ctx, d.run.id)
		waits := false
		for _, m := range pending {
			waits = waits || m.ID == id
		}
		over := err == nil && !waits
		if err == nil && waits {
			var head RunHead
			head, err = k.journal.Head(ctx, d.run.id)
			over = err == nil && head.Status.Ended() // it takes no messages any more
		}
		if over {
			verdict, err = d.outcome(ctx, l, id, from)
			over = err == nil
		}
		if err == nil && !over {
			_, err = k.claim(ctx, d.run.id)
		}
		if err != nil && passing(err) && ctx.Err() == nil {
			err = nil
		}
		return over, err
	})
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("it is in the run's inbox, but nobody has taken it yet: %w", context.Cause(ctx))
	}
	return cmp.Or(verdict, err)
}

// outcome tells what became of a message that was taken: a record names it, or it was refused. err is why that cannot be told.
func (d *durable) outcome(ctx context.Context, l *letter, id string, from Revision) (refused, err error) {
	name := []byte(`"message":` + string(value.String(id).AppendJSON(nil)))
	for e, err := range d.keeper.journal.Events(ctx, d.run.id, from+1) {
		if isA[*NotFoundError](err) {
			break // it was pruned, or there is none
		}
		if err != nil {
			return nil, err
		}
		if bytes.Contains(e.Data[:min(len(e.Data), 512)], name) {
			return nil, nil
		}
	}
	_, err = d.rehearse(ctx, l)
	if refused, ok := errors.AsType[*Error](err); ok {
		return refused, nil
	}
	if err != nil || l.cancels() {
		return nil, err // a cancel is refused by a run that has ended, which is what it was to do
	}
	return &Error{Code: CodeInterruptClosed, Message: "it was refused, as the run stood otherwise when it came; look at the run and try again"}, nil
}

// await waits for news, for some time at most.
func (rt *Runtime) await(ctx context.Context, news <-chan struct{}, most time.Duration) error {
	woken := make(chan struct{})
	stop := rt.clock.AfterFunc(most, func() { close(woken) })
	defer stop()
	select {
	case <-news:
	case <-woken:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return nil
}

// mailed is a letter as a message holds it.
type mailed struct {
	Interrupt string          `json:"interrupt,omitempty"`
	Step      string          `json:"step,omitempty"`
	Verdict   Verdict         `json:"verdict,omitempty"`
	Outcome   Outcome         `json:"outcome,omitempty"`
	Payload   json.RawMessage `json:"payload,omitempty"`
	Reason    string          `json:"reason,omitempty"`
}

func (l *letter) message(rt *Runtime) (Message, error) {
	m := Message{}
	var body mailed
	switch {
	case l.answer != nil:
		m.Kind, body = messageAnswer, mailed{Interrupt: l.answer.Interrupt, Outcome: l.answer.Outcome, Payload: l.payload.JSON()}
	case l.ruling != nil:
		m.Kind, body = messageRuling, mailed{Step: l.ruling.Step, Verdict: l.ruling.Verdict, Outcome: l.ruling.Outcome, Payload: l.payload.JSON()}
	default:
		m.Kind, body = messageCancel, mailed{Reason: l.reason}
	}
	m.ID = m.Kind + "-" + newRunID(rt.clock.Now())
	var err error
	m.Data, err = json.Marshal(body)
	return m, err
}

// posted is the event of a message.
func (m *Message) posted() posted {
	l, err := m.letter()
	if err != nil {
		return posted{message: m.ID, before: func() error { return err }}
	}
	return posted{message: m.ID, letter: l}
}

func (m *Message) letter() (*letter, error) {
	var body mailed
	if err := json.Unmarshal(m.Data, &body); err != nil {
		return nil, fmt.Errorf("message %q is no JSON: %w", m.ID, err)
	}
	l := &letter{reason: body.Reason}
	switch m.Kind {
	case messageAnswer:
		l.answer = &Answer{Interrupt: body.Interrupt, Outcome: body.Outcome}
	case messageRuling:
		l.ruling = &Ruling{Step: body.Step, Verdict: body.Verdict, Outcome: body.Outcome}
	case messageCancel:
		return l, nil
	default:
		return nil, fmt.Errorf("message %q is of the kind %q, which this version does not know", m.ID, m.Kind)
	}
	if body.Payload == nil {
		body.Payload = json.RawMessage(`{}`)
	}
	payload, err := value.Parse(body.Payload)
	if err != nil {
		return nil, fmt.Errorf("the payload of message %q: %w", m.ID, err)
	}
	l.payload = payload
	return l, nil
}
