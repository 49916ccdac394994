package value

import "testing"

func TestSmoke(t *testing.T) {
	for _, text := range []string{`{"a":[1,2.50,{"b":null}],"z":"x\n\u00e9😀"}`, `[]`, `{}`, `-0`, `1E+2`, `"a"`, `[[[]],{}]`, `true`} {
		v, err := Parse([]byte(text))
		if err != nil {
			t.Fatal(text, err)
		}
		t.Log(v, Size(v) == len(v.JSON()), Depth(v), string(Indent(v)), v.ToAny())
		w, err := Parse(v.JSON())
		if err != nil || !Equal(v, w) {
			t.Error(v, w, err)
		}
	}
	for _, text := range []string{``, `[1,]`, `{"a":1,"b":2,"a":3}`, "{\"a\"\n 1}", `[1] //`, `"\ud800x"`, "\"\xff\"", `1e400`, `{"a":[1,tru]}`, `01`, `"a`, `{a:1}`, "\"\n\"", "{'a':1}"} {
		_, err := Parse([]byte(text))
		t.Log(err)
	}
	a, _ := Number("0.1")
	b, _ := Number("0.2")
	t.Log(Add(a, b))
	t.Log(Float(5e-324))
	v, err := Value{}.Set(Path{{Key: "a"}, {Key: "b"}}, Int(1))
	t.Log(v, err)
	_, err = v.Set(Path{{Key: "a"}, {Key: "b"}, {Key: "c"}}, Int(1))
	t.Log(err)
}
