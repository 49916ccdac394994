package cli

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/spf13/cobra"

	"lda.chat/wf"
	"lda.chat/wf/internal/value"
)

// inputFlags say what a run or a call is given.
type inputFlags struct{ file, text string }

func (in *inputFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&in.file, "input-file", "", "`FILE` with the input, a JSON object; \"-\" is standard input")
	cmd.Flags().StringVar(&in.text, "input", "", "the input itself, an object in `JSON`; without either it is {}")
}

// input is what a run or a call is given, and where it stands.
type input struct {
	name string
	doc  *value.Document // nil: nothing was given, which is {}
	less string          // what to do if nothing was given
}

// readInput reads the input. It fails with diagnostics if it is no JSON.
func (a *app) readInput(ctx context.Context, in *inputFlags, cmd *cobra.Command) (*input, error) {
	file, text := cmd.Flags().Changed("input-file"), cmd.Flags().Changed("input")
	switch {
	case file && text:
		return nil, usagef("--input-file and --input exclude each other: give one of them")
	case file:
		data, err := a.read(ctx, in.file, "the input")
		if err != nil {
			return nil, err
		}
		return parseInput(displayName(in.file), data)
	case text:
		return parseInput("--input", []byte(in.text))
	}
	return &input{name: "--input", less: "no input was given: give one with --input or --input-file"}, nil
}

func parseInput(name string, data []byte) (*input, error) {
	doc, err := value.ParseDocument(data)
	if err != nil {
		d := syntaxFinding(err)
		d.Doc = name
		return nil, invalid(wf.Diagnostics{d}, explainNext(wf.Diagnostics{d})...)
	}
	return &input{name: name, doc: doc}, nil
}

// value is the input as a run takes it.
func (in *input) value() value.Value {
	if in.doc == nil {
		return value.Object()
	}
	return in.doc.Root
}

// syntaxFinding tells where a text is no JSON, with the codes that plans have for it.
func syntaxFinding(err error) wf.Diagnostic {
	d := wf.Diagnostic{Severity: wf.SeverityError, Code: "json_syntax", Message: err.Error()}
	var syntax *value.SyntaxError
	if errors.As(err, &syntax) {
		d.Path, d.Line, d.Column, d.Message = syntax.Pointer, syntax.Line, syntax.Column, syntax.Msg
		if syntax.Kind != value.SyntaxGeneral {
			d.Code = wf.Code(syntax.Kind)
		}
	}
	return d
}

// violations makes findings of a failure that says where the input breaks its schema; ok is false if it does not.
func (in *input) violations(e *wf.Error) (found wf.Diagnostics, ok bool) {
	var details struct {
		Violations []struct {
			Path     string          `json:"path"`
			Message  string          `json:"message"`
			Expected json.RawMessage `json:"expected"`
			Actual   json.RawMessage `json:"actual"`
		} `json:"violations"`
	}
	if e.Code != wf.CodeInputInvalid && e.Code != wf.CodePayloadInvalid {
		return nil, false
	}
	if len(e.Details) > 0 {
		if err := json.Unmarshal(e.Details, &details); err != nil {
			return nil, false
		}
	}
	for _, v := range details.Violations {
		d := wf.Diagnostic{Severity: wf.SeverityError, Code: e.Code, Doc: in.name, Path: v.Path, Message: v.Message, Expected: v.Expected, Actual: v.Actual}
		if in.doc != nil {
			d.Line, d.Column, _ = in.doc.Position(v.Path)
		} else {
			d.RepairHint = in.less
		}
		found = append(found, d)
	}
	if found == nil {
		d := wf.Diagnostic{Severity: wf.SeverityError, Code: e.Code, Doc: in.name, Message: e.Message}
		if in.doc != nil {
			d.Line, d.Column, _ = in.doc.Position("")
		}
		found = wf.Diagnostics{d}
	}
	return found, true
}
