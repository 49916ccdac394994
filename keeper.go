package wf

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"weak"
)

// keeper is a runtime's share in a journal: who it is there, the runs that it drives under leases, those that it is to take up
// again at a time, and the handles that follow a run.
type keeper struct {
	rt      *Runtime
	journal Journal
	owner   string
	ttl     time.Duration
	library library
	apart   apart
	admit   func(context.Context, RunHead) error // whether a run may go on; nil: nobody is asked
	starts  atomic.Int64

	mu       sync.Mutex
	live     map[string]*RunHandle
	alarms   map[string]func() bool // with what stops them
	handles  map[string]weak.Pointer[RunHandle]
	waiting  map[string][]chan struct{} // of handles that wait for a run driven elsewhere
	lacking  map[string]time.Time       // digests of plans that cannot be advanced here, and until when that is believed
	wake     chan struct{}              // tells a worker to look; holds one token
	tick     func() bool                // stops the next renewal; nil: none is due
	coming   int                        // runs that were claimed, or are being started, and are not driven yet
	working  int                        // workers that take up whatever is due
	heard    map[string]bool            // of which runs there was news meanwhile; "": of any
	retry    time.Time                  // when runs that are stuck are tried next
	endings  map[string]*ending         // of runs whose end somebody waits for
	endTick  func() bool                // stops the next look at these; nil: none is due
	skew     time.Duration              // how far the store's clock is ahead of the runtime's
	draining int                        // how many wait for all runs to be given back: nothing new begins
	closed   bool
	stop     func()        // ends the watching; nil: nobody watches
	settled  chan struct{} // closed when no run is live any more, while somebody waits for that
}

// nap is from how long a pause on a run that only waits for time is given back to the store.
const nap = 5 * time.Second

// defaultLease is how long a lease lasts; it is renewed three times in that time.
const defaultLease = 15 * time.Second

func newKeeper(rt *Runtime, o *RuntimeOptions) *keeper {
	k := &keeper{rt: rt, journal: o.Journal, admit: o.Admit, ttl: o.Lease, owner: processName(rt), live: map[string]*RunHandle{}, alarms: map[string]func() bool{},
		handles: map[string]weak.Pointer[RunHandle]{}, waiting: map[string][]chan struct{}{}, wake: make(chan struct{}, 1)}
	if k.ttl <= 0 {
		k.ttl = defaultLease
	}
	k.library.keeper, k.apart.rt = k, rt
	return k
}

// processName names this runtime in the journal, anew at each start.
func processName(rt *Runtime) string {
	host, _ := os.Hostname()
	return fmt.Sprintf("%s-%d-%s", printable(host), os.Getpid(), newRunID(rt.clock.Now())[len("run_20060102T150405.000_"):])
}

// printable keeps what may stand in the name of an owner.
func printable(s string) string {
	kept := []byte{}
	for i := range len(s) {
		if c := s[i]; c > 0x20 && c < 0x7f && len(kept) < 64 {
			kept = append(kept, c)
		}
	}
	if len(kept) == 0 {
		return "host"
	}
	return string(kept)
}

// watch begins to listen to the store; once is enough.
func (k *keeper) watch() {
	k.mu.Lock()
	defer k.mu.Unlock()
	w, ok := k.journal.(JournalWatcher)
	if k.stop != nil || k.closed || !ok {
		return
	}
	k.stop = w.Watch(k.noticed)
}

// noticed hears of a commit: it concerns those who drive the run, those who wait for it, and workers.
func (k *keeper) noticed(runID string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.coming > 0 { // it may be about one of those
		if k.heard == nil {
			k.heard = map[string]bool{}
		}
		k.heard[runID] = true
	}
	if runID != "" {
		k.stir(runID)
	} else {
		for id := range k.live {
			k.stir(id)
		}
		for id := range k.waiting {
			k.stir(id)
		}
		for id := range k.endings {
			k.lookAtEnd(id)
		}
	}
	k.hurry()
}

// stir tells those whom a run concerns that something happened to it. The lock is held.
func (k *keeper) stir(runID string) {
	if r := k.live[runID]; r != nil {
		k.rt.spawn(r.durable.look)
	}
	k.lookAtEnd(runID)
	for _, c := range k.waiting[runID] {
		close(c)
	}
	delete(k.waiting, runID)
}

// hurry wakes a worker that waits.
func (k *keeper) hurry() {
	select {
	case k.wake <- struct{}{}:
	default:
	}
}

// news gives a channel that is closed when something happens to a run. Who waits no longer says so.
func (k *keeper) news(runID string) (news chan struct{}, over func()) {
	c := make(chan struct{})
	k.mu.Lock()
	defer k.mu.Unlock()
	k.waiting[runID] = append(k.waiting[runID], c)
	return c, func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		left := slices.DeleteFunc(k.waiting[runID], func(x chan struct{}) bool { return x == c })
		if k.waiting[runID] = left; len(left) == 0 {
			delete(k.waiting, runID)
		}
	}
}

// waitFor asks again and again whether something is so, at news of a run and once a second.
func (k *keeper) waitFor(ctx context.Context, runID string, so func() (bool, error)) error {
	k.watch()
	for {
		news, over := k.news(runID)
		is, err := so()
		if err == nil && !is {
			err = k.rt.await(ctx, news, time.Second)
		}
		over()
		if err != nil || is {
			return err
		}
	}
}

// handle gives the handle of a run: the one that is there, so that those who hold it see the run go on, or a new one.
func (k *keeper) handle(runID string) *RunHandle {
	k.mu.Lock()
	defer k.mu.Unlock()
	if r := k.handles[runID].Value(); r != nil {
		return r
	}
	r := &RunHandle{rt: k.rt, id: runID, base: context.Background()}
	r.durable = &durable{run: r, keeper: k}
	k.remember(r)
	return r
}

// remember keeps a handle findable for as long as somebody holds it. The lock is held.
func (k *keeper) remember(r *RunHandle) {
	if len(k.handles) >= 2*max(fewHandles, len(k.live)) {
		maps.DeleteFunc(k.handles, func(_ string, p weak.Pointer[RunHandle]) bool { return p.Value() == nil })
	}
	k.handles[r.id] = weak.Make(r)
}

// fewHandles are not looked through for those that nobody holds any more.
const fewHandles = 512

// hold begins to renew the lease of a run that this runtime drives from now on.
func (k *keeper) hold(r *RunHandle) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.closed {
		return errClosed
	}
	if stop, ok := k.alarms[r.id]; ok {
		stop()
		delete(k.alarms, r.id)
	}
	k.live[r.id] = r
	if k.heard[r.id] || k.heard[""] {
		k.rt.spawn(r.durable.look)
	}
	if k.draining > 0 { // those who wait for the end have not seen it
		k.rt.spawn(func() { r.durable.leave(false) })
	}
	if k.tick == nil {
		k.tick = k.rt.clock.AfterFunc(k.ttl/3, k.renew)
	}
	return nil
}

// release forgets a run that this runtime does not drive any more. If it goes on by itself at a time, this runtime takes
// it up again then, unless another one has.
func (k *keeper) release(r *RunHandle, wake time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.live, r.id)
	k.hurry()
	k.calm()
	if len(k.live) == 0 && k.tick != nil {
		k.tick()
		k.tick = nil
	}
	if wake.IsZero() || k.closed || k.draining > 0 {
		return
	}
	if stop, ok := k.alarms[r.id]; ok {
		stop()
	}
	id := r.id
	k.alarms[id] = k.rt.clock.AfterFunc(max(wake.Sub(k.rt.clock.Now()), 0), func() { k.alarm(id) })
}

func (k *keeper) alarm(runID string) {
	k.mu.Lock()
	delete(k.alarms, runID)
	over := k.closed
	if k.working > 0 { // who works takes it up as soon as there is room
		over = true
		k.hurry()
	}
	k.mu.Unlock()
	if over {
		return
	}
	if _, err := k.claim(context.Background(), runID); err != nil && !isA[*NotFoundError](err) {
		k.rt.logger.Warn("a run could not be taken up", "run", runID, "reason", err)
		k.mu.Lock()
		defer k.mu.Unlock()
		if !k.closed && k.alarms[runID] == nil { // the store may be away for a while
			pause := k.ttl / 3
			if sticks(err) {
				pause = firstStuck
			}
			k.alarms[runID] = k.rt.clock.AfterFunc(pause, func() { k.alarm(runID) })
		}
	}
}

// renew makes the leases last, and looks for messages where no watcher tells of them.
func (k *keeper) renew() {
	k.mu.Lock()
	leases := make([]Lease, 0, len(k.live))
	runs := make([]*RunHandle, 0, len(k.live))
	for _, id := range slices.Sorted(maps.Keys(k.live)) {
		leases, runs = append(leases, k.live[id].durable.held()), append(runs, k.live[id])
	}
	watched := k.stop != nil
	if len(leases) == 0 || k.closed {
		k.tick = nil
		k.mu.Unlock()
		return
	}
	k.tick = k.rt.clock.AfterFunc(k.ttl/3, k.renew)
	k.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), k.ttl)
	defer cancel()
	lost, err := k.journal.Renew(ctx, k.ttl, leases...)
	if err != nil {
		k.mu.Lock()
		over := k.closed // and the store with it, perhaps
		k.mu.Unlock()
		if !over {
			k.rt.logger.Warn("leases could not be renewed", "reason", err)
		}
		return
	}
	for i, r := range runs {
		switch {
		case slices.Contains(lost, r.id):
			r.durable.lose(leases[i], &FencedError{RunID: r.id, Fence: leases[i].Fence, Current: leases[i].Fence + 1})
		case !watched:
			k.rt.spawn(r.durable.look)
		}
	}
}

// errClosed is the error of a runtime that was closed.
var errClosed = errors.New("the runtime is closed")
