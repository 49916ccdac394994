package wf

// maxAssignedWork bounds how often points are looked at for one workflow: some seconds. Only plans of many thousand steps get there,
// in which thousands of facts are open over all of them.
const maxAssignedWork = 50_000_000

// leave leaves facts to run time: too much has been looked at already.
func (a *assigned) leave(facts []fact) {
	p := a.c.proof
	if p == nil {
		return
	}
	for i := range facts {
		for _, r := range a.reads[facts[i].reads:facts[i].until] {
			if r.mode == readByName || r.step != noStep && r.point == a.partial[r.step] {
				continue // nobody wrote it; of a read at two points the first counts
			}
			if r.step != noStep || a.c.w.Output != nil {
				p.count("reads", -1)
			}
			p.leave("reads_open", a.placeOf(r))
		}
	}
}

// rise brings the last point of a heap, which is q, to its place: what comes last in a run is the first. So what is asked at many
// points is carried back together.
func (a *assigned) rise(heap []int32, q int32) []int32 {
	k := len(heap) - 1
	if heap[k] != q {
		return heap // it waits already
	}
	for k > 0 && a.rank[heap[(k-1)/2]] < a.rank[q] {
		heap[k] = heap[(k-1)/2]
		k = (k - 1) / 2
	}
	heap[k] = q
	return heap
}

// pop takes the first point out of a heap.
func (a *assigned) pop(heap []int32) (first int32, rest []int32) {
	first, n := heap[0], len(heap)-1
	last := heap[n]
	heap, a.cells[first].waiting = heap[:n], false
	for k := 0; k < n; {
		child := 2*k + 1
		if child+1 < n && a.rank[heap[child+1]] > a.rank[heap[child]] {
			child++
		}
		if child >= n || a.rank[heap[child]] < a.rank[last] {
			heap[k] = last
			break
		}
		heap[k], k = heap[child], child
	}
	return first, heap
}
