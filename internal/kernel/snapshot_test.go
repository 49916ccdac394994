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
