package apitest

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"lda.chat/wf/lifecycle"
	"lda.chat/wf/source"
)

// OpenTwo makes two APIs with the sources on one store that nobody else uses.
type OpenTwo func(t *testing.T, set *source.Set) (one, other lifecycle.API)

// Race runs the part of the suite in which two work on the same things at once.
func Race(t *testing.T, open OpenTwo) {
	for _, test := range []struct {
		name string
		run  func(*suite, [2]lifecycle.API)
	}{
		{"one revision", (*suite).raceForRevisions},
		{"whatever is there", (*suite).raceForDraft},
		{"one version", (*suite).raceForVersion},
		{"the next version", (*suite).raceForNext},
		{"one id", (*suite).raceForID},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			set, err := source.NewSet(t.Context(), demo{}, spare{})
			if err != nil {
				t.Fatal(err)
			}
			one, other := open(t, set)
			test.run(&suite{T: t, api: one, ctx: t.Context()}, [2]lifecycle.API{one, other})
		})
	}
}

// racers is how many try at once, on two APIs.
const racers = 8

// together lets all racers go at once, and gives their errors.
func together(apis [2]lifecycle.API, do func(api lifecycle.API, i int) error) []error {
	errs := make([]error, racers)
	var all sync.WaitGroup
	start := make(chan struct{})
	for i := range racers {
		all.Go(func() {
			<-start
			errs[i] = do(apis[i%2], i)
		})
	}
	close(start)
	all.Wait()
	return errs
}

// oneWins checks that all but one failed with a conflict.
func (s *suite) oneWins(errs []error, code string) {
	s.Helper()
	won := 0
	for _, err := range errs {
		if err == nil {
			won++
			continue
		}
		e, ok := errors.AsType[*lifecycle.Error](err)
		if !ok || e.Kind != lifecycle.Conflict || string(e.Diagnostics[0].Code) != code || len(e.NextActions) == 0 {
			s.Errorf("a loser is told %v", err)
		}
	}
	if won != 1 {
		s.Errorf("%d of %d have succeeded, expected one", won, len(errs))
	}
}

// Of those who change one revision one succeeds, and its change is what is there.
func (s *suite) raceForRevisions(apis [2]lifecycle.API) {
	s.draft(lifecycle.CreateDraft{DraftID: "raced", Capability: "demo.count"})
	for revision := uint64(1); revision <= 5; revision++ {
		s.oneWins(together(apis, func(api lifecycle.API, i int) error {
			_, err := api.ApplyDraft(s.ctx, &lifecycle.ApplyDraft{DraftChange: lifecycle.DraftChange{DraftID: "raced", Revision: revision},
				Edits: json.RawMessage(fmt.Sprintf(`{"op": "set-name", "name": "n%d_%d"}`, revision, i))})
			return err
		}), "revision_conflict")
	}
	if d := s.shown("raced", ""); d.Revision != 6 || !strings.HasPrefix(d.Name, "n5_") {
		s.Errorf("it is %s at revision %d", d.Name, d.Revision)
	}
}

// Those who change whatever is there all succeed, and no change is lost.
func (s *suite) raceForDraft(apis [2]lifecycle.API) {
	s.draft(lifecycle.CreateDraft{DraftID: "raced", Name: "raced"})
	for _, err := range together(apis, func(api lifecycle.API, i int) error {
		_, err := api.ApplyDraft(s.ctx, &lifecycle.ApplyDraft{DraftChange: lifecycle.DraftChange{DraftID: "raced"},
			Edits: json.RawMessage(fmt.Sprintf(`{"op": "add-step", "step": {"id": "step_%d", "node": "demo.count"}}`, i))})
		return err
	}) {
		if err != nil {
			s.Error(err)
		}
	}
	if d := s.shown("raced", ""); d.Steps != racers || d.Revision != racers+1 {
		s.Errorf("it has %d steps at revision %d", d.Steps, d.Revision)
	}
	events, err := s.api.ListEvents(s.ctx, &lifecycle.ListEvents{Method: "drafts.apply"})
	if err != nil || len(events.Events) != racers {
		s.Errorf("%d events, %v", len(events.Events), err)
	}
}

// Of those who save other things under one version one succeeds; the same is saved by all.
func (s *suite) raceForVersion(apis [2]lifecycle.API) {
	save := func(title func(i int) string) func(api lifecycle.API, i int) error {
		return func(api lifecycle.API, i int) error {
			_, err := api.CreateArtifact(s.ctx, &lifecycle.CreateArtifact{Plan: json.RawMessage(counting), Version: "1", Artifact: title(-1), Title: title(i)})
			return err
		}
	}
	s.oneWins(together(apis, save(func(i int) string { return fmt.Sprintf("title%d", max(i, 0)) })), "version_exists")
	for _, err := range together(apis, save(func(int) string { return "same" })) {
		if err != nil {
			s.Errorf("the same: %v", err)
		}
	}
}

// Those who save under the next version get one each.
func (s *suite) raceForNext(apis [2]lifecycle.API) {
	for _, err := range together(apis, func(api lifecycle.API, i int) error {
		_, err := api.CreateArtifact(s.ctx, &lifecycle.CreateArtifact{Plan: json.RawMessage(counting), Title: fmt.Sprint(i)})
		return err
	}) {
		if err != nil {
			s.Error(err)
		}
	}
	titles := map[string]bool{}
	list, err := s.api.ListArtifacts(s.ctx, &lifecycle.ListArtifacts{})
	if err != nil {
		s.Fatal(err)
	}
	for i, a := range list.Artifacts {
		titles[a.Title] = true
		if want := fmt.Sprintf("counting@%d", i+1); a.Artifact != want {
			s.Errorf("%s, expected %s", a.Artifact, want)
		}
	}
	if len(titles) != racers {
		s.Errorf("%d of %d are there", len(titles), racers)
	}
}

// Of those who begin a draft under one id one succeeds.
func (s *suite) raceForID(apis [2]lifecycle.API) {
	s.oneWins(together(apis, func(api lifecycle.API, i int) error {
		_, err := api.CreateDraft(s.ctx, &lifecycle.CreateDraft{DraftID: "raced", Name: fmt.Sprintf("n%d", i)})
		return err
	}), "draft_exists")
}
