package ledger

import (
	"time"

	"lda.chat/wf"
)

// Change is what one commit did to one run or record. Making it is deciding; applying it is the only way in which a
// ledger changes, so that a list of changes is enough to make the ledger again.
type Change struct {
	Do       string      `json:"do"`                // for people; nothing depends on it
	Run      *wf.RunHead `json:"run,omitempty"`     // as it is afterwards
	Content  string      `json:"content,omitempty"` // of a run that begins
	Events   []Event     `json:"events,omitempty"`
	Snapshot *Snapshot   `json:"snapshot,omitempty"`
	Consume  []string    `json:"consume,omitempty"` // messages that are not pending any more
	Seen     []string    `json:"seen,omitempty"`    // ids of messages that came and went before
	Message  *Message    `json:"message,omitempty"`
	Prune    wf.Revision `json:"prune,omitempty"`
	Delete   string      `json:"delete,omitempty"` // a run
	Record   *Record     `json:"record,omitempty"`
}

// Event is an event of a change.
type Event struct {
	Revision wf.Revision `json:"revision"`
	Fence    wf.Fence    `json:"fence,omitempty"`
	At       time.Time   `json:"at"`
	Size     int         `json:"size"`
	Data     []byte      `json:"-"`
}

// Snapshot is a snapshot of a change.
type Snapshot struct {
	Revision wf.Revision `json:"revision"`
	Size     int         `json:"size"`
	Data     []byte      `json:"-"`
}

// Message is a message of a change.
type Message struct {
	ID   string    `json:"id"`
	Kind string    `json:"kind,omitempty"`
	At   time.Time `json:"at"`
	Size int       `json:"size"`
	Data []byte    `json:"-"`
}

// Record is a record, or the place of one that was deleted: that goes on counting.
type Record struct {
	Kind     string    `json:"kind"`
	Key      string    `json:"key"`
	Revision uint64    `json:"revision"`
	Updated  time.Time `json:"updated"`
	Deleted  bool      `json:"deleted,omitempty"`
	Size     int       `json:"size"`
	Data     []byte    `json:"-"`
}

// Parts gives the bytes of a change, in the order in which they are written.
func (c *Change) Parts(part func(data *[]byte, size *int)) {
	for i := range c.Events {
		part(&c.Events[i].Data, &c.Events[i].Size)
	}
	if c.Snapshot != nil {
		part(&c.Snapshot.Data, &c.Snapshot.Size)
	}
	if c.Message != nil {
		part(&c.Message.Data, &c.Message.Size)
	}
	if c.Record != nil {
		part(&c.Record.Data, &c.Record.Size)
	}
}

// Kept is a change that was committed, or where it stands.
type Kept struct {
	Change *Change // nil: it must be read
	Offset int64
	Size   int64
}
