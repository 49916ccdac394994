package powertest

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"

	"lda.chat/wf"
)

// Failures lets each operation on the disk fail once, as a full disk does and as a broken one. The answer must say whether the change
// took place or that nobody knows; readers do not see what was not answered. After a change of which nobody knows the store
// writes nothing more until it is opened again; after any other failure it goes on by itself. In the end all is there.
func Failures(t *testing.T, sys *System) {
	whole := &player{sys: sys, t: t, disk: NewDisk()}
	marks := whole.must()
	ops := whole.disk.Ops()
	stride := sys.stride(2 * len(ops)) // each may fail in two ways
	const shares = 4
	met := make([]map[string]int, shares)
	t.Run("points", func(t *testing.T) {
		for share := range shares {
			met[share] = map[string]int{}
			t.Run(fmt.Sprint(share), func(t *testing.T) {
				t.Parallel()
				for i := share * stride; i < len(ops); i += shares * stride {
					for _, err := range []error{syscall.EIO, syscall.ENOSPC} {
						if full := err == syscall.ENOSPC; full && (ops[i].Kind == Sync || ops[i].Kind == SyncDir || ops[i].Kind == Remove) {
							continue
						}
						f := &failure{player: player{sys: sys, t: t, disk: NewDisk()}, marks: marks, met: met[share]}
						f.what = fmt.Sprintf("operation %d (%v) fails with %q", i+1, ops[i], err)
						f.disk.Fail = func(number int, op Op) error {
							if number != i+1 {
								return nil
							}
							f.op = op
							return err
						}
						f.play(i%2 == 0)
					}
				}
			})
		}
	})
	sum := map[string]int{}
	for _, one := range met {
		for what, n := range one {
			sum[what] += n
		}
	}
	t.Logf("%d operations, failures: %v", len(ops), sum)
	for _, what := range []string{"did not take place", "nobody knows", "did not open"} {
		if sum[what] == 0 {
			t.Errorf("no failure was one that is said to be %q", what)
		}
	}
}

// failure is a story in which one operation fails.
type failure struct {
	player
	marks []mark
	met   map[string]int
	what  string
	op    Op // that failed
}

func (f *failure) fatal(format string, args ...any) {
	f.t.Helper()
	f.t.Fatalf("%s: %s", f.what, fmt.Sprintf(format, args...))
}

// play plays the story. After a change of which nobody knows the power is cut, or the store is closed in order.
func (f *failure) play(cut bool) {
	defer func() { _ = f.close() }()
	noticed := false
	for i := 0; i < len(story); i++ {
		err := f.step(i)
		if err == nil {
			continue
		}
		if noticed || f.op.Kind == "" {
			f.fatal("%s: %v", story[i].name, err)
		}
		noticed = true
		if !strings.Contains(err.Error(), f.sys.Place) && !strings.Contains(err.Error(), f.op.Path) {
			f.fatal("%s: the error does not name the place: %v", story[i].name, err)
		}
		next := f.failed(i, err, cut)
		if next < 0 {
			return // some of a group were kept
		}
		i = next - 1
	}
	if !noticed {
		f.met["not noticed"]++
	}
	for range 2 { // open, and after a power cut
		got, err := f.state()
		if err != nil || !maps.Equal(got, f.marks[len(story)].state) {
			f.fatal("in the end the state is\n%v%v", got, err)
		}
		_ = f.close() // what fails there may be what was to fail
		f.disk = f.disk.Cut(All, nil)
		if err := f.open(); err != nil {
			f.fatal("in the end: %v", err)
		}
	}
}

func (f *failure) state() (state, error) { return read(f.store) }

// failed looks at a step that failed, and tells with which one it goes on.
func (f *failure) failed(i int, failed error, cut bool) (next int) {
	if story[i].do == nil {
		f.met["did not open"]++
		_ = f.close()
		return i
	}
	before, after := f.marks[i].state, f.marks[i+1].state
	got, err := f.state()
	if seen := story[i].group || story[i].blob; err != nil || !maps.Equal(got, before) && !(seen && got.between(before, after)) {
		f.fatal("%s failed (%v), and the state is\n%v%v", story[i].name, failed, got, err)
	}
	if !wf.IsAmbiguous(failed) {
		f.met["did not take place"]++
		if f.op.Kind == Sync && !story[i].blob {
			f.fatal("%s: nobody knows what was kept, but the error is %v", story[i].name, failed)
		}
		if story[i].group {
			return -1
		}
		return i
	}
	f.met["nobody knows"]++
	_, err = f.store.PutRecord(ctx, "kind", "late", 0, nil)
	if !errors.Is(err, wf.ErrJournalClosed) || wf.IsAmbiguous(err) {
		f.fatal("a change after %v: %v", failed, err)
	}
	if cut {
		ways := []Loss{Nothing, All, Torn, Mixed}
		r := rand.New(rand.NewPCG(uint64(i), 1))
		old := f.store
		defer func() { _ = old.Close() }() // its disk is another one by then
		f.disk = f.disk.Cut(ways[r.IntN(len(ways))], r)
	} else if err := f.close(); err != nil {
		f.fatal("close: %v", err)
	}
	if err := f.open(); err != nil {
		f.fatal("opened again: %v", err)
	}
	if got, err = f.state(); err != nil {
		f.fatal("opened again: %v", err)
	}
	for next := i + 1; ; next-- {
		if maps.Equal(got, f.marks[next].state) {
			return next
		}
		if next <= i && !(f.sys.Soft && next > 0 && story[next-1].soft) {
			break
		}
	}
	if !story[i].group || !got.between(before, after) {
		f.fatal("opened again, the state is\n%v", got)
	}
	return -1
}

// ReadOnly takes away the right to write in the middle of a story: changes are refused, all that was answered can be read, an error on
// opening names the place, and when the right is back the story goes on to its end.
func ReadOnly(t *testing.T, sys *System) {
	marks := (&player{sys: sys, t: t, disk: NewDisk()}).must()
	const middle = 9
	p := &player{sys: sys, t: t, disk: NewDisk()}
	for i := range middle {
		if err := p.step(i); err != nil {
			t.Fatal(err)
		}
	}
	p.disk.Fail = func(int, Op) error { return syscall.EROFS }
	if err := p.step(middle); err == nil || !strings.Contains(err.Error(), sys.Place) {
		t.Errorf("a change: %v", err)
	}
	if got, err := read(p.store); err != nil || !maps.Equal(got, marks[middle].state) {
		t.Errorf("the state is\n%v%v", got, err)
	}
	_ = p.close()                    // it may have something to write
	if err := p.open(); err == nil { // there was nothing to write
		if got, err := read(p.store); err != nil || !maps.Equal(got, marks[middle].state) {
			t.Errorf("opened, the state is\n%v%v", got, err)
		}
		if err := p.step(middle); err == nil || !strings.Contains(err.Error(), sys.Place) {
			t.Errorf("a change after opening: %v", err)
		}
	} else if !strings.Contains(err.Error(), sys.Place) {
		t.Errorf("open: %v", err)
	}
	_ = p.close()
	p.disk.Fail = nil
	if err := p.open(); err != nil {
		t.Fatal(err)
	}
	for i := middle; i < len(story); i++ {
		if err := p.step(i); err != nil {
			t.Fatalf("%s, when the disk can be written: %v", story[i].name, err)
		}
	}
	if got, err := read(p.store); err != nil || !maps.Equal(got, marks[len(story)].state) {
		t.Errorf("in the end the state is\n%v%v", got, err)
	}
	if err := p.close(); err != nil {
		t.Error(err)
	}
}
