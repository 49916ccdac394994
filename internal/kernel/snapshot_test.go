package kernel

import (
	"strings"
	"testing"

	"lda.chat/wf/internal/value"
)

// What many frames have of one large value is written once, and is one value again.
func TestSnapshotSharesWhatIsShared(t *testing.T) {
	t.Parallel()
	large := strings.Repeat("a large text. ", 200)
	list := make([]value.Value, 100)
	for i := range list {
		list[i] = value.Int(int64(i))
	}
	size := func(n int) int {
		p := items(Fan{}, workOn(ToContinue), workOn(ToContinue))
		p.Ops[1].Next[0], p.Ops[2].ID = to(2), "again"
		w := newWorld(t, p)
		w.start(value.Object(value.Member{Key: "items", Value: value.Array(list[:n]...)},
			value.Member{Key: "last", Value: value.String(large)}, value.Member{Key: "out", Value: value.Array(value.String(large), value.Int(1))}))
		for range n {
			w.answer("work", "ok", parse(t, `{"r":1}`)) // each item has a list of its own that begins with that of the state
		}
		text := w.m.Snapshot(nil)
		m, err := Restore(p, text)
		if err != nil {
			t.Fatal(err)
		}
		if again := m.Snapshot(nil); string(again) != string(text) {
			t.Errorf("the restored machine has a snapshot of %d bytes, before %d", len(again), len(text))
		}
		return len(text)
	}
	if few, many := size(4), size(24); many-few > 20*600 {
		t.Errorf("4 items take %d bytes, 24 take %d", few, many)
	}
}

// A value that is written as a shared one is stays what it is, wherever it stands.
func TestSnapshotOfValuesThatLookShared(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`{"$shared":0}`, `{"$shared":[0]}`, `{"$shared":{"$shared":7}}`, `[{"$shared":null},{"$shared":"$shared","b":1}]`,
		`{"a":{"$shared":"` + strings.Repeat("x", 100) + `"},"b":[[[{"$shared":[1,2]}]]]}`, `"\"$shared\":0"`, `{"\"$shared\"":[]}`} {
		v := parse(t, text)
		w := newWorld(t, items(Fan{}, workOn(ToContinue)))
		w.start(value.Object(value.Member{Key: "items", Value: value.Array(value.Int(1), v, v)}, value.Member{Key: "last", Value: v}))
		w.answerAt("/each[0]", "ok", `{"r":`+text+`}`)
		m, err := Restore(w.prog, w.m.Snapshot(nil))
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if string(m.Dump()) != string(w.m.Dump()) {
			t.Errorf("%s has become another value: %s", text, m.Dump())
		}
	}
}

// Two fields that held one list before hold lists that grow apart.
func TestRestoredListsGrowApart(t *testing.T) {
	t.Parallel()
	p := loop(9, to(0))
	p.Fields = append(p.Fields, field("copy", OpAppend))
	p.Ops[0].Writes = append(p.Ops[0].Writes, WriteBind{Slot: 2, Source: path("other"), Name: "local.other"})
	list := parse(t, `["a text that is long enough","another text that is long enough","and one more"]`)
	w := newWorld(t, p)
	w.start(value.Object(value.Member{Key: "log", Value: list}, value.Member{Key: "copy", Value: list}))
	text := w.m.Snapshot(nil)
	if !strings.Contains(string(text), sharedMark) {
		t.Fatalf("nothing is shared in %s", text)
	}
	for range 2 { // also two machines of one snapshot
		m, err := Restore(p, text)
		if err != nil {
			t.Fatal(err)
		}
		w.m, w.folded = m, m
		var out Out
		ref := m.Outstanding()[0].Ref
		if err := m.Step(&Event{Kind: CallCompleted, Ref: ref, Outcome: "ok", Output: parse(t, `{"one":1,"line":"x","other":"y"}`)}, &out); err != nil {
			t.Fatal(err)
		}
		for name, last := range map[string]string{"log": "x", "copy": "y"} {
			got := m.State().Get(name)
			if text, _ := got.Index(3).AsString(); got.Len() != 4 || text != last {
				t.Errorf("state.%s is %s", name, got)
			}
		}
	}
}

// A snapshot of another version, or of no run, is refused with the reason.
func TestRestoreRefuses(t *testing.T) {
	t.Parallel()
	p := loop(3, to(0)).Link()
	for text, want := range map[string]string{
		``:                "the snapshot: ",
		`{}`:              "the snapshot is of version 0, expected 1",
		`{"version":9}`:   "the snapshot is of version 9, expected 1",
		`{"version":"1"}`: `"version" must be a number from 0 to 9223372036854775807, found "1"`,
		`{"version":1}`:   `unknown status "" of a run`,
		`{"version":1,"shared":[{"$shared":0}],"status":"created"}`:       "shared value 0: there is no shared value 0",
		`{"version":1,"status":"running","in_doubt":"ask"}`:               "the snapshot does not say which run it is of",
		`{"version":1,"status":"running","in_doubt":"ask","run_id":"r"}`:  `frame / of a run that is running is ""`,
		`{"version":1,"status":"failed","in_doubt":"ask","run_id":"r"}`:   "the run is failed, and its failure is absent",
		`{"version":1,"status":"interrupted","in_doubt":"ask","seq":1.5}`: `unknown status "interrupted" of a run`,
	} {
		if _, err := Restore(p, []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: found %v, expected %s", text, err, want)
		}
	}
	if m, err := Restore(p, New(p).Snapshot(nil)); err != nil || m.Status() != Created {
		t.Errorf("a run that has not started: %v", err)
	}
}

// What a snapshot says of a run that waits has to fit together.
func TestRestoreRefusesWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	w := newWorld(t, items(Fan{Limit: 2}, workOn(ToContinue)))
	w.start(parse(t, `{"items":["a","b","c"]}`))
	w.answerAt("/each[0]", "ok", `{"r":1}`)
	text := string(w.m.Snapshot(nil))
	for _, c := range [][3]string{
		{`"visits":{"work":1}`, `"visits":{}`, `frame /each[1] has visited step "work" 0 times, and is on visit 1`},
		{`"visits":{"each":1}`, `"visits":{}`, `frame / has visited step "each" 0 times, and is on visit 1`},
		{`"over":["a","b","c"]`, `"over":["a","b"]`, `step "each" of frame / has more children than there are`},
		{`"over":["a","b","c"]`, `"over":"abc"`, `step "each" of the plan goes over an array, and frame / over `},
		{`"succeeded":1`, `"succeeded":2`, `of the 3 children in step "each" of frame /, 2 are over and 2 open`},
		{`"op":"append"`, `"op":"host"`, `state.out has no reducer of the host in the plan, and one is to merge it in frame /`},
		{`"op":"append"`, `"op":"prepend"`, `unknown operation "prepend" on state.out in frame /`},
		{`"started":[[`, `"started":[1,[`, `child 0 of step "each" in frame / is the number 1`},
		{`"status":"calling"`, `"status":"backoff"`, `frame /each[1] waits in step "work", and the snapshot does not say until when`},
		{`"status":"calling"`, `"status":"in_doubt"`, `the snapshot does not say what is in doubt about step "work" in frame /each[1]`},
		{`"status":"calling"`, `"status":"waiting"`, `step "work" of the plan is of the kind node, and frame /each[1] is "waiting" in it`},
		{`"status":"calling"`, `"status":"closed"`, `frame /each[1] of a run that is running is "closed"`},
		{`"step":"work","visit":1`, `"step":"work"`, `frame /each[1] is "calling" in a step that it has not entered`},
		{`"step":"work","visit":1`, `"step":"__end__","visit":1`, `frame /each[1] cannot go on to "__end__"`},
		{`"step":"work","visit":1`, `"visit":1`, `frame /each[1] is in no step, and on visit 1 of it`},
		{`"visit":1`, `"visit":9999999999`, `"visit" must be a number from 0 to 1073741823, found 9999999999`},
	} {
		damaged := strings.Replace(text, c[0], c[1], 1)
		if damaged == text {
			t.Errorf("no %s in %s", c[0], text)
		}
		if _, err := Restore(w.prog, []byte(damaged)); err == nil || !strings.Contains(err.Error(), c[2]) {
			t.Errorf("%s: found %v, expected %s", c[1], err, c[2])
		}
	}
}

// What is said of calls that were lost, and of a fork, is in its snapshot; so are elements that no list has taken up yet.
func TestSnapshotOfWhatIsRare(t *testing.T) {
	t.Parallel()
	p := items(Fan{}, workOn(2), workOn(ToContinue))
	p.Ops[2].ID, p.MaxValue = "again", 1000
	m := New(p.Link())
	for _, ev := range []Event{
		{Kind: Started, RunID: "run", Input: parse(t, `{"items":[1,2],"out":["before"]}`)},
		{Kind: CallCompleted, Outcome: "ok", Output: parse(t, `{"r":"of the first"}`)},
		{Kind: Recovered},
		{Kind: Edited, RunID: "fork", Shift: 7 * second, State: parse(t, `{"last":true}`)},
	} {
		if ev.Kind == CallCompleted {
			ev.Ref = m.Outstanding()[0].Ref
		}
		var out Out
		if err := m.Step(&ev, &out); err != nil {
			t.Fatal(err)
		}
		restored, err := Restore(p, m.Snapshot(nil))
		if err != nil {
			t.Fatal(err)
		}
		if ev.Kind != Started {
			had, has := find(m.root.under.child(0).cells, 0), find(restored.root.under.child(0).cells, 0)
			if has == nil || has.bytes != had.bytes || len(has.more) != 1 || has.val.Len() != 1 {
				t.Errorf("the list of item 0 was %+v, is %+v", had, has)
			}
		}
		r := restored.root
		if restored.idle != m.idle || r.since() != m.root.since() || r.until != m.root.until || restored.runID != m.runID {
			t.Errorf("after event %s: the fork is of another time", ev.Kind)
		}
		for i := range m.root.under.kids {
			had, has := m.root.under.kids[i].frame, r.under.kids[i].frame
			if has.lost() != had.lost() || has.since() != had.since() || restored.key(has.ref().StepRef) != m.key(had.ref().StepRef) {
				t.Errorf("after event %s: another call in %s", ev.Kind, had.Path())
			}
		}
	}
	if m.idle == 0 || m.root.under.child(1).lost() != 1 {
		t.Fatal("nothing was lost, or forked")
	}
}

// What a branch that is over keeps of its steps is in the snapshot of the others.
func TestSnapshotOfABranchThatIsOver(t *testing.T) {
	t.Parallel()
	w := newWorld(t, regions())
	w.start(parse(t, `{"items":["a"]}`))
	ref, _ := w.m.Find("/each[0]/split:a/ask")
	if err := w.post(Event{Kind: Resumed, Ref: ref, Outcome: "yes", Output: parse(t, `{"r":{"k":1}}`)}); err != nil {
		t.Fatal(err)
	}
	m, err := Restore(w.prog, w.m.Snapshot(nil))
	if err != nil {
		t.Fatal(err)
	}
	had, has := w.m.root.under.child(0).under, m.root.under.child(0).under
	if len(had.kept) != 2 || len(has.kept) != 2 || len(has.kept[0]) != 1 || !value.Equal(has.kept[0][0].val, had.kept[0][0].val) {
		t.Fatalf("branches kept %v, keep %v", had.kept, has.kept)
	}
}
