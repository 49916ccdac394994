package ledger

import (
	"slices"
	"time"

	"lda.chat/wf"
)

// Create begins a run.
func (t *Tx) Create(run *wf.NewRun) (wf.RunHead, error) { return t.begin(run, "create", nil, nil) }

// begin begins a run with events and a snapshot of another, and its own events.
func (t *Tx) begin(run *wf.NewRun, do string, events []Event, snapshot *Snapshot) (wf.RunHead, error) {
	if old := t.run(run.RunID); old != nil {
		if old.content != run.Content {
			return wf.RunHead{}, &wf.ExistsError{RunID: run.RunID}
		}
		return old.head, nil
	}
	h := wf.RunHead{
		RunID: run.RunID, Status: run.Status, WakeAt: run.WakeAt, Deployment: run.Deployment, Kernel: run.Kernel,
		Labels: run.Labels, Created: t.now, Updated: t.now,
	}
	if n := len(events); n > 0 {
		h.Revision = events[n-1].Revision
		h.Pruned = events[0].Revision - 1
	} else if snapshot != nil {
		h.Revision, h.Pruned = snapshot.Revision, snapshot.Revision
	}
	if run.Owner != "" && !run.Status.Ended() {
		h.Owner, h.Fence, h.LeaseUntil = run.Owner, 1, t.now.Add(run.TTL)
	}
	for _, data := range run.Events {
		h.Revision++
		events = append(events, Event{Revision: h.Revision, At: t.now, Data: data})
	}
	t.do(&Change{Do: do, Run: &h, Content: run.Content, Events: events, Snapshot: snapshot})
	t.woken(run.RunID)
	return h, nil
}

// Append changes a run.
func (t *Tx) Append(a *wf.Append) (wf.RunHead, error) {
	r, err := t.must(a.RunID)
	if err != nil {
		return wf.RunHead{}, err
	}
	h := r.head
	switch {
	case h.Fence != a.Fence:
		return wf.RunHead{}, &wf.FencedError{RunID: a.RunID, Fence: a.Fence, Current: h.Fence}
	case h.Status.Ended():
		return wf.RunHead{}, &wf.StatusError{RunID: a.RunID, Status: h.Status, Refuse: "takes no events"}
	case h.Owner == "":
		return wf.RunHead{}, &wf.FencedError{RunID: a.RunID, Fence: a.Fence, Current: h.Fence}
	case h.Revision != a.Expect:
		return wf.RunHead{}, &wf.ConflictError{What: "run", Key: a.RunID, Expected: a.Expect, Current: h.Revision}
	}
	for i, id := range a.Consume {
		if !slices.ContainsFunc(r.pending, func(p pending) bool { return p.id == id }) || slices.Contains(a.Consume[:i], id) {
			return wf.RunHead{}, &wf.NotFoundError{What: "message", Key: id}
		}
	}
	c := &Change{Do: "append", Run: &h, Consume: slices.Clone(a.Consume), Events: make([]Event, len(a.Events))}
	for i, data := range a.Events {
		h.Revision++
		c.Events[i] = Event{Revision: h.Revision, Fence: a.Fence, At: t.now, Data: data}
	}
	if a.Snapshot != nil {
		c.Snapshot = &Snapshot{Revision: h.Revision, Data: a.Snapshot}
	}
	if a.Status != "" {
		h.Status = a.Status
	}
	if a.Labels != nil {
		h.Labels = a.Labels
	}
	h.WakeAt, h.Updated = a.WakeAt, t.now
	h.Pending -= len(a.Consume)
	if a.Release || h.Status.Ended() {
		h.Owner, h.LeaseUntil = "", time.Time{}
	}
	if h.Owner == "" || len(a.Consume) > 0 {
		t.woken(a.RunID)
	}
	t.do(c)
	return h, nil
}

// Prune drops events and snapshots before a snapshot.
func (t *Tx) Prune(id string, at wf.Revision) error {
	r, err := t.must(id)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(r.snaps, func(s snap) bool { return s.at == at }) {
		return NoRevision("snapshot", id, at)
	}
	if at == r.head.Pruned {
		return nil
	}
	h := r.head
	h.Pruned = at
	t.do(&Change{Do: "prune", Run: &h, Prune: at})
	return nil
}

// DeleteRun removes a run that has ended.
func (t *Tx) DeleteRun(id string) error {
	r, err := t.must(id)
	if err != nil {
		return err
	}
	if !r.head.Status.Ended() {
		return &wf.StatusError{RunID: id, Status: r.head.Status, Refuse: "cannot be deleted before it has ended; cancel it first"}
	}
	t.do(&Change{Do: "delete", Delete: id})
	return nil
}

// Post keeps a message.
func (t *Tx) Post(id string, m *wf.Message) (bool, error) {
	r, err := t.must(id)
	if err != nil {
		return false, err
	}
	switch {
	case r.seen[m.ID] || slices.Contains(r.came, m.ID):
		return false, nil
	case r.head.Status.Ended():
		return false, &wf.StatusError{RunID: id, Status: r.head.Status, Refuse: "takes no messages"}
	}
	h := r.head
	h.Pending++
	t.do(&Change{Do: "post", Run: &h, Message: &Message{ID: m.ID, Kind: m.Kind, At: t.now, Data: m.Data}})
	t.woken(id)
	return true, nil
}
