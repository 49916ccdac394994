package cli

import (
	"strconv"

	"lda.chat/wf"
	"lda.chat/wf/internal/value"
)

// placeFixes gives fixes that were applied the places that their findings have in the file as it was. A finding that came to
// light later, when others were fixed, has that of its step.
func (p *planFile) placeFixes(fixes []wf.AppliedFix) {
	type finding struct {
		code          wf.Code
		step, message string
	}
	places := map[finding][]string{}
	for _, d := range p.diags {
		key := finding{d.Code, d.Step, d.Message}
		places[key] = append(places[key], d.Path)
	}
	for i := range fixes {
		f := &fixes[i]
		key := finding{f.Code, f.Step, f.Message}
		if known := places[key]; len(known) > 0 {
			f.Path, places[key] = known[0], known[1:]
			continue
		}
		f.Path = ""
		if at := find(p.doc.Root.Get("nodes"), "id", value.String(f.Step)); at >= 0 {
			f.Path = "/nodes/" + strconv.Itoa(at)
		}
	}
}

// find returns the position of the first element with a member of this value, -1 if there is none.
func find(list value.Value, key string, want value.Value) int {
	return nth(list, 0, func(x value.Value) bool { return value.Equal(x.Get(key), want) })
}
