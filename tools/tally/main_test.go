package main

import (
	"strings"
	"testing"
)

func TestTally(t *testing.T) {
	t.Parallel()
	const pass = `{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestA","Output":"noise\n"}
{"Action":"pass","Package":"p","Test":"TestA"}
`
	const end = `{"Action":"output","Package":"p","Output":"PASS\n"}
{"Action":"output","Package":"p","Output":"ok  \tp\t0.1s\n"}
{"Action":"pass","Package":"p"}
`
	tests := []struct {
		name, in, out           string
		passed, failed, skipped int
		broken                  int
	}{
		{name: "passed", in: pass + end, out: "ok  \tp\t0.1s\n", passed: 1},
		{name: "failed", in: `{"Action":"output","Package":"p","Test":"TestB","Output":"got 1, want 2\n"}
{"Action":"fail","Package":"p","Test":"TestB"}
{"Action":"output","Package":"p","Output":"FAIL\tp\t0.1s\n"}
{"Action":"fail","Package":"p"}`, out: "got 1, want 2\nFAIL\tp\t0.1s\n", failed: 1, broken: 1},
		{name: "skipped says why", in: `{"Action":"output","Package":"p","Test":"TestC","Output":"=== RUN   TestC\n"}
{"Action":"output","Package":"p","Test":"TestC","Output":"needs WF_DATA\n"}
{"Action":"skip","Package":"p","Test":"TestC"}
` + end, out: "needs WF_DATA\nok  \tp\t0.1s\n", skipped: 1},
		{name: "does not compile", in: `{"Action":"build-output","ImportPath":"p","Output":"x.go:1: undefined: y\n"}
{"Action":"build-fail","ImportPath":"p"}
{"Action":"output","Package":"p","Output":"FAIL\tp [build failed]\n"}
{"Action":"fail","Package":"p"}`, out: "x.go:1: undefined: y\nFAIL\tp [build failed]\n", broken: 1},
		{name: "died in a test", in: `{"Action":"output","Package":"p","Test":"TestD","Output":"fatal error\n"}`, out: "fatal error\n", broken: 1},
		{name: "the go command speaks", in: "go: no such module\n", out: "go: no such module\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got tally
			var out strings.Builder
			if err := got.read(strings.NewReader(tt.in), &out); err != nil {
				t.Fatal(err)
			}
			if out.String() != tt.out {
				t.Errorf("output\n%q, want\n%q", out.String(), tt.out)
			}
			if want := (tally{tt.passed, tt.failed, tt.skipped, tt.broken}); got != want {
				t.Errorf("counted %+v, want %+v", got, want)
			}
		})
	}
}
