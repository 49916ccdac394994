package store_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/store"
)

// A process takes a run, writes down what it did, and parks the run until somebody answers.
func ExampleNewMemory() {
	ctx := context.Background()
	s := store.NewMemory(nil)
	defer s.Close()

	run, err := s.Create(ctx, wf.NewRun{RunID: "run_1", Owner: "worker-a", TTL: time.Minute, Events: [][]byte{[]byte(`{"event":"started"}`)}})
	if err != nil {
		fmt.Println(err)
		return
	}
	run, err = s.Append(ctx, wf.Append{RunID: run.RunID, Expect: run.Revision, Fence: run.Fence,
		Events: [][]byte{[]byte(`{"event":"asked"}`)}, Status: wf.StatusInterrupted, Release: true})
	fmt.Println(run.Revision, run.Status, err)

	fresh, err := s.Post(ctx, "run_1", wf.Message{ID: "/ask", Kind: "resume", Data: []byte(`{"outcome":"approved"}`)})
	fmt.Println(fresh, err)
	heads, err := s.Claim(ctx, wf.ClaimRequest{Owner: "worker-b", TTL: time.Minute})
	fmt.Println(len(heads), heads[0].Owner, heads[0].Fence, err)

	_, err = s.Append(ctx, wf.Append{RunID: "run_1", Expect: run.Revision, Fence: run.Fence})
	fmt.Println(err)
	// Output:
	// 2 interrupted <nil>
	// true <nil>
	// 1 worker-b 2 <nil>
	// run "run_1": the lease with fence 1 is lost, the run has fence 2 now
}

// Drafts and deployments are changed by those who know their revision.
func ExampleRecords() {
	ctx := context.Background()
	var s store.Records = store.NewMemory(nil)
	first, _ := s.PutRecord(ctx, "draft", "report", 0, []byte(`{"name":"report"}`))
	second, _ := s.PutRecord(ctx, "draft", "report", first, []byte(`{"name":"report","steps":[]}`))
	_, err := s.PutRecord(ctx, "draft", "report", first, []byte(`{}`))
	fmt.Println(first, second, err)
	if conflict, ok := errors.AsType[*wf.ConflictError](err); ok {
		fmt.Println("go on from", conflict.Current)
	}
	// Output:
	// 1 2 draft "report" is at revision 2, expected 1; read it again
	// go on from 2
}
