package wf

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	archive "lda.chat/wf/internal/golden"
)

// TestProve shows the claims about the plans of testdata/prove/*.txtar: NAME.txt is what is said of NAME.json.
func TestProve(t *testing.T) {
	t.Parallel()
	archive.Derive(t, "testdata/prove/*.txtar", func(t *testing.T, stem string, file archive.File) []archive.File {
		return []archive.File{{Name: stem + ".txt", Data: claimsText(t, parsed(t, file.Data))}}
	})
}

// claimsText writes the claims about a plan, and checks what must hold of any.
func claimsText(t *testing.T, w *Workflow) string {
	t.Helper()
	proof, found := Prove(w, nil)
	if fmt.Sprint(found) != fmt.Sprint(Validate(w, nil)) {
		t.Errorf("%s: the findings are not those of Validate: %v", w.Name, found)
	}
	var b strings.Builder
	for _, c := range proof.Proved {
		fmt.Fprintf(&b, "proved: %s [%s %d]\n", c.Text, c.Subject, c.Count)
		if len(c.Places) > 0 {
			t.Errorf("%s: places of what is proved: %v", w.Name, c)
		}
	}
	for _, c := range proof.Left {
		fmt.Fprintf(&b, "left: %s [%s %d] %s\n", c.Text, c.Subject, c.Count, strings.Join(c.Places, " "))
		if len(c.Places) != min(c.Count, maxClaimPlaces) {
			t.Errorf("%s: %d places of %d", w.Name, len(c.Places), c.Count)
		}
	}
	for _, c := range slices.Concat(proof.Proved, proof.Left) {
		if c.Subject == "" || c.Count == 0 || strings.Contains(c.Text, "%!") {
			t.Errorf("%s: an incomplete claim: %+v", w.Name, c)
		}
	}
	return b.String()
}

// TestSubjectsNameCodes: no claim rests on a code that the table does not have, for then it would never be made.
func TestSubjectsNameCodes(t *testing.T) {
	t.Parallel()
	for _, s := range subjects {
		for _, code := range slices.Concat(s.needs, s.may) {
			if _, ok := LookupCode(code); !ok {
				t.Errorf("%s: the table has no code %q", s.name, code)
			}
		}
	}
}

// TestProveOfEveryExample: the claims about each code's bad example leave out the subject in which the error is.
func TestProveOfEveryExample(t *testing.T) {
	t.Parallel()
	for _, info := range checkCodes {
		for _, text := range []string{info.Bad, info.Good} {
			w := parsed(t, text)
			claimsText(t, w)
			proof, found := Prove(w, nil)
			for _, s := range subjects {
				isOfIt := func(d Diagnostic) bool { return slices.Contains(s.needs, d.Code) || slices.Contains(s.may, d.Code) }
				isClaimed := slices.ContainsFunc(proof.Proved, func(c Claim) bool { return c.Subject == s.name })
				if isClaimed && slices.ContainsFunc(found, isOfIt) {
					t.Errorf("%s: %s are claimed to be proved, beside %v", info.Code, s.name, found)
				}
			}
		}
	}
	if proof, found := Prove(nil, nil); len(found) != 1 || len(proof.Proved)+len(proof.Left) > 0 {
		t.Errorf("of no workflow: %v, %v", proof, found)
	}
}
