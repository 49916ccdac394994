package wf

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lda.chat/wf/internal/value"
)

const planPage = "docs/plan.md"

// planBlock is a JSON block of docs/plan.md. Its kind is the word behind "json".
type planBlock struct{ kind, text string }

func planBlocks(t *testing.T) []planBlock {
	t.Helper()
	page, err := os.ReadFile(planPage)
	if err != nil {
		t.Fatal(err)
	}
	var blocks []planBlock
	for _, m := range regexp.MustCompile("(?s)```json *(\\w*)\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		blocks = append(blocks, planBlock{m[1], m[2]})
	}
	return blocks
}

// Every JSON block of the page is what it says, and every plan with a result under it has that result.
func TestPlanPage(t *testing.T) {
	t.Parallel()
	blocks := planBlocks(t)
	for i, b := range blocks {
		switch b.kind {
		case "plan", "run":
			w := readPlanBlock(t, b.text)
			if b.kind == "plan" || w == nil {
				continue
			}
			rest, input := blocks[i+1:], json.RawMessage(`{}`)
			if rest[0].kind == "input" {
				rest, input = rest[1:], json.RawMessage(rest[0].text)
			}
			var answers []Answer
			if rest[0].kind == "answers" {
				if err := json.Unmarshal([]byte(rest[0].text), &answers); err != nil {
					t.Errorf("plan %s: %v", w.Name, err)
				}
				rest = rest[1:]
			}
			if rest[0].kind != "result" {
				t.Errorf("plan %s has no result", w.Name)
				continue
			}
			t.Run(w.Name, func(t *testing.T) { runPlanBlock(t, w, input, answers, rest[0].text) })
		case "step":
			if _, _, found := ParseStep([]byte(b.text)); found.HasErrors() {
				t.Errorf("%v\n%s", found, b.text)
			}
		case "condition":
			if err := json.Unmarshal([]byte(b.text), new(Condition)); err != nil {
				t.Errorf("%v\n%s", err, b.text)
			}
		case "input", "answers", "result":
		default:
			t.Errorf("a block of no known kind, %q\n%s", b.kind, b.text)
		}
	}
}

// readPlanBlock reads a plan, checks it where all capabilities exist, and writes it in both forms.
func readPlanBlock(t *testing.T, text string) *Workflow {
	t.Helper()
	w, found := ParseWorkflow([]byte(text))
	if w == nil {
		t.Errorf("%v\n%s", found, text)
		return nil
	}
	all := func(string) (*NodeDef, bool) { return &NodeDef{}, true }
	for _, d := range Validate(w, &ValidateOptions{Nodes: all}) {
		t.Errorf("plan %s: %v", w.Name, d)
	}
	again, _ := ParseWorkflow(w.Short())
	if again == nil || again.Digest() != w.Digest() {
		t.Errorf("plan %s does not read back from its short form", w.Name)
	}
	return w
}

func runPlanBlock(t *testing.T, w *Workflow, input json.RawMessage, answers []Answer, want string) {
	rt, err := NewRuntime(nil)
	if err != nil {
		t.Fatal(err)
	}
	run, err := rt.Run(context.Background(), w, input)
	if err != nil {
		t.Fatal(err)
	}
	for _, answer := range answers {
		if err := errors.Join(run.Resume(t.Context(), answer), run.Wait(t.Context())); err != nil {
			t.Fatal(err)
		}
	}
	text, err := json.Marshal(run.Info())
	if err != nil {
		t.Fatal(err)
	}
	got, expected := mustParse(string(text)), mustParse(want)
	if diff := cmp.Diff(expected, only(got, expected)); diff != "" {
		t.Errorf("-page +run:\n%s", diff)
	}
}

// only keeps of a result, and of its error, what the page tells; the state is told whole.
func only(got, want value.Value) value.Value {
	kept := value.Object()
	for key, v := range want.Members() {
		found := got.Get(key)
		if key == "error" {
			found = only(found, v)
		}
		kept = kept.With(key, found)
	}
	return kept
}

// The page names all that there is to name, with the defaults that the engine has.
func TestPlanPageIsComplete(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(planPage)
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	words := slices.Concat(workflowFields, nodeDefFields, edgeFields, limitFields, retryFields, operandKinds, olderFields, jsonTypes,
		contextNames, pathRoots, wordsOf(effects), wordsOf(engineCodes), []string{ToEnd, ToContinue, ToDiscard, "if_absent", "x-trace", "x-secret"})
	for _, kind := range stepKinds {
		words = append(append(words, string(kind.typ)), kind.fields...)
	}
	for _, r := range StandardReducers() {
		words = append(words, strings.TrimPrefix(r.Name, standardSource))
	}
	for _, word := range append(words, operators...) {
		if !regexp.MustCompile("[`\"{ ,]" + word + "[`\"., }<]").MatchString(page) {
			t.Errorf("%s does not name %q", planPage, word)
		}
	}
	rows := map[string]any{"max_attempts": defaultMaxAttempts, "initial_interval_seconds": defaultInitialInterval, "backoff": defaultBackoff,
		"max_interval_seconds": defaultMaxInterval, "on": "`" + strings.Join(wordsOf(defaultRetryOn), "`, `") + "`"}
	for member, want := range rows {
		found := regexp.MustCompile("(?m)^\\| `" + member + "` \\| (.*?) \\|").FindStringSubmatch(page)
		if wanted, _ := json.Marshal(want); found == nil || found[1] != strings.Trim(string(wanted), `"`) {
			t.Errorf("the row of %s is %q, the engine has %s", member, found, wanted)
		}
	}
}
