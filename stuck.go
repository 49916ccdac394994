package wf

import (
	"context"
	"errors"
	"maps"
	"strings"
	"time"
)

// Stuck tells that a run does not go on although something is due, and why: what is kept of it cannot be read here, or
// [RuntimeOptions].Admit refuses it. It is tried again, in longer and longer intervals where only another program or a repair can help.
// Whoever takes it up again takes the mark away.
type Stuck struct {
	Reason string    `json:"reason"`
	Since  time.Time `json:"since"`
}

// labels of a run that is stuck.
const (
	labelStuck       = "wf.stuck" // "true"
	labelStuckReason = "wf.stuck_reason"
	labelStuckSince  = "wf.stuck_since"
)

// Stuck tells why the run is stuck, nil if it is not.
func (h RunHead) Stuck() *Stuck {
	if h.Labels[labelStuck] == "" {
		return nil
	}
	since, _ := time.Parse(time.RFC3339Nano, h.Labels[labelStuckSince])
	return &Stuck{Reason: h.Labels[labelStuckReason], Since: since}
}

// unstuck are the labels of a run that goes on, nil if they are as they should be.
func (h RunHead) unstuck() map[string]string {
	if h.Labels[labelStuck] == "" {
		return nil
	}
	labels := maps.Clone(h.Labels)
	for _, name := range []string{labelStuck, labelStuckReason, labelStuckSince} {
		delete(labels, name)
	}
	return labels
}

// unreadableError tells that what is kept of a run is not what this program can read.
type unreadableError struct{ err error }

func (e *unreadableError) Error() string { return e.err.Error() }
func (e *unreadableError) Unwrap() error { return e.err }

func unreadable(err error) error {
	if err == nil {
		return nil
	}
	return &unreadableError{err}
}

// refusedError tells that the host does not let a run go on.
type refusedError struct{ err error }

func (e *refusedError) Error() string { return "the run may not go on: " + e.err.Error() }
func (e *refusedError) Unwrap() error { return e.err }

// sticks reports whether a run that could not be taken up, or not be recorded, for this reason would fare no better when it is tried
// again at once.
func sticks(why error) bool {
	return isA[*unreadableError](why) || isA[*refusedError](why) || isA[*NotFoundError](why) || isA[*InvalidError](why) ||
		isA[*TooLargeError](why) || isA[*CorruptError](why) || isA[*VersionError](why)
}

// How long a run is left alone that is stuck: for as long as it has been so, within these bounds. What the host refuses it may allow any
// time.
const (
	firstStuck = 30 * time.Second
	mostStuck  = 10 * time.Minute
)

// mark gives back a run that is stuck.
func (k *keeper) mark(head RunHead, why error) {
	now := k.rt.clock.Now().UTC()
	since, pause := now, firstStuck
	if before := head.Stuck(); before != nil && !before.Since.IsZero() {
		since = before.Since
		if !isA[*refusedError](why) {
			pause = min(max(now.Sub(since), firstStuck), mostStuck)
		}
	}
	labels := maps.Clone(head.Labels)
	if labels == nil {
		labels = map[string]string{}
	}
	maps.Copy(labels, map[string]string{labelStuck: "true", labelStuckReason: reasonText(why), labelStuckSince: since.Format(time.RFC3339Nano)})
	k.put(Append{RunID: head.RunID, Expect: head.Revision, Fence: head.Fence, WakeAt: k.byStore(now.Add(pause)), Labels: labels, Release: true})
}

// mostReason is how many bytes of a reason a label takes.
const mostReason = 1000

// reasonText is an error as a label can hold it.
func reasonText(err error) string {
	text := strings.ReplaceAll(errorText(err), "\x00", "")
	if len(text) > mostReason {
		text = strings.ToValidUTF8(text[:mostReason], "") + "…"
	}
	return text
}

// admitted asks the host whether a run that is due may go on. The host's function may panic, and take long.
func (k *keeper) admitted(ctx context.Context, head RunHead) (err error) {
	if k.admit == nil {
		return nil
	}
	defer func() {
		if r := recover(); r != nil {
			err = &refusedError{errors.New("asking whether it may panicked: " + panicText(r))}
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, k.ttl/2)
	defer cancel()
	if err := k.admit(ctx, head); err != nil {
		return &refusedError{err}
	}
	return nil
}

// unable tells what a worker claims nothing of at present: runs whose plans it cannot advance and, but for every now and then, those
// that are stuck.
func (k *keeper) unable() map[string][]string {
	except := k.except()
	k.mu.Lock()
	defer k.mu.Unlock()
	if now := k.rt.clock.Now(); !now.Before(k.retry) {
		k.retry = now.Add(firstStuck)
		return except
	}
	if except == nil {
		except = map[string][]string{}
	}
	except[labelStuck] = []string{"true"}
	return except
}
