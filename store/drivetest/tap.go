package drivetest

import (
	"context"
	"iter"
	"sync"
	"time"

	"lda.chat/wf"
)

// tap is the journal as one runtime has it. It counts the calls that change something, can end the runtime's life at any of them,
// and can make the store fail.
type tap struct {
	wf.Journal
	w *world

	mu    sync.Mutex
	dead  bool
	die   chan struct{} // closed when it is dead
	count map[string]int
	calls int                                      // of all kinds
	at    int                                      // the point at which it dies: 2n before its nth call, 2n+1 after it; 0: none
	fail  func(op string, call func() error) error // is asked to make the call instead; nil: nobody is
	kept  []wf.Append                              // that were answered without an error
}

func (w *world) tap() *tap {
	return &tap{Journal: w.st, w: w, die: make(chan struct{}), count: map[string]int{}}
}

// kill ends the life of the runtime: it gets no answer from the store any more and makes no calls.
func (p *tap) kill() {
	p.w.mu.Lock() // so that no call begins
	p.mu.Lock()
	if !p.dead {
		p.dead = true
		close(p.die)
	}
	p.mu.Unlock()
	p.w.mu.Unlock()
	p.w.stir()
}

func (p *tap) isDead() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.dead
}

// change makes a call that changes something.
func (p *tap) change(op string, call func() error) error {
	p.mu.Lock()
	p.calls++
	n := p.calls
	at, fail := p.at, p.fail
	p.mu.Unlock()
	if at == 2*n {
		p.kill()
	}
	p.look()
	var err error
	if fail != nil {
		err = fail(op, call)
	} else {
		err = call()
	}
	if at == 2*n+1 {
		p.kill()
	}
	p.look()
	p.mu.Lock()
	p.count[op]++ // it was answered
	p.mu.Unlock()
	p.w.stir()
	return err
}

// look hangs up who is dead until the test is over.
func (p *tap) look() {
	if p.isDead() {
		<-p.w.over
	}
}

func (p *tap) Create(ctx context.Context, run wf.NewRun) (h wf.RunHead, err error) {
	err = p.change("create", func() (err error) { h, err = p.Journal.Create(ctx, run); return err })
	return h, err
}

func (p *tap) Append(ctx context.Context, a wf.Append) (h wf.RunHead, err error) {
	err = p.change("append", func() (err error) { h, err = p.Journal.Append(ctx, a); return err })
	if err == nil {
		p.mu.Lock()
		p.kept = append(p.kept, a)
		p.mu.Unlock()
	}
	return h, err
}

func (p *tap) Claim(ctx context.Context, c wf.ClaimRequest) (list []wf.RunHead, err error) {
	err = p.change("claim", func() (err error) { list, err = p.Journal.Claim(ctx, c); return err })
	return list, err
}

func (p *tap) Renew(ctx context.Context, ttl time.Duration, leases ...wf.Lease) (lost []string, err error) {
	err = p.change("renew", func() (err error) { lost, err = p.Journal.Renew(ctx, ttl, leases...); return err })
	return lost, err
}

func (p *tap) Post(ctx context.Context, runID string, m wf.Message) (fresh bool, err error) {
	err = p.change("post", func() (err error) { fresh, err = p.Journal.Post(ctx, runID, m); return err })
	return fresh, err
}

func (p *tap) PutPlan(ctx context.Context, digest string, plan []byte) error {
	return p.change("plan", func() error { return p.Journal.PutPlan(ctx, digest, plan) })
}

func (p *tap) Head(ctx context.Context, runID string) (wf.RunHead, error) {
	p.look()
	return p.Journal.Head(ctx, runID)
}

func (p *tap) Pending(ctx context.Context, runID string) ([]wf.Message, error) {
	p.look()
	return p.Journal.Pending(ctx, runID)
}

func (p *tap) Events(ctx context.Context, runID string, from wf.Revision) iter.Seq2[wf.Event, error] {
	p.look()
	return p.Journal.Events(ctx, runID, from)
}

// Watch is [wf.JournalWatcher.Watch], of stores that have it; others are asked again and again.
func (p *tap) Watch(f func(runID string)) (stop func()) {
	w, ok := p.Journal.(wf.JournalWatcher)
	if !ok {
		return func() {}
	}
	return w.Watch(func(id string) {
		if !p.isDead() {
			f(id)
		}
	})
}

// appends gives what was kept so far.
func (p *tap) appends() []wf.Append {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.kept[:len(p.kept):len(p.kept)]
}

func (p *tap) counted(op string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.count[op]
}
