package wf

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"lda.chat/wf/internal/value"
)

// name reads an id, an outcome or an "as" name: letters, digits, "_" and "-", at most 128 of them.
func (r *reader) name(v value.Value, at, what string) string {
	return r.spelled(v, at, what, "", "letters, digits, _ and -")
}

// dotted reads a name that may have dots: a ref, a code, a reducer, a workflow's name.
func (r *reader) dotted(v value.Value, at, what string) string {
	return r.spelled(v, at, what, ".", "letters, digits, _, - and .")
}

// spelled reads a name of the given letters. One with others is reported and read as it is proposed.
func (r *reader) spelled(v value.Value, at, what, extra, alphabet string) string {
	s, ok := v.AsString()
	switch {
	case r.isHole(v):
		return s
	case !ok:
		r.wrongType(v, at, what+", a string")
		return hole
	case s == "":
		r.add(Diagnostic{Code: "name_invalid", Path: at, Message: what + " is empty", RepairHint: "write a name: " + alphabet})
		return hole
	case len(s) > maxNameLen:
		r.add(Diagnostic{Code: "name_invalid", Path: at, RepairHint: "shorten it",
			Message: fmt.Sprintf("%s %s is %d characters long; at most %d are allowed", what, quoteShort(s), len(s), maxNameLen)})
		return hole
	case spell(s, extra) != s:
		d := Diagnostic{Code: "name_invalid", Path: at, RepairHint: "write " + strconv.Quote(spell(s, extra)) + " everywhere the name stands",
			Message: fmt.Sprintf("%s %s has other characters than %s", what, quoteShort(s), alphabet)}
		if strings.Trim(spell(s, extra), "_") == "" {
			d.RepairHint = "write a name: " + alphabet
			r.add(d)
			return hole
		}
		d.Fixes = []Fix{r.replace(v, at, spell(s, extra), FixUnsafe)}
		r.add(d)
	}
	return spell(s, extra)
}

// spell replaces what is no letter, digit, "_", "-" or one of extra by "_".
func spell(s, extra string) string {
	return strings.Map(func(c rune) rune {
		if c == '_' || c == '-' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || strings.ContainsRune(extra, c) {
			return c
		}
		return '_'
	}, s)
}

// names reads a field that is a list of names.
func (o object) names(key, what string, read func(v value.Value, at, what string) string) []string {
	v, at, ok := o.get(key)
	if !ok {
		return nil
	}
	if v.Kind() == value.KindString {
		o.wrongType(v, at, "a list of "+what+"s", o.replace(v, at, value.Array(v), FixSafe))
		return []string{read(v, at, what)}
	}
	items, _ := o.items(key, "a list of "+what+"s")
	var names []string
	if v.Kind() != value.KindArray {
		names = []string{hole}
	}
	seen := make(map[string]bool, len(items))
	for i, item := range items {
		written, trust := item, FixSafe
		if item.Kind() == value.KindObject {
			trust = FixUnsafe // first it is to be said what else stands in it
			if text, ok := o.named(item, element(at, i), what); ok {
				item = text
			}
		}
		name := read(item, element(at, i), what)
		if !isHole(name) && seen[name] {
			o.add(Diagnostic{Code: "name_duplicate", Path: element(at, i), RepairHint: "remove it",
				Message: fmt.Sprintf("%s %q stands in the list twice", what, name),
				Fixes:   []Fix{patch("Remove it", trust, opTest(element(at, i), written), opRemove(element(at, i)))}})
			continue
		}
		seen[name] = true
		names = append(names, name)
	}
	return names
}

// outcomes reads a field that is a list of outcomes; fallback stands for a field that is left out.
func (o object) outcomes(key string, fallback ...Outcome) []Outcome {
	if !o.has(key) {
		return fallback
	}
	var list []Outcome
	for _, name := range o.names(key, "outcome", o.name) {
		list = append(list, Outcome(name))
	}
	if v, at, _ := o.get(key); v.Kind() == value.KindArray && v.Len() == 0 {
		o.add(Diagnostic{Code: "field_missing", Path: at, Message: "the list of outcomes is empty", RepairHint: `name one at least, for example "ok"`})
		list = []Outcome{hole}
	}
	return list
}

// codes reads a field that is a list of failure codes.
func (o object) codes(key string, star bool) []Code {
	read := func(v value.Value, at, what string) string {
		if s, _ := v.AsString(); s == "*" && star {
			return s
		}
		return o.dotted(v, at, what)
	}
	var list []Code
	for _, name := range o.names(key, "code", read) {
		list = append(list, Code(name))
	}
	return list
}

// count reads a field that is a whole number from least on; 0 if it is left out.
func (o object) count(key string, least, most int64) int64 {
	v, at, ok := o.get(key)
	if !ok {
		return 0
	}
	n, whole := v.AsInt()
	switch {
	case o.isHole(v):
	case v.Kind() != value.KindNumber:
		o.wrongType(v, at, "a whole number", o.numberFix(v, at)...)
	case !whole || n < least || n > most:
		o.add(Diagnostic{Code: "out_of_range", Path: at, Message: fmt.Sprintf("%q is a whole number from %d to %d, found %s", key, least, most, v.NumberText()),
			RepairHint: "write a number in the range, or leave the field out for its default"})
	default:
		return n
	}
	return holeNumber
}

// numberFix repairs a number that was written as a string.
func (r *reader) numberFix(v value.Value, at string) []Fix {
	s, _ := v.AsString()
	n, err := value.Number(strings.TrimSpace(s))
	if err != nil {
		return nil
	}
	return []Fix{r.replace(v, at, n, FixUnsafe)}
}

// seconds reads a field that is a span of time; 0 if it is left out. positive: 0 may not be written, because a zero
// field of the plan means its default.
func (o object) seconds(key string, positive bool) float64 {
	v, at, ok := o.get(key)
	if !ok {
		return 0
	}
	switch span, isText := durationText(v); {
	case o.isHole(v):
		return holeNumber
	case isText:
		o.add(durationFinding(o.reader, v, at, span))
		v = span
	case v.Kind() != value.KindNumber:
		o.wrongType(v, at, "a number of seconds", o.numberFix(v, at)...)
		return holeNumber
	}
	if !o.checkSeconds(v, at, key, positive) {
		return holeNumber
	}
	f, _ := v.AsFloat()
	return f
}

// checkSeconds reports a span of time that no timer can have.
func (r *reader) checkSeconds(v value.Value, at, key string, positive bool) bool {
	f, ok := v.AsFloat()
	if ok && f >= 0 && f <= maxSeconds && (f > 0 || !positive) {
		return true
	}
	from := "0"
	if positive {
		from = "more than 0"
	}
	r.add(Diagnostic{Code: "timer_out_of_range", Path: at, RepairHint: "write seconds; leave the field out for its default",
		Message: fmt.Sprintf("%q is a number of seconds, from %s to %d (a hundred years), found %s", key, from, maxSeconds, v.NumberText())})
	return false
}

var spanText = regexp.MustCompile(`^([0-9.]+) *(ms|millis(?:econds?)?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?)$`)

// spanUnits are units of time by their first letters, in seconds.
var spanUnits = []struct {
	prefix  string
	seconds float64
}{{"ms", 0.001}, {"milli", 0.001}, {"s", 1}, {"m", 60}, {"h", 3600}, {"d", 86400}}

// durationText reads a span of time written as text, "30s", "5 minutes" or "1h30m", in seconds.
func durationText(v value.Value) (seconds value.Value, ok bool) {
	s, _ := v.AsString()
	s = strings.ToLower(strings.TrimSpace(s))
	if m := spanText.FindStringSubmatch(s); m != nil {
		number, err := strconv.ParseFloat(m[1], 64)
		for _, unit := range spanUnits {
			if strings.HasPrefix(m[2], unit.prefix) {
				seconds, floatErr := value.Float(number * unit.seconds)
				return seconds, err == nil && floatErr == nil
			}
		}
	}
	span, err := time.ParseDuration(s)
	if err != nil || s == "0" {
		return value.Value{}, false
	}
	seconds, err = value.Float(span.Seconds())
	return seconds, err == nil
}

func durationFinding(r *reader, v value.Value, at string, seconds value.Value) Diagnostic {
	return Diagnostic{Code: "duration_text", Path: at, RepairHint: "write " + seconds.NumberText(),
		Message: "spans of time are numbers of seconds, found " + describe(v),
		Fixes:   []Fix{r.replace(v, at, seconds, FixSafe)}}
}

// literal reads a field that is any JSON.
func (o object) literal(key string) json.RawMessage {
	v, at, ok := o.get(key)
	if !ok {
		return nil
	}
	o.checkDepth(v, at)
	return v.AppendCanonical(nil)
}

// checkDepth reports data that is nested too deep to stand in a plan.
func (r *reader) checkDepth(v value.Value, at string) bool {
	if shallow(v, maxLiteralDepth) {
		return true
	}
	r.add(Diagnostic{Code: "too_deep", Path: at, RepairHint: "nest less",
		Message: fmt.Sprintf("a literal or a schema in a plan is at most %d levels deep", maxLiteralDepth)})
	return false
}

// shallow reports whether a value has at most the given number of levels.
func shallow(v value.Value, levels int) bool {
	if v.Kind() != value.KindArray && v.Kind() != value.KindObject {
		return true
	}
	if levels == 0 {
		return false
	}
	for _, item := range v.Items() {
		if !shallow(item, levels-1) {
			return false
		}
	}
	for _, member := range v.Members() {
		if !shallow(member, levels-1) {
			return false
		}
	}
	return true
}
