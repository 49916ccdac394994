package wf

import (
	"reflect"
	"slices"

	"lda.chat/wf/internal/value"
)

// Builder builds a workflow in Go. Begin one with [Define], or a body or branch with [Body].
//
// Steps follow one another in the order they are written: of each step the one outcome that is not routed falls through
// to the next; at the end of the chain the workflow, the item or the branch ends. End and Fail steps stand outside that
// sequence: they are only reached by name. Two or more outcomes that are not routed are a mistake.
//
// What a step's input asks for and nothing binds explicitly is bound by name: to what an earlier step gave or wrote, else
// to the state, else to the workflow's input. An output goes to the state field of its name if there is one. Mistakes
// never panic; they are collected, and [Builder.Build] reports them all.
//
// A Builder is not safe for concurrent use.
type Builder struct {
	title    string // of a workflow; "" in a body
	body     bool
	desc     string
	input    Schema
	state    Schema
	output   Schema
	limits   *Limits
	items    []*item
	outputs  []InputBinding
	problems problems // of the chain as a whole
}

// An item is one step of a chain with what was said about it. Build makes its bindings and edges.
type item struct {
	step     Step
	callable Callable       // of node, subgraph and interrupt steps
	inputs   []InputBinding // explicit ones
	writes   []OutputBinding
	outcomes []Outcome // to be routed, of steps that have no contract
	routes   []Edge    // without From
	catches  []catchRoute
	next     string     // where the one outcome that is not routed goes; "": to the next item
	outside  bool       // End and Fail
	body     *Builder   // of a foreach
	branches []*Builder // of a fork, as its step has them
	problems problems
}

// Chain is a [Builder] at any point of its chain of calls: what Body and its methods return.
type Chain interface{ chain() *Builder }

func (b *Builder) chain() *Builder { return b }

// Define begins a workflow. Input, which must be a struct or a map, State and Output become its schemas; a field of State
// names its reducer in a tag: `json:"risks" wf:"append"`. A State without fields is no state schema.
func Define[Input, State, Output any](name string) *Builder {
	b := &Builder{title: name}
	b.problems.subject = "workflow " + quoteJSON(name)
	if !isDotted(name) {
		b.problems.add("name_invalid", "its name is not one", `use letters, digits, "_", "-" and ".", at most 128`)
	}
	_, in := objectOf[Input](&b.problems, "input")
	_, out := objectOf[Output](&b.problems, "output")
	b.input, b.output = schemaOf(in), schemaOf(out)
	if t := reflect.TypeFor[State](); t.Kind() != reflect.Struct || t.NumField() > 0 {
		_, state := objectOf[State](&b.problems, "state")
		b.state = withoutRequired(schemaOf(state))
	}
	return b
}

// withoutRequired makes the members of a state optional: a field holds nothing until it is written.
func withoutRequired(s Schema) Schema {
	v, err := value.Parse(s)
	if err != nil {
		return s
	}
	return Schema(v.With("required", value.Value{}).JSON())
}

// Body begins the body of a foreach or the branch of a fork.
func Body() *Builder { return &Builder{body: true} }

// Describe says what the workflow is for. It stands before the first step: after one, Describe is the step's.
func (b *Builder) Describe(text string) *Builder { b.desc = text; return b }

// Limits bounds the runs of the workflow.
func (b *Builder) Limits(l Limits) *Builder { b.limits = &l; return b }

// Output takes a member of the workflow's output from a path. Without Output each member comes from the state field of its
// name, else by name from the step that gives it, else from the input.
func (b *Builder) Output(to, from string) *Builder {
	b.outputs = append(b.outputs, InputBinding{b.problems.localPath(to), b.problems.pathOperand(from)})
	return b
}

// OutputValue sets a member of the workflow's output to a literal.
func (b *Builder) OutputValue(to string, v any) *Builder {
	b.outputs = append(b.outputs, InputBinding{b.problems.localPath(to), b.problems.literalOperand(v)})
	return b
}

// Goto sends the outcome of the step before it that is not routed to a step, or to [ToEnd], [ToContinue], [ToDiscard].
func (b *Builder) Goto(id string) *Builder {
	var last *item
	if n := len(b.items); n > 0 {
		last = b.items[n-1]
	}
	switch {
	case last == nil || last.outside:
		b.problems.add("goto_misplaced", "a Goto without a step before it that goes on", "write Goto right after the step that it leads away from")
	case last.next != "":
		last.problems.add("goto_misplaced", "two Gotos after one step", "keep one, and route further outcomes with On")
	default:
		last.next = id
	}
	return b
}

// add appends an item.
func (b *Builder) add(i *item) *item {
	b.items = append(b.items, i)
	return i
}

// route leads an outcome to a step.
func (i *item) route(o Outcome, to string) { i.routes = append(i.routes, Edge{Outcome: o, To: to}) }

// loop leads an outcome to a step a bounded number of times.
func (i *item) loop(o Outcome, to string, visits int, exhausted string) {
	if visits < 1 {
		i.problems.add("max_visits_invalid", "a loop that may be taken less than once", "allow one round at least")
		visits = holeNumber
	}
	i.routes = append(i.routes, Edge{Outcome: o, To: to, MaxVisits: visits, Exhausted: exhausted})
}

// A catchRoute is a catch whose outcome's name is settled by Build.
type catchRoute struct {
	codes []Code
	into  *Path
	to    string
}

// catch leads failures to a step.
func (i *item) catch(to string, into *Path, codes []Code) {
	if len(codes) == 0 {
		codes = []Code{"*"}
	}
	i.catches = append(i.catches, catchRoute{slices.Clone(codes), into, to})
}

// targetName is the outcome that leads to a target, where the builder names it.
func targetName(to string) Outcome {
	switch to {
	case ToEnd:
		return "end"
	case ToContinue:
		return "continue"
	case ToDiscard:
		return "discard"
	}
	return Outcome(to)
}

// in binds a place of the step's input.
func (i *item) in(to string, o Operand) {
	i.inputs = append(i.inputs, InputBinding{i.problems.localPath(to), o})
}

// write binds a place of the step's output, or a value, to the state.
func (i *item) write(source *Path, o *Operand, to string) {
	i.writes = append(i.writes, OutputBinding{Source: source, Operand: o, Target: i.problems.statePath(to)})
}
