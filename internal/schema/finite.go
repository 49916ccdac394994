package schema

// finite refuses what would never end, or end too late: a schema that applies to a value only by applying to that same
// value again, and one that, references followed, puts too many schemas on one value. Deeper values are another matter:
// there every cycle takes a step down, and the fuel of a check bounds the rest.
func (g *gate) finite() bool {
	f := &finiteness{gate: g, state: map[*node]visit{}, size: map[*node]int{}}
	for _, n := range g.order {
		if f.expand(n) > g.limits.Expansion && f.cycle == nil {
			g.refuse(n.pointer, CodeTooLarge, "more than %d schemas apply to one value here, references followed", g.limits.Expansion)
			return false
		}
		if f.cycle != nil {
			g.refuse(f.cycle.pointer, CodeRefCycle, "leads back to itself without going into a member or an element of the value, so it says nothing that could be checked")
			return false
		}
	}
	return true
}

type visit uint8

const (
	unseen visit = iota
	open
	done
)

type finiteness struct {
	*gate
	state map[*node]visit
	size  map[*node]int
	cycle *node
}

// expand counts the schemas that apply in place from n on, saturating above the limit.
func (f *finiteness) expand(n *node) int {
	switch f.state[n] {
	case done:
		return f.size[n]
	case open:
		f.cycle = n
		return 0
	}
	f.state[n] = open
	size := 1
	n.inPlace(func(c *node) {
		if f.cycle == nil && size <= f.limits.Expansion {
			size += f.expand(c)
		}
	})
	f.state[n] = done
	f.size[n] = size
	return size
}
