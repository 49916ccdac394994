package source

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/internal/suggest"
)

// Verdict is what a change of a contract comes to for those who rely on the saved one.
type Verdict string

// The verdicts, from harmless to harmful.
const (
	VerdictSame       Verdict = "same"       // the contracts promise the same; descriptions may differ
	VerdictCompatible Verdict = "compatible" // what worked goes on working: proved
	VerdictBreaking   Verdict = "breaking"   // not proved, or proved not to
)

var verdicts = []Verdict{VerdictSame, VerdictCompatible, VerdictBreaking}

// DriftKind names what has changed.
type DriftKind string

// The kinds of differences.
const (
	CapabilityMissing  DriftKind = "capability_missing"  // the source does not have it any more
	DescriptionChanged DriftKind = "description_changed" // a description, title or other annotation; no drift
	InputNarrowed      DriftKind = "input_narrowed"      // refuses, or may refuse, what was accepted
	InputWidened       DriftKind = "input_widened"       // takes more than before
	InputChanged       DriftKind = "input_changed"       // neither: a default, a format
	OutputWidened      DriftKind = "output_widened"      // gives, or may give, what was not promised
	OutputNarrowed     DriftKind = "output_narrowed"     // promises more than before
	OutputChanged      DriftKind = "output_changed"      // neither
	SchemaUndecided    DriftKind = "schema_undecided"    // whether values still fit could not be found out
	OutcomeAdded       DriftKind = "outcome_added"
	OutcomeRemoved     DriftKind = "outcome_removed"
	EffectChanged      DriftKind = "effect_changed"
	RetryChanged       DriftKind = "retry_changed"
	TimeoutChanged     DriftKind = "timeout_changed"
)

// Drift is how a capability's live contract differs from the one that was saved.
type Drift struct {
	Ref         string       `json:"ref"`                   // as in the saved contract
	Verdict     Verdict      `json:"verdict"`               // the gravest of the differences'
	SavedHash   string       `json:"saved_hash"`            // see ContractHash
	LiveHash    string       `json:"live_hash,omitempty"`   // "" if the capability is missing
	Suggested   string       `json:"suggested,omitempty"`   // of one that is missing: the name of the one that it seems to have become
	Differences []Difference `json:"differences,omitempty"` // in the order of the contract's members
}

// Difference is one place where two contracts differ.
type Difference struct {
	Kind     DriftKind       `json:"kind"`
	Verdict  Verdict         `json:"verdict"`             // same: for information only
	Path     string          `json:"path"`                // JSON Pointer into the saved contract
	LivePath string          `json:"live_path,omitempty"` // into the live one, where that is another
	Saved    json.RawMessage `json:"saved,omitempty"`     // what stands there; left out if nothing does, or if it has more than 4 KiB
	Live     json.RawMessage `json:"live,omitempty"`
	Message  string          `json:"message"` // what changed, and what that means
}

// JudgeOptions say what surrounds a capability. A nil *JudgeOptions and the zero value are valid.
type JudgeOptions struct {
	// Wired are the outcomes that every step that calls the capability leads somewhere, see [Use]. An outcome that was added is
	// compatible if it is one of them.
	Wired []wf.Outcome
	// Others is what the source has now, to find out what a capability that is missing was renamed to.
	Others []*wf.NodeDef
}

// Judge compares a capability's saved contract with the live one, nil if the source does not have it any more. It is [VerdictCompatible]
// if the input surely accepts at least what it did, the output surely promises at least what it did, no outcome was added that is not
// wired, and the effect is no graver. What cannot be found out counts as [VerdictBreaking], and is told as [SchemaUndecided]. The names
// of the contracts are not compared: a deployment may bind a source to another. The work is bounded whatever the contracts.
//
// An effect is graver where the capability changes something and did only look, or must not happen twice and could be repeated before:
// whoever approved the plan approved less than that. Between pure and read, and between idempotent and keyed, nothing is at stake.
func Judge(saved, live *wf.NodeDef, opts *JudgeOptions) *Drift {
	if opts == nil {
		opts = &JudgeOptions{}
	}
	d := &Drift{Ref: saved.Name, Verdict: VerdictSame, SavedHash: ContractHash(saved)}
	if live == nil {
		d.missing(saved, opts.Others)
		return d
	}
	d.LiveHash = ContractHash(live)
	d.described(saved, live)
	if d.SavedHash != d.LiveHash {
		d.schemas(saved, live)
		d.outcomes(saved, live, opts.Wired)
		d.effect(saved, live)
		d.times(saved, live)
	}
	return d
}

func (d *Drift) add(diff Difference) {
	d.Verdict = verdicts[max(slices.Index(verdicts, d.Verdict), slices.Index(verdicts, diff.Verdict))]
	d.Differences = append(d.Differences, diff)
}

// missing looks for what a capability may be called now: the one with an equal contract that says something, or that has the nearest name.
func (d *Drift) missing(saved *wf.NodeDef, others []*wf.NodeDef) {
	var equal, all []string
	for _, o := range others {
		all = append(all, o.Name)
		if ContractHash(o) == d.SavedHash && (len(saved.InputSchema) > 0 || len(saved.OutputSchema) > 0) {
			equal = append(equal, o.Name)
		}
	}
	message := "the source does not have it any more"
	near, isNear := suggest.Nearest(saved.Name, equal)
	if !isNear && len(equal) == 1 {
		near, isNear = equal[0], true
	}
	if isNear {
		message += fmt.Sprintf("; it has %s, whose contract is equal", quoted(near))
	} else if near, isNear = suggest.Nearest(saved.Name, all); isNear {
		message += fmt.Sprintf("; it has %s, whose contract is another", quoted(near))
	}
	d.Suggested = near
	d.add(Difference{Kind: CapabilityMissing, Verdict: VerdictBreaking, Message: message})
}

func (d *Drift) outcomes(saved, live *wf.NodeDef, wired []wf.Outcome) {
	was, is := outcomesOf(saved), outcomesOf(live)
	lists := Difference{Path: "/outcomes", Saved: jsonOf(was), Live: jsonOf(is)}
	for _, o := range is {
		if slices.Contains(was, o) {
			continue
		}
		diff := lists
		diff.Kind, diff.Verdict = OutcomeAdded, VerdictBreaking
		diff.Message = fmt.Sprintf("the outcome %s is new, and not every step that calls it leads it somewhere: a run that gets it fails", quoted(o))
		if slices.Contains(wired, o) {
			diff.Verdict, diff.Message = VerdictCompatible, fmt.Sprintf("the outcome %s is new; every step that calls it leads it somewhere", quoted(o))
		}
		d.add(diff)
	}
	for _, o := range was {
		if !slices.Contains(is, o) {
			diff := lists
			diff.Kind, diff.Verdict = OutcomeRemoved, VerdictCompatible
			diff.Message = fmt.Sprintf("the outcome %s is gone: what it leads to is not reached by it any more", quoted(o))
			d.add(diff)
		}
	}
}

// gravity is what is at stake when a capability is called, and called again.
func gravity(e wf.Effect) int {
	switch e {
	case wf.EffectPure, wf.EffectRead:
		return 0
	case wf.EffectIdempotent, wf.EffectKeyed:
		return 1
	}
	return 2
}

func (d *Drift) effect(saved, live *wf.NodeDef) {
	was, is := effectOf(saved), effectOf(live)
	if was == is {
		return
	}
	diff := Difference{Kind: EffectChanged, Path: "/effect", Verdict: VerdictCompatible, Saved: jsonOf(was), Live: jsonOf(is)}
	diff.Message = fmt.Sprintf("the effect was %s, is %s: ", quoted(was), quoted(is))
	switch from, to := gravity(was), gravity(is); {
	case to <= from:
		diff.Message += "calls do no more harm than before"
	case from == 0:
		diff.Verdict = VerdictBreaking
		diff.Message += "it changes something where it only looked before"
	default:
		diff.Verdict = VerdictBreaking
		diff.Message += "a call must not be repeated any more, and one whose result is not known waits for somebody to decide"
	}
	d.add(diff)
}

func (d *Drift) times(saved, live *wf.NodeDef) {
	if !reflect.DeepEqual(saved.Retry, live.Retry) {
		d.add(Difference{Kind: RetryChanged, Verdict: VerdictCompatible, Path: "/retry", Saved: jsonOf(saved.Retry), Live: jsonOf(live.Retry),
			Message: "when a failed call is made again has changed"})
	}
	if saved.TimeoutSeconds != live.TimeoutSeconds {
		d.add(Difference{Kind: TimeoutChanged, Verdict: VerdictCompatible, Path: "/timeout_seconds", Saved: jsonOf(saved.TimeoutSeconds), Live: jsonOf(live.TimeoutSeconds),
			Message: fmt.Sprintf("a call may take %s, before %s", seconds(live.TimeoutSeconds), seconds(saved.TimeoutSeconds))})
	}
}

func seconds(s float64) string {
	if s == 0 {
		return "any time"
	}
	return strconv.FormatFloat(s, 'g', -1, 64) + " s"
}

// jsonOf writes what always has a JSON form; nothing for nothing.
func jsonOf[T any](x T) json.RawMessage {
	text, err := json.Marshal(x)
	if err != nil || string(text) == "null" || reflect.ValueOf(x).IsZero() {
		return nil
	}
	return text
}

func quoted[T ~string](s T) string { return strconv.Quote(string(s)) }

// String writes the drift for people: its verdict, and a line for each difference, breaking ones marked with "!".
func (d *Drift) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", d.Ref, d.Verdict)
	for _, diff := range d.Differences {
		mark := map[Verdict]string{VerdictBreaking: "!", VerdictCompatible: "~", VerdictSame: " "}[diff.Verdict]
		path := diff.Path
		if path == "" {
			path = "(whole contract)"
		}
		fmt.Fprintf(&b, "%s %s: %s [%s]\n", mark, path, diff.Message, diff.Kind)
	}
	return b.String()
}
