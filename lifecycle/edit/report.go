package edit

import "lda.chat/wf"

// Report says what edits did.
type Report struct {
	Changes []Change `json:"changes"`
	// Open are the findings that the document has now and had not before, errors and warnings: what the edits leave to do.
	Open wf.Diagnostics `json:"open,omitempty"`
}

// Change is one thing that an edit did, or decided not to do.
type Change struct {
	Edit    int    `json:"edit"` // its position in the list
	Kind    Kind   `json:"kind"`
	Path    string `json:"path"` // JSON Pointer into the document behind that edit; of what was removed, into the one before
	Step    string `json:"step,omitempty"`
	Message string `json:"message"`
}

// Kind sorts changes.
type Kind string

// The kinds of changes.
const (
	KindSet       Kind = "set"       // added or given another value
	KindRemoved   Kind = "removed"   // taken out
	KindRerouted  Kind = "rerouted"  // an edge leads elsewhere
	KindProjected Kind = "projected" // a schema was declared from one that is known
	KindKept      Kind = "kept"      // what one might have expected to change and did not, with the reason
)
