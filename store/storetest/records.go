package storetest

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"

	"lda.chat/wf"
	"lda.chat/wf/store"
)

// A record is changed by those who know its revision.
func (s *suite) records(t *testing.T) {
	c := newClock()
	st := s.fresh(t, c)
	put := func(revision uint64, value string, want uint64) {
		t.Helper()
		got, err := st.PutRecord(ctx, "draft", "report", revision, []byte(value))
		check(t, "put", err)
		same(t, "revision", got, want)
	}
	lose := func(revision uint64, current wf.Revision) {
		t.Helper()
		_, err := st.PutRecord(ctx, "draft", "report", revision, []byte("lost"))
		e := refused[*wf.ConflictError](t, "put", err)
		same(t, "what the loser is told", e, &wf.ConflictError{What: "draft", Key: "report", Expected: wf.Revision(revision), Current: current})
	}
	lose(1, 0)
	put(0, "one", 1)
	lose(0, 1)
	put(1, "two", 2)
	lose(1, 2)
	lose(3, 2)
	got, err := st.GetRecord(ctx, "draft", "report")
	check(t, "get", err)
	same(t, "record", got, store.Record{Kind: "draft", Key: "report", Revision: 2, Updated: c.now(), Value: []byte("two")})
	_, err = st.GetRecord(ctx, "artifact", "report")
	refused[*wf.NotFoundError](t, "get another kind", err)
	refused[*wf.ConflictError](t, "delete an old revision", st.DeleteRecord(ctx, "draft", "report", 1))
	check(t, "delete", st.DeleteRecord(ctx, "draft", "report", 2))
	refused[*wf.NotFoundError](t, "delete again", st.DeleteRecord(ctx, "draft", "report", 2))
	_, err = st.GetRecord(ctx, "draft", "report")
	refused[*wf.NotFoundError](t, "get a deleted record", err)
	lose(2, 0)
	put(0, "", 3)
	lose(2, 3)
	got, err = st.GetRecord(ctx, "draft", "report")
	check(t, "get", err)
	same(t, "an empty value", len(got.Value), 0)
}

// A plan is kept once.
func (s *suite) plans(t *testing.T) {
	st := s.fresh(t, newClock())
	_, err := st.Plan(ctx, "sha256:aa")
	refused[*wf.NotFoundError](t, "a plan that is not there", err)
	check(t, "put", st.PutPlan(ctx, "sha256:aa", []byte(`{"name":"a"}`)))
	check(t, "put again", st.PutPlan(ctx, "sha256:aa", []byte(`{"name":"a"}`)))
	got, err := st.Plan(ctx, "sha256:aa")
	check(t, "get", err)
	same(t, "plan", string(got), `{"name":"a"}`)
}

// Of several who change one revision exactly one succeeds.
func (s *suite) racingRecords(t *testing.T) {
	st := s.fresh(t, newClock())
	for revision := range uint64(10) {
		var winner atomic.Int32
		winner.Store(-1)
		together(8, func(i int) {
			_, err := st.PutRecord(ctx, "k", "a", revision, []byte{byte(i)})
			if err == nil && !winner.CompareAndSwap(-1, int32(i)) {
				t.Errorf("a second change of revision %d succeeded", revision)
			} else if err != nil && word(err) != "conflict" {
				t.Errorf("racing put: %v", err)
			}
		})
		got, err := st.GetRecord(ctx, "k", "a")
		check(t, "get", err)
		same(t, "the winner's value", got.Value, []byte{byte(winner.Load())})
	}
}

// Scans go by the bytes of the keys, keep to their prefix, and are not disturbed by writes.
func (s *suite) scan(t *testing.T) {
	st := s.fresh(t, newClock())
	want := []string{"A", "a", "a b", "a%", "a%c", "a/", "a/b", "a/b/c", "a_", "a~", "b", "report", "report.old"}
	for _, key := range want {
		_, err := st.PutRecord(ctx, "k", key, 0, []byte(key))
		check(t, "put", err)
		_, err = st.PutRecord(ctx, "k2", key, 0, nil)
		check(t, "put", err)
	}
	for _, prefix := range []string{"", "a", "a%", "a/", "a_", "report", "zzz", "A"} {
		var fit []string
		for _, key := range want {
			if strings.HasPrefix(key, prefix) {
				fit = append(fit, key)
			}
		}
		for _, limit := range []int{0, 1, 2, 5} {
			var got []string
			for _, r := range scan(t, st, "k", prefix, limit) {
				got = append(got, r.Key)
				same(t, "value", string(r.Value), r.Key)
			}
			same(t, fmt.Sprintf("keys from %q in pages of %d", prefix, limit), got, fit)
		}
	}
	var got []string
	for cursor := ""; ; {
		page, err := st.ScanRecords(ctx, "k", "", cursor, 2)
		check(t, "scan", err)
		for _, r := range page.Records {
			if r.Key[0] != '+' && r.Key[0] != '}' {
				got = append(got, r.Key)
			}
		}
		if cursor = page.Next; cursor == "" {
			break
		}
		for _, key := range []string{"+" + cursor, "}" + cursor} {
			_, err := st.PutRecord(ctx, "k", key, 0, nil)
			check(t, "put", err)
		}
		if last := page.Records[0]; last.Key == "a" {
			check(t, "delete", st.DeleteRecord(ctx, "k", "a b", 1))
		}
	}
	same(t, "those that stayed", strings.Join(got, ","), strings.Join(want, ","))
}

// A blob is kept once, under what it is, and checked as it is read.
func (s *suite) blobs(t *testing.T) {
	st := s.fresh(t, newClock())
	for _, size := range []int{0, 1, store.InlineLimit, 300_000} {
		data := bytes.Repeat([]byte{0, 1, 255, '\n'}, size/4+1)[:size]
		for range 2 {
			ref, err := st.PutBlob(ctx, iotest.HalfReader(bytes.NewReader(data)))
			check(t, "put", err)
			same(t, "ref", ref, store.BlobRef{Digest: fmt.Sprintf("sha256:%x", sha256.Sum256(data)), Size: int64(size)})
			r, err := st.OpenBlob(ctx, ref)
			check(t, "open", err)
			got, err := io.ReadAll(r)
			check(t, "read", err)
			check(t, "close", r.Close())
			if !bytes.Equal(got, data) {
				t.Fatalf("a blob of %d bytes is not what was put", size)
			}
			ref.Size++
			r, err = st.OpenBlob(ctx, ref)
			check(t, "open", err)
			_, err = io.ReadAll(r)
			refused[*wf.CorruptError](t, "a blob of another size", err)
			check(t, "close", r.Close())
		}
	}
	for _, digest := range []string{"sha256:" + strings.Repeat("0", 64), "sha256:../../etc", "md5:00", ""} {
		_, err := st.OpenBlob(ctx, store.BlobRef{Digest: digest, Size: 1})
		refused[*wf.NotFoundError](t, "blob "+digest, err)
	}
	broken := errors.New("broken pipe")
	if _, err := st.PutBlob(ctx, iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("a reader that fails: %v", err)
	}
	together(8, func(int) {
		if _, err := st.PutBlob(ctx, strings.NewReader("the same")); err != nil {
			t.Errorf("put: %v", err)
		}
	})
}
