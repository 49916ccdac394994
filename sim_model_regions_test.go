package wf

import (
	"fmt"
	"maps"

	"lda.chat/wf/internal/value"
)

// simKids gathers what the children of a region come to.
type simKids struct {
	count, succeeded, failed int
	errors, results          []value.Value
	done                     []*simFrame // those that succeeded
	fails                    []*simFail
}

func (fr *simFrame) each(b *simBlock, s *ForeachStep, path string) (Outcome, *simFail) {
	over := fr.read(&s.Over)
	kids := &simKids{count: over.Len()}
	serial := s.Mode != ModeParallel
	around := fr
	if serial {
		around = fr.below(fr.path) // which holds what the items so far have left
	}
	need := min(s.Complete, over.Len())
	outcome := outcomeDone
	for i, item := range over.Items() {
		if need > 0 && kids.succeeded >= need {
			break
		}
		kid := around.below(fmt.Sprintf("%s[%d]", path, i))
		kid.items, kid.indices = map[string]value.Value{s.As: item}, map[string]int{s.As: i}
		way := kid.sequence(b.body)
		switch {
		case way.fail != nil:
			kids.failed++
			kids.fails = append(kids.fails, way.fail)
			kids.errors = append(kids.errors, value.Object(value.Member{Key: "index", Value: value.Int(int64(i))},
				value.Member{Key: "item", Value: item}, value.Member{Key: "code", Value: value.String(way.fail.code)}))
		case way.to != ToDiscard:
			kids.succeeded++
			kids.done = append(kids.done, kid)
			if s.Result != nil {
				if v := kid.read(s.Result); !v.IsAbsent() {
					kids.results = append(kids.results, v)
				}
			}
			if serial {
				maps.Copy(around.state, kid.state)
			}
		}
		if way.fail != nil && (s.OnItemError == "" || s.OnItemError == OnErrorFail) && serial {
			return "", way.fail
		}
		if need > 0 && kids.succeeded < need && kids.succeeded+over.Len()-i-1 < need {
			outcome = outcomeUnmet
			break
		}
	}
	if fail := fr.judge(kids, s.OnItemError, path, over.Len()); fail != nil {
		return "", fail
	}
	if s.OnItemError == OnErrorSkip {
		kids.errors = nil
	}
	return outcome, fr.takeOver(kids, s.Output, s.ID, s.Result != nil, serial)
}

func (fr *simFrame) fork(b *simBlock, s *ForkStep, path string) (Outcome, *simFail) {
	kids := &simKids{}
	var open []int
	for i, branch := range s.Branches {
		if branch.When == nil || fr.holds(branch.When) {
			open = append(open, i)
		}
	}
	kids.count = len(open)
	for _, i := range open {
		kid := fr.below(path + ":" + string(s.Branches[i].Outcome))
		way := kid.sequence(b.branches[i])
		switch {
		case way.fail != nil:
			kids.failed++
			kids.fails = append(kids.fails, way.fail)
			kids.errors = append(kids.errors, value.Object(value.Member{Key: "branch", Value: value.String(string(s.Branches[i].Outcome))},
				value.Member{Key: "code", Value: value.String(way.fail.code)}))
		case way.to != ToDiscard:
			kids.succeeded++
			kids.done = append(kids.done, kid)
		}
	}
	if fail := fr.judge(kids, s.OnBranchError, path, len(open)); fail != nil {
		return "", fail
	}
	for _, kid := range kids.done {
		maps.Copy(fr.outs, kid.outs)
	}
	return outcomeDone, fr.takeOver(kids, s.Output, s.ID, false, false)
}

// judge tells whether failed children let a parallel region fail: then its other children were stopped anywhere.
func (fr *simFrame) judge(kids *simKids, policy, path string, count int) *simFail {
	if kids.failed == 0 || policy == OnErrorCollect || policy == OnErrorSkip {
		return nil
	}
	if count > 1 {
		fr.m.dim = append(fr.m.dim, path)
	}
	if kids.failed > 1 {
		fr.m.vague = true
	}
	return kids.fails[0]
}

// takeOver merges what the children left, in order, and commits the step's own output.
func (fr *simFrame) takeOver(kids *simKids, output []OutputBinding, id string, results, serial bool) *simFail {
	for _, kid := range kids.done {
		for _, w := range kid.log {
			fr.write(w.field, w.in)
		}
	}
	members := []value.Member{
		{Key: "count", Value: value.Int(int64(kids.count))}, {Key: "succeeded", Value: value.Int(int64(kids.succeeded))},
		{Key: "failed", Value: value.Int(int64(kids.failed))}, {Key: "errors", Value: value.Array(kids.errors...)},
	}
	if results {
		members = append(members, value.Member{Key: "results", Value: value.Array(kids.results...)})
	}
	summary := value.Object(members...)
	fr.commit(output, summary, false)
	fr.outs[id] = summary
	return nil
}
