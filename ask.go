package wf

import (
	"slices"
	"time"
)

// Question is a typed request to somebody outside the run: a step that parks until it is answered. As a callable, its
// input is the request and its output the answer.
type Question struct {
	def     NodeDef // Name is the kind
	answers map[Outcome]Schema
	timeout float64
	late    Outcome // taken on timeout

	problems problems
}

// Ask makes a question. The kind tells those who answer what is asked ("approval"); Request is what they are shown, a
// struct or a map; Answer is what they fill in; each answer chooses one of the outcomes, [OK] if none are given.
func Ask[Request, Answer any](kind string, outcomes ...Outcome) *Question {
	q := &Question{def: NodeDef{Name: kind}}
	q.problems.subject = "question " + quoteJSON(kind)
	if !isName(kind) {
		q.problems.add("name_invalid", "its kind is not a name", `use letters, digits, "_" and "-", at most 128`)
	}
	_, asked := objectOf[Request](&q.problems, "request")
	_, given := typeOf[Answer](&q.problems, "answer")
	q.def.InputSchema, q.def.OutputSchema = schemaOf(asked), schemaOf(given)
	if q.def.Outcomes = checkOutcomes(&q.problems, outcomes); len(outcomes) == 0 {
		q.def.Outcomes = []Outcome{OK}
	}
	return q
}

// Describe sets what the question is about.
func (q *Question) Describe(text string) *Question { q.def.Description = text; return q }

// AnswerSchema narrows the answer for one outcome: a rejection may need a reason.
func (q *Question) AnswerSchema(outcome Outcome, s Schema) *Question {
	if q.answers == nil {
		q.answers = map[Outcome]Schema{}
	}
	if !slices.Contains(q.def.Outcomes, outcome) {
		q.problems.add("outcome_unknown", "a schema for the outcome "+quoteJSON(string(outcome))+", which it does not have", "name the outcome in Ask")
	}
	q.answers[outcome] = s
	return q
}

// Timeout sets how long an answer is waited for, and the outcome after that. Nobody can answer with this outcome.
func (q *Question) Timeout(d time.Duration, outcome Outcome) *Question {
	q.timeout, q.late = q.problems.seconds(d), outcome
	if !isName(string(outcome)) {
		q.problems.add("name_invalid", "the outcome after the timeout is not a name", `use letters, digits, "_" and "-", at most 128`)
	}
	return q
}

// Contract returns the question's contract; its outcomes include the one after a timeout.
func (q *Question) Contract() *NodeDef {
	def := cloneDef(&q.def)
	if q.late != "" && !slices.Contains(def.Outcomes, q.late) {
		def.Outcomes = append(def.Outcomes, q.late)
	}
	return def
}

// Problems returns what is wrong with the question, nil if nothing is.
func (q *Question) Problems() Diagnostics { return slices.Clone(q.problems.list) }
