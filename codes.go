package wf

import (
	"slices"
	"strings"
)

// CodeInfo explains a code: what `wf explain` prints.
type CodeInfo struct {
	Code     Code     `json:"code"`
	Severity Severity `json:"severity"` // its default
	Title    string   `json:"title"`    // one line, always the same words
	Text     string   `json:"text"`     // what is wrong, why it matters, what to do
	Bad      string   `json:"bad"`      // an example that has the problem
	Good     string   `json:"good"`     // the same, repaired
}

// Codes returns every code, of reading and checking plans and of running them, sorted by name.
func Codes() []CodeInfo {
	all := slices.Concat(parseCodes, checkCodes, runCodes)
	slices.SortFunc(all, func(a, b CodeInfo) int { return strings.Compare(string(a.Code), string(b.Code)) })
	return all
}

// LookupCode returns the entry of one code.
func LookupCode(c Code) (CodeInfo, bool) {
	for _, list := range [][]CodeInfo{parseCodes, checkCodes, runCodes} {
		for _, info := range list {
			if info.Code == c {
				return info, true
			}
		}
	}
	return CodeInfo{}, false
}
