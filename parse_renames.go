package wf

import (
	"fmt"
	"slices"

	"lda.chat/wf/internal/value"
)

// renames are fields as other systems call them, by what they stand in.
var renames = map[string]map[string]string{
	"a workflow": {"steps": "nodes", "transitions": "edges", "start_at": "start", "inputs": "input_schema", "input": "input_schema",
		"outputs": "output", "state": "state_schema", "id": "name", "title": "description", "initial": "start", "entry_point": "start",
		"capabilities": "node_defs"},
	"an edge": {"source": "from", "target": "to", "condition": "outcome", "label": "outcome", "when": "outcome", "on": "outcome",
		"sourceHandle": "outcome", "case": "outcome", "event": "outcome", "start": "from", "end": "to"},
	"a route": {"target": "to", "next": "to", "max": "max_visits", "goto": "to"},
	"a node definition": {"inputs": "input_schema", "outputs": "output_schema", "input": "input_schema", "output": "output_schema",
		"parameters": "input_schema", "args_schema": "input_schema", "inputSchema": "input_schema", "returns": "output_schema"},
	"an input binding":  {"to": "target", "name": "target", "field": "target", "from": "path", "source": "path"},
	"an output binding": {"to": "target", "from": "source", "field": "source"},
	"a retry": {"attempts": "max_attempts", "max": "max_attempts", "interval_seconds": "initial_interval_seconds",
		"delay_seconds": "initial_interval_seconds", "delay": "initial_interval_seconds", "interval": "initial_interval_seconds", "backoff_rate": "backoff", "backoff_multiplier": "backoff", "codes": "on"},
	"a catch": {"errors": "codes", "on": "codes", "code": "codes", "then": "outcome", "next": "outcome"},
}

// stepRenames hold for every kind of step that has the field on the right.
var stepRenames = map[string]string{
	"description": "desc", "name": "id", "capability": "node", "tool": "node", "uses": "node", "action": "node",
	"inputs": "input", "args": "input", "arguments": "input", "params": "input", "parameters": "input", "with": "input",
	"outputs": "output", "transitions": "on", "edges": "on", "routes": "on", "outcomes": "on", "items": "over", "in": "over", "item": "as", "concurrency": "max_concurrency",
	"on_error": "on_item_error", "condition": "check", "if": "check", "goto": "next", "duration": "seconds", "delay": "seconds",
	"error": "code", "payload": "request", "branch": "branches",
	"options": "outcomes", "choices": "outcomes", "answers": "outcomes", "decisions": "outcomes",
}

// knownMistake recognises a field of another system's, with a fix.
func (o object) knownMistake(key, at string) (Diagnostic, bool) {
	if d, ok := o.otherUnit(key, at); ok {
		return d, true
	}
	fields := o.fieldsOf()
	to, ok := o.otherField(key)
	if !ok || fields != nil && !fields[to] || o.has(to) {
		return Diagnostic{}, false
	}
	if key == "outcomes" && !isRoutes(o.v.Get(key)) {
		return Diagnostic{}, false // a list of them belongs to what the step calls
	}
	o.mean(to, o.v.Get(key), at)
	trust := FixUnsafe
	if o.isSynonym(key, to) {
		trust = FixSafe
	}
	d := Diagnostic{Code: "field_name", Path: at, RepairHint: fmt.Sprintf("write %q", to),
		Message: fmt.Sprintf("%s has no field %q; it is called %q here", o.what, key, to),
		Fixes:   []Fix{o.rename(key, to, trust)}}
	if o.what == "an edge" && (key == "source" || key == "target") {
		d.Code = "edge_ends"
		d.Message = fmt.Sprintf(`an edge goes "from" a step "to" another, found %q`, key)
		d.Fixes = []Fix{o.rename(key, to, FixSafe)}
	}
	return d, true
}

// isStep reports whether the object is a step.
func (o object) isStep() bool { return o.fieldsOf() != nil }

// fieldsOf returns the fields of a step's kind; nil if the object is no step.
func (o object) fieldsOf() map[string]bool {
	for _, kind := range stepKinds {
		if kind.what == o.what {
			fields := map[string]bool{}
			for _, name := range kind.allFields() {
				fields[name] = true
			}
			return fields
		}
	}
	return nil
}

// otherUnits are fields with a number in another unit, and those that the number belongs to.
var otherUnits = map[string]string{
	"max_retries": "retry", "retries": "retry",
	"timeout": "timeout_seconds", "timeout_ms": "timeout_seconds", "timeoutSeconds": "timeout_seconds", "timeout_secs": "timeout_seconds",
}

// otherUnit recognises a number in another unit: retries instead of attempts, a timeout without or with another unit.
func (o object) otherUnit(key, at string) (Diagnostic, bool) {
	switch to := otherUnits[key]; {
	case to == "retry" && (o.what == "a retry" || o.isStep() || o.what == "a node definition"):
		return o.retriesFinding(key, at), true
	case to == "timeout_seconds" && o.takes(to):
		return o.timeoutFinding(key, at), true
	case o.what == "a retry" && (key == "delay" || key == "interval") && o.takes("initial_interval_seconds"):
		return o.intervalFinding(key, at)
	}
	return Diagnostic{}, false
}

// takes reports whether the object has a use for a field that it does not have yet.
func (o object) takes(key string) bool {
	switch o.what {
	case "a node definition":
		return slices.Contains(nodeDefFields, key) && !o.has(key)
	case "limits":
		return slices.Contains(limitFields, key) && !o.has(key)
	case "a retry":
		return slices.Contains(retryFields, key) && !o.has(key)
	}
	return o.fieldsOf()[key] && !o.has(key)
}

// retriesFinding reports a number of retries.
func (o object) retriesFinding(key, at string) Diagnostic {
	d := Diagnostic{Code: "max_retries", Path: at, Message: "attempts are counted, the first included, not retries",
		RepairHint: `write "retry": {"max_attempts": …}, one more than the retries`}
	n, whole := o.v.Get(key).AsInt()
	if !whole || n < 0 || n >= maxCount {
		return d
	}
	to, attempts := "max_attempts", value.Int(n+1)
	if o.what != "a retry" {
		to, attempts = "retry", value.Object(value.Member{Key: to, Value: attempts})
	}
	if o.takes(to) {
		o.mean(to, attempts, at)
		d.Fixes = []Fix{o.exchange(key, to, attempts, FixSafe)}
	}
	return d
}

// intervalFinding reports the time between attempts that is written with its unit, "5s".
func (o object) intervalFinding(key, at string) (Diagnostic, bool) {
	const to = "initial_interval_seconds"
	seconds, ok := durationText(o.v.Get(key))
	if !ok {
		return Diagnostic{}, false
	}
	o.mean(to, seconds, at)
	return Diagnostic{Code: "duration_text", Path: at, RepairHint: fmt.Sprintf("write %q: %s", to, seconds),
		Message: fmt.Sprintf("the time between attempts is %q, a number of seconds, found %q: %s", to, key, describe(o.v.Get(key))),
		Fixes:   []Fix{o.exchange(key, to, seconds, FixSafe)}}, true
}

// timeoutFinding reports a timeout under another name, and perhaps in another unit.
func (o object) timeoutFinding(key, at string) Diagnostic {
	v := o.v.Get(key)
	d := Diagnostic{Code: "duration_text", Path: at, RepairHint: `write "timeout_seconds", a number`,
		Message: fmt.Sprintf("a timeout is \"timeout_seconds\", a number of seconds, found %q: %s", key, describe(v))}
	seconds, ok := durationText(v)
	trust := FixSafe
	if f, isNumber := v.AsFloat(); isNumber {
		seconds, ok = v, true
		switch key {
		case "timeout_ms":
			fraction, err := value.Float(f / 1000)
			seconds, ok = fraction, err == nil
		case "timeout":
			trust = FixUnsafe // of an unknown unit
		}
	}
	if ok {
		o.mean("timeout_seconds", seconds, at)
		d.Fixes = []Fix{o.exchange(key, "timeout_seconds", seconds, trust)}
	}
	return d
}
