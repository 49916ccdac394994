package contract

import "sync"

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
