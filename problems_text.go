package wf

import (
	"encoding/json"

	"lda.chat/wf/internal/value"
)

// path reads a rooted path; a hole if it is none.
func (p *problems) path(text string) *Path {
	path, err := ParsePath(text)
	if err != nil {
		p.add("not_a_path", err.Error(), `begin with a root: "input.text", "state.text", "steps.read.text"`)
		path = holePath()
	}
	return &path
}

// localPath reads a path into a step's own input or output.
func (p *problems) localPath(text string) Path {
	path, err := parseLocalPath(text)
	if err != nil {
		p.add("not_a_path", err.Error(), `name a member, "text", or a place below it, "items[0].title"; "." is the whole value`)
		return holePath()
	}
	return path
}

// statePath reads a path into the state.
func (p *problems) statePath(text string) Path {
	path := p.path(text)
	switch {
	case path.isHole():
	case path.Root != RootState || len(path.Parts) == 0:
		p.add("path_root", "a write goes to "+quoteJSON(text)+", which is not a place in the state", `write to a state field: "state.`+lastPart(text)+`"`)
		return holePath()
	}
	return *path
}

// literal writes a Go value as the JSON of a literal; nil if it has none.
func (p *problems) literal(v any) json.RawMessage {
	text, err := json.Marshal(v)
	var parsed value.Value
	if err == nil {
		parsed, err = value.Parse(text)
	}
	if err != nil {
		p.add("literal_invalid", "a literal that has no JSON form: "+err.Error(), "pass a value that encoding/json can write")
		return nil
	}
	return parsed.JSON()
}

// literalOperand makes a Go value an operand.
func (p *problems) literalOperand(v any) Operand {
	if literal := p.literal(v); literal != nil {
		return Operand{Value: literal}
	}
	return holeOperand()
}

// template reads a text with paths in braces.
func (p *problems) template(text string) Operand {
	o, err := ParseTemplate(text)
	if err != nil {
		p.add("template_invalid", err.Error(), `write paths in braces: "Report for {input.week}"`)
		return holeOperand()
	}
	return o
}

// pathOperand reads a rooted path as an operand.
func (p *problems) pathOperand(text string) Operand { return Operand{Path: p.path(text)} }

// check takes over what went wrong in building a condition.
func (p *problems) check(c Check) *Condition {
	outer := Check{}
	cond := outer.use(c)
	p.take(outer.problems)
	return cond
}
