package plandiff

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/internal/schema"
	"lda.chat/wf/internal/value"
)

// routing are the members of steps in the short form that are routes: these are compared by themselves.
var routing = []string{"on", "next"}

// placedStep is a step with its place.
type placedStep struct {
	short value.Value // without its routes
	at    string
	label string
}

func stepsOf(v *version) map[string]placedStep {
	list := map[string]placedStep{}
	for i, s := range v.w.Nodes {
		short := v.short.Get("nodes").Index(i)
		id, _ := short.Get("id").AsString()
		if _, twice := list[id]; twice || id == "" {
			continue
		}
		for _, member := range routing {
			short = short.With(member, value.Value{})
		}
		list[id] = placedStep{short, "/nodes/" + strconv.Itoa(i), labelOf(s)}
	}
	return list
}

// labelOf says what a step is.
func labelOf(s wf.Step) string {
	switch s := s.(type) {
	case *wf.NodeStep:
		return "calls " + s.Node
	case *wf.SubgraphStep:
		return "runs " + s.Workflow
	case *wf.InterruptStep:
		return "asks for " + s.Kind
	case *wf.EndStep:
		return "ends with " + string(s.Outcome)
	case *wf.FailStep:
		return "fails with " + string(s.Code)
	}
	return string(s.StepType())
}

func (c *comparison) steps() {
	was, is := c.was, c.is
	renamed := map[string]bool{}
	for _, id := range keys(c.renames) {
		to := c.renames[id]
		renamed[to] = true
		c.add(Change{Kind: Renamed, Subject: SubjectStep, Name: to, Member: "id", Path: is[to].at, OldPath: was[id].at,
			Old: shown(value.String(id)), New: shown(value.String(to)), Message: fmt.Sprintf("was called %q", id)})
	}
	for _, id := range both(keys(was), keys(is)) {
		a, before := was[id]
		b, after := is[id]
		switch {
		case before && after:
			c.step(id, a, b)
		case before && c.renames[id] == "":
			c.add(Change{Kind: Removed, Subject: SubjectStep, Name: id, Path: a.at, Old: shown(a.short), Message: a.label})
		case after && !renamed[id]:
			c.add(Change{Kind: Added, Subject: SubjectStep, Name: id, Path: b.at, New: shown(b.short), Message: b.label})
		}
	}
}

// findRenames finds steps that are gone, and stand elsewhere with nothing changed but their id. Of several alike nobody can tell.
func (c *comparison) findRenames() {
	was, is := c.was, c.is
	c.renames = map[string]string{}
	bare := func(s placedStep) string { return string(s.short.With("id", value.Value{}).AppendCanonical(nil)) }
	gone, come := map[string][]string{}, map[string][]string{}
	for _, id := range keys(was) {
		if _, stays := is[id]; !stays {
			gone[bare(was[id])] = append(gone[bare(was[id])], id)
		}
	}
	for _, id := range keys(is) {
		if _, stood := was[id]; !stood {
			come[bare(is[id])] = append(come[bare(is[id])], id)
		}
	}
	for what, ids := range gone {
		if len(ids) == 1 && len(come[what]) == 1 {
			c.renames[ids[0]] = come[what][0]
		}
	}
}

// step compares a step member by member, bindings by what they fill.
func (c *comparison) step(id string, was, is placedStep) {
	for _, member := range both(membersOf(was.short), membersOf(is.short)) {
		a, b := was.short.Get(member), is.short.Get(member)
		if value.Equal(a, b) {
			continue
		}
		switch {
		case strings.HasSuffix(member, "_schema"):
			direction := schema.Input // of what is asked: an answer that was good goes on being good
			if member == "output_schema" || member == "request_schema" {
				direction = schema.Output
			}
			c.schemas(Change{Subject: SubjectStep, Name: id, Member: member}, a, b, was.at+"/"+member, is.at+"/"+member, direction, false)
		case slices.Contains(opened, member) && isOpen(a) && isOpen(b):
			for _, part := range both(membersOf(a), membersOf(b)) {
				c.stepMember(id, member+" "+part, a.Get(part), b.Get(part), was.at+"/"+member, is.at+"/"+member)
			}
		default:
			c.stepMember(id, member, a, b, was.at+"/"+member, is.at+"/"+member)
		}
	}
}

// opened are the members of steps whose own members are compared.
var opened = []string{"input", "output", "request", "resume", "retry", "resume_schemas"}

func isOpen(v value.Value) bool { return v.Kind() == value.KindObject || v.IsAbsent() }

func (c *comparison) stepMember(id, member string, was, is value.Value, oldAt, newAt string) {
	if !value.Equal(was, is) {
		c.add(Change{Kind: kindOf(was, is), Subject: SubjectStep, Name: id, Member: member, Path: newAt, OldPath: oldAt, Old: shown(was), New: shown(is), Message: from(was, is)})
	}
}

// route is where an outcome of a step leads.
type route struct{ step, outcome string }

// placedRoute is the same with its place, and all that stands of it.
type placedRoute struct {
	edge value.Value
	at   string
}

func routesOf(v *version, named func(string) string) map[route]placedRoute {
	list := map[route]placedRoute{}
	for i, e := range v.canonical.Get("edges").Items() {
		text := func(member string) string { s, _ := e.Get(member).AsString(); return s }
		key := route{named(text("from")), text("outcome")}
		for _, member := range []string{"to", "exhausted"} {
			if to := text(member); to != "" {
				e = e.With(member, value.String(named(to)))
			}
		}
		if _, twice := list[key]; !twice {
			list[key] = placedRoute{e, "/edges/" + strconv.Itoa(i)}
		}
	}
	return list
}

func (c *comparison) routes() {
	was := routesOf(c.old, c.renamed)
	is := routesOf(c.new, func(id string) string { return id })
	var all []route
	for key := range was {
		all = append(all, key)
	}
	for key := range is {
		if _, known := was[key]; !known {
			all = append(all, key)
		}
	}
	slices.SortFunc(all, func(a, b route) int {
		if n := strings.Compare(a.step, b.step); n != 0 {
			return n
		}
		return strings.Compare(a.outcome, b.outcome)
	})
	for _, key := range all {
		a, b := was[key], is[key]
		about := Change{Subject: SubjectRoute, Name: key.step, Member: key.outcome}
		leads := func(e value.Value) string { s, _ := e.Get("to").AsString(); return s }
		switch {
		case a.at == "":
			about.Kind, about.Path, about.New, about.Message = Added, b.at, shown(b.edge), "leads to "+leads(b.edge)
			c.add(about)
		case b.at == "":
			about.Kind, about.Path, about.Old, about.Message = Removed, a.at, shown(a.edge), "led to "+leads(a.edge)
			c.add(about)
		default:
			for _, member := range []string{"to", "max_visits", "exhausted"} {
				if x, y := a.edge.Get(member), b.edge.Get(member); !value.Equal(x, y) {
					about.Kind, about.Path, about.OldPath, about.Old, about.New, about.Message = Changed, b.at, a.at, shown(x), shown(y), member+" "+from(x, y)
					c.add(about)
				}
			}
		}
	}
}
