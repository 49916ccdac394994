package contract

import (
	"context"
	"sync"
)

// Watchers are those who want to know of commits. The zero value is ready to use.
type Watchers struct {
	mu   sync.RWMutex
	next int
	list map[int]func(string)
}

// Add is the Watch of stores.
func (w *Watchers) Add(f func(runID string)) (stop func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.list == nil {
		w.list = map[int]func(string){}
	}
	id := w.next
	w.next++
	w.list[id] = f
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.list, id)
	}
}

// Tell calls all of them.
func (w *Watchers) Tell(runIDs ...string) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	for _, f := range w.list {
		for _, id := range runIDs {
			f(id)
		}
	}
}

// Lookout is the Watch of stores that other processes write to: it looks for their changes as long as somebody watches.
// Look returns when its context ends.
type Lookout struct {
	Watchers
	Look func(context.Context)

	active int
	cancel context.CancelFunc
	done   chan struct{}
	over   bool
	state  sync.Mutex
}

// Watch is the Watch of stores.
func (l *Lookout) Watch(f func(runID string)) (stop func()) {
	remove := l.Add(f)
	l.state.Lock()
	defer l.state.Unlock()
	if l.active++; l.active == 1 && !l.over {
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan struct{})
		l.cancel, l.done = cancel, done
		go func() {
			defer close(done)
			l.Look(ctx)
		}()
	}
	return sync.OnceFunc(func() {
		remove()
		l.state.Lock()
		defer l.state.Unlock()
		if l.active--; l.active == 0 {
			l.end()
		}
	})
}

func (l *Lookout) end() {
	if l.cancel != nil {
		l.cancel()
		<-l.done
		l.cancel = nil
	}
}

// Stop ends the looking for good.
func (l *Lookout) Stop() {
	l.state.Lock()
	defer l.state.Unlock()
	l.over = true
	l.end()
}
