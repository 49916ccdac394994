package storetest

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"lda.chat/wf"
)

// Names that would look alike, or that a file system or a database would change, are refused in all places alike; others are kept
// exactly. So are all values.
func (s *suite) text(t *testing.T) {
	st := s.fresh(t, newClock())
	bad := []string{"", "b\u00e3o", "ba\u0303o", "a\x00", "a\nb", "\ta", "a\x7f", "a\xff", "\xed\xa0\x80", strings.Repeat("x", 10000)}
	for _, id := range bad {
		_, err := st.Create(ctx, wf.NewRun{RunID: id})
		refused[*wf.InvalidError](t, "run "+id, err)
		_, err = st.PutRecord(ctx, id, "k", 0, nil)
		refused[*wf.InvalidError](t, "kind "+id, err)
		_, err = st.PutRecord(ctx, "k", id, 0, nil)
		refused[*wf.InvalidError](t, "key "+id, err)
		_, err = st.Post(ctx, "r", wf.Message{ID: id})
		refused[*wf.InvalidError](t, "message "+id, err)
		_, err = st.Claim(ctx, wf.ClaimRequest{Owner: id, TTL: time.Second})
		refused[*wf.InvalidError](t, "owner "+id, err)
		_, err = st.Head(ctx, id)
		refused[*wf.NotFoundError](t, "head of "+id, err)
	}
	good := []string{"..", ".", "../..", "a/b", `a\b`, "a:b", "CON", "nul", "aux.txt", "Run", "run", "RUN", " ", "a ", "a.", "%2e", "*?<>|\"'`;--", "~", strings.Repeat("y", 256)}
	for i, id := range good {
		_, err := st.Create(ctx, wf.NewRun{RunID: id, Events: lines(id)})
		check(t, "create "+id, err)
		_, err = st.PutRecord(ctx, "k", id, 0, []byte(id))
		check(t, "put "+id, err)
		same(t, "runs", len(all(t, st, wf.RunQuery{})), i+1)
	}
	for _, id := range good {
		same(t, "events of "+id, read(t, st, id, 0), []string{id})
		r, err := st.GetRecord(ctx, "k", id)
		check(t, "get "+id, err)
		same(t, "record "+id, string(r.Value), id)
	}
	owned(t, st, "r")
	values := []string{"", "\x00", "\n", "{\"a\":1}\n{\"b\":2}\n", "b\u00e3o", "ba\u0303o", "\xed\xa0\x80", "\xff\xfe", "\u2028", "\ufeff", strings.Repeat("\x00", 70000)}
	_, err := st.Append(ctx, wf.Append{RunID: "r", Fence: 1, Events: lines(values...), Snapshot: []byte(strings.Join(values, ""))})
	check(t, "append", err)
	same(t, "events", read(t, st, "r", 0), values)
	snap, err := st.LoadSnapshot(ctx, "r", 0)
	check(t, "snapshot", err)
	same(t, "snapshot", string(snap.Data), strings.Join(values, ""))
	for i, v := range values {
		_, err := st.PutRecord(ctx, "values", idOf(i), 0, []byte(v))
		check(t, "put", err)
		_, err = st.Post(ctx, "r", wf.Message{ID: strings.Repeat("m", 100*i+1), Kind: "k", Data: []byte(v)})
		check(t, "post", err)
	}
	for i, r := range scan(t, st, "values", "", 3) {
		same(t, "value", string(r.Value), values[i])
	}
	pending, err := st.Pending(ctx, "r")
	check(t, "pending", err)
	for i, m := range pending {
		same(t, "message", string(m.Data), values[i])
	}
}

// What is too large, or makes no sense, is refused before anything is written.
func (s *suite) limits(t *testing.T) {
	c := newClock()
	st := s.fresh(t, c)
	before := owned(t, st, "r", "e")
	large := make([]byte, 64<<20+1)
	many := map[string]string{}
	for i := range 65 {
		many[idOf(i)] = ""
	}
	half := large[:40<<20]
	for what, do := range map[string]func() error{
		"an event": func() error {
			_, err := st.Append(ctx, wf.Append{RunID: "r", Expect: 1, Fence: 1, Events: [][]byte{large}})
			return err
		},
		"events": func() error {
			_, err := st.Append(ctx, wf.Append{RunID: "r", Expect: 1, Fence: 1, Events: [][]byte{half, half}})
			return err
		},
		"a snapshot": func() error {
			_, err := st.Append(ctx, wf.Append{RunID: "r", Expect: 1, Fence: 1, Snapshot: large})
			return err
		},
		"many labels": func() error {
			_, err := st.Append(ctx, wf.Append{RunID: "r", Expect: 1, Fence: 1, Labels: many})
			return err
		},
		"a message": func() error { _, err := st.Post(ctx, "r", wf.Message{ID: "m", Data: large}); return err },
		"a record":  func() error { _, err := st.PutRecord(ctx, "k", "a", 0, large); return err },
		"a new run": func() error { _, err := st.Create(ctx, wf.NewRun{RunID: "new", Events: [][]byte{large}}); return err },
	} {
		refused[*wf.TooLargeError](t, what, do())
	}
	far := time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)
	for what, do := range map[string]func() error{
		"a wake-up in the year 10000": func() error {
			_, err := st.Append(ctx, wf.Append{RunID: "r", Expect: 1, Fence: 1, WakeAt: far})
			return err
		},
		"an unknown status": func() error {
			_, err := st.Append(ctx, wf.Append{RunID: "r", Expect: 1, Fence: 1, Status: "done"})
			return err
		},
		"a label with NUL": func() error {
			_, err := st.Append(ctx, wf.Append{RunID: "r", Expect: 1, Fence: 1, Labels: map[string]string{"a": "\x00"}})
			return err
		},
		"a label that is no text": func() error {
			_, err := st.Append(ctx, wf.Append{RunID: "r", Expect: 1, Fence: 1, Labels: map[string]string{"a": "\xff"}})
			return err
		},
		"a lease of no time":    func() error { _, err := st.Claim(ctx, wf.ClaimRequest{Owner: "p"}); return err },
		"an endless lease":      func() error { _, err := st.Renew(ctx, 48*time.Hour); return err },
		"a query for no status": func() error { _, err := st.List(ctx, wf.RunQuery{Status: []wf.RunStatus{"done"}}); return err },
	} {
		refused[*wf.InvalidError](t, what, do())
	}
	same(t, "the run", head(t, st, "r"), before)
}

// A context that has ended begins nothing; after Close nothing is changed any more, and everybody gets an answer.
func (s *suite) closing(t *testing.T) {
	st := s.fresh(t, newClock())
	owned(t, st, "r")
	over, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := st.Append(over, wf.Append{RunID: "r", Fence: 1, Events: lines("e")}); !errors.Is(err, context.Canceled) || wf.IsAmbiguous(err) {
		t.Errorf("append under a context that has ended: %v", err)
	}
	if _, err := st.PutBlob(over, strings.NewReader("x")); !errors.Is(err, context.Canceled) {
		t.Errorf("blob under a context that has ended: %v", err)
	}
	same(t, "revision", head(t, st, "r").Revision, 0)
	acked := make([]wf.Revision, 8)
	together(9, func(i int) {
		if i == 8 {
			if err := st.Close(); err != nil {
				t.Errorf("close: %v", err)
			}
			return
		}
		id := idOf(i)
		if _, err := st.Create(ctx, wf.NewRun{RunID: id, Owner: "p", TTL: time.Minute}); err != nil {
			if !errors.Is(err, wf.ErrJournalClosed) {
				t.Errorf("create while closing: %v", err)
			}
			return
		}
		for {
			h, err := st.Append(ctx, wf.Append{RunID: id, Expect: acked[i], Fence: 1, Events: lines("e")})
			if err != nil {
				if !errors.Is(err, wf.ErrJournalClosed) || wf.IsAmbiguous(err) {
					t.Errorf("append while closing: %v", err)
				}
				return
			}
			acked[i] = h.Revision
		}
	})
	_, err := st.Post(ctx, "r", wf.Message{ID: "m"})
	if !errors.Is(err, wf.ErrJournalClosed) {
		t.Errorf("post after close: %v", err)
	}
	check(t, "close again", st.Close())
}
