package wf

import (
	"slices"

	"lda.chat/wf/internal/value"
)

// scope is what names in the text may refer to, for suggestions.
type scope struct {
	plan                       value.Value
	steps, state, input, items []string
	hasNames                   bool            // what state, input and items may be called has been collected, which few plans need
	start                      string          // as it is written
	starts                     int             // edges from a start that is no step
	index                      map[string]int  // of the steps in the text; see stepIndex
	sources                    map[string]bool // of the list of edges; see hasRoutes
}

// newScope collects the names of a plan that has not been read yet.
func newScope(plan value.Value) scope {
	s := scope{plan: plan}
	s.start, _ = plan.Get("start").AsString()
	for _, edge := range plan.Get("edges").Items() {
		for _, key := range []string{"from", "source"} {
			if from, _ := edge.Get(key).AsString(); bareWord(from) == "start" {
				s.starts++
			}
		}
	}
	for id := range plan.Get("nodes").Members() {
		s.steps = append(s.steps, id)
	}
	for _, step := range plan.Get("nodes").Items() {
		if id, ok := step.Get("id").AsString(); ok {
			s.steps = append(s.steps, id)
		}
	}
	return s
}

// collect gathers what values are called in the plan: what its schemas declare, what paths name, and the elements of foreach, any and all.
func (s *scope) collect() {
	if s.hasNames {
		return
	}
	s.hasNames = true
	for _, k := range []struct {
		key  string
		into *[]string
	}{{"state_schema", &s.state}, {"input_schema", &s.input}} {
		declared := s.plan.Get(k.key)
		if meant, ok := shorthand(declared, shortTop); ok {
			declared = meant
		}
		for name := range declared.Get("properties").Members() {
			*k.into = append(*k.into, name)
		}
	}
	s.collectNames(s.plan.Get("nodes"), maxNesting*4)
}

func (s *scope) collectNames(v value.Value, levels int) {
	if levels == 0 {
		return
	}
	if text, ok := v.AsString(); ok && isRooted(text) {
		s.collectPath(text)
	}
	for _, item := range v.Items() {
		s.collectNames(item, levels-1)
	}
	for key, member := range v.Members() {
		if name, isText := member.AsString(); isText && key == "as" {
			s.items = append(s.items, name)
		}
		if isRooted(key) {
			s.collectPath(key)
		}
		s.collectNames(member, levels-1)
	}
}

func (s *scope) collectPath(text string) {
	path, err := ParsePath(text)
	if err != nil || len(path.Parts) == 0 || path.Parts[0].IsIndex {
		return
	}
	switch path.Root {
	case RootState:
		s.state = append(s.state, path.Parts[0].Name)
	case RootInput:
		s.input = append(s.input, path.Parts[0].Name)
	}
}

// names reports whether a text among others begins with what a value is called in the plan.
func (s *scope) names(text string) bool {
	s.collect()
	path, err := parseLocalPath(text)
	if err != nil || len(path.Parts) == 0 {
		return false
	}
	lists := [][]string{s.state, s.input, s.items}
	if len(path.Parts) > 1 {
		lists = append(lists, s.steps) // a step's whole output is seldom meant
	}
	return slices.ContainsFunc(lists, func(list []string) bool { return slices.Contains(list, path.Parts[0].Name) })
}

func (s *scope) namesIn(v value.Value, levels int) bool {
	if text, ok := v.AsString(); ok && s.names(text) {
		return true
	}
	if levels == 0 {
		return false
	}
	for _, item := range v.Items() {
		if s.namesIn(item, levels-1) {
			return true
		}
	}
	for _, member := range v.Members() {
		if s.namesIn(member, levels-1) {
			return true
		}
	}
	return false
}

// rootNames are what roots are called elsewhere.
var rootNames = map[string]Root{
	"inputs": RootInput, "states": RootState, "items": RootItem, "ctx": RootContext,
}

// candidates are the paths that a text without a root may have meant.
func (s *scope) candidates(text string) []string {
	path, err := parseLocalPath(text)
	if err != nil || len(path.Parts) == 0 || isRooted(text) {
		return nil
	}
	s.collect()
	var found []string
	if slices.Contains(s.items, path.Parts[0].Name) {
		found = append(found, Path{Root: RootItem, Parts: path.Parts}.String())
	}
	for i, part := range path.Parts[:min(2, len(path.Parts))] {
		if !slices.Contains(s.steps, part.Name) || i == 1 && !slices.Contains([]string{"nodes", "node", "step"}, path.Parts[0].Name) {
			continue
		}
		rest := path.Parts[i+1:]
		if len(rest) > 0 && slices.Contains([]string{"output", "outputs", "result"}, rest[0].Name) {
			rest = rest[1:]
		}
		steps := Path{Root: RootSteps, Parts: append([]Part{part}, rest...)}
		found = append(found, steps.String())
	}
	if slices.Contains(s.state, path.Parts[0].Name) {
		found = append(found, Path{Root: RootState, Parts: path.Parts}.String())
	}
	if slices.Contains(s.input, path.Parts[0].Name) {
		found = append(found, Path{Root: RootInput, Parts: path.Parts}.String())
	}
	if root, ok := rootNames[path.Parts[0].Name]; ok && len(found) == 0 && len(path.Parts) > 1 {
		found = append(found, Path{Root: root, Parts: path.Parts[1:]}.String())
	}
	if len(found) == 0 && len(path.Parts) > 1 {
		found = append(found, Path{Root: RootState, Parts: path.Parts}.String())
	}
	return found
}
