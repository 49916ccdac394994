package kernel

import (
	"strings"
	"testing"

	"lda.chat/wf/internal/value"
)

// Values that come again are held once: as a whole where nothing large is inside, in parts where something is; what merely looks like
// a sign is not taken for one, in records without signs neither.
func TestRepeats(t *testing.T) {
	t.Parallel()
	long, other := strings.Repeat("x", 40), strings.Repeat("y", 40)
	sign := `{"$same":"` + digestOf([]byte(`"`+long+`"`)) + `"}`
	writes, reads := Repeats{Least: 32}, Repeats{Least: 32}
	for i, c := range []struct {
		value string
		want  string // of the value's text, XX being the long one and YY the other
		says  string // what the record does
		skip  bool   // a snapshot was taken before
	}{
		{`"XX"`, `"XX"`, ``, false},
		{`"XX"`, `SIGN`, `,"same":true`, false},
		{`{"doc":"XX","n":1}`, `{"doc":SIGN,"n":1}`, `,"same":true`, false},
		{`["YY",{"doc":"XX"},"YY"]`, `["YY",{"doc":SIGN},{"$same":"` + digestOf([]byte(`"`+other+`"`)) + `"}]`, `,"same":true`, false},
		{`{"many":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]}`, `{"many":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]}`, ``, false},
		{`{"$same":"short"}`, `{"$same":["short"]}`, `,"same":true`, false},
		{`SIGN`, `{"$same":[SIGNTEXT]}`, `,"same":true`, false},
		{`{"$same":["XX"]}`, `{"$same":[[SIGN]]}`, `,"same":true`, false},
		{`"XX"`, `"XX"`, `,"anew":true`, true},
		{`"XX"`, `SIGN`, `,"same":true`, false},
		{`[1]`, `[1]`, ``, true},
		{`"YY"`, `"YY"`, `,"anew":true`, false},
		{`[0.10,1e2,"é\u0000"]`, `[0.10,1e2,"é\u0000"]`, ``, false},
	} {
		fill := func(text string) string {
			return strings.NewReplacer("SIGNTEXT", `"`+digestOf([]byte(`"`+long+`"`))+`"`, "SIGN", sign, "XX", long, "YY", other).Replace(text)
		}
		if c.skip {
			writes.Forget()
		}
		v := parse(t, fill(c.value))
		writes.begin()
		text := string(writes.end(writes.put(nil, v)))
		if want := fill(c.want) + c.says; text != want {
			t.Errorf("%d: written is\n%s\nexpected\n%s", i, text, want)
		}
		record := `{"v":` + strings.TrimSuffix(text, c.says) + c.says + `}`
		back, err := reads.read([]byte(record), parse(t, record))
		if err != nil || back.Get("v").String() != v.String() {
			t.Errorf("%d: %s is read as %s, %v", i, record, back, err)
		}
	}
	record := `{"v":{"text":"` + long + `"},"again":{"text":` + sign + `},"same":true}` // by their names, it comes first
	if back, err := (&Repeats{Least: 32}).read([]byte(record), parse(t, record)); err != nil || back.Get("again").Get("text").String() != `"`+long+`"` {
		t.Errorf("a sign whose value comes behind it: %s, %v", back, err)
	}
	if _, err := new(Repeats).read(nil, parse(t, `{"v":`+sign+`,"same":true}`)); err == nil || !strings.Contains(err.Error(), "sha256:") {
		t.Errorf("a sign for nothing: %v", err)
	}
	if back, err := new(Repeats).read(nil, parse(t, `{"v":`+sign+`}`)); err != nil || back.Get("v").Get("$same").Kind() != value.KindString {
		t.Errorf("a record without signs: %v, %v", back, err)
	}
}

// Records can be read from the beginning, and from each snapshot on.
func TestRepeatsFromASnapshotOn(t *testing.T) {
	t.Parallel()
	long := value.Object(value.Member{Key: "line", Value: value.String(strings.Repeat("x", 100))}, value.Member{Key: "one", Value: value.Int(1)})
	p := loop(1<<20, to(0)).Link()
	p.MaxSteps = 0
	m, writes := New(p), Repeats{Least: 64}
	var out Out
	var lines, snapshots [][]byte
	step := func(ev Event) {
		out = Out{}
		if err := m.Step(&ev, &out); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, m.EncodeOnce(nil, &out.Record, &writes))
		var snapshot []byte
		if len(lines)%4 == 0 {
			snapshot = m.Snapshot(nil)
			writes.Forget()
		}
		snapshots = append(snapshots, snapshot)
	}
	step(Event{Kind: Started, RunID: "run", Input: value.Object()})
	for range 19 {
		step(Event{Kind: CallCompleted, Ref: m.Outstanding()[0].Ref, Outcome: "ok", Output: long})
	}
	whole := 0
	for from := range lines {
		if from > 0 && snapshots[from-1] == nil {
			continue
		}
		reads, folded := Repeats{Least: 64}, New(p)
		if from > 0 {
			var err error
			if folded, err = Restore(p, snapshots[from-1]); err != nil {
				t.Fatal(err)
			}
		}
		for i, line := range lines[from:] {
			r, err := folded.DecodeOnce(line, &reads)
			if err == nil {
				err = folded.Apply(r, nil)
			}
			if err != nil {
				t.Fatalf("from %d, record %d: %v", from, from+i, err)
			}
		}
		if string(folded.Dump()) != string(m.Dump()) {
			t.Errorf("from %d the machine is another", from)
		}
	}
	for _, line := range lines {
		if strings.Contains(string(line), strings.Repeat("x", 100)) {
			whole++
		}
	}
	if whole != 5 {
		t.Errorf("the value is held %d times, expected once for each of 5 snapshots", whole)
	}
}
