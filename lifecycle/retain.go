package lifecycle

import (
	"context"
	"time"

	"lda.chat/wf/store"
)

// RetainRuns implements [Deployments].
func (s *Service) RetainRuns(ctx context.Context, p *RetainRuns) (*RetainedRuns, error) {
	if p.Limit < 0 {
		return nil, badParam("limit", "a limit of %d: expected 1 or more, or none", p.Limit)
	}
	var failure error // it does not keep others from being deleted; these are told in the audit
	var all []*deployment
	if p.Deployment != "" {
		d, failure := s.loadDeployment(ctx, p.Deployment)
		if failure != nil {
			return nil, failure
		}
		all = append(all, d)
	}
	for cursor, more := "", p.Deployment == ""; more; more = cursor != "" {
		page, err := s.store.ScanRecords(ctx, kindDeployment, "", cursor, 1000)
		if err != nil {
			return nil, errorOf(err)
		}
		for _, r := range page.Records {
			d, damaged := readDeployment(r.Key, r.Revision, r.Value)
			if damaged != nil {
				failure = damaged
				continue
			}
			all = append(all, d)
		}
		cursor = page.Next
	}
	now, err := s.store.Now(ctx)
	if err != nil {
		return nil, errorOf(err)
	}
	done := &RetainedRuns{Deployments: map[string]int{}}
	for _, d := range all {
		if d.RetentionSeconds == 0 {
			continue
		}
		before := time.Unix(now.Unix()-d.RetentionSeconds, int64(now.Nanosecond()))
		if p.Limit > 0 && done.Deleted == p.Limit {
			break
		}
		n, err := store.Retain(ctx, s.store, before, &store.RetainOptions{Deployment: d.id, Most: max(p.Limit-done.Deleted, 0)})
		if n > 0 {
			done.Deleted += n
			done.Deployments[d.id] = n
		}
		if err != nil {
			failure = err
			break
		}
	}
	done.More = p.Limit > 0 && done.Deleted == p.Limit
	if done.Deleted > 0 {
		subject := "deployments"
		if p.Deployment != "" {
			subject = "deployment:" + p.Deployment
		}
		if err := s.audit(ctx, Event{Method: "deployments.retain", Subject: subject, Note: plural(done.Deleted, "run was deleted", "runs were deleted")}); err != nil {
			return nil, err
		}
	}
	if failure != nil {
		return nil, errorOf(failure)
	}
	done.Advice = advise(plural(done.Deleted, "run whose time was over is gone", "runs whose time was over are gone"), false,
		action(toInspect, "runs.list", ListRuns{}, "which runs there are", "run", "list"))
	return done, nil
}
