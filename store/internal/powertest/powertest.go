package powertest

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/store"
)

// System is a store that is opened on a disk.
type System struct {
	// Open opens the store that lies on a disk, or makes one there.
	Open func(t *testing.T, d *Disk, now func() time.Time) (store.Store, error)
	// Check, if set, looks at the disk of a store that is closed.
	Check func(t *testing.T, d *Disk) error
	// Place is what errors name.
	Place string
	// Soft tells that claims and releases may be answered before they are durable, Settled that all that can be read is durable
	// once the store was opened.
	Soft, Settled bool
	// Some is about how many cuts are made, and operations fail, of all that could; 0: all. With WF_CUTS=n in the environment all
	// are, and each way of losing n times at each point.
	Some int
}

// mark is the moment at which a step was answered.
type mark struct {
	ops   int
	state state
}

// cuts is how thorough it is to be, 0 for the time of a test.
func cuts() int {
	n, _ := strconv.Atoi(os.Getenv("WF_CUTS"))
	return n
}

// stride is by how many points the next one that is tried is away.
func (sys *System) stride(points int) int {
	if sys.Some == 0 || cuts() > 0 {
		return 1
	}
	return points/sys.Some + 1
}

// player plays the story on a store.
type player struct {
	sys   *System
	t     *testing.T
	disk  *Disk
	store store.Store
	now   int
}

func (p *player) open() (err error) {
	p.store, err = p.sys.Open(p.t, p.disk, func() time.Time { return moment(p.now) })
	return err
}

func (p *player) close() error {
	if p.store == nil {
		return nil
	}
	err := p.store.Close()
	p.store = nil
	return err
}

// step carries out the step with a number.
func (p *player) step(i int) error {
	p.now = i
	if story[i].do != nil {
		return story[i].do(p.store)
	}
	if err := p.close(); err != nil {
		return err
	}
	return p.open()
}

// must plays the whole story and returns the marks of its steps; the first is that of nothing.
func (p *player) must() []mark {
	p.t.Helper()
	marks := []mark{{0, state{}}}
	for i := range story {
		if err := p.step(i); err != nil {
			p.t.Fatalf("%s: %v", story[i].name, err)
		}
		now, err := read(p.store)
		if err != nil {
			p.t.Fatalf("%s: %v", story[i].name, err)
		}
		marks = append(marks, mark{len(p.disk.Ops()), now})
	}
	if err := p.close(); err != nil {
		p.t.Fatal(err)
	}
	return marks
}

// Cuts cuts the power after every operation on the disk. Whatever was answered must be there when the store is opened again,
// nothing of what was not may be there in part, and the store must go on, also after a second cut.
func Cuts(t *testing.T, sys *System) {
	whole := &player{sys: sys, t: t, disk: NewDisk()}
	marks := whole.must()
	ops := whole.disk.Ops()
	folders := slices.IndexFunc(ops, func(o Op) bool { return o.Kind == Create })
	ways := []Loss{Nothing, All, Torn, Mixed, Junk}
	seeds := max(1, cuts())
	stride := sys.stride((len(ops) + 1) * len(ways))
	for stride%len(ways) == 0 {
		stride++ // each way has its turn
	}
	const shares = 4
	tried := make([]map[Loss]int, shares)
	t.Run("points", func(t *testing.T) {
		for share := range shares {
			tried[share] = map[Loss]int{}
			t.Run(fmt.Sprint(share), func(t *testing.T) {
				t.Parallel()
				disk := NewDisk()
				for point := range len(ops) + 1 {
					if point > 0 {
						disk.Replay(ops[point-1])
					}
					for i, way := range ways {
						if n := point*len(ways) + i; n%stride != 0 || n/stride%shares != share {
							continue
						}
						for seed := range seeds {
							r := rand.New(rand.NewPCG(uint64(point), uint64(seed)))
							c := &cut{System: sys, t: t, marks: marks, point: point, folders: folders, way: way, rand: r}
							c.what = fmt.Sprintf("power cut after operation %d, %s, seed %d", point, way, seed)
							if point > 0 {
								c.what += fmt.Sprintf(" (%v)", ops[point-1])
							}
							c.play(disk.Cut(way, r))
							tried[share][way]++
						}
					}
				}
			})
		}
	})
	sum := map[Loss]int{}
	for _, one := range tried {
		for way, n := range one {
			sum[way] += n
		}
	}
	t.Logf("%d operations, cuts: %v", len(ops), sum)
	for _, way := range ways {
		if sum[way] == 0 {
			t.Errorf("%s was not tried", way)
		}
	}
}

// cut is one power cut.
type cut struct {
	*System
	t       *testing.T
	marks   []mark
	point   int
	folders int // operations that make folders
	way     Loss
	rand    *rand.Rand
	what    string
}

// answered is how many steps were.
func (c *cut) answered() (n int) {
	for n+1 < len(c.marks) && c.marks[n+1].ops <= c.point {
		n++
	}
	return n
}

// allowed reports whether a state is one that may be left. Step i has mark i+1.
func (c *cut) allowed(got state) bool {
	answered := c.answered()
	floor := answered
	for c.Soft && c.way != Nothing && floor > 0 && story[floor-1].soft {
		floor--
	}
	last := min(answered+1, len(c.marks)-1)
	for _, m := range c.marks[floor : last+1] {
		if maps.Equal(got, m.state) {
			return true
		}
	}
	return last > answered && story[last-1].group && got.between(c.marks[answered].state, c.marks[last].state)
}

func (c *cut) play(d *Disk) {
	p := &player{sys: c.System, t: c.t, disk: d, now: 100}
	defer func() { _ = p.close() }()
	err := p.open()
	if e, corrupt := errors.AsType[*wf.CorruptError](err); corrupt && c.way == Junk && e.Place != "" {
		return // said with its place
	}
	if err != nil {
		c.t.Fatalf("%s: open: %v", c.what, err)
	}
	got, err := read(p.store)
	if err != nil {
		c.t.Fatalf("%s: read: %v", c.what, err)
	}
	if !c.allowed(got) {
		c.t.Fatalf("%s: the state is\n%v", c.what, got)
	}
	if c.answered() == 0 && c.way == Nothing && c.point <= c.folders {
		return // folders that were made and not synced before the kill are not looked at again
	}
	if c.Settled {
		c.again(d.Cut(All, c.rand), got)
	}
	if _, err := p.store.PutRecord(ctx, "kind", "new", 0, []byte("new")); err != nil {
		c.t.Fatalf("%s: going on: %v", c.what, err)
	}
	want, err := read(p.store)
	if err != nil {
		c.t.Fatalf("%s: read: %v", c.what, err)
	}
	after := d.Cut([]Loss{All, Mixed}[c.rand.IntN(2)], c.rand)
	if err := p.close(); err != nil {
		c.t.Fatalf("%s: close: %v", c.what, err)
	}
	c.check(d)
	c.again(after, want)
}

// again opens the store after a second cut.
func (c *cut) again(d *Disk, want state) {
	p := &player{sys: c.System, t: c.t, disk: d, now: 100}
	defer func() { _ = p.close() }()
	if err := p.open(); err != nil {
		c.t.Fatalf("%s, and again: open: %v", c.what, err)
	}
	got, err := read(p.store)
	if next := c.answered(); next < len(story) && story[next].blob { // it was there, but nobody has promised that it stays
		isBlob := func(name, _ string) bool { return strings.HasPrefix(name, "blob ") }
		want = maps.Clone(want)
		maps.DeleteFunc(got, isBlob)
		maps.DeleteFunc(want, isBlob)
	}
	if err != nil || !maps.Equal(got, want) {
		c.t.Fatalf("%s, and again: the state is\n%vnot\n%v%v", c.what, got, want, err)
	}
}

func (c *cut) check(d *Disk) {
	if c.Check == nil {
		return
	}
	if err := c.Check(c.t, d); err != nil {
		c.t.Fatalf("%s: %v", c.what, err)
	}
}
