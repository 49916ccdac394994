package wf

const (
	maxNesting   = 24
	maxWorkflows = 8
	maxSeconds   = 100 * 366 * 24 * 60 * 60
)
