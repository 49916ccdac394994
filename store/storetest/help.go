package storetest

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"lda.chat/wf"
	"lda.chat/wf/store"
)

func check(t *testing.T, what string, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

func same[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("%s (-want +got):\n%s", what, diff)
	}
}

// refused wants an error of a type, and one that says that nothing happened.
func refused[E error](t *testing.T, what string, err error) E {
	t.Helper()
	got, ok := errors.AsType[E](err)
	if !ok || wf.IsAmbiguous(err) {
		t.Fatalf("%s: got %v, want a %T that is not ambiguous", what, err, got)
	}
	return got
}

// owned makes a run that its maker holds under fence 1.
func owned(t *testing.T, s store.Store, id string, events ...string) wf.RunHead {
	t.Helper()
	h, err := s.Create(ctx, wf.NewRun{RunID: id, Kernel: 1, Owner: "maker", TTL: time.Minute, Events: lines(events...)})
	check(t, "create", err)
	return h
}

func lines(events ...string) [][]byte {
	var out [][]byte
	for _, e := range events {
		out = append(out, []byte(e))
	}
	return out
}

// read returns the events of a run as texts, and checks what the store says about them.
func read(t *testing.T, s store.Store, id string, from wf.Revision) []string {
	t.Helper()
	var out []string
	var last wf.Revision
	for e, err := range s.Events(ctx, id, from) {
		check(t, "events of "+id, err)
		if last != 0 && e.Revision != last+1 {
			t.Fatalf("events of %s: %d comes after %d", id, e.Revision, last)
		}
		if last == 0 && from != 0 && e.Revision != from {
			t.Fatalf("events of %s: %d is the first, asked from %d", id, e.Revision, from)
		}
		last = e.Revision
		out = append(out, string(e.Data))
	}
	return out
}

func head(t *testing.T, s store.Store, id string) wf.RunHead {
	t.Helper()
	h, err := s.Head(ctx, id)
	check(t, "head", err)
	return h
}

// all lists everything, page by page.
func all(t *testing.T, s store.Store, q wf.RunQuery) []wf.RunHead {
	t.Helper()
	var out []wf.RunHead
	for {
		page, err := s.List(ctx, q)
		check(t, "list", err)
		out = append(out, page.Runs...)
		if q.Cursor = page.Next; q.Cursor == "" {
			return out
		}
	}
}

// together runs f in n goroutines at once.
func together(n int, f func(i int)) {
	var all sync.WaitGroup
	begin := make(chan struct{})
	for i := range n {
		all.Go(func() {
			<-begin
			f(i)
		})
	}
	close(begin)
	all.Wait()
}

func idOf(i int) string { return fmt.Sprintf("run_%05d", i) }
