package wftest_test

import (
	"testing"

	"lda.chat/wf/wftest"
)

// The test that the README shows.
func TestReply(t *testing.T) {
	h := wftest.New(t, nil)
	h.Stub("llm.draft", wftest.Output(`{"text": "Dear Sir"}`), wftest.Output(`{"text": "Dear Ada"}`))
	h.Stub("mail.send")
	run := h.Start(wftest.ReadPlan(t, "testdata/reply.plan.json"), `{"mail": "Hello, this is Ada"}`)
	run.Answer("approve", "rejected", `{"comment": "her name is Ada"}`)
	run.Answer("approve", "approved", nil)
	run.WantOutcome("ok")
	run.WantTrace("testdata/reply.trace")
}
