package kernel

import (
	"testing"

	"lda.chat/wf/internal/value"
)

// every how many of the damages are tried: a prime, so that all kinds of them meet all kinds of places.
const every = 797

// Whatever single thing of a snapshot is missing or is something else: an error, or a machine that goes on, and never a panic.
func TestRestoreOfDamaged(t *testing.T) {
	t.Parallel()
	list, texts := snapshots(t)
	others := []value.Value{{}, value.Null, value.True, value.Int(0), value.Int(1), value.Int(7), value.Int(1 << 40), value.Int(-1), value.String(""),
		value.Object(), value.Array(), parse(t, `[[]]`), parse(t, `{"a":{}}`), parse(t, `{"$shared":0}`)}
	names := []string{"__end__", "__continue__", "__discard__", "ready", "calling", "inside", "backoff", "waiting", "interrupted", "in_doubt",
		"ended", "closed", "completed", "failed", "running", "host", "deep", "append", "set", "extend", "union", "merge", "a", "b"}
	for _, p := range list {
		for i := range p.Ops {
			names = append(names, p.Ops[i].ID)
		}
		for i := range p.Fields {
			names = append(names, p.Fields[i].Name)
		}
	}
	for _, name := range names {
		others = append(others, value.String(name))
	}
	n, restored := 0, 0
	for which, p := range list {
		for _, text := range texts[which] {
			whole := parse(t, string(text))
			eachPlace(whole, nil, func(at value.Path) {
				for _, x := range others {
					if n++; n%every != 0 {
						continue
					}
					damaged, err := whole.Set(at, x)
					if err != nil {
						t.Fatal(err)
					}
					if goesOn(t, p, damaged.JSON()) {
						restored++
					}
				}
			})
		}
	}
	if restored < n/every/20 {
		t.Errorf("of %d damaged snapshots only %d could be restored", n/every, restored)
	}
}

// eachPlace visits the places in a value, those outside first.
func eachPlace(v value.Value, at value.Path, visit func(value.Path)) {
	for key, x := range v.Members() {
		inside := append(at[:len(at):len(at)], value.Part{Key: key})
		visit(inside)
		eachPlace(x, inside, visit)
	}
	for i, x := range v.Items() {
		inside := append(at[:len(at):len(at)], value.Part{Index: i, IsIndex: true})
		visit(inside)
		eachPlace(x, inside, visit)
	}
}

// goesOn restores a snapshot, as far as that is possible, and lets the machine go on.
func goesOn(t *testing.T, p *Program, text []byte) bool {
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("panic: %v\n%s", r, text)
			panic(r)
		}
	}()
	m, err := Restore(p, text)
	if err != nil {
		return false
	}
	again, err := Restore(p, m.Snapshot(nil))
	if err != nil {
		t.Fatalf("its own snapshot cannot be restored: %v\n%s\n%s", err, text, m.Snapshot(nil))
	}
	if string(m.Dump()) != string(again.Dump()) {
		t.Fatalf("its own snapshot is another machine:\n%s\n%s", m.Dump(), again.Dump())
	}
	m.Questions()
	m.OpenDoubts()
	m.Positions()
	for _, e := range m.Outstanding() {
		if e.Kind == Call {
			e.Input.Value()
		}
	}
	goOn(m)
	return true
}
