package wf

import (
	"encoding/binary"
	"hash/fnv"

	"lda.chat/wf/internal/kernel"
	"lda.chat/wf/internal/value"
)

// What capabilities and people answer follows from the seed and from what is asked, never from when: so that runs that
// differ only in what comes first can be compared.

func simHash(seed uint64, words ...string) uint64 {
	h := fnv.New64a()
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], seed)
	h.Write(b[:])
	for _, w := range words {
		h.Write([]byte(w))
		h.Write([]byte{0})
	}
	x := h.Sum64()
	x ^= x >> 31
	x *= 0x9e3779b97f4a7c15
	return x ^ x>>29
}

// simCall is what a call returns. Its input is without the words of errors, which the model does not know.
func simCall(seed uint64, id, input string, outcomes []Outcome) (Outcome, value.Value) {
	h := simHash(seed, id, input)
	n := value.Int(int64(h % 8))
	members := []value.Member{
		{Key: "n", Value: n}, {Key: "list", Value: value.Array(n, value.Int(int64(h>>8%5)))},
		{Key: "obj", Value: value.Object(value.Member{Key: id, Value: n})},
	}
	if h>>16%3 == 0 {
		members = append(members, value.Member{Key: "m", Value: value.Int(int64(h >> 20 % 100))})
	}
	return outcomes[h>>32%uint64(len(outcomes))], value.Object(members...)
}

// simCallFails is how an attempt fails, nil if it does not. The seed says how often that happens.
func simCallFails(seed uint64, id string, attempt int) *simFail {
	h := simHash(seed, id, "fails", string(rune('0'+attempt)))
	if h%100 >= [...]uint64{0, 8, 20, 40}[simHash(seed)%4] {
		return nil
	}
	fail := &simFail{code: [...]string{"handler_error", "sim.a", "transport"}[h>>8%3]}
	fail.unsent = h>>16%2 == 0
	fail.unknown = fail.code == "transport" && !fail.unsent
	return fail
}

func (f *simFail) failure() *kernel.Failure {
	return &kernel.Failure{Code: f.code, Message: "as the seed says", Unknown: f.unknown, Unsent: f.unsent}
}

// simAnswer is how somebody answers an interrupt.
func simAnswer(seed uint64, id string, outcomes []Outcome) (Outcome, value.Value) {
	h := simHash(seed, id, "answer")
	payload := value.Object(value.Member{Key: "n", Value: value.Int(int64(h % 8))})
	if h>>8%2 == 0 {
		payload = payload.With("m", value.Int(int64(h>>16%50)))
	}
	return outcomes[h>>32%uint64(len(outcomes))], payload
}
