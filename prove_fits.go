package wf

import (
	"slices"

	"lda.chat/wf/internal/schema"
	"lda.chat/wf/internal/value"
)

// fit is what is known of whether the values of a binding fit their target. Of the parts of a binding the worst counts.
type fit uint8

const (
	fitsAlways fit = iota
	fitsMaybe
	fitsUnknown // nobody says what the source is
	fitsNever   // which is found as an error
)

var fitSubjects = map[fit]string{fitsMaybe: "bindings_maybe", fitsUnknown: "bindings_unknown"}

// binding begins to note how well a binding fits; what it returns ends that.
func (c *checker) binding(at *place) func() {
	p := c.proof
	if p == nil {
		return func() {}
	}
	p.verdict = fitsAlways
	return func() {
		p.count("bindings of", 1)
		if subject, open := fitSubjects[p.verdict]; open {
			p.leave(subject, at)
		} else if p.verdict == fitsAlways {
			p.count("bindings", 1)
		}
		p.verdict = fitsAlways
	}
}

// proveFit notes whether what a source holds always satisfies the target.
func (c *checker) proveFit(source, target *schema.Schema) {
	if c.proof != nil && target != nil {
		c.proof.verdict = max(c.proof.verdict, c.proof.fit(source, target))
	}
}

func (p *prover) fit(source, target *schema.Schema) fit {
	if source == nil {
		source = anyValue()
	}
	pair := typePair{source, target}
	known, ok := p.fits[pair]
	if !ok {
		known = fitsMaybe
		switch verdict, _ := schema.Assignable(source, target); {
		case source == target || verdict == schema.Yes:
			known = fitsAlways
		case verdict == schema.Disjoint:
			known = fitsNever
		case len(source.Types()) == 0:
			known = fitsUnknown
		}
		if p.fits == nil {
			p.fits = make(map[typePair]fit)
		}
		p.fits[pair] = known
	}
	return known
}

// proveMade notes whether what an operand puts together satisfies the target, whose parts are looked at one by one.
func (c *checker) proveMade(o *Operand, in pathScope, target *schema.Schema) {
	if c.proof == nil || target == nil {
		return
	}
	made := map[string]any{}
	switch {
	case o.Text != nil:
		made["type"] = "string"
	case o.Object != nil:
		properties, required := map[string]any{}, []string{}
		for name, member := range o.Object {
			properties[name] = c.asked(target, namePart(name))
			if c.isAlwaysMade(&member, in) { // else the object may be made without it
				required = append(required, name)
			}
		}
		slices.Sort(required)
		made["type"], made["properties"], made["required"], made["additionalProperties"] = "object", properties, required, false
	case o.List != nil:
		items := make([]any, len(o.List))
		for i := range o.List {
			items[i] = c.asked(target, indexPart(i))
		}
		made["type"], made["minItems"], made["maxItems"] = "array", len(items), len(items)
		if len(items) > 0 {
			made["prefixItems"] = items
		}
	}
	source := c.schema(jsonOf(made))
	c.proveFit(source, target)
}

// asked is what the target asks of one of its parts: what is put there is compared with that by itself.
func (c *checker) asked(target *schema.Schema, part Part) any {
	if s := c.below(target, part); s != nil {
		return s.Value()
	}
	return true
}

// canBeOther reports whether an operand's value may be of another type than some.
func (c *checker) canBeOther(o *Operand, in pathScope, types string) bool {
	if len(o.kinds()) != 1 || len(o.Value) > 0 {
		return false // a literal that is wrong was found
	}
	return c.proof.fit(c.operandSchema(o, in), typed(types)) != fitsAlways
}

// proveCondition notes whether a condition can fail because of the types of what it asks about.
func (c *checker) proveCondition(q *Condition, at *place, in pathScope) {
	p := c.proof
	if p == nil {
		return
	}
	sure := func(types string, operands ...*Operand) bool {
		return !slices.ContainsFunc(operands, func(o *Operand) bool {
			v, err := value.Parse(operandLiteral(o))
			return o != nil && (err == nil && !typed(types).Valid(v) || c.canBeOther(o, in, types))
		})
	}
	isSure := true
	switch q.Op {
	case "gt", "ge", "lt", "le":
		isSure = sure(typesNumber, q.Left, q.Right) || sure(typesString, q.Left, q.Right)
	case "matches":
		isSure = sure(typesString, q.Left)
	case "any", "all":
		isSure = sure(typesArray, q.Over)
	case "in":
		isSure = sure(typesArray, q.Right) || sure(typesKeyed, q.Right) && sure(typesString, q.Left)
	case "contains":
		isSure = sure(typesArray, q.Left) || sure(typesKeyed, q.Left) && sure(typesString, q.Right)
	default:
		return
	}
	p.count("conditions of", 1)
	if isSure {
		p.count("conditions", 1)
	} else {
		p.leave("conditions_open", at)
	}
}

// operandLiteral is the text of an operand that is a literal.
func operandLiteral(o *Operand) []byte {
	if o == nil {
		return nil
	}
	return o.Value
}

// provePresence notes a required value that is read where it may be absent.
func (c *checker) provePresence(b *InputBinding, t fillTarget, at *place, in pathScope) {
	if c.proof == nil && c.notes == nil || t.schema == nil || len(b.Target.Parts) != 1 || len(b.Operand.Default) > 0 {
		return
	}
	p, known := t.schema.Property(b.Target.Parts[0].Name)
	if !known || !p.Required || t.defaults && !p.Default.IsAbsent() {
		return
	}
	if b.Operand.Path != nil {
		c.noteRequired(b.Operand.Path, in)
	}
	if c.proof != nil && !c.isAlwaysMade(&b.Operand, in) {
		c.proof.leave("bindings_absent", at)
	}
}

// isAlwaysMade reports whether an operand surely has a value, in so far as what it reads was written. A text and a list are
// absent as a whole if a part is.
func (c *checker) isAlwaysMade(o *Operand, in pathScope) bool {
	isOpen := func(part Operand) bool { return !c.isAlwaysMade(&part, in) }
	switch {
	case len(o.Default) > 0:
		return true
	case o.Path != nil:
		return c.isAlwaysThere(o.Path, in)
	}
	return !slices.ContainsFunc(o.Text, isOpen) && !slices.ContainsFunc(o.List, isOpen)
}

// isAlwaysThere reports whether what a path names surely exists once its first part does: that a state field was written, and that a
// step ran, is for others to show.
func (c *checker) isAlwaysThere(p *Path, in pathScope) bool {
	for n := 1; n <= len(p.Parts); n++ {
		switch {
		case n == 1 && p.Root == RootInput:
			if c.input == nil {
				return false
			}
			first, _ := c.input.Property(p.Parts[0].Name)
			if !first.Required && first.Default.IsAbsent() {
				return false
			}
		case n > 1:
			part := p.Parts[n-1]
			if p.Root == RootSteps && n == 2 && slices.Contains(regionResults, part.Name) {
				continue
			}
			above := c.sourceSchema(&Path{p.Root, p.Parts[:n-1]}, in)
			if above == nil || c.lookup(above, part).presence != schema.Always {
				return p.Root == RootContext
			}
		}
	}
	return true
}
