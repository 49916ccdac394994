package wf

// outstanding holds what a run has out, by its name: a few in a list, many in a map.
type outstanding[K comparable, V any] struct {
	few  []standing[K, V]
	many map[K]V
}

type standing[K comparable, V any] struct {
	name K
	what V
}

// aFew is up to how many a list is searched.
const aFew = 16

func (o *outstanding[K, V]) add(name K, what V) {
	switch {
	case o.many != nil:
		o.many[name] = what
	case len(o.few) < aFew:
		o.few = append(o.few, standing[K, V]{name, what})
	default:
		o.many = map[K]V{name: what}
		for _, x := range o.few {
			o.many[x.name] = x.what
		}
		o.few = nil
	}
}

// take forgets one and gives it, if it is there.
func (o *outstanding[K, V]) take(name K) (what V, ok bool) {
	if o.many != nil {
		if what, ok = o.many[name]; ok {
			delete(o.many, name)
			if len(o.many) == 0 {
				o.many = nil
			}
		}
		return what, ok
	}
	for i := range o.few {
		if o.few[i].name == name {
			what = o.few[i].what
			last := len(o.few) - 1
			o.few[i] = o.few[last]
			o.few[last] = standing[K, V]{}
			o.few = o.few[:last]
			return what, true
		}
	}
	return what, false
}

// each visits all of them.
func (o *outstanding[K, V]) each(visit func(V)) {
	for i := range o.few {
		visit(o.few[i].what)
	}
	for _, what := range o.many {
		visit(what)
	}
}
