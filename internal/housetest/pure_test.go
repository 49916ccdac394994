package housetest

import "testing"

func TestPure(t *testing.T) {
	t.Parallel()
	const value = `package value
import "strings"
type Value struct{ m map[string]int; s []int }
func (v Value) Map() map[string]int { return v.m }
func (v Value) Slice() []int { return v.s }
func Words() []string { return strings.Fields("") }
`
	tests := []struct {
		name, body string
		want       []string
	}{
		{name: "nothing wrong", body: `
func f(v value.Value, m map[string]int) (n int) {
	for range v.Slice() { n++ }
	for range value.Words() { n++ }
	for range strings.Fields("a b") { n++ }
	for range 3 { n++ }
	m["a"] = n
	table := map[string]int{}
	return table["a"]
}`},
		{name: "a goroutine", body: `func f() { go f() }`, want: []string{"kernel/k.go:5: kernel starts a goroutine"}},
		{name: "a channel", body: `var c chan int`, want: []string{"kernel/k.go:5: kernel has a channel"}},
		{name: "a select", body: `func f() { select {} }`, want: []string{"kernel/k.go:5: kernel waits in a select"}},
		{name: "a send", body: `func f() { g() <- 1 }`, want: []string{"kernel/k.go:5: kernel sends on a channel"}},
		{name: "a loop over a map", body: `func f(m map[string]int) { for range m {} }`,
			want: []string{"kernel/k.go:5: kernel ranges over a map"}},
		{name: "over a named map in a struct with unknown fields", body: `
type table map[string]int
type s struct { b strings.Builder; t table }
func f(x []*s) { for range x[0].t {} }`, want: []string{"kernel/k.go:8: kernel ranges over a map"}},
		{name: "over a map of another package", body: `func f(v value.Value) { for range v.Map() {} }`,
			want: []string{"kernel/k.go:5: kernel ranges over a map"}},
		{name: "over a type parameter", body: `func f[M ~map[K]V, K comparable, V any](m M) { for range m {} }`,
			want: []string{"kernel/k.go:5: kernel ranges over a map"}},
		{name: "a package variable is set", body: `
var n int
var s struct{ x []int }
func f() { n = 1; n++; s.x[0] = 2; value.Default = 1 }
func g(n int) { n = 2; m := n; m++; _ = m }`, want: []string{
			"kernel/k.go:8: kernel changes the package variable n",
			"kernel/k.go:8: kernel changes the package variable n",
			"kernel/k.go:8: kernel changes the package variable s",
			"kernel/k.go:8: kernel changes the package variable Default",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			loaded := tree(t,
				"value/v.go", value+"var Default int\n",
				"kernel/k.go", "package kernel\nimport \"strings\"\nimport \"example.org/m/value\"\n\n"+tt.body+"\n",
				"kernel/k_test.go", "package kernel\nfunc h() { go h() }\n",
			)
			expect(t, loaded.Pure("kernel"), tt.want...)
		})
	}
}
