package cli

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"lda.chat/wf/internal/value"
)

// binding is what a place is bound to: a path, a literal or a template, and what stands in for a path that is absent.
type binding struct {
	from            string
	value, fallback json.RawMessage
	text            string
	isText          bool
}

// bindings are those of one edit, by the places that they are of.
type bindings map[string]binding

// bindTo adds to bindings what one flag says.
func bindTo(was any, place string, b binding) (any, error) {
	all, _ := was.(bindings)
	if all == nil {
		all = bindings{}
	}
	old, has := all[place]
	switch {
	case has && b.fallback != nil && old.fallback == nil:
		old.fallback = b.fallback
		b = old
	case has && b.fallback == nil && old.isDefault():
		b.fallback = old.fallback
	case has:
		return nil, errors.New("it is bound twice: " + place)
	}
	all[place] = b
	return all, nil
}

// isDefault reports a default alone, for a binding that is there already.
func (b binding) isDefault() bool { return b.from == "" && b.value == nil && !b.isText }

// operand is what stands in a plan.
func (b binding) operand() any {
	operand := map[string]any{}
	switch {
	case b.value != nil:
		v, _ := value.Parse(b.value)
		if k := v.Kind(); k != value.KindString && k != value.KindArray && k != value.KindObject && b.fallback == nil {
			return b.value
		}
		operand["value"] = b.value
	case b.isText:
		operand["text"] = b.text
	case b.fallback == nil:
		return b.from
	default:
		operand["path"] = b.from
	}
	if b.fallback != nil {
		operand["default"] = b.fallback
	}
	return operand
}

// operands are what stands in a plan, by places. What is bound to positions of a list, as to[0] and to[1], is that list.
func (all bindings) operands() (map[string]any, error) {
	operands, lists := map[string]any{}, map[string]map[int]any{}
	for place, b := range all {
		list, at, isPosition := position(place)
		switch {
		case isPosition && b.isDefault():
			return nil, usagef("%s has a default and is bound to nothing: a list is bound as a whole, so bind it here too", place)
		case isPosition && lists[list] == nil:
			lists[list] = map[int]any{at: b.operand()}
		case isPosition:
			lists[list][at] = b.operand()
		case !b.isDefault():
			operands[place] = b.operand()
		}
	}
	for _, list := range slices.Sorted(maps.Keys(lists)) {
		items := make([]any, len(lists[list]))
		for i := range items {
			item, ok := lists[list][i]
			if !ok {
				return nil, usagef("of the list %s, the position %d is bound to nothing: a list is bound as a whole, from [0] on", list, i)
			}
			items[i] = item
		}
		if _, has := operands[list]; has {
			return nil, usagef("%s is bound as a whole, and at its positions", list)
		}
		operands[list] = items
	}
	return operands, nil
}

// position splits to[0].
func position(place string) (list string, at int, isPosition bool) {
	list, rest, ok := strings.Cut(place, "[")
	digits, isLast := strings.CutSuffix(rest, "]")
	at, err := strconv.Atoi(digits)
	return list, at, ok && isLast && err == nil && at >= 0 && list != ""
}
