// Package drivetest is what runs on a journal must keep, as a suite: that nothing acknowledged is lost, and nothing is done twice that
// was recorded, whoever dies, freezes, races or cannot reach the store. A store passes it in one line:
//
//	func TestRuns(t *testing.T) { drivetest.Run(t, open, nil) }
//
// It presupposes package storetest, which is about the store alone.
package drivetest

import (
	"context"
	"os"
	"testing"

	"lda.chat/wf/store"
	"lda.chat/wf/store/storetest"
)

// Options configure the suite.
type Options struct {
	Points int // every how manieth crash point is tried; 0: each
	Runs   int // how many runs lie and flow where it is about many; 0: 1000, with WF_SEEDS 10,000
	Kills  int // how often a process is killed at a random moment; 0: 3, with WF_SEEDS 20
	Steps  int // how many steps a long run takes; 0: 1,000
}

// Run runs the suite. What [store.Caps] promises decides what is tested: stores that outlast their process are driven by processes
// that are killed, and by several at a time where they can be.
func Run(t *testing.T, open storetest.Open, opts *Options) {
	if text := os.Getenv(childEnv); text != "" {
		child(t, open, text)
		return
	}
	if testing.Short() {
		t.Skip("-short: no runs are driven")
	}
	s := &suite{open: open, name: t.Name()}
	if opts != nil {
		s.Options = *opts
	}
	many, kills := 1000, 3
	if os.Getenv("WF_SEEDS") != "" { // as much as there is time for
		many, kills = 10_000, 20
	}
	s.Points, s.Runs, s.Kills, s.Steps = max(s.Points, 1), or(s.Runs, many), or(s.Kills, kills), or(s.Steps, 1000)
	for _, test := range []struct {
		name  string
		needs need
		run   func(*suite, *testing.T)
	}{
		{"journey", nothing, (*suite).journey},
		{"IN-09 answered in another runtime", nothing, (*suite).answeredElsewhere},
		{"step by step", nothing, (*suite).stepByStep},
		{"step while waiting", nothing, (*suite).stepWhileWaiting},
		{"started twice", nothing, (*suite).startedTwice},
		{"listed by labels", nothing, (*suite).listed},
		{"cancelled from another runtime", nothing, (*suite).cancelledElsewhere},
		{"TM-03 back-off over runtimes", nothing, (*suite).backOff},
		{"TM-01 long waits", nothing, (*suite).longWaits},
		{"deadlines over runtimes", nothing, (*suite).deadlines},
		{"CR-01 every crash point", nothing, (*suite).crashPoints},
		{"CR-03 a live owner", nothing, (*suite).liveOwner},
		{"CR-05 a stale sweeper", nothing, (*suite).staleSweeper},
		{"CR-07 a finished branch", nothing, (*suite).finishedBranch},
		{"CR-09 a long call", nothing, (*suite).longCall},
		{"PS-01 two drivers", nothing, (*suite).twoDrivers},
		{"in doubt", nothing, (*suite).inDoubt},
		{"crash loop", nothing, (*suite).crashLoop},
		{"lost calls one by one", nothing, (*suite).oneByOne},
		{"racing answers", nothing, (*suite).racingAnswers},
		{"racing decisions", nothing, (*suite).racingDecisions},
		{"cancel racing answer", nothing, (*suite).cancelRacing},
		{"timeout racing answer", nothing, (*suite).timeoutRacing},
		{"store trouble", nothing, (*suite).trouble},
		{"store closed", nothing, (*suite).closed},
		{"graceful stop", nothing, (*suite).graceful},
		{"grace over", nothing, (*suite).graceOver},
		{"back-pressure", nothing, (*suite).backPressure},
		{"parked runs", nothing, (*suite).parked},
		{"functions missing", nothing, (*suite).missing},
		{"IN-07 plan of the start", nothing, (*suite).pinned},
		{"PF-01 growth of the journal", nothing, (*suite).growth},
		{"a document that is passed on", nothing, (*suite).passedOn},
		{"PF-05 pauses", nothing, (*suite).pauses},
		{"commits", nothing, (*suite).commits},
		{"killed processes", lasting, (*suite).killedProcesses},
		{"killed after each acknowledgement", lasting, (*suite).killedAtEach},
		{"neighbours of a deadly call", lasting, (*suite).neighbours},
		{"two workers", severalProcesses, (*suite).twoWorkers},
		{"answers of two processes", severalProcesses, (*suite).racingProcesses},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s.require(t, test.needs)
			test.run(s, t)
		})
	}
}

func or(n, otherwise int) int {
	if n == 0 {
		return otherwise
	}
	return n
}

type suite struct {
	Options
	open storetest.Open
	name string
}

// need is what a case asks of a store.
type need int

const (
	nothing need = iota
	lasting
	severalProcesses
)

func (s *suite) require(t *testing.T, n need) {
	t.Helper()
	if n == nothing {
		return
	}
	st := s.at(t, t.TempDir(), newClock())
	caps := st.Caps()
	switch {
	case caps.Durability == store.Nothing:
		t.Skip("the store does not outlast its process, and says so")
	case n == severalProcesses && !caps.MultiProcess:
		t.Skip("the store is for one process, and says so")
	}
}

// at opens the store in a folder until the test is over.
func (s *suite) at(t *testing.T, dir string, c *clock) store.Store {
	t.Helper()
	st, err := s.open(dir, c.Now)
	check(t, "open", err)
	t.Cleanup(func() { _ = st.Close() })
	return st
}

var ctx = context.Background()
