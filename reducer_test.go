package wf

import (
	"errors"
	"runtime"
	"testing"

	"lda.chat/wf/internal/schema"
	"lda.chat/wf/internal/value"
)

type stamp struct {
	At   int    `json:"at"`
	Note string `json:"note"`
}

func latest(old, written stamp) (stamp, error) {
	if written.Note == "" {
		return old, errors.New("a stamp without a note")
	}
	if written.At < old.At {
		return old, nil
	}
	return written, nil
}

func TestReducer(t *testing.T) {
	t.Parallel()
	r := NewReducer(ReducerSpec{Name: "acme.latest", Concurrent: true}, latest)
	if problems := r.Problems(); problems != nil {
		t.Fatal(problems)
	}
	if s, problems := schema.Parse(r.Spec().ValueSchema, nil); s == nil {
		t.Errorf("the reflected schema is not one: %v", problems)
	}
	for _, test := range []struct{ old, written, want, err string }{
		{``, `{"at":1,"note":"a"}`, `{"at":1,"note":"a"}`, ""},
		{`{"at":2,"note":"b"}`, `{"at":1,"note":"a"}`, `{"at":2,"note":"b"}`, ""},
		{`{"at":2,"note":"b"}`, `{"at":3}`, ``, "a stamp without a note"},
		{`{"at":2,"note":"b"}`, `{"at":"3"}`, ``, "the value that is written: /at: expected an integer, found a string"},
		{`[]`, `{"at":3}`, ``, "the field's value: expected an object, found an array"},
	} {
		var old value.Value
		if test.old != "" {
			old = parseValue(t, test.old)
		}
		got, err := r.apply(old, parseValue(t, test.written))
		message := ""
		if err != nil {
			message = err.Error()
		}
		if message != test.err || err == nil && string(got.JSON()) != test.want {
			t.Errorf("%s and %s: got %s, %q; want %s, %q", test.old, test.written, got, message, test.want, test.err)
		}
	}
}

func TestReducerProblems(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"wf.std.mine", "nodot", ""} {
		if r := NewReducer(ReducerSpec{Name: name}, latest); !r.Problems().HasErrors() {
			t.Errorf("the name %q was accepted", name)
		}
	}
	if r := NewReducer[func()](ReducerSpec{Name: "acme.f"}, nil); len(r.Problems()) != 2 {
		t.Errorf("got %v", r.Problems())
	}
}

func TestStandardReducers(t *testing.T) {
	t.Parallel()
	for _, spec := range StandardReducers() {
		if spec.Description == "" {
			t.Errorf("%s has no description", spec.Name)
		}
		if spec.ValueSchema == nil {
			continue
		}
		if s, problems := schema.Parse(spec.ValueSchema, nil); s == nil {
			t.Errorf("%s: %v", spec.Name, problems)
		}
	}
}

// A function that ends its goroutine, as testing's FailNow does, ends not the one that steps the run.
func TestReducerThatEndsItsGoroutine(t *testing.T) {
	t.Parallel()
	r := NewReducer(ReducerSpec{Name: "acme.exit"}, func(int, int) (int, error) { runtime.Goexit(); return 0, nil })
	if _, err := r.apply(value.Int(1), value.Int(2)); err == nil || err.Error() != "ended its goroutine" {
		t.Error(err)
	}
}
