package kernel

import (
	"testing"

	"lda.chat/wf/internal/value"
)

// A record of a child that failed which lost its failure is refused: what the region leaves is made of it.
func TestDecodeWithoutFailure(t *testing.T) {
	p := items(Fan{OnError: Collect}, workOn(ToContinue))
	w := newWorld(t, p)
	w.start(parse(t, `{"items":[1,2]}`))
	w.failCall("work", "broken")
	w.answer("work", "ok", parse(t, `{"r":1}`))
	if w.m.Status() != Completed {
		t.Fatal(w.m.Status())
	}
	lines := append([][]byte{}, w.lines...)
	for i, line := range lines {
		v := parse(t, string(line))
		var entries []value.Value
		for _, e := range v.Get("entries").Items() {
			entries = append(entries, e.With("failure", value.Value{}))
		}
		lines[i] = v.With("entries", value.Array(entries...)).AppendJSON(nil)
	}
	if _, err := Fold(p.Link(), lines); err == nil {
		t.Error("it was taken")
	} else {
		t.Log(err)
	}
}
