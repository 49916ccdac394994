package sqlite

import (
	"context"
	"sync"
	"time"
)

// pollers look for changes by other processes as long as somebody watches.
type pollers struct {
	mu     sync.Mutex
	active int
	cancel context.CancelFunc
	done   chan struct{}
	over   bool
}

// Watch is [wf.JournalWatcher.Watch]. Changes by other processes are seen by looking, which costs a few microseconds each time.
func (s *Store) Watch(f func(runID string)) (stop func()) {
	remove := s.watchers.Add(f)
	p := &s.pollers
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.active++; p.active == 1 && !p.over {
		ctx, cancel := context.WithCancel(context.Background())
		p.cancel, p.done = cancel, make(chan struct{})
		go s.look(ctx, p.done)
	}
	return sync.OnceFunc(func() {
		remove()
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.active--; p.active == 0 {
			p.end()
		}
	})
}

func (p *pollers) end() {
	if p.cancel != nil {
		p.cancel()
		<-p.done
		p.cancel = nil
	}
}

// stop ends the looking for good.
func (p *pollers) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.over = true
	p.end()
}

// look compares the counter of other connections' commits. While it cannot be read, any run may have changed.
func (s *Store) look(ctx context.Context, done chan struct{}) {
	defer close(done)
	conn, err := s.read.Conn(ctx)
	if err != nil {
		return
	}
	defer conn.Close()
	version := func() (v int64) {
		if err := conn.QueryRowContext(ctx, `PRAGMA data_version`).Scan(&v); err != nil {
			return -1
		}
		return v
	}
	last := version()
	tick := time.NewTicker(s.poll)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if now := version(); now != last || now < 0 {
			last = now
			s.watchers.Tell("")
		}
	}
}
