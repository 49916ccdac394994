package jsonpatch_test

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/wI2L/jsondiff"

	"lda.chat/wf/internal/jsonpatch"
	"lda.chat/wf/internal/value"
)

// TestRoundTrip: the difference of two documents, as a library finds it, makes the second of the first.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	rounds := 4_000
	if testing.Short() {
		rounds = 500
	}
	digits := jsondiff.UnmarshalFunc(func(text []byte, v any) error {
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		return d.Decode(v)
	})
	options := [][]jsondiff.Option{ // without Factorize, which is wrong at times
		{digits}, {digits, jsondiff.LCS()}, {digits, jsondiff.Invertible()}, {digits, jsondiff.Rationalize()},
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range rounds {
		from := randomValue(rnd, 4)
		to := mutated(rnd, from)
		diff, err := jsondiff.CompareJSON(from.JSON(), to.JSON(), options[i%len(options)]...)
		if err != nil {
			t.Fatal(err)
		}
		list, err := json.Marshal(diff)
		if err != nil {
			t.Fatal(err)
		}
		patch, err := jsonpatch.ParseText(list)
		if len(diff) == 0 { // it is nil
			patch, err = jsonpatch.Patch{}, nil
		}
		if err != nil {
			t.Fatalf("%s: %v", list, err)
		}
		got, err := jsonpatch.Apply(from, patch, nil)
		if err != nil || !value.Equal(got, to) {
			t.Fatalf("round %d: %s\nof %s\nmade %s\nexpected %s\n%v", i, list, from, got, to, err)
		}
		checkText(t, spaced(rnd, from), patch)
	}
}

// TestOperationsByOneAnother: a move is a removal and an addition, a copy an addition, a replacement a removal and an
// addition where it was; a test passes on what is there; an addition is undone by a removal where nothing was.
func TestOperationsByOneAnother(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(3, 4))
	str := func(p jsonpatch.Pointer) value.Value { return value.String(p.String()) }
	op := func(name string, path value.Value, more ...value.Member) value.Value {
		return value.Object(append(more, value.Member{Key: "op", Value: value.String(name)}, value.Member{Key: "path", Value: path})...)
	}
	apply := func(doc value.Value, ops ...value.Value) (value.Value, bool) {
		patch, err := jsonpatch.Parse(value.Array(ops...))
		if err != nil {
			return doc, false
		}
		checkText(t, spaced(rnd, doc), patch)
		after, err := jsonpatch.Apply(doc, patch, nil)
		return after, err == nil
	}
	same := func(what string, doc, a, b value.Value, aOK, bOK bool) {
		t.Helper()
		if aOK != bOK || aOK && !value.Equal(a, b) {
			t.Fatalf("%s\nof %s: %s (%v) and %s (%v)", what, doc, a, aOK, b, bOK)
		}
	}
	for range 1_000 {
		doc := randomValue(rnd, 4)
		places := placesOf(doc, nil)
		from, to := places[rnd.IntN(len(places))], places[rnd.IntN(len(places))]
		if rnd.IntN(3) == 0 {
			to = append(to[:len(to):len(to)], []string{"-", "new", "0"}[rnd.IntN(3)])
		}
		there := from.Find(doc)
		x := value.Member{Key: "value", Value: there}
		source := value.Member{Key: "from", Value: str(from)}

		moved, ok1 := apply(doc, op("move", str(to), source))
		steps, ok2 := apply(doc, op("remove", str(from)), op("add", str(to), x))
		if from.String() == to.String() {
			steps, ok2 = doc, true
		}
		if strings.HasPrefix(to.String(), from.String()+"/") {
			ok2 = false // into itself
		}
		same("move "+from.String()+" "+to.String(), doc, moved, steps, ok1, ok2)

		copied, ok1 := apply(doc, op("copy", str(to), source))
		added, ok2 := apply(doc, op("add", str(to), x))
		same("copy "+from.String()+" "+to.String(), doc, copied, added, ok1, ok2)

		if _, ok := apply(doc, op("test", str(from), x)); !ok {
			t.Fatalf("a test of %s failed in %s", from, doc)
		}
		if len(from) == 0 {
			continue
		}
		y := value.Member{Key: "value", Value: randomValue(rnd, 1)}
		replaced, ok1 := apply(doc, op("replace", str(from), y))
		steps, ok2 = apply(doc, op("remove", str(from)), op("add", str(from), y))
		same("replace "+from.String(), doc, replaced, steps, ok1, ok2)
		back, ok1 := apply(doc, op("remove", str(from)), op("add", str(from), x))
		same("remove and add "+from.String(), doc, back, doc, ok1, true)
	}
}

func randomValue(rnd *rand.Rand, depth int) value.Value {
	kind := rnd.IntN(9)
	if depth == 0 {
		kind = rnd.IntN(5)
	}
	switch kind {
	case 0:
		return value.Null
	case 1:
		return value.Bool(rnd.IntN(2) == 0)
	case 2:
		return value.Int(int64(rnd.IntN(3)))
	case 3:
		return value.String([]string{"", "a", `"\]}`, "é"}[rnd.IntN(4)])
	case 4:
		n, _ := value.Number([]string{"1.0", "1e2", "12345678901234567890", "-0.5"}[rnd.IntN(4)])
		return n
	case 5, 6:
		items := make([]value.Value, rnd.IntN(5))
		for i := range items {
			items[i] = randomValue(rnd, depth-1)
		}
		return value.Array(items...)
	}
	var members []value.Member
	for range rnd.IntN(5) {
		members = append(members, value.Member{Key: randomKey(rnd), Value: randomValue(rnd, depth-1)})
	}
	return value.Object(members...)
}

func randomKey(rnd *rand.Rand) string {
	return []string{"", "a", "b", "0", "1", "-", "a/b", "m~n", "~1", `"`, "é\n"}[rnd.IntN(11)]
}

// mutated changes a value here and there.
func mutated(rnd *rand.Rand, v value.Value) value.Value {
	if rnd.IntN(8) == 0 {
		return randomValue(rnd, 2)
	}
	switch v.Kind() {
	case value.KindArray:
		var items []value.Value
		for _, item := range v.Items() {
			switch rnd.IntN(8) {
			case 0:
			case 1:
				items = append(items, item, randomValue(rnd, 1))
			default:
				items = append(items, mutated(rnd, item))
			}
		}
		return value.Array(items...)
	case value.KindObject:
		for key, member := range v.Members() {
			switch rnd.IntN(6) {
			case 0:
				v = v.With(key, value.Value{})
			case 1:
				v = v.With(randomKey(rnd), member)
			default:
				v = v.With(key, mutated(rnd, member))
			}
		}
	}
	return v
}

// placesOf are the places of everything in a value.
func placesOf(v value.Value, at jsonpatch.Pointer) []jsonpatch.Pointer {
	places := []jsonpatch.Pointer{at}
	for i, item := range v.Items() {
		places = append(places, placesOf(item, append(at[:len(at):len(at)], strconv.Itoa(i)))...)
	}
	for key, member := range v.Members() {
		places = append(places, placesOf(member, append(at[:len(at):len(at)], key))...)
	}
	return places
}

// spaced writes a value with some white space or other.
func spaced(rnd *rand.Rand, v value.Value) []byte {
	switch rnd.IntN(3) {
	case 0:
		return v.JSON()
	case 1:
		return value.Indent(v)
	}
	var text []byte
	inString, escaped := false, false
	for _, c := range v.JSON() {
		text = append(text, c)
		switch {
		case escaped:
			escaped = false
		case inString && c == '\\':
			escaped = true
		case c == '"':
			inString = !inString
		}
		if !inString && c != '-' && (c < '0' || c > '9') && c != '.' && (c < 'a' || c > 'z') {
			text = append(text, []string{"", " ", "\n  ", "\t\r\n"}[rnd.IntN(4)]...)
		}
	}
	return text
}
