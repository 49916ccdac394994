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

// Codes returns every code, of reading, checking, building and deploying plans and of running them, sorted by name.
func Codes() []CodeInfo {
	all := slices.Concat(parseCodes, checkCodes, inferCodes, buildCodes, deployCodes, runCodes)
	slices.SortFunc(all, func(a, b CodeInfo) int { return strings.Compare(string(a.Code), string(b.Code)) })
	return all
}

// LookupCode returns the entry of one code.
func LookupCode(c Code) (CodeInfo, bool) {
	for _, list := range [][]CodeInfo{parseCodes, checkCodes, inferCodes, buildCodes, deployCodes, runCodes} {
		for _, info := range list {
			if info.Code == c {
				return info, true
			}
		}
	}
	return CodeInfo{}, false
}

// engineCodes are the failures that the engine itself raises. A plan's fail step may not use them.
var engineCodes = []Code{
	"input_invalid", "binding_missing", "output_invalid", "state_invalid", "undeclared_outcome", "unwired_outcome",
	"timeout", "transport", "provider_error", "handler_error", "handler_panic", "merge_conflict", "reducer_error",
	"condition_type", "condition_missing", "not_an_array", "limit_exceeded", "capability_missing", "crash_loop",
	"value_too_large", "cancelled", "in_doubt",
}

// isEngineCode reports whether a failure's code belongs to the engine.
func isEngineCode(c Code) bool { return slices.Contains(engineCodes, c) }
