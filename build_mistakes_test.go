package wf

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// mistakes lists what a build reports, as "code step" in order.
func mistakes(t *testing.T, c Chain) []string {
	t.Helper()
	w, err := c.chain().Build()
	if (w == nil) == (err == nil) {
		t.Errorf("got a workflow: %v, and the error %v", w != nil, err)
	}
	var list []string
	for _, d := range DiagnosticsOf(err) {
		if d.Severity != SeverityError {
			continue
		}
		if d.Message == "" || d.RepairHint == "" {
			t.Errorf("%v says too little", d)
		}
		if _, known := LookupCode(d.Code); !known {
			t.Errorf("%s is not in the table of codes", d.Code)
		}
		list = append(list, strings.TrimSpace(string(d.Code)+" "+d.Step))
	}
	return list
}

func TestBuildMistakes(t *testing.T) {
	t.Parallel()
	type state struct {
		Draft string `json:"draft"`
	}
	cycle := Body()
	cycle.Foreach("inner", "item.x", "y", cycle)
	define := func() *Builder { return Define[request, state, nothing]("w") }
	for name, test := range map[string]struct {
		chain Chain
		want  []string
	}{
		"a body":                 {Body().Step("read", read), []string{"body_has_no_contract"}},
		"no steps":               {define(), []string{"nodes_missing"}},
		"two outcomes open":      {Define[report, nothing, nothing]("w").Step("review", review).Step("touch", touch), []string{"outcome_unwired review"}},
		"both sides of an If":    {define().If("if", Exists("input.path")).Goto("touch").Step("touch", touch), []string{"outcome_unwired if"}},
		"unmet open":             {define().Foreach("each", "input.path", "x", Body().Step("touch", touch)).Complete(1), []string{"outcome_unwired each", "over_not_array each"}},
		"nothing to call":        {define().Step("x", nil), []string{"callable_missing x"}},
		"a nil function":         {define().Step("x", (*Func)(nil)), []string{"callable_missing x"}},
		"a nil workflow":         {define().Step("x", (*Workflow)(nil)), []string{"callable_missing x"}},
		"the function's own":     {define().Step("x", Node[request, nothing]("y", nil)), []string{"callable_missing x"}},
		"a name":                 {Define[nothing, nothing, nothing]("two words").Step("x", touch), []string{"name_invalid"}},
		"types":                  {Define[int, []string, string]("w").Step("x", touch), []string{"schema_not_object", "schema_not_object", "schema_not_object"}},
		"a path without a root":  {define().Step("read", read).In("path", "path"), []string{"not_a_path read"}},
		"a local path":           {define().Step("read", read).In("", "input.path").Out("te xt", "state.draft"), []string{"not_a_path read", "not_a_path read"}},
		"a write elsewhere":      {define().Step("read", read).Out("text", "input.path"), []string{"path_root read"}},
		"a literal":              {define().Step("read", read).InValue("path", func() {}), []string{"literal_invalid read"}},
		"a template":             {define().Step("read", read).InText("path", "{path}"), []string{"template_invalid read"}},
		"a check":                {define().If("if", Eq("path", "x")).Then(ToEnd), []string{"not_a_path if"}},
		"an empty check":         {define().If("if", Check{}).Then(ToEnd), []string{"field_missing if"}},
		"two Gotos":              {define().Step("touch", touch).Goto(ToEnd).Goto(ToEnd), []string{"goto_misplaced touch"}},
		"a Goto in front":        {define().Goto("touch").Step("touch", touch), []string{"goto_misplaced"}},
		"a Goto after an End":    {define().Step("touch", touch).End("end", OK).Goto("touch"), []string{"goto_misplaced"}},
		"a Goto to no avail":     {define().Step("touch", touch).On(OK, ToEnd).Goto("touch"), []string{"goto_misplaced touch"}},
		"a loop of no rounds":    {define().Step("touch", touch).Loop(OK, "touch", 0, ""), []string{"max_visits_invalid touch"}},
		"a duration":             {define().Wait("nap", -1), []string{"timer_out_of_range nap"}},
		"no body":                {define().Foreach("each", "input.path", "x", nil), []string{"body_invalid each", "over_not_array each"}},
		"a workflow as a body":   {define().Fork("f", Branch("a", define().Step("touch", touch))), []string{"body_invalid f"}},
		"no branch":              {define().Fork("f", Branch("a", Body().Step("touch", touch)), nil), []string{"body_invalid f"}},
		"a mistake in a body":    {define().Foreach("each", "input.path", "x", Body().Step("x", nil)), []string{"over_not_array each", "callable_missing x"}},
		"a body in itself":       {define().Foreach("each", "input.path", "x", cycle), []string{"over_not_array each", "body_invalid inner"}},
		"branches do not skip":   {define().Fork("f", Branch("a", Body().Step("touch", touch))).OnError(Skip), []string{"option_misplaced f"}},
		"a question's options":   {define().Step("q", Ask[request, nothing]("q")).Retry(Retry{}).Timeout(1).Narrow(nil), []string{"option_misplaced q", "option_misplaced q", "option_misplaced q"}},
		"two with one name":      {define().Step("a", read).Step("b", step[request, notes]("read")), []string{"name_conflict b"}},
		"two contracts":          {define().Step("a", CapabilityOf[request, notes]("x.y")).Step("b", CapabilityOf[notes, nothing]("x.y")), []string{"name_conflict b"}},
		"two callers, one ref":   {define().Step("a", Ref("x.y")).Step("b", CapabilityOf[request, nothing]("x.y")), []string{"name_conflict b"}},
		"two candidates":         {define().Step("a", read).Step("b", step[request, notes]("b")).Step("c", extract), []string{"binding_ambiguous c"}},
		"two for the output":     {Define[request, nothing, notes]("w").Step("a", read).Step("b", step[request, notes]("b")), []string{"binding_ambiguous"}},
		"a redirected candidate": {Define[request, twoTexts, nothing]("w").Step("a", read).Step("b", step[request, notes]("b")).Out("text", "state.other").Step("c", extract), []string{"binding_ambiguous c"}},
		"a step and what items wrote": {Define[docs, twoTexts, nothing]("w").Step("a", touch).Step("b", step[nothing, notes]("b")).Out("text", "state.other").
			Foreach("each", "input.docs", "d", Body().Step("c", step[nothing, notes]("c"))).Step("x", extract), []string{"binding_ambiguous x"}},
		"all at once": {define().Step("a", nil).Step("review", review).Wait("nap", 0).If("if", Exists("x")),
			[]string{"callable_missing a", "outcome_unwired review", "timer_out_of_range nap", "not_a_path if", "outcome_unwired if"}},
		"an id twice, and an outcome and a target that do not exist": {define().Step("a", touch).On("okk", "b").Step("a", touch),
			[]string{"outcome_unknown a", "edge_to_unknown a", "id_duplicate a"}},
		"a timeout, a retry and a catch": {define().Step("a", read).Timeout(-1).Retry(Retry{MaxAttempts: -1}).Catch(ToEnd, "time_out"),
			[]string{"timer_out_of_range a", "failure_unknown a", "out_of_range a"}},
		"a workflow's name and an unbound input": {Define[nothing, nothing, nothing]("two words").Step("x", extract), []string{"name_invalid", "input_unbound x"}},
		"a function's outcome and an unbound input": {define().Step("x", choice[notes, nothing]("x", "yes", "n o")).On("no", ToEnd).On("yes", "nowhere"),
			[]string{"edge_to_unknown x", "input_unbound x", "name_invalid x"}},
		"a loop, a literal and a template": {define().Step("read", read).InText("path", "{path}").OutValue("state.draf", func() {}).Loop(OK, "gone", 0, ToEnd),
			[]string{"edge_to_unknown read", "literal_invalid read", "max_visits_invalid read", "template_invalid read", "state_field_unknown read"}},
		"a mistake and what the reader finds": {define().Step("a b", nil).Step("c", touch).Narrow(Schema("5")), []string{"callable_missing a b", "name_invalid a b", "type_wrong c"}},
		"what the validator finds":            {define().Step("touch", touch).On("ok", "nowhere"), []string{"edge_to_unknown touch"}},
		"nothing to bind":                     {define().Step("x", extract), []string{"input_unbound x"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, mistakes(t, test.chain)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
