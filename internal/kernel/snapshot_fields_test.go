package kernel

import (
	"reflect"
	"strings"
	"testing"
)

// What of a machine is in a snapshot, what is counted anew when it is restored, and what is no part of what a run is. A new field
// stands nowhere here: say what becomes of it, after snapshot and restore know it.
var snapshotFields = map[reflect.Type][3]string{
	reflect.TypeFor[Machine](): {
		"Doubts runID status root now startedAt scheduled idle steps seq first last outcome output failure failedAt",
		"moving asking holding",
		"Budget Single prog spare room scratch places pending fired out"},
	reflect.TypeFor[Frame]():   {"flow in region index work", "", ""},
	reflect.TypeFor[flow]():    {"prog input slots steps", "", ""},
	reflect.TypeFor[group]():   {"owner op over chosen succeeded failed kids first log kept cells results errors", "at visit attempt total next live busy held", ""},
	reflect.TypeFor[kid]():     {"frame", "from to", ""},
	reflect.TypeFor[cell]():    {"slot val more bytes", "", ""},
	reflect.TypeFor[logged]():  {"bind op by in", "", ""},
	reflect.TypeFor[said]():    {"key doubt lost idle", "", ""},
	reflect.TypeFor[Failure](): {"Code Message Details Final Unknown Origin Stack", "", "Unsent Cause"},
	reflect.TypeFor[Origin]():  {"Step Frame Attempts", "", ""},
	reflect.TypeFor[work](): {
		"status held under pc visit attempt entered until said priorOp priorOutcome priorRetries cells log kept outputs visits counters prev next",
		"queued active", ""},
	reflect.TypeFor[childError](): {"index fail", "", ""},
}

func TestSnapshotKnowsEveryField(t *testing.T) {
	t.Parallel()
	for of, lists := range snapshotFields {
		known := map[string]bool{}
		for _, list := range lists {
			for _, name := range strings.Fields(list) {
				known[name] = true
			}
		}
		for i := range of.NumField() {
			name := of.Field(i).Name
			if !known[name] {
				t.Errorf("%s.%s: nobody says whether a snapshot holds it", of, name)
			}
			delete(known, name)
		}
		for name := range known {
			t.Errorf("%s has no field %s", of, name)
		}
	}
}
