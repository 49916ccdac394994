package wf

import "lda.chat/wf/internal/kernel"

// room is what a run needs while it goes on, in one piece of a size that Go allocates with little beside it. A run that waits
// for an answer, maybe for weeks and beside thousands of others, gives it back.
type room struct {
	out     kernel.Out
	next    todo // to be made by the goroutine that took the step
	calls   [1]standing[kernel.Ref, *call]
	effects [2]kernel.Effect
	entries [firstSlab]kernel.Entry
	heads   [8]recordHead
}

func (r *RunHandle) makeRoom() {
	r.room = &room{}
	r.room.out.Effects = r.room.effects[:0]
	if r.calls.few == nil {
		r.calls.few = r.room.calls[:0]
	}
	r.journal.lend(r.room.entries[:0], r.room.heads[:0])
}

// giveRoom lets go of the room if the run waits for an answer: it has nothing out then but questions.
func (r *RunHandle) giveRoom() {
	if r.machine.Status() == kernel.Interrupted {
		r.journal.trim()
		r.calls.few, r.slab, r.room = nil, nil, nil
	}
}
