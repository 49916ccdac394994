package kernel

import "testing"

// snapshots plays a run of each program, and gives what it was before each event.
func snapshots(f testing.TB) (list []*Program, texts [2][][]byte) {
	list, lines := recorded(f)
	for which, p := range list {
		m := New(p)
		for _, line := range lines[which] {
			texts[which] = append(texts[which], m.Snapshot(nil))
			r, err := m.Decode(line)
			if err == nil {
				err = m.Apply(r, nil)
			}
			if err != nil {
				f.Fatal(err)
			}
		}
		texts[which] = append(texts[which], m.Snapshot(nil))
	}
	return list, texts
}

// FuzzRestore reads damaged snapshots: an error, never a panic, also when what was read goes on. What can be read has a
// snapshot that is read as the same.
func FuzzRestore(f *testing.F) {
	list, texts := snapshots(f)
	for which := range texts {
		for _, text := range texts[which] {
			f.Add(uint8(which), text)
			f.Add(uint8(1-which), text)
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, text []byte) {
		goesOn(t, list[which%2], text)
	})
}
