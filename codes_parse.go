package wf

// parseCodes are the problems of reading a plan.
var parseCodes = []CodeInfo{}
