// Package group commits in groups: what is asked for while a commit goes on is committed together by the next one. There
// is no goroutine and no timer; who finds nobody at work commits at once, on its own goroutine.
package group

import "sync"

// Most is how many requests one commit takes.
const Most = 512

// Group commits requests. Commit gets what is to be done together; it is never called twice at a time.
type Group[T any] struct {
	Commit func([]T)

	mu    sync.Mutex
	busy  bool
	queue []waiting[T]
}

type waiting[T any] struct {
	request T
	turn    chan bool // true: it is done; false: lead the next commit
}

// Do returns when the request was part of a commit.
func (g *Group[T]) Do(request T) {
	g.mu.Lock()
	if g.busy {
		turn := make(chan bool, 1)
		g.queue = append(g.queue, waiting[T]{request, turn})
		g.mu.Unlock()
		if done := <-turn; done {
			return
		}
		g.mu.Lock() // the leader is the first of the queue
	} else {
		g.busy = true
		g.queue = append(g.queue, waiting[T]{request: request})
	}
	n := min(len(g.queue), Most)
	group := g.queue[:n:n]
	g.queue = g.queue[n:]
	g.mu.Unlock()

	defer g.hand(group[1:])
	requests := make([]T, n)
	for i := range group {
		requests[i] = group[i].request
	}
	g.Commit(requests)
}

// hand wakes those whose requests are done, and gives the lead to the next.
func (g *Group[T]) hand(done []waiting[T]) {
	g.mu.Lock()
	if len(g.queue) == 0 {
		g.busy, g.queue = false, nil
	} else {
		g.queue[0].turn <- false
	}
	g.mu.Unlock()
	for i := range done {
		done[i].turn <- true
	}
}
