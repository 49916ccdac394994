// Command tally reads the output of `go test -json` and prints what a person wants of it: a line for each package,
// the output of what failed, the reason of what was skipped and, last, how many tests passed, failed and were
// skipped. It exits 1 if anything failed or nothing ran.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
)

func main() {
	var t tally
	err := t.read(os.Stdin, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "tally:", err)
	}
	fmt.Printf("%d passed, %d failed, %d skipped\n", t.passed, t.failed, t.skipped)
	if err != nil || t.failed > 0 || t.broken > 0 || t.passed == 0 {
		os.Exit(1)
	}
}

// tally counts tests; a subtest is a test.
type tally struct {
	passed, failed, skipped int
	broken                  int // packages that failed: by a test, by not compiling, by a crash outside tests
}

// event is one line of `go test -json`; see `go doc test2json`.
type event struct {
	Action, Package, ImportPath, Test, Output string
}

// read counts the events of in and writes the report to out as they come.
func (t *tally) read(in io.Reader, out io.Writer) error {
	said := map[[2]string]*strings.Builder{} // output by package and test, until we know whether it is wanted
	take := func(key [2]string) string {
		b := said[key]
		delete(said, key)
		if b == nil {
			return ""
		}
		return b.String()
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			fmt.Fprintln(out, lines.Text()) // the go command itself had something to say
			continue
		}
		key := [2]string{e.Package, e.Test}
		switch e.Action {
		case "output":
			if strings.HasPrefix(e.Output, "=== ") { // RUN, PAUSE, CONT: of no use once it is known how a test ended
				continue
			}
			if said[key] == nil {
				said[key] = new(strings.Builder)
			}
			said[key].WriteString(e.Output)
		case "build-output":
			fmt.Fprint(out, e.Output)
		case "pass", "fail", "skip":
			text := take(key)
			if e.Test == "" {
				t.endPackage(out, e.Action, text)
			} else {
				t.endTest(out, e.Action, text)
			}
		}
	}
	for _, rest := range said { // a process that died left tests without an end
		t.broken++
		fmt.Fprint(out, rest.String())
	}
	return lines.Err()
}

func (t *tally) endTest(out io.Writer, action, text string) {
	switch action {
	case "pass":
		t.passed++
	case "skip":
		t.skipped++
		fmt.Fprint(out, text)
	case "fail":
		t.failed++
		fmt.Fprint(out, text)
	}
}

// endPackage prints all that a broken package said outside its tests, else its last line: "ok …" or "? … [no test files]".
func (t *tally) endPackage(out io.Writer, action, text string) {
	if action == "fail" {
		t.broken++
		fmt.Fprint(out, text)
		return
	}
	line := strings.TrimRight(text, "\n")
	fmt.Fprintln(out, line[strings.LastIndexByte(line, '\n')+1:])
}
