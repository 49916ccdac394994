package cli

import (
	"strings"
	"sync"
	"testing"

	"lda.chat/wf"
)

// seen are the codes that commands answered with in tests, but for failures of runs, which may be the functions' own.
var seen seenCodes

type seenCodes struct {
	mu    sync.Mutex
	codes map[wf.Code]bool
}

func (s *seenCodes) add(out *answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.codes == nil {
		s.codes = map[wf.Code]bool{}
	}
	for _, d := range out.diags {
		if out.exit != ExitRunFailed {
			s.codes[d.Code] = true
		}
	}
}

// checkCodes runs when all tests that add to seen are over.
func checkCodes(t *testing.T) {
	seen.mu.Lock()
	defer seen.mu.Unlock()
	for code := range seen.codes {
		if _, known := lookup(string(code)); !known {
			t.Errorf("a command answered with the code %q, which `wf explain` does not know", code)
		}
	}
	for _, info := range ownCodes {
		if !seen.codes[info.Code] {
			t.Errorf("no test answers with the code %q", info.Code)
		}
	}
}

func TestCodesAreExplained(t *testing.T) {
	t.Parallel()
	known := map[wf.Code]bool{}
	for _, c := range codes() {
		if known[c.Code] {
			t.Errorf("%s stands twice in the table", c.Code)
		}
		known[c.Code] = true
	}
	for _, c := range ownCodes {
		for what, text := range map[string]string{"title": c.Title, "text": c.Text, "bad": c.Bad, "good": c.Good} {
			if text == "" {
				t.Errorf("%s has no %s", c.Code, what)
			}
		}
		if strings.HasSuffix(c.Title, ".") || !strings.HasSuffix(c.Text, ".") {
			t.Errorf("%s: a title is no sentence, a text is one", c.Code)
		}
	}
}
