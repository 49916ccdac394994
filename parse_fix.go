package wf

import (
	"encoding/json"
	"fmt"

	"lda.chat/wf/internal/value"
)

// patch is a fix made of RFC 6902 operations.
func patch(title string, trust Applicability, ops ...value.Value) Fix {
	return Fix{Title: title, Applicability: trust, Patch: json.RawMessage(value.Array(ops...).JSON())}
}

func operation(op, at string, more ...value.Member) value.Value {
	return value.Object(append(more,
		value.Member{Key: "op", Value: value.String(op)}, value.Member{Key: "path", Value: value.String(at)})...)
}

func opTest(at string, v value.Value) value.Value {
	return operation("test", at, value.Member{Key: "value", Value: v})
}

func opReplace(at string, v value.Value) value.Value {
	return operation("replace", at, value.Member{Key: "value", Value: v})
}

func opAdd(at string, v value.Value) value.Value {
	return operation("add", at, value.Member{Key: "value", Value: v})
}

func opRemove(at string) value.Value { return operation("remove", at) }

func opMove(from, to string) value.Value {
	return operation("move", to, value.Member{Key: "from", Value: value.String(from)})
}

// replace is a fix that writes another value in a place.
func (r *reader) replace(old value.Value, at string, replacement any, trust Applicability) Fix {
	v, err := value.FromAny(replacement)
	if err != nil {
		v = value.Null
	}
	return patch("Write "+shorten(v.String(), 60), trust, opTest(at, old), opReplace(at, v))
}

// wrap is a fix that puts a value into an object, under a key.
func (r *reader) wrap(v value.Value, at, key string, trust Applicability) Fix {
	return r.replace(v, at, value.Object(value.Member{Key: key, Value: v}), trust)
}

// rename is a fix that gives a field its right name.
func (o object) rename(from, to string, trust Applicability) Fix {
	at := child(o.at, from)
	return patch(fmt.Sprintf("Rename %q to %q", from, to), trust, opTest(at, o.v.Get(from)), opMove(at, child(o.at, to)))
}

// renameAt is rename for a field that may stand under a wrong name already.
func (o object) renameAt(at string, v value.Value, to string, trust Applicability) Fix {
	return patch(fmt.Sprintf("Rename it to %q", to), trust, opTest(at, v), opMove(at, child(o.at, to)))
}

// exchange is a fix that puts a field of another name and value in the place of one.
func (o object) exchange(from, to string, v value.Value, trust Applicability) Fix {
	at := child(o.at, from)
	title := fmt.Sprintf("Write %s: %s instead of %s", quoteShort(to), shorten(v.String(), 60), quoteShort(from))
	return patch(title, trust, opTest(at, o.v.Get(from)), opRemove(at), opAdd(child(o.at, to), v))
}
