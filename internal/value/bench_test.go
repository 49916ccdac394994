package value_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"lda.chat/wf/internal/value"
)

const smallText = `{"id":12345,"title":"weekly report","done":false,"tags":["a","bc"],"score":0.75}`

// largeText is a list of objects alike, as tools answer.
func largeText() []byte {
	var b strings.Builder
	b.WriteByte('[')
	for i := range 1000 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":%d,"title":"issue number %d","labels":["bug","p1"],"body":"A line of text.\nAnother one, somewhat longer.","open":true,"weight":%d.5}`, i, i, i)
	}
	b.WriteByte(']')
	return []byte(b.String())
}

func BenchmarkParse(b *testing.B) {
	for name, text := range map[string][]byte{"small": []byte(smallText), "large": largeText()} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := value.Parse(text); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/encoding-json", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				var v any
				if err := json.Unmarshal(text, &v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkAppendJSON(b *testing.B) {
	for name, text := range map[string][]byte{"small": []byte(smallText), "large": largeText()} {
		b.Run(name, func(b *testing.B) {
			v := parse(b, string(text))
			var dst []byte
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				dst = v.AppendJSON(dst[:0])
			}
		})
	}
}

// BenchmarkAppend grows an array to 10,000 elements; the time is that of one append.
func BenchmarkAppend(b *testing.B) {
	b.ReportAllocs()
	var v value.Value
	for b.Loop() {
		if v.Len() == 10_000 {
			v = value.Value{}
		}
		v = v.Append(value.Int(int64(v.Len())))
	}
}

// BenchmarkAppendSized asks for the size of the state around the array after each append.
func BenchmarkAppendSized(b *testing.B) {
	b.ReportAllocs()
	empty := value.Object(value.Member{Key: "note", Value: value.String(strings.Repeat("x", 10_000))})
	state := empty
	for b.Loop() {
		if state.Get("log").Len() == 10_000 {
			state = empty
		}
		state = state.With("log", state.Get("log").Append(value.True))
		if value.Size(state) < 10_000 {
			b.Fatal("wrong size")
		}
	}
}

func BenchmarkGet(b *testing.B) {
	for _, n := range []int{3, 8, 9, 100} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			v := object(n)
			key := fmt.Sprintf("field_%03d", n/2)
			for b.Loop() {
				if v.Get(key).IsAbsent() {
					b.Fatal("absent")
				}
			}
		})
	}
}

func BenchmarkWith(b *testing.B) {
	v := object(20)
	b.ReportAllocs()
	for b.Loop() {
		v = v.With("field_010", value.Int(7))
	}
}

func BenchmarkShapeObject(b *testing.B) {
	shape := value.NewShape("a", "b", "c")
	b.ReportAllocs()
	for b.Loop() {
		vals := [...]value.Value{value.Int(1), value.String("x"), value.True}
		sink = shape.Object(vals[:])
	}
}

func BenchmarkNumbers(b *testing.B) {
	x, y := number(b, "123.456"), number(b, "0.0044")
	for name, run := range map[string]func(){
		"add/int":         func() { sink, _ = value.Add(value.Int(12), value.Int(30)) },
		"add/decimal":     func() { sink, _ = value.Add(x, y) },
		"compare/int":     func() { value.Compare(value.Int(12), value.Int(30)) },
		"compare/decimal": func() { value.Compare(x, y) },
		"compare/mixed":   func() { value.Compare(x, value.Int(30)) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				run()
			}
		})
	}
}

func BenchmarkEqual(b *testing.B) {
	v, w := parse(b, smallText), parse(b, smallText)
	b.ReportAllocs()
	for b.Loop() {
		if !value.Equal(v, w) {
			b.Fatal("not equal")
		}
	}
}
