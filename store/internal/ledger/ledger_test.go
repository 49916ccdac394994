package ledger

import (
	"slices"
	"testing"
	"time"

	"lda.chat/wf"
)

// A run that is deleted and made again in one commit is another run.
func TestMadeAgainInOneCommit(t *testing.T) {
	t.Parallel()
	at := time.Unix(1000, 0).UTC()
	l := New()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	create := func(tx *Tx, id string, status wf.RunStatus, wake time.Time) {
		t.Helper()
		_, err := tx.Create(&wf.NewRun{RunID: id, Content: id, Status: status, WakeAt: wake})
		must(err)
	}
	tx := l.Begin(at)
	create(tx, "a", wf.StatusRunning, at)
	_, err := tx.Post("a", &wf.Message{ID: "m"})
	must(err)
	_, err = tx.Claim(&wf.ClaimRequest{Owner: "p", TTL: time.Minute, Max: 1})
	must(err)
	_, err = tx.Append(&wf.Append{RunID: "a", Fence: 1, Status: wf.StatusCompleted})
	must(err)
	create(tx, "b", wf.StatusRunning, at.Add(time.Hour))
	l.Publish(tx)

	tx = l.Begin(at.Add(time.Second))
	must(tx.DeleteRun("a"))
	create(tx, "a", wf.StatusRunning, at)
	l.Publish(tx)

	var order, due []string
	for _, s := range l.order {
		order = append(order, s.id)
	}
	for s := range l.due.inOrder {
		due = append(due, s.id)
	}
	if !slices.Equal(order, []string{"b", "a"}) || !slices.Equal(due, []string{"a", "b"}) {
		t.Errorf("by age %v, by when they are due %v", order, due)
	}
	tx = l.Begin(at)
	if fresh, err := tx.Post("a", &wf.Message{ID: "m"}); !fresh || err != nil {
		t.Errorf("the new run knows the messages of the old one: %v, %v", fresh, err)
	}
}

// The line of those who are due keeps its order, whatever comes and goes.
func TestDueInOrder(t *testing.T) {
	t.Parallel()
	var h heap
	slots := map[int]*slot{}
	for i := range 2000 {
		k := i * 7919 % 500
		if s := slots[k]; s != nil && i%3 == 0 {
			h.remove(s.index)
			delete(slots, k)
		} else if s != nil {
			s.ready = time.Unix(int64(i*104729%1000), 0)
			h.fix(s.index)
		} else {
			slots[k] = &slot{id: string(rune('a' + k)), ready: time.Unix(int64(i*31%1000), 0)}
			h.add(slots[k])
		}
		if i%100 != 0 {
			continue
		}
		var last *slot
		n := 0
		for s := range h.inOrder {
			if last != nil && !before(last, s) {
				t.Fatalf("after %d: %v comes before %v", i, last.ready, s.ready)
			}
			last = s
			n++
		}
		if n != len(slots) {
			t.Fatalf("after %d: %d are in the line, want %d", i, n, len(slots))
		}
	}
}
