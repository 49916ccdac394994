package value_test

import (
	"testing"

	"lda.chat/wf/internal/value"
)

// One storage has one identity; a version that has grown, and an equal value made anew, have others.
func TestIdentity(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`null`, `true`, `1`, `1.50`, `"text"`, `[1,2]`, `{"a":1}`} {
		v, again := parse(t, text), parse(t, text)
		outer := value.Object(value.Member{Key: "inner", Value: v})
		if v.Identity() != outer.Get("inner").Identity() {
			t.Errorf("%s: the member of an object has another identity", text)
		}
		if kind := v.Kind(); kind >= value.KindArray && v.Identity() == again.Identity() {
			t.Errorf("%s: two storages have one identity", text)
		}
		if v.Kind() == value.KindArray && v.Identity() == v.Append(value.Null).Identity() {
			t.Errorf("%s: a version that has grown has the same identity", text)
		}
	}
}
