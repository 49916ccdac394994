package kernel

import "lda.chat/wf/internal/value"

// Operation is one of the closed set of ways in which a write changes a field. A record holds the operation and its
// input, so that a write can be replayed and merged anywhere.
type Operation uint8

// The operations.
const (
	OpSet Operation = iota
	OpUnset
	OpAppend
	OpExtend
	OpAdd
	OpMax
	OpMin
	OpUnion
	OpMerge
	OpDeepMerge
	OpHost // a reducer of the host: the record holds its result too
)

var opNames = [...]string{"set", "unset", "append", "extend", "add", "max", "min", "union", "merge", "deep_merge", "host"}

func (o Operation) String() string { return opNames[o] }

// smallUnion is up to where a linear search beats an index of encodings.
const smallUnion = 16

// reduce merges in into cur (absent: nothing there yet). OpUnset and OpHost are not for it.
func reduce(op Operation, cur, in value.Value) (value.Value, string) {
	if op == OpSet {
		return in, ""
	}
	if want := inputKind(op); want != value.KindAbsent && in.Kind() != want {
		return cur, "takes " + article(want) + ", but was given " + describe(in)
	}
	if cur.IsAbsent() {
		switch op {
		case OpAppend:
			return value.Array(in), ""
		case OpUnion:
			cur = value.Array()
		default:
			return in, ""
		}
	}
	if want := fieldKind(op); want != value.KindAbsent && cur.Kind() != want {
		return cur, "works on " + article(want) + ", but the field holds " + describe(cur)
	}
	switch op {
	case OpAppend:
		return cur.Append(in), ""
	case OpExtend:
		items := make([]value.Value, 0, in.Len())
		for _, item := range in.Items() {
			items = append(items, item)
		}
		return cur.Append(items...), ""
	case OpAdd:
		sum, err := value.Add(cur, in)
		if err != nil {
			return cur, err.Error()
		}
		return sum, ""
	case OpMax, OpMin:
		order, ok := value.Compare(cur, in)
		if !ok {
			return cur, "compares two numbers or two strings, but the field holds " + describe(cur) + " and was given " + describe(in)
		}
		if order < 0 == (op == OpMax) && order != 0 {
			return in, ""
		}
		return cur, ""
	case OpUnion:
		return union(cur, in), ""
	case OpMerge:
		return merge(cur, in, func(_, v value.Value) value.Value { return v }), ""
	}
	return deepMerge(cur, in), ""
}

// inputKind is what a reducer's input must be; absent: more than one kind will do.
func inputKind(op Operation) value.Kind {
	switch op {
	case OpExtend, OpUnion:
		return value.KindArray
	case OpAdd:
		return value.KindNumber
	case OpMerge, OpDeepMerge:
		return value.KindObject
	}
	return value.KindAbsent
}

// fieldKind is what the field must hold.
func fieldKind(op Operation) value.Kind {
	if op == OpAppend {
		return value.KindArray
	}
	return inputKind(op)
}

// union adds the elements that are not there yet, in order; numbers are compared by value.
func union(cur, in value.Value) value.Value {
	if cur.Len()+in.Len() <= smallUnion {
		for _, item := range in.Items() {
			if !hasItem(cur, item) {
				cur = cur.Append(item)
			}
		}
		return cur
	}
	have := make(map[string]bool, cur.Len()) // look-up only
	for _, item := range cur.Items() {
		have[string(item.AppendCanonical(nil))] = true
	}
	for _, item := range in.Items() {
		key := string(item.AppendCanonical(nil))
		if !have[key] {
			have[key] = true
			cur = cur.Append(item)
		}
	}
	return cur
}

func hasItem(array, item value.Value) bool {
	for _, x := range array.Items() {
		if value.Equal(x, item) {
			return true
		}
	}
	return false
}

// deepMerge merges objects member by member; anything else is replaced.
func deepMerge(cur, in value.Value) value.Value {
	if cur.Kind() != value.KindObject || in.Kind() != value.KindObject {
		return in
	}
	return merge(cur, in, deepMerge)
}

// merge puts the members of in over those of cur; both says what becomes of a member that both have.
func merge(cur, in value.Value, both func(old, v value.Value) value.Value) value.Value {
	members := make([]value.Member, 0, cur.Len()+in.Len())
	for key, v := range cur.Members() {
		members = append(members, value.Member{Key: key, Value: v})
	}
	for key, v := range in.Members() {
		if old := cur.Get(key); !old.IsAbsent() {
			v = both(old, v)
		}
		members = append(members, value.Member{Key: key, Value: v}) // a later member wins
	}
	return value.Object(members...)
}
