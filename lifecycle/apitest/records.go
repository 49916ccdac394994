package apitest

import (
	"encoding/json"
	"slices"
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle"
)

// Who knows nothing but the advice comes from a capability, or from a plan, to a saved artifact.
func (s *suite) advisedToRun() {
	runs := 0
	for _, p := range []lifecycle.CreateDraft{
		{DraftID: "from-capability", Capability: "demo.count"}, {DraftID: "from-plan", Plan: json.RawMessage(counting)},
		{DraftID: "from-fields", Plan: json.RawMessage(strings.ReplaceAll(counting, `"input":`, `"inputs":`))},
	} {
		advice, steps := s.draft(p).Advice, 0
		for advice.CanContinue {
			if steps++; steps > 8 {
				s.Fatalf("%s: the advice leads nowhere: %+v", p.DraftID, advice)
			}
			a := advice.NextActions[0]
			out, err := lifecycle.Call(s.ctx, s.api, a.Method, a.Params)
			if err != nil {
				s.Fatalf("%s: %s %s: %v", p.DraftID, a.Method, a.Params, err)
			}
			switch r := out.(type) {
			case *lifecycle.Draft:
				advice = r.Advice
			case *lifecycle.Deployment:
				advice = r.Advice
			case *lifecycle.Run:
				advice = r.Advice
				if r.Status != wf.StatusCompleted {
					s.Errorf("%s: the run is %s", p.DraftID, r.Status)
				}
				runs++
			case *lifecycle.Artifact:
				advice = r.Advice
				if r.Version != "1" {
					s.Errorf("%s is saved as %s", p.DraftID, r.Artifact)
				}
			}
		}
	}
	if runs != 3 {
		s.Errorf("%d runs, expected three", runs)
	}
	list, err := s.api.ListArtifacts(s.ctx, &lifecycle.ListArtifacts{})
	if err != nil || len(list.Artifacts) != 2 { // two of them are one plan
		s.Errorf("saved: %+v, %v", list, err)
	}
}

// strangeIDs are ids that leave a folder, fill a name, look like others, or mean something to a machine. Those that are taken
// are kept apart from each other.
var strangeIDs = []struct {
	id    string
	taken bool
}{
	{"a", true}, {"A", true}, {"a.b", true}, {"a..b", true}, {"a_b-c.1", true}, {strings.Repeat("a", 128), true}, {strings.Repeat("a", 127) + "A", true},
	{"CON", true}, {"con", true}, {"NUL.json", true}, {"com1", true}, {"aux.", true}, {"0", true},
	{"", false}, {".", false}, {"..", false}, {"../a", false}, {"a/b", false}, {`a\b`, false}, {"/a", false}, {"C:a", false}, {"-a", false}, {"_a", false},
	{".hidden", false}, {strings.Repeat("a", 129), false}, {strings.Repeat("a", 10_000), false}, {"a b", false}, {" a", false}, {"a\n", false}, {"a\x00", false},
	{"a@1", false}, {"a%2e", false}, {"caf\u00e9", false}, {"cafe\u0301", false}, {"\u0430", false}, {"\uff41", false}, {"a\u200b", false}, {"\xff", false}, {"a*", false}, {"a~1", false},
}

func (s *suite) ids() {
	var taken []string
	for _, c := range strangeIDs {
		_, err := s.api.CreateDraft(s.ctx, &lifecycle.CreateDraft{DraftID: c.id, Name: "p"})
		if c.taken != (err == nil) {
			s.Errorf("the draft %.40q: %v", c.id, err)
		}
		_, failed := s.api.CreateArtifact(s.ctx, &lifecycle.CreateArtifact{Plan: json.RawMessage(counting), Artifact: c.id, Version: "1", Title: c.id})
		if c.taken != (failed == nil) && c.id != "" {
			s.Errorf("the artifact %.40q: %v", c.id, failed)
		}
		if c.taken {
			taken = append(taken, c.id)
			continue
		}
		s.wants(err, lifecycle.BadRequest, "params_invalid")
		for _, err := range []error{
			second(s.api.ShowDraft(s.ctx, &lifecycle.ShowDraft{DraftID: c.id})),
			second(s.api.DeleteDraft(s.ctx, &lifecycle.DeleteDraft{DraftChange: lifecycle.DraftChange{DraftID: c.id}})),
			second(s.api.ShowArtifact(s.ctx, &lifecycle.ShowArtifact{Artifact: c.id + "@1"})),
			second(s.api.ShowArtifact(s.ctx, &lifecycle.ShowArtifact{Artifact: "a@" + c.id})),
		} {
			s.wants(err, lifecycle.BadRequest, "params_invalid")
		}
		if c.id != "" {
			_, err = s.api.CreateArtifact(s.ctx, &lifecycle.CreateArtifact{Plan: json.RawMessage(counting), Version: c.id})
			s.wants(err, lifecycle.BadRequest, "params_invalid")
		}
	}
	for _, id := range taken {
		a, err := s.api.ShowArtifact(s.ctx, &lifecycle.ShowArtifact{Artifact: id + "@1"})
		if err != nil || a.Title != id || a.Name != id {
			s.Errorf("%.40q is %+v, %v", id, a, err)
		}
	}
	list, err := s.api.ListDrafts(s.ctx, &lifecycle.ListDrafts{})
	slices.Sort(taken)
	var got []string
	for _, d := range list.Drafts {
		got = append(got, d.DraftID)
	}
	if err != nil || !slices.Equal(got, taken) {
		s.Errorf("the drafts are %q, expected %q, %v", got, taken, err)
	}
}

// Whatever is changed is told of, once, with who did it; what is only looked at, or stays as it was, is not.
func (s *suite) events() {
	s.draft(lifecycle.CreateDraft{DraftID: "told", Capability: "demo.count"})
	if _, err := s.apply("told", 1, `{"op": "set-name", "name": "told"}`); err != nil {
		s.Fatal(err)
	}
	for range 2 {
		if _, err := s.api.SaveDraft(s.ctx, &lifecycle.SaveDraft{DraftChange: lifecycle.DraftChange{DraftID: "told"}}); err != nil {
			s.Fatal(err)
		}
	}
	_, err := s.apply("told", 1, `{"op": "set-name", "name": "late"}`)
	s.wants(err, lifecycle.Conflict, "revision_conflict")
	if _, err := s.api.FixDraft(s.ctx, &lifecycle.FixDraft{DraftChange: lifecycle.DraftChange{DraftID: "told"}}); err != nil {
		s.Fatal(err)
	}
	if _, err := s.api.DeleteDraft(s.ctx, &lifecycle.DeleteDraft{DraftChange: lifecycle.DraftChange{DraftID: "told"}}); err != nil {
		s.Fatal(err)
	}
	var told []string
	for p := (lifecycle.ListEvents{Limit: 3}); ; {
		list, err := s.api.ListEvents(s.ctx, &p)
		if err != nil {
			s.Fatal(err)
		}
		s.advised(list.Advice)
		for _, e := range list.Events {
			if e.At.IsZero() || e.ID == "" {
				s.Errorf("the event is %+v", e)
			}
			told = append(told, e.Method+" "+e.Subject)
		}
		if p.Cursor = list.Next; p.Cursor == "" {
			break
		}
	}
	want := []string{"drafts.delete draft:told", "drafts.save artifact:told@1", "drafts.apply draft:told", "drafts.create draft:told"}
	if !slices.Equal(told, want) {
		s.Errorf("it tells of %q, expected %q", told, want)
	}
	one, err := s.api.ListEvents(s.ctx, &lifecycle.ListEvents{Subject: "draft:told", Method: "drafts.apply"})
	if err != nil || len(one.Events) != 1 || one.Events[0].Revision != 2 || !strings.Contains(one.Events[0].Note, "told") {
		s.Errorf("of one operation: %+v, %v", one, err)
	}
	if first, err := s.api.ListEvents(s.ctx, &lifecycle.ListEvents{Method: "drafts.create", Limit: 1}); err != nil || len(first.Events) != 1 {
		s.Errorf("behind others: %+v, %v", first, err)
	}
	run := s.begin(asking, "", "run_1")
	if _, err := s.api.CancelRun(s.ctx, &lifecycle.CancelRun{RunID: run.RunID, Reason: "enough"}); err != nil {
		s.Fatal(err)
	}
	ran, err := s.api.ListEvents(s.ctx, &lifecycle.ListEvents{Subject: "run:run_1"})
	if err != nil || len(ran.Events) != 2 || ran.Events[0].Method != "runs.cancel" || ran.Events[0].Note != "enough" || ran.Events[1].Method != "runs.start" {
		s.Errorf("of a run: %+v, %v", ran, err)
	}
	_, err = s.api.ListEvents(s.ctx, &lifecycle.ListEvents{Limit: 5000})
	s.wants(err, lifecycle.BadRequest, "params_invalid")
}

func (s *suite) catalog() {
	caps, err := s.api.ListCapabilities(s.ctx, &lifecycle.ListCapabilities{Limit: 3})
	if err != nil || len(caps.Capabilities) != 3 || caps.Next == "" || caps.Capabilities[0].Capability != "demo.count" || caps.Capabilities[0].Effect != wf.EffectPure {
		s.Fatalf("capabilities: %+v, %v", caps, err)
	}
	s.advised(caps.Advice)
	rest, err := s.api.ListCapabilities(s.ctx, &lifecycle.ListCapabilities{Cursor: caps.Next})
	if err != nil || len(rest.Capabilities) != 3 || rest.Next != "" {
		s.Errorf("the rest: %+v, %v", rest, err)
	}
	if found, err := s.api.ListCapabilities(s.ctx, &lifecycle.ListCapabilities{Text: "STRICT", Source: "demo"}); err != nil || len(found.Capabilities) != 1 {
		s.Errorf("with a text: %+v, %v", found, err)
	}
	shown, err := s.api.ShowCapability(s.ctx, &lifecycle.ShowCapability{Capability: "demo.count"})
	if err != nil || shown.Contract.Name != "demo.count" || !strings.HasPrefix(shown.Hash, "contract1:") {
		s.Errorf("shown: %+v, %v", shown, err)
	}
	s.advised(shown.Advice)
	_, err = s.api.ShowCapability(s.ctx, &lifecycle.ShowCapability{Capability: "demo.cuont"})
	if e := s.wants(err, lifecycle.NotFound, wf.CodeCapabilityMissing); !strings.Contains(e.Diagnostics[0].RepairHint, "demo.count") {
		s.Errorf("the hint is %q", e.Diagnostics[0].RepairHint)
	}
	_, err = s.api.ListCapabilities(s.ctx, &lifecycle.ListCapabilities{Source: "dmeo"})
	s.wants(err, lifecycle.NotFound, "source_unknown")
	sources, err := s.api.ListSources(s.ctx, &lifecycle.ListSources{})
	if err != nil || len(sources.Sources) != 3 || sources.Sources[0].Capabilities != 4 {
		s.Errorf("sources: %+v, %v", sources, err)
	}
	s.advised(sources.Advice)
	in, err := s.api.InspectSource(s.ctx, &lifecycle.InspectSource{Source: "demo"})
	if err != nil || len(in.Refs) != 4 {
		s.Errorf("inspected: %+v, %v", in, err)
	}
	s.advised(in.Advice)
	codes, err := s.api.ListCodes(s.ctx, &lifecycle.ListCodes{})
	if err != nil || len(codes.Codes) < 200 {
		s.Errorf("%d codes, %v", len(codes.Codes), err)
	}
	s.advised(codes.Advice)
	for _, c := range codes.Codes {
		x, err := s.api.ExplainCode(s.ctx, &lifecycle.ExplainCode{Code: string(c.Code)})
		if err != nil || x.Text == "" || x.Bad == "" || x.Good == "" {
			s.Errorf("%s is explained as %+v, %v", c.Code, x, err)
		}
	}
	some, err := s.api.ListCodes(s.ctx, &lifecycle.ListCodes{Text: "BOUND_twice"})
	if err != nil || len(some.Codes) != 1 || some.Codes[0].Code != wf.CodeSourceBoundTwice {
		s.Errorf("%+v, %v", some, err)
	}
	none, err := s.api.ListCodes(s.ctx, &lifecycle.ListCodes{Text: "nothing has this"})
	if err != nil || none.Codes == nil || len(none.Codes) != 0 {
		s.Errorf("%+v, %v", none, err)
	}
	s.advised(none.Advice)
	_, err = s.api.ExplainCode(s.ctx, &lifecycle.ExplainCode{Code: "node_unknwn"})
	s.wants(err, lifecycle.NotFound, "code_unknown")
	shapes, err := s.api.GetSchemas(s.ctx, &lifecycle.GetSchemas{})
	if err != nil || len(shapes.Shapes) < 10 || shapes.Shapes[0].Name != "workflow" || shapes.Shapes[0].Schema != nil {
		s.Errorf("%d shapes, %v", len(shapes.Shapes), err)
	}
	s.advised(shapes.Advice)
	one, err := s.api.GetSchemas(s.ctx, &lifecycle.GetSchemas{Name: "foreach"})
	if err != nil || len(one.Shapes) != 1 || one.Shapes[0].Name != "foreach_step" || one.Shapes[0].Schema == nil {
		s.Errorf("one shape: %+v, %v", one, err)
	}
	_, err = s.api.GetSchemas(s.ctx, &lifecycle.GetSchemas{Name: "binding"})
	s.wants(err, lifecycle.NotFound, "shape_unknown")
}

// A call is checked on both sides, and recorded nowhere.
func (s *suite) directCalls() {
	call := func(ref, input string) (*lifecycle.CapabilityCall, error) {
		return s.api.CallCapability(s.ctx, &lifecycle.CallCapability{Capability: ref, Input: json.RawMessage(input)})
	}
	c, err := call("demo.count", `{"text": "hello"}`)
	if err != nil || c.Status != wf.StatusCompleted || c.Outcome != wf.OK || string(c.Output) != `{"length":5}` || c.Attempts != 1 {
		s.Fatalf("called: %+v, %v", c, err)
	}
	s.advised(c.Advice)
	_, err = call("demo.strict", `{"text": "too long"}`)
	if e := s.wants(err, lifecycle.Invalid, wf.CodeInputInvalid); e.Diagnostics[0].Path != "/text" || e.Diagnostics[0].Doc != "input" {
		s.Errorf("the finding is %+v", e.Diagnostics[0])
	}
	if c, err = call("demo.fails", ""); err != nil || c.Status != wf.StatusFailed || c.Error == nil || !strings.Contains(c.Error.Message, "no paper") {
		s.Fatalf("a call that fails: %+v, %v", c, err)
	}
	s.advised(c.Advice)
	_, err = call("demo.none", "")
	s.wants(err, lifecycle.NotFound, wf.CodeCapabilityMissing)
	if runs, err := s.api.ListRuns(s.ctx, &lifecycle.ListRuns{}); err != nil || len(runs.Runs) != 0 {
		s.Errorf("recorded: %+v, %v", runs, err)
	}
}
