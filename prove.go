package wf

// Proof is what checking a plan shows beside its findings: what holds in every run of it, and what only a run can tell.
type Proof struct {
	Proved []Claim `json:"proved"`
	Left   []Claim `json:"left"` // to run time
}

// Claim is one thing that holds in every run, or that each run checks for itself.
type Claim struct {
	Subject string `json:"subject"` // what it is about, one of few words: outcomes, bindings, cycles, …
	Text    string `json:"text"`    // the claim, in words
	Count   int    `json:"count"`   // of the places that it is about
	// Places are some of these, at most ten, as JSON Pointers into the plan's canonical form. Only what is left has them.
	Places []string `json:"places,omitempty"`
}

// Prove checks a plan like [Validate], whose findings it returns too, and says what that proves. Nothing is claimed of a subject in
// which an error was found, nor of one that the plan does not have. What is proved is proved of the plan as it is, with the
// capabilities as their contracts say; what is left is checked while the plan runs, and may fail then, each with its own code.
func Prove(w *Workflow, opts *ValidateOptions) (*Proof, Diagnostics) {
	p := &prover{}
	found := check(w, opts, false, p)
	return p.proof(found), found
}

// Prove is the function of that name, with the capabilities and reducers at hand.
func (rt *Runtime) Prove(w *Workflow) (*Proof, Diagnostics) { return Prove(w, rt.surroundings()) }

// prover counts, while a plan is checked, what it has, and notes where nothing can be proved. A nil *prover does neither.
type prover struct {
	counts  map[string]int      // by subject: places that were checked
	bounds  map[string]bool     // what bounds cycles
	repeats bool                // some step may run more than once
	open    map[string][]string // by subject of what is left: where
	verdict fit                 // of the binding that is being checked
	fits    map[typePair]fit
}

// count notes places of a subject.
func (p *prover) count(subject string, n int) {
	if p.counts == nil {
		p.counts = make(map[string]int)
	}
	p.counts[subject] += n
}

// leave notes a place of which a run has to see for itself.
func (p *prover) leave(subject string, at *place) {
	if p.open == nil {
		p.open = make(map[string][]string)
	}
	p.open[subject] = append(p.open[subject], at.String())
}
