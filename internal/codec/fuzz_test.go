package codec

import (
	"encoding/json"
	"math/rand"
	"reflect"
	"testing"
	"testing/quick"

	"lda.chat/wf/internal/value"
)

// plain has no types of which testing/quick could make values that JSON cannot hold, and no `any`.
type plain struct {
	B    bool               `json:"b"`
	I    int                `json:"i,omitempty"`
	I16  *int16             `json:",string"`
	U    []uint32           `json:"u,omitzero"`
	U64  map[uint64]float32 `json:"u64,omitempty"`
	F    [2]float64         `json:"f"`
	S    string             `json:"s,string"`
	Subs []*struct {
		M map[string][]byte
		N named `json:",omitempty"`
	}
	*Deep
	Other
}

// FuzzLikeJSON compares both directions with encoding/json on arbitrary values of a type.
func FuzzLikeJSON(f *testing.F) {
	for seed := range int64(200) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed int64) {
		made, ok := quick.Value(reflect.TypeFor[plain](), rand.New(rand.NewSource(seed)))
		if !ok {
			t.Fatal("no value")
		}
		x := made.Interface().(plain)
		text, err := json.Marshal(&x)
		if err != nil {
			t.Skip(err)
		}
		want, err := value.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Encode(&x)
		if err != nil {
			t.Fatal(err)
		}
		if !value.Equal(want, got) {
			t.Fatalf("encode\nwant %s\ngot  %s", want, got)
		}
		var byJSON, byCodec plain
		if err := json.Unmarshal(text, &byJSON); err != nil {
			t.Fatal(err)
		}
		if err := Decode(got, &byCodec); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(byJSON, byCodec) {
			t.Fatalf("decode\nwant %+v\ngot  %+v", byJSON, byCodec)
		}
	})
}

// FuzzDecode: whatever JSON arrives, decoding ends without a panic, what it accepts can be written again, and decoding the
// members alone is the same as decoding the object.
func FuzzDecode(f *testing.F) {
	whole, empty := full(), zoo{}
	for _, x := range []*zoo{&whole, &empty} {
		text, err := json.Marshal(x)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(`{"I8":300,"Time":null,"IntMap":{"x":1},"List":{"N":1,"next":{"next":null}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := value.Parse(text)
		if err != nil {
			t.Skip()
		}
		lenient, _ := Of[zoo]()
		strict, _ := Strict[zoo]()
		decodesMembers(t, lenient, v)
		decodesMembers(t, strict, v)
		var x zoo
		if err := Decode(v, &x); err != nil {
			_ = err.Error()
			return
		}
		if _, err := Encode(&x); err != nil {
			t.Fatalf("decoded %s, then: %v", v, err)
		}
	})
}

func decodesMembers(t *testing.T, c Typed[zoo], object value.Value) {
	t.Helper()
	if object.Kind() != value.KindObject {
		return
	}
	var keys []string
	var vals []value.Value
	for key, v := range object.Members() {
		keys, vals = append(keys, key), append(vals, v)
	}
	var whole, members zoo
	err := c.Decode(object, &whole)
	ok := c.DecodeMembers(value.NewShape(keys...), vals, &members)
	if ok != (err == nil) || ok && !reflect.DeepEqual(whole, members) {
		t.Fatalf("%s: the object gives %v %+v, its members %v %+v", object, err, whole, ok, members)
	}
}
