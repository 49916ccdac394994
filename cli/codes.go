package cli

import (
	"slices"
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/lifecycle"
)

// The codes of what can go wrong with a command line, its files and its configuration. Those of plans and runs are the root
// package's.
const (
	codeInternal        wf.Code = "internal"
	codeUsage           wf.Code = "usage"
	codeCommandUnknown  wf.Code = "command_unknown"
	codeFlagUnknown     wf.Code = "flag_unknown"
	codeFlagInvalid     wf.Code = "flag_invalid"
	codeFileMissing     wf.Code = "file_not_found"
	codeFileUnreadable  wf.Code = "file_unreadable"
	codeFileUnwritable  wf.Code = "file_unwritable"
	codeNotFormatted    wf.Code = "not_formatted"
	codeCodeUnknown     wf.Code = "code_unknown"
	codeShapeUnknown    wf.Code = "shape_unknown"
	codeRegistryUnknown wf.Code = "registry_unknown"
	codeSourceDuplicate wf.Code = "source_duplicate"
	codeSourceInvalid   wf.Code = "source_invalid"
	codeAnswerUnused    wf.Code = "answer_unused"
)

// codes lists every code that a command can answer with, sorted by name.
func codes() []wf.CodeInfo {
	all := slices.Concat(wf.Codes(), lifecycle.Codes(), ownCodes)
	slices.SortFunc(all, func(a, b wf.CodeInfo) int { return strings.Compare(string(a.Code), string(b.Code)) })
	return all
}

// lookup finds a code's entry.
func lookup(code string) (wf.CodeInfo, bool) {
	for _, c := range codes() {
		if string(c.Code) == code {
			return c, true
		}
	}
	return wf.CodeInfo{}, false
}

var ownCodes = []wf.CodeInfo{
	{
		Code: codeAnswerUnused, Severity: wf.SeverityWarning, Title: "An answer that nobody asked for",
		Text: "--answer names an interrupt by its id or by its step. The run ended, or stopped, without asking there, or asked less often than there are answers for it.",
		Bad:  `wf try plan.json --answer aprove=approved`, Good: `wf try plan.json --answer approve=approved`,
	},
	{
		Code: codeUsage, Severity: wf.SeverityError, Title: "The command line cannot be understood",
		Text: "An argument is missing or one too many, or two of them exclude each other. --help of the command shows what it takes.",
		Bad:  `wf try`, Good: `wf try plan.json`,
	},
	{
		Code: codeCommandUnknown, Severity: wf.SeverityError, Title: "There is no such command",
		Text: "A word of the command is misspelt, or belongs to another group. Nothing was done.",
		Bad:  `wf plan valdate plan.json`, Good: `wf plan validate plan.json`,
	},
	{
		Code: codeFlagUnknown, Severity: wf.SeverityError, Title: "The command has no such flag",
		Text: "Nothing was done. A flag stands after the command it belongs to; --help of the command lists them.",
		Bad:  `wf try plan.json --input-fil in.json`, Good: `wf try plan.json --input-file in.json`,
	},
	{
		Code: codeFlagInvalid, Severity: wf.SeverityError, Title: "A flag has a value that it cannot have",
		Text: "The message says which values are possible. A value may also come from the environment: WF_FORMAT is that of --format.",
		Bad:  `wf version --format jsno`, Good: `wf version --format json`,
	},
	{
		Code: codeFileMissing, Severity: wf.SeverityError, Title: "A file does not exist",
		Text: "A relative path begins at the working directory, those in a configuration too.",
		Bad:  `wf try plan.jsn`, Good: `wf try plan.json`,
	},
	{
		Code: codeFileUnreadable, Severity: wf.SeverityError, Title: "A file cannot be read",
		Text: "It exists, but is a directory, or its permissions or the disk forbid to read it.",
		Bad:  `wf try examples/report_workflow`, Good: `wf try examples/report_workflow/workflow.plan.json`,
	},
	{
		Code: codeFileUnwritable, Severity: wf.SeverityError, Title: "A file cannot be written",
		Text: "The file stays as it was: the new content is put beside it first and takes its place when it is complete.",
		Bad:  `wf plan format --write plan.json in a directory that is read-only`, Good: `wf plan format plan.json > copy.json`,
	},
	{
		Code: codeNotFormatted, Severity: wf.SeverityError, Title: "A plan is not in the form that was asked for",
		Text: "The plan means the same, but the text differs from what `wf plan format` writes.",
		Bad:  `{"nodes": [], "name": "report"} on one line`, Good: `the output of wf plan format --form short`,
	},
	{
		Code: codeRegistryUnknown, Severity: wf.SeverityError, Title: "This binary has no such registry",
		Text: "A source of kind \"go\" names functions that are compiled into the binary. Another binary may have other ones: run the one that has them, or name one of those that this one has.",
		Bad:  `{"kind": "go", "id": "local.report", "registry": "reports"}`, Good: `{"kind": "go", "id": "local.report", "registry": "report"}`,
	},
	{
		Code: codeSourceDuplicate, Severity: wf.SeverityError, Title: "Two sources have one id",
		Text: "A capability's ref begins with the id of its source, so ids are unique.",
		Bad:  `two sources with "id": "local.report"`, Good: `"local.report" and "local.report2"`,
	},
	{
		Code: codeSourceInvalid, Severity: wf.SeverityError, Title: "A source cannot be used",
		Text: "Its id is none, or what it offers has mistakes. The message says which.",
		Bad:  `{"kind": "go", "id": "wf.report", "registry": "report"}`, Good: `{"kind": "go", "id": "local.report", "registry": "report"}`,
	},
}
