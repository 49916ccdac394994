package cli

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/internal/value"
)

// flagKind is how a flag of a focused command becomes a member of an edit.
type flagKind struct {
	word string // what its value is called
	// read makes the member of what it was so far, nil at first, and the flag's text.
	read func(was any, text string) (any, error)
}

// The kinds of flags.
var (
	isText   = &flagKind{"TEXT", func(_ any, text string) (any, error) { return text, nil }}
	isSet    = &flagKind{"bool", func(_ any, text string) (any, error) { return strconv.ParseBool(text) }}
	isNumber = &flagKind{"NUMBER", func(_ any, text string) (any, error) {
		n, err := strconv.Atoi(text)
		if err != nil {
			return nil, errors.New("expected a whole number")
		}
		return n, nil
	}}
	isJSON  = &flagKind{"JSON", func(_ any, text string) (any, error) { return literal(text) }}
	isTexts = &flagKind{"TEXT", func(was any, text string) (any, error) {
		list, _ := was.([]string)
		return append(list, text), nil
	}}
	// NAME=JSON, or NAME=a text.
	isMembers = &flagKind{"NAME=JSON", func(was any, text string) (any, error) {
		name, rest, err := pair(text, "a name", "JSON or a text, as in timeout_seconds=30")
		if err != nil {
			return nil, err
		}
		v, bad := literal(rest)
		if bad != nil {
			v, _ = json.Marshal(rest)
		}
		return with(was, name, v), nil
	}}
	// NAME=TYPE, or NAME=a schema.
	isFields = &flagKind{"NAME=TYPE", func(was any, text string) (any, error) {
		name, rest, err := pair(text, "a field's name", `its type, as in topic=string, count=integer?, or "tags=array append = []", or its schema in JSON`)
		if err != nil {
			return nil, err
		}
		v, _ := json.Marshal(rest)
		if strings.HasPrefix(strings.TrimSpace(rest), "{") {
			if v, err = literal(rest); err != nil {
				return nil, err
			}
		}
		return with(was, name, v), nil
	}}
	// What bindings are made of: see [binding].
	isMap = &flagKind{"FROM=TO", func(was any, text string) (any, error) {
		from, to, err := fromTo(text, "where it comes from", "where it goes, as in input.text=text")
		if err != nil {
			return nil, err
		}
		return bindTo(was, to, binding{from: from})
	}}
	isMapOut = &flagKind{"FROM=TO", func(was any, text string) (any, error) {
		from, to, err := fromTo(text, "a place of what the step returns", "where it goes, as in title=state.title")
		if err != nil {
			return nil, err
		}
		source, parsed := wf.ParsePath(from)
		target, okay := wf.ParsePath(to)
		isOwn := parsed != nil || source.Root == wf.RootLocal
		if okay == nil && target.Root == wf.RootState && isOwn { // the state gets a place of the output
			return bindTo(was, from, binding{from: to})
		}
		return bindTo(was, to, binding{from: from})
	}}
	isValue = &flagKind{"TO=JSON", func(was any, text string) (any, error) {
		to, rest, err := pair(text, "where it goes", "a literal in JSON, as in n=5")
		if err != nil {
			return nil, err
		}
		v, err := literal(rest)
		if err != nil {
			return nil, err
		}
		return bindTo(was, to, binding{value: v})
	}}
	isTemplate = &flagKind{"TO=TEXT", func(was any, text string) (any, error) {
		to, rest, err := pair(text, "where it goes", `a text, as in 'subject=Re: {input.subject}'`)
		if err != nil {
			return nil, err
		}
		return bindTo(was, to, binding{text: rest, isText: true})
	}}
	isDefault = &flagKind{"TO=JSON", func(was any, text string) (any, error) {
		to, rest, err := pair(text, "where it goes", "a literal in JSON, as in n=5")
		if err != nil {
			return nil, err
		}
		v, err := literal(rest)
		if err != nil {
			return nil, err
		}
		return bindTo(was, to, binding{fallback: v})
	}}
)

// pair splits a text at its first "=" that stands in no brackets: a path may have one in a name that is quoted.
func pair(text, first, second string) (string, string, error) {
	depth, quoted := 0, false
	for i, r := range text {
		switch {
		case r == '"' && depth > 0 && (i == 0 || text[i-1] != '\\'):
			quoted = !quoted
		case quoted:
		case r == '[':
			depth++
		case r == ']':
			depth--
		case r == '=' && depth == 0 && i > 0:
			return text[:i], text[i+1:], nil
		}
	}
	return "", "", errors.New("expected " + first + `, "=" and ` + second)
}

// fromTo is pair for two places.
func fromTo(text, first, second string) (from, to string, err error) {
	if from, to, err = pair(text, first, second); err == nil && to == "" {
		err = errors.New("there is nothing behind the \"=\": expected " + second)
	}
	return from, to, err
}

func literal(text string) (json.RawMessage, error) {
	if _, err := value.Parse([]byte(text)); err != nil {
		return nil, errors.New(`expected JSON, in which a text stands in quotes, as '"Hello"'`)
	}
	return json.RawMessage(text), nil
}

func with(was any, name string, v json.RawMessage) map[string]json.RawMessage {
	all, _ := was.(map[string]json.RawMessage)
	if all == nil {
		all = map[string]json.RawMessage{}
	}
	all[name] = v
	return all
}
