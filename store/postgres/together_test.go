package postgres_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/store/postgres"
)

// While another program holds a run too long, a change of it is refused and nothing happened; those beside it are kept.
func TestLocked(t *testing.T) {
	t.Parallel()
	address := server(t)
	name := schema(t, address)
	s := opened(t, address, &postgres.Options{Schema: name, Timeout: 4 * time.Second})
	for _, id := range []string{"a", "held", "z"} {
		if _, err := s.Create(ctx, wf.NewRun{RunID: id, Owner: "p", TTL: time.Hour}); err != nil {
			t.Fatal(err)
		}
	}
	conn := connect(t, address)
	tx, err := conn.Begin(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(ctx, "SELECT 1 FROM "+name+".runs WHERE id = 'held' FOR UPDATE"); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for _, id := range []string{"a", "held", "z"} {
		all.Go(func() {
			_, err := s.Append(ctx, wf.Append{RunID: id, Fence: 1, Events: [][]byte{[]byte("e")}})
			if id != "held" && err != nil {
				t.Errorf("beside it: %v", err)
			}
			if id == "held" && (err == nil || wf.IsAmbiguous(err) || !strings.Contains(err.Error(), "holds what is to be changed")) {
				t.Errorf("a run that is held: %v", err)
			}
		})
	}
	all.Wait()
	if err := tx.Rollback(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Append(ctx, wf.Append{RunID: "held", Fence: 1, Events: [][]byte{[]byte("e")}}); err != nil {
		t.Errorf("after it: %v", err)
	}
}

// Several stores in one schema: none gets what another has, and late writers are refused.
func TestTwoInOneSchema(t *testing.T) {
	t.Parallel()
	address := server(t)
	opts := &postgres.Options{Schema: schema(t, address)}
	stores := []*postgres.Store{opened(t, address, opts), opened(t, address, opts)}
	const n = 60
	for i := range n {
		if _, err := stores[i%2].Create(ctx, wf.NewRun{RunID: fmt.Sprint("r", i), WakeAt: time.Unix(1, 0)}); err != nil {
			t.Fatal(err)
		}
	}
	var mu sync.Mutex
	owner := map[string]int{}
	var all sync.WaitGroup
	for i := range 4 {
		all.Go(func() {
			for {
				heads, err := stores[i%2].Claim(ctx, wf.ClaimRequest{Owner: fmt.Sprint(i), TTL: time.Hour, Max: 3})
				if err != nil {
					t.Errorf("claim: %v", err)
					return
				}
				mu.Lock()
				for _, h := range heads {
					if other, taken := owner[h.RunID]; taken {
						t.Errorf("%s was claimed by %d and %d", h.RunID, other, i)
					}
					owner[h.RunID] = i
				}
				done := len(owner) == n
				mu.Unlock()
				if done { // nothing to claim may mean that another is just claiming
					return
				}
			}
		})
	}
	all.Wait()
	if err := stores[0].Release(ctx, wf.Lease{RunID: "r0", Fence: 1}); err != nil {
		t.Fatal(err)
	}
	if _, err := stores[1].Claim(ctx, wf.ClaimRequest{Owner: "b", TTL: time.Hour, Only: "r0"}); err != nil {
		t.Fatal(err)
	}
	_, err := stores[0].Append(ctx, wf.Append{RunID: "r0", Fence: 1})
	if e, ok := errors.AsType[*wf.FencedError](err); !ok || e.Current != 2 {
		t.Errorf("a late writer: %v", err)
	}
}

// Stores that change the same things in groups do not stand in each other's way, and one of them wins each time.
func TestRacingStores(t *testing.T) {
	t.Parallel()
	address := server(t)
	opts := &postgres.Options{Schema: schema(t, address)}
	stores := []*postgres.Store{opened(t, address, opts), opened(t, address, opts)}
	const rounds, things = 20, 8
	var mu sync.Mutex
	won := map[string]int{}
	for round := range rounds {
		var all sync.WaitGroup
		for i := range 2 * things {
			all.Go(func() {
				s, id := stores[i%2], fmt.Sprint("r", i/2)
				post := fmt.Sprint("m", round)
				if round == 0 {
					if _, err := s.Create(ctx, wf.NewRun{RunID: id}); err != nil {
						t.Errorf("create: %v", err)
					}
				}
				fresh, err := s.Post(ctx, id, wf.Message{ID: post})
				if err != nil {
					t.Errorf("post: %v", err)
				}
				_, err = s.PutRecord(ctx, "k", id, uint64(round), nil)
				if _, conflict := errors.AsType[*wf.ConflictError](err); err != nil && !conflict {
					t.Errorf("put: %v", err)
				}
				mu.Lock()
				defer mu.Unlock()
				if fresh {
					won[id+post]++
				}
				if err == nil {
					won[id+fmt.Sprint(" record ", round)]++
				}
			})
		}
		all.Wait()
	}
	if len(won) != 2*rounds*things {
		t.Errorf("%d changes were made, want %d", len(won), 2*rounds*things)
	}
	for what, n := range won {
		if n != 1 {
			t.Errorf("%s: %d were told that theirs was the one", what, n)
		}
	}
}

// A watcher hears of what another process does, by name.
func TestWatchAcross(t *testing.T) {
	t.Parallel()
	address := server(t)
	opts := &postgres.Options{Schema: schema(t, address)}
	s, other := opened(t, address, opts), opened(t, address, opts)
	for round := range 2 { // and again after it was stopped
		heard := make(chan string, 100)
		stop := s.Watch(func(id string) { heard <- id })
		if id := <-heard; id != "" {
			t.Errorf("first heard of %q, want any", id)
		}
		run := fmt.Sprint("r", round)
		if _, err := other.Create(ctx, wf.NewRun{RunID: run, Owner: "p", TTL: time.Hour}); err != nil {
			t.Fatal(err)
		}
		if id := <-heard; id != run {
			t.Errorf("heard of %q", id)
		}
		stop()
		if len(heard) > 0 {
			t.Errorf("heard more: %q", <-heard)
		}
	}
}
