package codec

import (
	"encoding/json"
	"testing"

	"lda.chat/wf/internal/value"
)

type small struct {
	ID    int64   `json:"id"`
	Name  string  `json:"name"`
	Score float64 `json:"score"`
}

// TestAllocations: what a step costs is counted here, because time on a shared machine is not stable.
func TestAllocations(t *testing.T) {
	codec, err := Of[small]()
	if err != nil {
		t.Fatal(err)
	}
	x := small{ID: 7, Name: "seven"}
	v, err := codec.Encode(&x)
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100, func() { v, _ = codec.Encode(&x) }); n > 1 {
		t.Errorf("encode: %v allocations, want 1 at most", n)
	}
	if n := testing.AllocsPerRun(100, func() { err = codec.Decode(v, &x) }); n > 0 || err != nil {
		t.Errorf("decode: %v allocations (%v), want none", n, err)
	}

	type sparse struct {
		A *int   `json:"a,omitempty"`
		B string `json:"b,omitempty"`
		C int    `json:"c"`
	}
	omitting, err := Of[sparse]()
	if err != nil {
		t.Fatal(err)
	}
	y := sparse{B: "b"}
	if n := testing.AllocsPerRun(100, func() { v, _ = omitting.Encode(&y) }); n > 1 {
		t.Errorf("encode with a member left out: %v allocations, want 1 at most", n)
	}
}

func BenchmarkEncode(b *testing.B) {
	codec, err := Of[small]()
	if err != nil {
		b.Fatal(err)
	}
	x := small{ID: 7, Name: "seven", Score: 0.5}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := codec.Encode(&x); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncodeInts(b *testing.B) {
	type ints struct {
		A int    `json:"a"`
		B bool   `json:"b"`
		C string `json:"c"`
	}
	codec, err := Of[ints]()
	if err != nil {
		b.Fatal(err)
	}
	x := ints{A: 7, B: true, C: "seven"}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := codec.Encode(&x); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	codec, err := Of[small]()
	if err != nil {
		b.Fatal(err)
	}
	x := small{ID: 7, Name: "seven", Score: 0.5}
	v, err := codec.Encode(&x)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := codec.Decode(v, &x); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkJSON is the way through text that this package saves.
func BenchmarkJSON(b *testing.B) {
	x := small{ID: 7, Name: "seven", Score: 0.5}
	b.ReportAllocs()
	for b.Loop() {
		text, err := json.Marshal(&x)
		if err != nil {
			b.Fatal(err)
		}
		v, err := value.Parse(text)
		if err != nil {
			b.Fatal(err)
		}
		if err := json.Unmarshal(v.JSON(), &x); err != nil {
			b.Fatal(err)
		}
	}
}
