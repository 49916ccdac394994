package postgres

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/jackc/pgx/v5"

	"lda.chat/wf"
	"lda.chat/wf/store/internal/contract"
)

// row is a run as the table has it.
type row struct {
	wf.RunHead
	n       int64
	content string
}

const columns = `n, id, content, revision, pruned, status, wake_at, deployment, kernel, labels::text, fence, owner, lease_until, created, updated, pending`

// scanRow reads the columns, behind others.
func scanRow(from pgx.Row, others ...any) (*row, error) {
	var r row
	var wake, lease, created, updated int64
	var labels string
	err := from.Scan(append(others, &r.n, &r.RunID, &r.content, &r.Revision, &r.Pruned, &r.Status, &wake, &r.Deployment, &r.Kernel, &labels,
		&r.Fence, &r.Owner, &lease, &created, &updated, &r.Pending)...)
	if err != nil {
		return nil, err
	}
	r.WakeAt, r.LeaseUntil, r.Created, r.Updated = contract.Time(wake), contract.Time(lease), contract.Time(created), contract.Time(updated)
	if labels != "{}" {
		err = json.Unmarshal([]byte(labels), &r.Labels)
	}
	return &r, err
}

func scanRows(found pgx.Rows) ([]*row, error) {
	return pgx.CollectRows(found, func(from pgx.CollectableRow) (*row, error) { return scanRow(from) })
}

// labels is a set of labels as text, nil for none.
func labels(set map[string]string) (*string, error) {
	if set == nil {
		return nil, nil
	}
	data, err := json.Marshal(set)
	text := string(data)
	return &text, err
}

// maybe tells whether a statement gave its one row.
func maybe(err error) (there bool, _ error) {
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// clean is a text as the database takes it. What is no name is one that nothing has.
func clean(name string) string {
	if len(name) > contract.MaxID || contract.ID("", name) != nil {
		return "\x7f"
	}
	return name
}

// ask reads one value.
func (s *Store) ask(ctx context.Context, into any, text string, args ...any) error {
	ctx, cancel, err := s.within(ctx)
	if err != nil {
		return err
	}
	defer cancel()
	return s.explain(s.pool.QueryRow(ctx, text, args...).Scan(into))
}
