package sqlite

import (
	"context"
	"slices"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/store/internal/contract"
	"lda.chat/wf/store/internal/ledger"
)

// Create is [wf.Runs.Create].
func (s *Store) Create(ctx context.Context, run wf.NewRun) (head wf.RunHead, err error) {
	if err := contract.NewRun(&run, "", 0); err != nil {
		return head, err
	}
	err = s.change(ctx, func(w *writer) (err error) { head, err = w.create(&run, nil, 0); return err })
	return answer(head, err)
}

// Fork is [wf.Runs.Fork].
func (s *Store) Fork(ctx context.Context, from string, at wf.Revision, run wf.NewRun) (head wf.RunHead, err error) {
	if err := contract.NewRun(&run, from, at); err != nil {
		return head, err
	}
	err = s.change(ctx, func(w *writer) error {
		old, err := w.find(run.RunID)
		if err != nil {
			return err
		}
		var source *row
		if old == nil {
			if source, err = w.must(from); err != nil {
				return err
			}
			if at == 0 || at > source.Revision || at < source.Pruned {
				return ledger.NoRevision("event", from, at)
			}
		}
		head, err = w.create(&run, source, at)
		return err
	})
	return answer(head, err)
}

// answer gives a head only with a change that was kept.
func answer(head wf.RunHead, err error) (wf.RunHead, error) {
	if err != nil {
		return wf.RunHead{}, err
	}
	return head, nil
}

func (w *writer) create(run *wf.NewRun, source *row, at wf.Revision) (wf.RunHead, error) {
	old, err := w.find(run.RunID)
	switch {
	case err != nil:
		return wf.RunHead{}, err
	case old != nil && old.content != run.Content:
		return wf.RunHead{}, &wf.ExistsError{RunID: run.RunID}
	case old != nil:
		return old.RunHead, nil
	}
	r := &row{content: run.Content, RunHead: wf.RunHead{
		RunID: run.RunID, Status: run.Status, WakeAt: run.WakeAt, Deployment: run.Deployment, Kernel: run.Kernel, Labels: run.Labels,
		Created: w.now, Updated: w.now,
	}}
	if source != nil {
		r.Revision, r.Pruned = at, source.Pruned
	}
	if run.Owner != "" && !run.Status.Ended() {
		r.Owner, r.Fence, r.LeaseUntil = run.Owner, 1, w.now.Add(run.TTL)
	}
	if err := w.insert(r); err != nil {
		return wf.RunHead{}, err
	}
	if source != nil {
		if err := w.copyHistory(source, r, at); err != nil {
			return wf.RunHead{}, err
		}
	}
	if err := w.addEvents(r, 0, run.Events); err != nil {
		return wf.RunHead{}, err
	}
	w.woken = append(w.woken, run.RunID)
	w.advance(r)
	w.know(r)
	return r.RunHead, nil
}

// Append is [wf.Runs.Append].
func (s *Store) Append(ctx context.Context, a wf.Append) (head wf.RunHead, err error) {
	if err := contract.Append(&a); err != nil {
		return head, err
	}
	err = s.change(ctx, func(w *writer) (err error) { head, err = w.append(&a); return err })
	return answer(head, err)
}

func (w *writer) append(a *wf.Append) (head wf.RunHead, err error) {
	r, err := w.must(a.RunID)
	if err != nil {
		return head, err
	}
	switch {
	case r.Fence != a.Fence:
		return head, &wf.FencedError{RunID: a.RunID, Fence: a.Fence, Current: r.Fence}
	case r.Status.Ended():
		return head, &wf.StatusError{RunID: a.RunID, Status: r.Status, Refuse: "takes no events"}
	case r.Owner == "":
		return head, &wf.FencedError{RunID: a.RunID, Fence: a.Fence, Current: r.Fence}
	case r.Revision != a.Expect:
		return head, &wf.ConflictError{What: "run", Key: a.RunID, Expected: a.Expect, Current: r.Revision}
	}
	if err := w.consumable(r, a.Consume); err != nil {
		return head, err
	}
	if err := w.addEvents(r, a.Fence, a.Events); err != nil {
		return head, err
	}
	if a.Snapshot != nil {
		if _, err := w.exec(`INSERT OR REPLACE INTO snapshots (run, revision, data) VALUES (?, ?, ?)`, r.n, r.Revision, a.Snapshot); err != nil {
			return head, err
		}
	}
	if err := w.consume(r, a.Consume); err != nil {
		return head, err
	}
	if a.Status != "" {
		r.Status = a.Status
	}
	if a.Labels != nil {
		r.Labels, r.text = a.Labels, ""
	}
	r.WakeAt, r.Updated = a.WakeAt, w.now
	if a.Release || r.Status.Ended() {
		r.Owner, r.LeaseUntil = "", time.Time{}
	}
	if r.Owner == "" || len(a.Consume) > 0 {
		w.woken = append(w.woken, a.RunID)
	}
	return r.RunHead, w.update(r)
}

// consumable looks before anything is written.
func (w *writer) consumable(r *row, ids []string) error {
	for i, id := range ids {
		var there int
		err := w.row(`SELECT count(*) FROM messages WHERE run = ? AND id = ? AND data IS NOT NULL`, r.n, id).Scan(&there)
		if err != nil {
			return err
		}
		if there == 0 || slices.Contains(ids[:i], id) {
			return &wf.NotFoundError{What: "message", Key: id}
		}
	}
	return nil
}

func (w *writer) consume(r *row, ids []string) error {
	for _, id := range ids {
		if _, err := w.exec(`UPDATE messages SET data = NULL WHERE run = ? AND id = ?`, r.n, id); err != nil {
			return err
		}
	}
	if len(ids) == 0 {
		return nil
	}
	r.Pending -= len(ids)
	r.first = time.Time{}
	if r.Pending == 0 {
		return nil
	}
	var at int64
	err := w.row(`SELECT at FROM messages WHERE run = ? AND data IS NOT NULL ORDER BY n LIMIT 1`, r.n).Scan(&at)
	r.first = contract.Time(at)
	return err
}

// Prune is [wf.Runs.Prune].
func (s *Store) Prune(ctx context.Context, runID string, at wf.Revision) error {
	return s.change(ctx, func(w *writer) error {
		r, err := w.must(runID)
		if err != nil {
			return err
		}
		var there int
		if err := w.row(`SELECT count(*) FROM snapshots WHERE run = ? AND revision = ?`, r.n, at).Scan(&there); err != nil {
			return err
		}
		if there == 0 {
			return ledger.NoRevision("snapshot", runID, at)
		}
		if _, err := w.exec(deleteEvents, r.n, r.Pruned+1, at); err != nil {
			return err
		}
		if _, err := w.exec(`DELETE FROM snapshots WHERE run = ? AND revision < ?`, r.n, at); err != nil {
			return err
		}
		r.Pruned = at
		return w.update(r)
	})
}

// DeleteRun is [wf.Runs.DeleteRun].
func (s *Store) DeleteRun(ctx context.Context, runID string) error {
	return s.change(ctx, func(w *writer) error {
		r, err := w.must(runID)
		if err != nil {
			return err
		}
		if !r.Status.Ended() {
			return &wf.StatusError{RunID: runID, Status: r.Status, Refuse: "cannot be deleted before it has ended; cancel it first"}
		}
		delete(w.rows, runID)
		if _, err := w.exec(deleteEvents, r.n, r.Pruned+1, r.Revision); err != nil {
			return err
		}
		for _, text := range []string{`DELETE FROM progress WHERE run = ?`, `DELETE FROM snapshots WHERE run = ?`, `DELETE FROM messages WHERE run = ?`, `DELETE FROM runs WHERE n = ?`} {
			if _, err := w.exec(text, r.n); err != nil {
				return err
			}
		}
		return nil
	})
}
