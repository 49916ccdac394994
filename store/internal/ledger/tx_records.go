package ledger

import "lda.chat/wf"

func (t *Tx) record(kind, key string) *record {
	if r, ok := t.records[place{kind, key}]; ok {
		return r
	}
	if k := t.on.records[kind]; k != nil {
		return k.byKey[key]
	}
	return nil
}

// expect finds the revision from which a record goes on, if it is the expected one.
func (t *Tx) expect(kind, key string, revision uint64) (uint64, error) {
	r := t.record(kind, key)
	switch {
	case r == nil && revision == 0:
		return 0, nil
	case r == nil:
		return 0, conflict(kind, key, revision, 0)
	case r.kept == nil && revision == 0, r.kept != nil && r.revision == revision:
		return r.revision, nil
	case r.kept == nil:
		return 0, conflict(kind, key, revision, 0)
	}
	return 0, conflict(kind, key, revision, r.revision)
}

func conflict(kind, key string, expected, current uint64) error {
	return &wf.ConflictError{What: kind, Key: key, Expected: wf.Revision(expected), Current: wf.Revision(current)}
}

// PutRecord makes or changes a record.
func (t *Tx) PutRecord(kind, key string, revision uint64, data []byte) (uint64, error) {
	last, err := t.expect(kind, key, revision)
	if err != nil {
		return 0, err
	}
	t.do(&Change{Do: "put", Record: &Record{Kind: kind, Key: key, Revision: last + 1, Updated: t.now, Data: data}})
	return last + 1, nil
}

// DeleteRecord removes a record and keeps its revision, so that one that comes after it is not taken for it.
func (t *Tx) DeleteRecord(kind, key string, revision uint64) error {
	if r := t.record(kind, key); r == nil || r.kept == nil {
		return &wf.NotFoundError{What: kind, Key: key}
	}
	last, err := t.expect(kind, key, revision)
	if err != nil {
		return err
	}
	t.do(&Change{Do: "remove", Record: &Record{Kind: kind, Key: key, Revision: last, Updated: t.now, Deleted: true}})
	return nil
}
