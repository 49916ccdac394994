package kernel

import "lda.chat/wf/internal/value"

// tree is a value that many deep merges go into, one after the other: each costs what it brings, not what is there already.
type tree struct {
	val     value.Value      // as it is while members is nil
	names   []string         // the members in the order in which they came
	members map[string]*tree // look-up only
}

func (t *tree) merge(in value.Value) {
	if in.Kind() != value.KindObject || t.members == nil && t.val.Kind() != value.KindObject {
		*t = tree{val: in}
		return
	}
	if t.members == nil {
		t.members = make(map[string]*tree, t.val.Len())
		for key, v := range t.val.Members() {
			t.add(key, v)
		}
		t.val = value.Value{}
	}
	for key, v := range in.Members() {
		if member := t.members[key]; member != nil {
			member.merge(v)
		} else {
			t.add(key, v)
		}
	}
}

func (t *tree) add(key string, v value.Value) {
	t.names = append(t.names, key)
	t.members[key] = &tree{val: v}
}

func (t *tree) value() value.Value {
	if t.members == nil {
		return t.val
	}
	members := make([]value.Member, len(t.names))
	for i, key := range t.names {
		members[i] = value.Member{Key: key, Value: t.members[key].value()}
	}
	return value.Object(members...)
}
