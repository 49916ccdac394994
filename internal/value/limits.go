package value

// Limits bound what is read. A field that is not positive takes its value from [DefaultLimits].
type Limits struct {
	Bytes int // length of the text
	Depth int // arrays and objects inside one another; at most 10,000 whatever is asked for
	// NumberLen is the greatest length of a number, as it is written and in canonical form.
	NumberLen int
	// Exponent bounds the number d.ddd × 10^e: e is at most Exponent and at least -(Exponent + 16). With 308 this holds
	// every finite float64.
	Exponent int
}

// DefaultLimits are the limits of [Parse], [ParseDocument], [Number] and [Add].
var DefaultLimits = Limits{Bytes: 16 << 20, Depth: 200, NumberLen: 400, Exponent: 308}

// deepest bounds Limits.Depth, since the parser is recursive.
const deepest = 10_000

func (l *Limits) filled() Limits {
	if l == nil {
		return DefaultLimits
	}
	orDefault := func(limit, standard int) int {
		if limit <= 0 {
			return standard
		}
		return limit
	}
	return Limits{
		Bytes:     orDefault(l.Bytes, DefaultLimits.Bytes),
		Depth:     min(orDefault(l.Depth, DefaultLimits.Depth), deepest),
		NumberLen: orDefault(l.NumberLen, DefaultLimits.NumberLen),
		Exponent:  min(orDefault(l.Exponent, DefaultLimits.Exponent), exponentCap/2),
	}
}
