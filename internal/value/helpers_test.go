package value_test

import (
	"fmt"
	"testing"

	"lda.chat/wf/internal/value"
)

var sink value.Value

func parse(t testing.TB, text string) value.Value {
	t.Helper()
	v, err := value.Parse([]byte(text))
	if err != nil {
		t.Fatalf("Parse(%.100s): %v", text, err)
	}
	return v
}

func number(t testing.TB, literal string) value.Value {
	t.Helper()
	v, err := value.Number(literal)
	if err != nil {
		t.Fatalf("Number(%s): %v", literal, err)
	}
	return v
}

// object makes an object of n integers.
func object(n int) value.Value {
	members := make([]value.Member, n)
	for i := range members {
		members[i] = value.Member{Key: fmt.Sprintf("field_%03d", i), Value: value.Int(int64(i))}
	}
	return value.Object(members...)
}
