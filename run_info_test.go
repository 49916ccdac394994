package wf_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"lda.chat/wf"
	"lda.chat/wf/internal/schema"
	"lda.chat/wf/internal/value"
)

// What a run tells about itself is what docs/schema/run.schema.json says.
func TestRunInfoFitsItsSchema(t *testing.T) {
	t.Parallel()
	text, _ := wf.SchemaOf("run")
	s, problems := schema.Parse(text, nil)
	if s == nil {
		t.Fatal(problems)
	}
	retry := `"retry": {"max_attempts": 2, "initial_interval_seconds": 0.001}, "timeout_seconds": 60, "catch": [{"codes": ["no_file"], "outcome": "missing"}],`
	for _, answers := range [][]string{{`{"n":1,"x":2}`}, {"!transport|lost", "!no_file|gone"}, {"!transport|lost", "!transport|lost"}, {`{"n":"x"}`}} {
		work := &script{answers: answers}
		r := runPlan(t, nodes{"t.work": wf.RawNode(contract(), work.call).OfSource("t")}, fmt.Sprintf(onePlan, retry, `, "missing": "__end__"`), `{}`)
		info := r.Info()
		info.Trace = trace(t, r)
		encoded, err := json.Marshal(info)
		if err != nil {
			t.Fatal(err)
		}
		v, err := value.Parse(encoded)
		if err != nil {
			t.Fatal(err)
		}
		if found := s.Check(v); found != nil {
			t.Errorf("%v\n%s", found, encoded)
		}
	}
}
