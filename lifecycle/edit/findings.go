package edit

import "lda.chat/wf"

// mistakes are the findings of reading that a document has and the one before it had not, as an error. That something is missing is no
// mistake of a draft.
func mistakes(before, after *Doc) *Error {
	found := readingErrors(after)
	if before != nil && len(found) > 0 {
		had := readingErrors(before)
		found = without(without(found, had, identity), had, func(d wf.Diagnostic) string { return string(d.Code) + "\n" + d.Path })
	}
	if len(found) == 0 {
		return nil
	}
	d := found[0]
	return &Error{Path: d.Path, Step: d.Step, Found: d.Message, Hint: d.RepairHint, Diagnostics: found}
}

// without are the findings that are not among others; key tells what is the same.
func without(found, others wf.Diagnostics, key func(wf.Diagnostic) string) (rest wf.Diagnostics) {
	had := map[string]int{}
	for _, d := range others {
		had[key(d)]++
	}
	for _, d := range found {
		if had[key(d)]--; had[key(d)] < 0 {
			rest = append(rest, d)
		}
	}
	return rest
}

// readingErrors are what keeps a document from being read, but for what is only missing. Lines and columns are those of a text that
// nobody has seen.
func readingErrors(d *Doc) (found wf.Diagnostics) {
	_, all := wf.ParseWorkflow(d.text)
	for _, x := range all {
		if x.Severity == wf.SeverityError && x.Code != "field_missing" && x.Code != "next_ambiguous" {
			x.Line, x.Column, x.Fixes = 0, 0, nil
			found = append(found, x)
		}
	}
	return found
}

// opened are the findings that a document has and the one before it had not, under whatever name a step had there.
func opened(before, after *Doc, edits []Edit, o *Options) wf.Diagnostics {
	if before == after {
		return nil
	}
	for i, e := range edits {
		if _, renames := e.(*RenameStep); renames {
			if next, err := before.apply(e, i, o, &Report{}); err == nil {
				before = next
			}
		}
	}
	_, had := before.Check(o)
	_, found := after.Check(o)
	return without(found, had, identity)
}

// identity tells findings apart, but for where they are.
func identity(d wf.Diagnostic) string { return string(d.Code) + "\n" + d.Step + "\n" + d.Message }
