package source_test

import (
	"encoding/json"
	"testing"

	"lda.chat/wf"
	"lda.chat/wf/internal/golden"
	"lda.chat/wf/internal/value"
	"lda.chat/wf/source"
)

// drifted is a case of testdata/drift.txt.
type drifted struct {
	Saved, Live *wf.NodeDef
	Wired       []wf.Outcome
	Others      []*wf.NodeDef
}

func (c *drifted) judge() *source.Drift {
	return source.Judge(c.Saved, c.Live, &source.JudgeOptions{Wired: c.Wired, Others: c.Others})
}

func TestDrift(t *testing.T) {
	t.Parallel()
	golden.Derive(t, "testdata/drift.txt", func(t *testing.T, stem string, file golden.File) []golden.File {
		var c drifted
		if err := json.Unmarshal([]byte(file.Data), &c); err != nil {
			t.Fatal(err)
		}
		d := c.judge()
		text := d.String()
		if d.Suggested != "" {
			text += "suggested: " + d.Suggested + "\n"
		}
		if (d.SavedHash == d.LiveHash) != (d.Verdict == source.VerdictSame) {
			t.Errorf("%s: %s with the hashes %s and %s", stem, d.Verdict, d.SavedHash, d.LiveHash)
		}
		if c.Live != nil {
			if same := source.Judge(c.Live, c.Live, nil); same.Verdict != source.VerdictSame || len(same.Differences) > 0 {
				t.Errorf("%s: beside itself it is %s", stem, same)
			}
		}
		return []golden.File{{Name: stem + ".txt", Data: text}}
	})
}

// The JSON of a drift has what stands at both places.
func TestDriftAsJSON(t *testing.T) {
	t.Parallel()
	var c drifted
	const text = `{"saved": {"name": "docs.search", "description": "old", "input_schema": {"type": "object", "properties": {"q": {"type": "string", "maxLength": 5}, "n": {}}}},
		"live": {"name": "docs.search", "description": "new", "input_schema": {"type": "object", "required": ["n"], "properties": {"q": {"type": "string", "maxLength": 4}, "n": {}}}}}`
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		t.Fatal(err)
	}
	d := c.judge()
	d.SavedHash, d.LiveHash = "1", "2"
	written, err := json.Marshal(d)
	if err != nil {
		t.Fatal(err)
	}
	v, err := value.Parse(written)
	if err != nil {
		t.Fatal(err)
	}
	golden.Compare(t, "testdata/drift.json", string(value.Indent(v))+"\n")
}

// Every contract changed in one member has another hash, but for its name and descriptions.
func TestContractHash(t *testing.T) {
	t.Parallel()
	base := func() *wf.NodeDef {
		return &wf.NodeDef{Name: "a.b", InputSchema: wf.Schema(`{"type":"object"}`), OutputSchema: wf.Schema(`{"type":"object"}`), Effect: wf.EffectRead}
	}
	hash := source.ContractHash(base())
	for name, change := range map[string]func(*wf.NodeDef){
		"name":        func(d *wf.NodeDef) { d.Name = "c.d" },
		"description": func(d *wf.NodeDef) { d.Description = "d" },
		"title":       func(d *wf.NodeDef) { d.InputSchema = wf.Schema(`{"title": "t", "type": ["object"]}`) },
		"default":     func(d *wf.NodeDef) { d.Outcomes = []wf.Outcome{wf.OK} },
	} {
		d := base()
		if change(d); source.ContractHash(d) != hash {
			t.Errorf("another %s gives another hash", name)
		}
	}
	for name, change := range map[string]func(*wf.NodeDef){
		"input":    func(d *wf.NodeDef) { d.InputSchema = nil },
		"output":   func(d *wf.NodeDef) { d.OutputSchema = wf.Schema(`{"type":"array"}`) },
		"outcomes": func(d *wf.NodeDef) { d.Outcomes = []wf.Outcome{"done"} },
		"effect":   func(d *wf.NodeDef) { d.Effect = "" },
		"retry":    func(d *wf.NodeDef) { d.Retry = &wf.Retry{MaxAttempts: 2} },
		"timeout":  func(d *wf.NodeDef) { d.TimeoutSeconds = 0.5 },
	} {
		d := base()
		if change(d); source.ContractHash(d) == hash {
			t.Errorf("another %s gives the same hash", name)
		}
	}
}
