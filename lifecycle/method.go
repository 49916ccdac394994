package lifecycle

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strings"

	"lda.chat/wf/internal/suggest"
	"lda.chat/wf/internal/value"
)

// Method is an operation of the table: what surfaces derive their own form of it from.
type Method struct {
	Name    string // "runs.start"
	Command string // of the command line, without "wf": "run start"
	Summary string // one line, without a full stop

	ReadOnly    bool // it changes nothing
	Idempotent  bool // once is as good as twice
	Destructive bool // it takes away what cannot be brought back
	Streams     bool // it has a stream of results: [Method.Stream]; else one: [Method.Call]

	NewParams func() any // a pointer to the zero of its parameters
	NewResult func() any // the same of its result, or of one of a stream

	call   func(ctx context.Context, api API, params any) (any, error)
	stream func(ctx context.Context, api API, params any) iter.Seq2[any, error]
}

// unary makes a method of one of [API].
func unary[P, R any](m Method, call func(API, context.Context, *P) (*R, error)) Method {
	m.NewParams, m.NewResult = func() any { return new(P) }, func() any { return new(R) }
	m.call = func(ctx context.Context, api API, params any) (any, error) {
		r, err := call(api, ctx, params.(*P))
		if err != nil {
			return nil, err
		}
		return r, nil
	}
	return m
}

// streaming makes a method of one of [API] that has a stream of results.
func streaming[P, R any](m Method, call func(API, context.Context, *P) iter.Seq2[*R, error]) Method {
	m.Streams = true
	m.NewParams, m.NewResult = func() any { return new(P) }, func() any { return new(R) }
	m.stream = func(ctx context.Context, api API, params any) iter.Seq2[any, error] {
		return func(yield func(any, error) bool) {
			for r, err := range call(api, ctx, params.(*P)) {
				if !yield(r, err) {
					return
				}
			}
		}
	}
	return m
}

// Call makes an operation of the table by its name, with parameters in JSON (nil: none), and returns its result, which JSON
// can be made of. A parameter that the method does not have is an [*Error], as all that fails is.
func Call(ctx context.Context, api API, method string, params json.RawMessage) (any, error) {
	m, p, err := prepare(method, params)
	if err != nil {
		return nil, err
	}
	if m.Streams {
		return nil, failed(BadRequest, codeMethodUnknown, fmt.Sprintf("%s has a stream of results, not one", method), "read its stream")
	}
	return m.call(ctx, api, p)
}

// Stream is [Call] for a method that has a stream of results. An error ends the stream.
func Stream(ctx context.Context, api API, method string, params json.RawMessage) iter.Seq2[any, error] {
	m, p, err := prepare(method, params)
	if err == nil && !m.Streams {
		err = failed(BadRequest, codeMethodUnknown, fmt.Sprintf("%s has one result, not a stream of them", method), "call it")
	}
	if err != nil {
		return func(yield func(any, error) bool) { yield(nil, err) }
	}
	return m.stream(ctx, api, p)
}

func prepare(method string, params json.RawMessage) (*Method, any, error) {
	m, ok := LookupMethod(method)
	if !ok {
		hint := "rpc.discover lists the methods"
		if near, ok := suggest.Nearest(method, methodNames()); ok {
			hint = fmt.Sprintf("did you mean %q?", near)
		}
		return nil, nil, failed(BadRequest, codeMethodUnknown, fmt.Sprintf("there is no method %q", clip(method)), hint)
	}
	p := m.NewParams()
	if len(bytes.TrimSpace(params)) == 0 {
		return m, p, nil
	}
	if _, err := value.Parse(params); err != nil { // it is stricter: a name that stands twice, half a character
		return nil, nil, failed(BadRequest, codeParamsInvalid, m.Name+": the parameters are no JSON: "+err.Error(), "")
	}
	dec := json.NewDecoder(bytes.NewReader(params))
	dec.DisallowUnknownFields()
	if err := dec.Decode(p); err != nil {
		return nil, nil, paramsError(m, err)
	}
	return m, p, nil
}

// paramsError says what is wrong with the JSON of parameters, without the words of Go.
func paramsError(m *Method, err error) *Error {
	message := err.Error()
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		message = fmt.Sprintf("the parameter %q cannot be a JSON %s", e.Field, e.Value)
		if e.Field == "" {
			message = fmt.Sprintf("the parameters are a JSON %s; expected an object", e.Value)
		}
	}
	if name, ok := strings.CutPrefix(message, "json: unknown field "); ok {
		message = "there is no parameter " + name
	}
	return failed(BadRequest, codeParamsInvalid, m.Name+": "+strings.TrimPrefix(message, "json: "), "")
}

// badParam is the error of a parameter that cannot be as it is.
func badParam(name, format string, args ...any) *Error {
	e := failed(BadRequest, codeParamsInvalid, fmt.Sprintf(format, args...), "")
	e.Diagnostics[0].Path = "/" + name
	e.Diagnostics[0].Doc = "params"
	return e
}

// clip shortens what somebody gave, for a message.
func clip(s string) string {
	const most = 100
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

// LookupMethod finds a method of the table.
func LookupMethod(name string) (*Method, bool) {
	for i := range methods {
		if methods[i].Name == name {
			return &methods[i], true
		}
	}
	return nil, false
}

func methodNames() []string {
	names := make([]string, len(methods))
	for i := range methods {
		names[i] = methods[i].Name
	}
	return names
}
