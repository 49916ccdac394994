package schema

// Verdict says whether the values of one schema can be given to another.
type Verdict uint8

const (
	Undecided Verdict = iota // nothing is known: a schema is silent, or says what is not compared, or comparing takes too long
	Yes                      // every value of the source satisfies the target: proved
	Maybe                    // the source allows what the target refuses; single values can fit all the same
	Disjoint                 // no value satisfies both: proved
)

// String is "unknown", "yes", "maybe" or "disjoint".
func (v Verdict) String() string { return [...]string{"unknown", "yes", "maybe", "disjoint"}[v&3] }

// assignSteps bound one question; each takes well under a microsecond on average.
const assignSteps = 10_000

// Assignable reports whether what satisfies the source satisfies the target, and unless it does, why not: at least one Reason.
//
// [Yes] and [Disjoint] are proved, about every value, in the sense of [Schema.Valid]; formats and content keywords play no part.
// A keyword of the target that is not checked here (a problem told of it) leaves the answer [Undecided], unless the source has the
// same. A source that allows no value fits everything. [Maybe] and [Undecided] are both no proof: after Maybe, the schemas as
// they are written clash; after Undecided, the source does not say enough.
//
// The work is bounded whatever the schemas: at its end the answer is Undecided.
func Assignable(source, target *Schema) (Verdict, []Reason) {
	if identical(source, target) {
		return Yes, nil
	}
	p := newProver(assignSteps, source.doc.dialect == target.doc.dialect)
	from, to := positive(source.node), target.node
	if p.empty([]claim{from, negative(to)}) {
		return Yes, nil
	}
	if (source.node.engine || source.node.refers) && source.ShapeHash() == target.ShapeHash() {
		return Yes, nil
	}
	exhausted := p.steps < 0
	p = p.fresh()
	if p.empty([]claim{from, positive(to)}) {
		return Disjoint, p.fresh().whyDisjoint(from, to)
	}
	return p.fresh().whyNot(from, to, exhausted)
}

// Apart is what [Assignable] says of two schemas that are [Disjoint], and nil for all others; it takes much less to find out that they
// are not.
func Apart(source, target *Schema) []Reason {
	if identical(source, target) {
		return nil
	}
	p := newProver(assignSteps, source.doc.dialect == target.doc.dialect)
	if !p.empty([]claim{positive(source.node), positive(target.node)}) {
		return nil
	}
	verdict, reasons := Assignable(source, target)
	if verdict != Disjoint { // a source that allows no value
		return nil
	}
	return reasons
}

// identical is the answer for schemas that are one, or that stand in the same place of documents that are written alike.
func identical(a, b *Schema) bool {
	return a.node == b.node ||
		!a.node.merged && !b.node.merged && a.node.pointer == b.node.pointer && a.doc.dialect == b.doc.dialect && a.doc.raw.Equal(b.doc.raw)
}

// fresh has its steps back, and keeps what is known.
func (p *prover) fresh() *prover {
	p.steps, p.lowest = assignSteps, unrelated
	clear(p.asked)
	return p
}
