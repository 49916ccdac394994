package wf

// buildCodes are the mistakes of building in Go that no plan can have; the others have the codes of the reader and the
// validator.
var buildCodes = []CodeInfo{
	{"bind_ambiguous", SeverityError, "A name with two meanings",
		"A step asks for an input by name, and more than one thing has that name: two earlier steps give it, or a step and an item. Nothing is guessed. Bind it with In, or declare a state field of the name, which the steps then write one after the other.",
		`Step("read", read).Step("clean", clean).Step("count", count), where read and clean both give "text"`,
		`Step("count", count).In("text", "steps.clean.text")`},
	{"body_has_no_contract", SeverityError, "A body built as a workflow",
		"A body has no input, state and output of its own, so it cannot be built, saved or run. Begin a workflow with Define; hand a body to Foreach or Branch.",
		`Body().Step("read", read).Build()`, `Define[Request, State, Report]("weekly").Step("read", read).Build()`},
	{"body_invalid", SeverityError, "No body where one is needed",
		"A foreach and each branch of a fork take a body that begins with Body. A workflow of its own is called with Step instead; a body cannot contain itself.",
		`Foreach("each", "input.docs", "doc", nil)`, `Foreach("each", "input.docs", "doc", Body().Step("digest", digest))`},
	{"callable_missing", SeverityError, "Nothing to call",
		"A step, or a callable itself, was given nil instead of a function. Hand over the function, capability, question or workflow.",
		`Step("read", nil)`, `Step("read", wf.Node("read_notes", readNotes))`},
	{"goto_misplaced", SeverityError, "A Goto that leads nothing anywhere",
		"Goto says where the one outcome goes that its step does not route. It stands right after that step, once, and needs such an outcome; after an End or Fail there is none.",
		`Goto("read").Step("read", read)`, `Step("read", read).Goto("review")`},
	{"name_conflict", SeverityError, "One name for two things",
		"Steps find what they call by name, so a name means one function, one contract, one workflow. Make a function that several steps call one Func in a variable; give different ones different names.",
		`Step("a", wf.Node("read", f)).Step("b", wf.Node("read", g))`, `Step("a", wf.Node("read", f)).Step("b", wf.Node("reread", g))`},
	{"option_misplaced", SeverityError, "An option that its step does not have",
		"Some options belong to some kinds of steps only: a question has no retry, and sets its timeout itself; a fork cannot skip a failed branch. Leave the option out.",
		`Step("ask", wf.Ask[Report, Answer]("approval")).Timeout(time.Hour)`, `Step("ask", wf.Ask[Report, Answer]("approval").Timeout(time.Hour, "late"))`},
	{"outcomes_missing", SeverityError, "A decision without outcomes",
		"A decision chooses one of its outcomes, and steps route each of them, so they are named where the decision is made.",
		`wf.Decision("review", review)`, `wf.Decision("review", review, "approved", "rejected")`},
	{"type_unsupported", SeverityError, "A Go type that is no JSON",
		"Inputs, outputs and states are JSON. Channels, functions, complex numbers and maps with unsuitable keys have no JSON form. Leave such a field out with a tag, give its type a MarshalJSON method, or use another type.",
		"type Request struct{ Done chan bool }", "type Request struct{ Done chan bool `json:\"-\"` }"},
}
