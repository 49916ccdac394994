package cli

// The exit codes.
const (
	ExitDone        = 0
	ExitInternal    = 1 // a bug, or the machine: a full disk
	ExitUsage       = 2
	ExitDiagnostics = 3 // findings that are errors
	ExitNotFound    = 4
	ExitConflict    = 5
	ExitNotAllowed  = 6
	ExitRunFailed   = 7
	ExitWaiting     = 8 // the run waits for an answer
	ExitTimeout     = 9
	ExitUnreachable = 10
	ExitInterrupted = 130
)

// exitInfo explains an exit code.
type exitInfo struct {
	Code    int    `json:"code"`
	Name    string `json:"name"`
	Meaning string `json:"meaning"`
}

// exitCodes is what `wf help exit-codes` shows.
var exitCodes = []exitInfo{
	{ExitDone, "done", "It worked. There may be warnings."},
	{ExitInternal, "internal", "Something went wrong in wf itself, or a file could not be read or written."},
	{ExitUsage, "usage", "The command line is wrong: an unknown command or flag, a bad value, a missing argument."},
	{ExitDiagnostics, "diagnostics", "A plan, an input, an answer or a configuration has errors; the diagnostics list all of them."},
	{ExitNotFound, "not_found", "A file or something that was named does not exist."},
	{ExitConflict, "conflict", "Somebody else changed it in between, or it exists already with other content."},
	{ExitNotAllowed, "not_allowed", "Permission is missing."},
	{ExitRunFailed, "run_failed", "The run started, and failed; result.error says why."},
	{ExitWaiting, "waiting", "The run waits for an answer; result.interrupts says for which."},
	{ExitTimeout, "timeout", "The time that --timeout allows is over. The run was cancelled, unless it is in a store and goes on."},
	{ExitUnreachable, "unreachable", "The server cannot be reached."},
	{ExitInterrupted, "interrupted", "Ctrl-C or a signal ended it. The run was cancelled, unless it is in a store and goes on."},
}
