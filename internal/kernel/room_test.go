package kernel

import "testing"

// An answer may come while a foreach is about to give the room that its item left to the next one: the item has it again.
func TestAnswerTakesRoomBack(t *testing.T) {
	t.Parallel()
	ask, then := question("ask"), workOn(ToContinue)
	ask.Next[0] = to(2)
	w := newWorld(t, items(Fan{Limit: 1}, ask, then))
	w.m.Budget = 1
	w.step(Event{Kind: Started, RunID: "run1", Input: parse(t, `{"items":["a","b"]}`)})
	for len(w.m.Questions()) == 0 {
		w.step(Event{Kind: Proceed})
	}
	ref, _ := w.m.Find("/each[0]/ask")
	if err := w.post(Event{Kind: Resumed, Ref: ref, Outcome: "yes", Output: parse(t, `{"r":1}`)}); err != nil {
		t.Fatal(err)
	}
	w.wantOut("/each[0]/work")
	if len(w.m.Positions()) != 2 {
		t.Errorf("more frames than the foreach has room for: %+v", w.m.Positions())
	}
}

// step posts an event, and none that follows from it.
func (w *world) step(ev Event) {
	w.t.Helper()
	ev.At, w.out = w.at, Out{}
	if err := w.m.Step(&ev, &w.out); err != nil {
		w.t.Fatal(err)
	}
	w.keep()
}
