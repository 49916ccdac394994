package wf

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"

	"lda.chat/wf/internal/value"
)

// RunPoint is a run as it was after one of its events, the latest with 0.
type RunPoint struct {
	RunID string   `json:"run_id"`
	Event Revision `json:"event,omitempty"`
}

// RunDiff is what two runs, or one run at two points, have not in common. Secrets are redacted.
type RunDiff struct {
	A      RunSide     `json:"a"`
	B      RunSide     `json:"b"`
	Input  []ValueDiff `json:"input,omitempty"`
	State  []ValueDiff `json:"state,omitempty"`
	Output []ValueDiff `json:"output,omitempty"`
	Steps  []StepDiff  `json:"steps,omitempty"` // visits of steps that only one has, or that went otherwise, in A's order
}

// RunSide is one side of a comparison.
type RunSide struct {
	RunID   string    `json:"run_id"`
	Event   Revision  `json:"event"`
	Digest  string    `json:"digest"`
	Status  RunStatus `json:"status"`
	Outcome Outcome   `json:"outcome,omitempty"`
	Error   *Error    `json:"error,omitempty"`
	Steps   int64     `json:"steps"`
}

// endsAs reports whether two runs came to the same end.
func (s *RunSide) endsAs(o *RunSide) bool {
	return s.Status == o.Status && s.Outcome == o.Outcome && failedBy(s.Error) == failedBy(o.Error)
}

func failedBy(e *Error) Code {
	if e == nil {
		return ""
	}
	return e.Code
}

// ValueDiff is one place at which two values are different. A side that is missing has nothing there.
type ValueDiff struct {
	Path string          `json:"path"` // a JSON Pointer
	A    json.RawMessage `json:"a,omitempty"`
	B    json.RawMessage `json:"b,omitempty"`
}

// StepDiff is a visit of a step that is not the same on both sides. A side that is missing has no such visit.
type StepDiff struct {
	Frame string      `json:"frame"`
	Step  string      `json:"step"`
	Visit int         `json:"visit"`
	A     *StepResult `json:"a,omitempty"`
	B     *StepResult `json:"b,omitempty"`
}

// StepResult is how a visit of a step went.
type StepResult struct {
	Outcome Outcome         `json:"outcome,omitempty"`
	Next    string          `json:"next,omitempty"`
	Input   json.RawMessage `json:"input,omitempty"`
	Output  json.RawMessage `json:"output,omitempty"`
	Error   *Error          `json:"error,omitempty"`
}

// Same reports whether the two have all in common but their ids.
func (d *RunDiff) Same() bool {
	return d.A.endsAs(&d.B) && len(d.Input)+len(d.State)+len(d.Output)+len(d.Steps) == 0
}

// Diff compares two runs of the journal, or one at two points.
func (rt *Runtime) Diff(ctx context.Context, a, b RunPoint) (*RunDiff, error) {
	left, err := rt.At(ctx, a.RunID, a.Event)
	if err != nil {
		return nil, err
	}
	right, err := rt.At(ctx, b.RunID, b.Event)
	if err != nil {
		return nil, err
	}
	return diffRuns(left, right)
}

func diffRuns(a, b *RunHandle) (*RunDiff, error) {
	infoA, infoB := a.Info(), b.Info()
	d := &RunDiff{
		A: sideOf(infoA), B: sideOf(infoB),
		Input:  diffJSON(infoA.Input, infoB.Input),
		State:  diffJSON(infoA.State, infoB.State),
		Output: diffJSON(infoA.Output, infoB.Output),
	}
	traceA, err := a.Trace()
	if err != nil {
		return nil, err
	}
	traceB, err := b.Trace()
	if err != nil {
		return nil, err
	}
	d.Steps = diffTraces(traceA, traceB)
	return d, nil
}

func sideOf(i *RunInfo) RunSide {
	return RunSide{RunID: i.RunID, Event: Revision(i.Records), Digest: i.Digest, Status: i.Status, Outcome: i.Outcome, Error: i.Error, Steps: i.Steps}
}

func diffTraces(a, b []TraceEntry) []StepDiff {
	type name struct {
		frame, step string
		visit       int
	}
	of := func(e *TraceEntry) name { return name{e.Frame, e.Step, e.Visit} }
	others := make(map[name]*TraceEntry, len(b))
	for i := range b {
		others[of(&b[i])] = &b[i]
	}
	var list []StepDiff
	for i := range a {
		x := &a[i]
		y := others[of(x)]
		delete(others, of(x))
		rx := resultOf(x)
		switch ry := resultOf(y); {
		case y == nil:
			list = append(list, StepDiff{Frame: x.Frame, Step: x.Step, Visit: x.Visit, A: rx})
		case !sameResult(rx, ry):
			list = append(list, StepDiff{Frame: x.Frame, Step: x.Step, Visit: x.Visit, A: rx, B: ry})
		}
	}
	for i := range b {
		if y := &b[i]; others[of(y)] == y {
			list = append(list, StepDiff{Frame: y.Frame, Step: y.Step, Visit: y.Visit, B: resultOf(y)})
		}
	}
	return list
}

func resultOf(e *TraceEntry) *StepResult {
	if e == nil {
		return nil
	}
	return &StepResult{Outcome: e.Outcome, Next: e.Next, Input: e.Input, Output: e.Output, Error: e.Error}
}

func sameResult(a, b *StepResult) bool {
	return a.Outcome == b.Outcome && a.Next == b.Next && failedBy(a.Error) == failedBy(b.Error) && sameText(a.Input, b.Input) && sameText(a.Output, b.Output)
}

func sameText(a, b json.RawMessage) bool { return len(diffJSON(a, b)) == 0 }

// diffJSON lists where two values are different; a missing text is no value.
func diffJSON(a, b json.RawMessage) []ValueDiff {
	x, _ := value.Parse(a)
	y, _ := value.Parse(b)
	return appendDiff(nil, "", x, y)
}

// appendDiff goes into what both have: objects by their members, arrays by position.
func appendDiff(list []ValueDiff, at string, a, b value.Value) []ValueDiff {
	switch {
	case a.Kind() == value.KindObject && b.Kind() == value.KindObject:
		keys := []string{}
		for key := range a.Members() {
			keys = append(keys, key)
		}
		for key := range b.Members() {
			if a.Get(key).IsAbsent() {
				keys = append(keys, key)
			}
		}
		slices.Sort(keys)
		for _, key := range keys {
			list = appendDiff(list, at+value.Path{{Key: key}}.Pointer(), a.Get(key), b.Get(key))
		}
		return list
	case a.Kind() == value.KindArray && b.Kind() == value.KindArray:
		for i := range max(a.Len(), b.Len()) {
			list = appendDiff(list, at+"/"+strconv.Itoa(i), a.Index(i), b.Index(i))
		}
		return list
	case a.IsAbsent() && b.IsAbsent() || !a.IsAbsent() && !b.IsAbsent() && value.Equal(a, b):
		return list
	}
	return append(list, ValueDiff{Path: at, A: rawValue(a), B: rawValue(b)})
}
