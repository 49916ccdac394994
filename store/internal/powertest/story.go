package powertest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/store"
	"lda.chat/wf/store/internal/blob"
)

var ctx = context.Background()

// step is one operation on a store. Each has a moment of its own.
type step struct {
	name  string
	do    func(store.Store) error // nil: the store is closed and opened again
	soft  bool                    // a store may answer before the change is durable
	group bool                    // several changes, each of which may happen alone
	blob  bool                    // whoever does not get an answer may find it there all the same
}

func moment(n int) time.Time {
	return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC).Add(time.Duration(n) * time.Second)
}

func create(id string, events ...string) step {
	return step{name: "create " + id, do: func(s store.Store) error {
		_, err := s.Create(ctx, wf.NewRun{RunID: id, Kernel: 1, Owner: "p", TTL: time.Hour, Labels: map[string]string{"of": id}, Events: lines(events...)})
		return err
	}}
}

func add(a wf.Append, events ...string) step {
	a.Events = lines(events...)
	return step{name: "append to " + a.RunID, do: func(s store.Store) error {
		_, err := s.Append(ctx, a)
		return err
	}}
}

func put(key string, revision uint64, value string) step {
	return step{name: "put " + key, do: func(s store.Store) error {
		_, err := s.PutRecord(ctx, "kind", key, revision, []byte(value))
		return err
	}}
}

func putBlob(content string) step {
	return step{name: "put a blob", blob: true, do: func(s store.Store) error {
		_, err := s.PutBlob(ctx, strings.NewReader(content))
		return err
	}}
}

func do(name string, f func(store.Store) error) step { return step{name: name, do: f} }

func lines(events ...string) (list [][]byte) {
	for _, e := range events {
		list = append(list, []byte(e))
	}
	return list
}

// together does several changes at once, which a store may keep by one commit.
func together(steps ...step) step {
	return step{name: "a group", group: true, do: func(s store.Store) error {
		errs := make([]error, len(steps))
		var all sync.WaitGroup
		for i, one := range steps {
			all.Go(func() { errs[i] = one.do(s) })
		}
		all.Wait()
		return errors.Join(errs...)
	}}
}

var blobs = []string{"a small blob", strings.Repeat("a blob of some pages\n", 600)}

// story uses all that a store can change, values of many sectors among it. It is opened first.
var story = []step{
	{name: "open"},
	create("a", "one", strings.Repeat("two ", 300)),
	create("b"),
	add(wf.Append{RunID: "a", Expect: 2, Fence: 1, Snapshot: []byte(strings.Repeat("state ", 1000))}, "three"),
	do("post", func(s store.Store) error {
		_, err := s.Post(ctx, "a", wf.Message{ID: "m1", Kind: "answer", Data: []byte("yes")})
		return err
	}),
	add(wf.Append{RunID: "a", Expect: 3, Fence: 1, Consume: []string{"m1"}, Release: true}, "four"),
	{name: "claim", soft: true, do: func(s store.Store) error {
		heads, err := s.Claim(ctx, wf.ClaimRequest{Owner: "q", TTL: time.Hour, Only: "a"})
		if err == nil && len(heads) != 1 {
			return errors.New("a free run was not claimed")
		}
		return err
	}},
	add(wf.Append{RunID: "a", Expect: 4, Fence: 2, Status: wf.StatusInterrupted, WakeAt: moment(5000)}, "five"),
	put("x", 0, "first"),
	put("x", 1, strings.Repeat("second ", 400)),
	put("y", 0, ""),
	do("fork", func(s store.Store) error {
		_, err := s.Fork(ctx, "a", 3, wf.NewRun{RunID: "c", Owner: "p", TTL: time.Hour, Events: lines("of c")})
		return err
	}),
	putBlob(blobs[0]),
	together(add(wf.Append{RunID: "a", Expect: 5, Fence: 2}, "six", string(make([]byte, 1500))), add(wf.Append{RunID: "b", Fence: 1}, strings.Repeat("b", 700)),
		add(wf.Append{RunID: "c", Expect: 4, Fence: 1}, "c"), put("z", 0, "grouped")),
	{name: "open again"},
	do("prune", func(s store.Store) error { return s.Prune(ctx, "a", 3) }),
	add(wf.Append{RunID: "b", Expect: 1, Fence: 1, Status: wf.StatusCompleted}, "done"),
	{name: "release", soft: true, do: func(s store.Store) error { return s.Release(ctx, wf.Lease{RunID: "a", Fence: 2}) }},
	do("delete a record", func(s store.Store) error { return s.DeleteRecord(ctx, "kind", "y", 1) }),
	do("delete a run", func(s store.Store) error { return s.DeleteRun(ctx, "b") }),
	putBlob(blobs[1]),
	create("b", "again"),
	{name: "close and open again"},
	put("x", 2, "third"),
}

// state is what can be read from a store: of each thing all that is durable.
type state map[string]string

func read(s store.Store) (state, error) {
	all := state{}
	for q := (wf.RunQuery{Limit: 2}); ; {
		page, err := s.List(ctx, q)
		if err != nil {
			return nil, err
		}
		for _, h := range page.Runs {
			if all["run "+h.RunID], err = readRun(s, h); err != nil {
				return nil, fmt.Errorf("run %s: %w", h.RunID, err)
			}
		}
		if q.Cursor = page.Next; q.Cursor == "" {
			break
		}
	}
	records, err := s.ScanRecords(ctx, "kind", "", "", 100)
	if err != nil {
		return nil, err
	}
	for _, r := range records.Records {
		all["record "+r.Key] = fmt.Sprintf("%d %v %q", r.Revision, r.Updated, r.Value)
	}
	for _, content := range blobs {
		r, err := s.OpenBlob(ctx, store.BlobRef{Digest: blob.Digest([]byte(content)), Size: int64(len(content))})
		if _, none := errors.AsType[*wf.NotFoundError](err); none {
			continue
		}
		if err != nil {
			return nil, err
		}
		data, err := io.ReadAll(r)
		if err = errors.Join(err, r.Close()); err != nil {
			return nil, err
		}
		all["blob "+content[:12]] = string(data)
	}
	return all, nil
}

func readRun(s store.Store, h wf.RunHead) (string, error) {
	h.LeaseUntil = time.Time{} // ends with its process, or not
	text := fmt.Sprintf("%+v", h)
	for e, err := range s.Events(ctx, h.RunID, 0) {
		if err != nil {
			return "", err
		}
		text += fmt.Sprintf("\n%d %d %v %q", e.Revision, e.Fence, e.At, e.Data)
	}
	pending, err := s.Pending(ctx, h.RunID)
	if err != nil {
		return "", err
	}
	for _, m := range pending {
		text += fmt.Sprintf("\n%s %s %v %q", m.ID, m.Kind, m.At, m.Data)
	}
	snap, err := s.LoadSnapshot(ctx, h.RunID, 0)
	if _, none := errors.AsType[*wf.NotFoundError](err); none {
		return text, nil
	}
	return text + fmt.Sprintf("\n%d %q", snap.Revision, snap.Data), err
}

// String names what there is and how long it is, which is enough to tell two states of the story apart.
func (s state) String() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(s)) {
		first, _, _ := strings.Cut(s[name], "\n")
		fmt.Fprintf(&b, "  %s: %d bytes, %.150s\n", name, len(s[name]), first)
	}
	return b.String()
}

// between reports whether each thing in s is as it was before a group of changes, or as it was after it.
func (s state) between(before, after state) bool {
	for _, names := range []state{s, before, after} {
		for name := range names {
			now, is := s[name]
			old, was := before[name]
			next, will := after[name]
			if !(is == was && now == old) && !(is == will && now == next) {
				return false
			}
		}
	}
	return true
}
