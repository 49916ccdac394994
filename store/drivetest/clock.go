package drivetest

import (
	"sync"
	"time"
)

// clock is the real time, but that it can jump. Runtimes and stores share it.
type clock struct {
	mu     sync.Mutex
	ahead  time.Duration
	alarms map[*alarm]struct{}
}

type alarm struct {
	at    time.Time
	f     func()
	timer *time.Timer
}

func newClock() *clock { return &clock{alarms: map[*alarm]struct{}{}} }

// Now is the time.
func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now()
}

func (c *clock) now() time.Time { return time.Now().Add(c.ahead) }

// AfterFunc is that of [wf.Clock].
func (c *clock) AfterFunc(d time.Duration, f func()) (stop func() bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	a := &alarm{at: c.now().Add(d), f: f}
	c.alarms[a] = struct{}{}
	a.timer = time.AfterFunc(d, func() { c.ring(a) })
	return func() bool { return c.take(a) }
}

// ring calls the function of an alarm, unless that was done or it was stopped.
func (c *clock) ring(a *alarm) {
	if c.take(a) {
		a.f()
	}
}

func (c *clock) take(a *alarm) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, set := c.alarms[a]
	delete(c.alarms, a)
	a.timer.Stop()
	return set
}

// jump lets time pass at once.
func (c *clock) jump(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ahead += d
	now := c.now()
	for a := range c.alarms {
		a.timer.Reset(max(a.at.Sub(now), 0))
	}
}
