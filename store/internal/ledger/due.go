package ledger

import "cmp"

// heap has the runs that will be claimable, the first one at the front. Slots know their place in it.
type heap []*slot

func (h heap) less(i, j int) bool { return before(h[i], h[j]) }

func before(a, b *slot) bool { return cmp.Or(a.ready.Compare(b.ready), cmp.Compare(a.id, b.id)) < 0 }

func (h heap) swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}

func (h *heap) add(s *slot) {
	s.index = len(*h)
	*h = append(*h, s)
	h.up(s.index)
}

func (h *heap) remove(i int) {
	last := len(*h) - 1
	gone := (*h)[i]
	h.swap(i, last)
	(*h)[last] = nil
	*h = (*h)[:last]
	gone.index = -1
	if i < last {
		h.fix(i)
	}
}

func (h heap) fix(i int) {
	s := h[i]
	h.up(i)
	if s.index == i {
		h.down(i)
	}
}

func (h heap) up(i int) {
	for i > 0 && h.less(i, (i-1)/2) {
		h.swap(i, (i-1)/2)
		i = (i - 1) / 2
	}
}

func (h heap) down(i int) {
	for {
		first := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(h); child++ {
			if h.less(child, first) {
				first = child
			}
		}
		if first == i {
			return
		}
		h.swap(i, first)
		i = first
	}
}

// inOrder gives the slots from the front on, as long as yield wants more. It costs what it gives, whatever the length.
func (h heap) inOrder(yield func(*slot) bool) {
	if len(h) == 0 {
		return
	}
	front := frontier{h: h, at: []int{0}}
	for len(front.at) > 0 {
		i := front.take()
		if !yield(h[i]) {
			return
		}
		for child := 2*i + 1; child <= 2*i+2 && child < len(h); child++ {
			front.put(child)
		}
	}
}

// frontier is a small heap of places in a heap.
type frontier struct {
	h  heap
	at []int
}

func (f *frontier) put(place int) {
	f.at = append(f.at, place)
	for i := len(f.at) - 1; i > 0 && f.h.less(f.at[i], f.at[(i-1)/2]); i = (i - 1) / 2 {
		f.at[i], f.at[(i-1)/2] = f.at[(i-1)/2], f.at[i]
	}
}

func (f *frontier) take() int {
	place, last := f.at[0], len(f.at)-1
	f.at[0] = f.at[last]
	f.at = f.at[:last]
	for i := 0; ; {
		first := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(f.at); child++ {
			if f.h.less(f.at[child], f.at[first]) {
				first = child
			}
		}
		if first == i {
			return place
		}
		f.at[i], f.at[first] = f.at[first], f.at[i]
		i = first
	}
}
