package wf

import (
	"fmt"
	"slices"

	"pgregory.net/rapid"
)

// A simGen makes random plans that are valid, from the inside out: a workflow is a sequence of blocks, and what a block
// leads to is given to it. The blocks are kept beside the plan, for the model that says what a run of it must come to.
type simGen struct {
	t    *rapid.T
	ids  int
	room int // how many blocks may still be made

	wild bool // also what makes the result depend on what comes first
	swap bool // no body of a foreach reads a field that it writes: serial and parallel are the same
}

// simFlow is a workflow with its blocks.
type simFlow struct {
	w      *Workflow
	blocks []*simBlock
	kids   map[string]*simFlow
}

// simBlock is a step, or a few that belong together, with the blocks that its outcomes lead to first.
type simBlock struct {
	step     Step                // of a loop: what closes it
	arms     map[Outcome]*simArm // outcomes that do not lead straight on
	loop     bool
	body     []*simBlock   // of a foreach, or of a loop
	max      int           // of a loop: how often it goes round again
	branches [][]*simBlock // of a fork
	join     *JoinStep
}

// simArm is a way on from an outcome: through blocks, then behind the block or to the end of something.
type simArm struct {
	blocks []*simBlock
	to     string // "": behind the block; toRegionEnd, ToDiscard, or the id of end
	end    *EndStep
}

const toRegionEnd = "region end" // __continue__ or the join

// simDice are wider than what is asked of them: rapid draws small numbers more often than others, and this is to be even.
var simDice = rapid.IntRange(0, 1<<62)

// n gives a number below k; shrinking makes it small.
func (g *simGen) n(k int) int {
	if k <= 1 {
		return 0
	}
	return simDice.Draw(g.t, "n") / 3 % k
}

// maybe is true with k of 8 chances.
func (g *simGen) maybe(k int) bool { return g.n(8) >= 8-k }

func (g *simGen) pick(words ...string) string { return words[g.n(len(words))] }

func (g *simGen) id(kind string) string {
	g.ids++
	return fmt.Sprintf("%s%d", kind, g.ids)
}

// The fields of every workflow's state, by what may write them.
var (
	simReplaced  = []string{"a", "b", "c", "err", "any"}
	simIntegers  = []string{"a", "b", "c", "sum", "top", "low"}
	simArrays    = []string{"ext", "uni"}
	simGathering = []string{"log", "ext", "uni", "sum", "top", "low", "mo", "dm"}
)

const simState = `{"type":"object","additionalProperties":false,"properties":{
"a":{"type":"integer","default":0},"b":{"type":"integer","default":1},"c":{"type":"integer","default":2},"err":{"default":null},"any":{"default":null},
"log":{"type":"array","x-reducer":"wf.std.append","default":[]},
"ext":{"type":"array","items":{"type":"integer"},"x-reducer":"wf.std.extend","default":[]},
"uni":{"type":"array","items":{"type":"integer"},"x-reducer":"wf.std.set_union","default":[]},
"sum":{"type":"integer","x-reducer":"wf.std.add","default":0},
"top":{"type":"integer","x-reducer":"wf.std.max","default":0},
"low":{"type":"integer","x-reducer":"wf.std.min","default":9},
"mo":{"type":"object","x-reducer":"wf.std.merge_object","default":{}},
"dm":{"type":"object","x-reducer":"wf.std.deep_merge","default":{}}}}`

const simInput = `{"type":"object","additionalProperties":false,"properties":{"n":{"type":"integer","default":3},"c":{"type":"integer"},
"items":{"type":"array","items":{"type":"integer"},"default":[1,2]}}}`

const simOutput = `{"type":"object","required":["n","list","obj"],"properties":{"n":{"type":"integer"},
"list":{"type":"array","items":{"type":"integer"}},"obj":{"type":"object"},"m":{"type":"integer"}}}`

// simScope is what a step can see and do at its place.
type simScope struct {
	seen   []simSeen
	later  []simSeen // behind the present block
	items  []string  // names of the items around it
	read   []string  // fields that it may read
	write  []string  // fields that it may replace
	gather []string  // fields that it may add to
	loose  bool      // nothing goes on beside it: any kind of write
	region byte      // where it lies: 0 the root, 'i' an item, 'b' a branch
	depth  int
}

// simSeen is a step whose output can be read.
type simSeen struct {
	id   string
	path []string // to an integer in it
}

// inner is a scope in a region of this one: what it sees stays its own.
func (sc *simScope) inner(region byte) *simScope {
	in := *sc
	in.seen, in.later, in.items = slices.Clip(sc.seen), nil, slices.Clip(sc.items)
	in.region, in.depth = region, sc.depth-1
	return &in
}

// flow makes a workflow.
func (g *simGen) flow(name string, depth int) *simFlow {
	f := &simFlow{w: &Workflow{Name: name, InputSchema: Schema(simInput), StateSchema: Schema(simState), OutputSchema: Schema(simOutput),
		Outcomes: []Outcome{OK, "other"}}}
	sc := &simScope{read: slices.Concat(simReplaced, simGathering), write: simReplaced, gather: simGathering, loose: true, depth: depth}
	if f.blocks = g.sequence(f, sc, 3+g.n(6)); len(f.blocks) == 0 {
		f.blocks = []*simBlock{g.wait(sc)}
	}
	f.w.Output = []InputBinding{
		{Target: simPath(RootLocal, "n"), Operand: g.integer(sc)},
		{Target: simPath(RootLocal, "list"), Operand: simRead(simPath(RootState, "ext"))},
		{Target: simPath(RootLocal, "obj"), Operand: simRead(simPath(RootState, "mo"))},
	}
	if g.wild && g.maybe(2) {
		f.w.Limits = &Limits{MaxSteps: int64(5 + g.n(100))}
		if g.maybe(3) {
			f.w.Limits.TimeoutSeconds = float64(20 + g.n(200))
		}
	}
	f.emit()
	return f
}

// sequence makes blocks that follow each other.
func (g *simGen) sequence(f *simFlow, sc *simScope, n int) []*simBlock {
	var list []*simBlock
	for ; n > 0 && g.room > 0; n-- {
		g.room--
		list = append(list, g.block(f, sc))
		sc.seen, sc.later = append(sc.seen, sc.later...), nil
	}
	return list
}

// block makes one block; those with blocks in them are fewer the deeper it lies.
func (g *simGen) block(f *simFlow, sc *simScope) *simBlock {
	kinds := []string{"node", "set", "wait", "ask", "cond", "fail"}
	if sc.depth > 0 {
		kinds = append(kinds, "node", "node", "each", "fork", "loop", "each", "fork", "sub", "each", "fork")
	}
	switch kind := kinds[g.n(len(kinds))]; kind {
	case "node":
		return g.call(f, sc)
	case "set":
		return g.set(sc)
	case "wait":
		return g.wait(sc)
	case "ask":
		return g.ask(f, sc)
	case "cond":
		return g.choice(f, sc)
	case "fail":
		return g.failing(f, sc)
	case "each":
		return g.each(f, sc)
	case "fork":
		return g.fork(f, sc)
	case "loop":
		return g.round(f, sc)
	default:
		return g.child(f, sc)
	}
}
