package sqlite

import (
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/store/internal/contract"
	"lda.chat/wf/store/internal/ledger"
)

// row is a run as the table has it.
type row struct {
	wf.RunHead
	n       int64
	last    int64 // the last event; 0: none
	content string
	first   time.Time // when the first pending message came
	text    string    // the labels as they are kept; "": not known
	kept    progress  // as it was read or written last
}

// progress is how far a run has got.
type progress struct {
	revision wf.Revision
	last     int64
	updated  int64
}

func (r *row) progress() progress { return progress{r.Revision, r.last, contract.Micros(r.Updated)} }

const selectRuns = `SELECT n, last, id, content, revision, pruned, status, wake_at, deployment, kernel, labels, fence, owner, lease_until, created, updated, pending, first_message
	FROM runs CROSS JOIN progress ON run = n`

func scanRow(from scanner) (*row, error) {
	var r row
	var wake, lease, created, updated, first int64
	var labels string
	err := from.Scan(&r.n, &r.last, &r.RunID, &r.content, &r.Revision, &r.Pruned, &r.Status, &wake, &r.Deployment, &r.Kernel, &labels,
		&r.Fence, &r.Owner, &lease, &created, &updated, &r.Pending, &first)
	if err != nil {
		return nil, err
	}
	r.WakeAt, r.LeaseUntil, r.Created, r.Updated, r.first = contract.Time(wake), contract.Time(lease), contract.Time(created), contract.Time(updated), contract.Time(first)
	r.text, r.kept = labels, r.progress()
	if labels != "{}" {
		err = json.Unmarshal([]byte(labels), &r.Labels)
	}
	return &r, err
}

// ready is when the run becomes claimable by itself, nil for never.
func (r *row) ready() any {
	switch {
	case r.Status.Ended():
		return nil
	case r.Owner != "":
		return contract.Micros(r.LeaseUntil)
	case r.Pending > 0 && (r.WakeAt.IsZero() || r.first.Before(r.WakeAt)):
		return contract.Micros(r.first)
	case r.WakeAt.IsZero():
		return nil
	}
	return contract.Micros(r.WakeAt)
}

func (r *row) labels() (string, error) {
	if r.text != "" {
		return r.text, nil
	}
	r.text = "{}"
	if len(r.Labels) > 0 {
		text, err := json.Marshal(r.Labels)
		if err != nil {
			return "", err
		}
		r.text = string(text)
	}
	return r.text, nil
}

// find reads a run; it is nil if there is none.
func (w *writer) find(id string) (*row, error) {
	if r, known := w.rows[id]; known {
		return &r, nil
	}
	r, err := scanRow(w.row(selectRuns+` WHERE id = ?`, id))
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return r, err
}

func (w *writer) must(id string) (*row, error) {
	r, err := w.find(id)
	if err == nil && r == nil {
		err = ledger.NoRun(id)
	}
	return r, err
}

func (w *writer) insert(r *row) error {
	labels, err := r.labels()
	if err != nil {
		return err
	}
	result, err := w.exec(`INSERT INTO runs (id, content, pruned, status, wake_at, deployment, kernel, labels, fence, owner, lease_until, created, pending, first_message, ready)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?)`, r.RunID, r.content, r.Pruned, r.Status, contract.Micros(r.WakeAt), r.Deployment, r.Kernel,
		labels, r.Fence, r.Owner, contract.Micros(r.LeaseUntil), contract.Micros(r.Created), r.ready())
	if err == nil {
		r.n, err = result.LastInsertId()
	}
	return err
}

// mostKnown bounds how many rows are remembered.
const mostKnown = 8192

// know remembers a row as it was written last: as long as nobody else writes, it need not be read again. Of what nobody has at
// work nothing is remembered.
func (w *writer) know(r *row) {
	if r.Owner == "" {
		delete(w.rows, r.RunID)
		return
	}
	if len(w.rows) >= mostKnown {
		clear(w.rows)
	}
	w.rows[r.RunID] = *r
}

// forget is for when the database may hold something else than what is remembered.
func (w *writer) forget() {
	clear(w.rows)
	w.newest, w.events.args, w.progress.args = 0, nil, nil
}

// current forgets the rows if another connection has written since, and reports whether one has.
func (w *writer) current() (others bool, err error) {
	var version int64
	if err := w.row(`PRAGMA data_version`).Scan(&version); err != nil {
		return false, err
	}
	if version == w.version {
		return false, nil
	}
	w.forget()
	others, w.version = w.version != 0, version
	return others, nil
}

const putProgress = `REPLACE INTO progress (run, revision, last, updated) VALUES`

// update writes what can change.
func (w *writer) update(r *row) error {
	w.advance(r)
	if old, known := w.rows[r.RunID]; known && r.onlyAdvanced(&old) { // as runs do most of the time
		w.know(r)
		return nil
	}
	labels, err := r.labels()
	if err != nil {
		return err
	}
	_, err = w.exec(`UPDATE runs SET pruned = ?, status = ?, wake_at = ?, labels = ?, fence = ?, owner = ?, lease_until = ?, pending = ?, first_message = ?, ready = ?
		WHERE n = ?`, r.Pruned, r.Status, contract.Micros(r.WakeAt), labels, r.Fence, r.Owner, contract.Micros(r.LeaseUntil), r.Pending, contract.Micros(r.first), r.ready(), r.n)
	if err == nil {
		w.know(r)
	}
	return err
}

// advance writes how far a run has got, if it has got on.
func (w *writer) advance(r *row) {
	if now := r.progress(); now != r.kept {
		w.progress.add(r.n, now.revision, now.last, now.updated)
		w.writes++
		r.kept = now
	}
}

func (r *row) onlyAdvanced(old *row) bool {
	return r.text != "" && r.text == old.text && r.Pruned == old.Pruned && r.Status == old.Status && r.WakeAt.Equal(old.WakeAt) && r.Fence == old.Fence &&
		r.Owner == old.Owner && r.LeaseUntil.Equal(old.LeaseUntil) && r.Pending == old.Pending && r.first.Equal(old.first)
}
