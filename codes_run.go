package wf

// runCodes are the failures of runs.
var runCodes = []CodeInfo{}
