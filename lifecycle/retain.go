package lifecycle

import (
	"context"
	"time"

	"lda.chat/wf/store"
)

// RetainRuns implements [Deployments].
func (s *Service) RetainRuns(ctx context.Context, p *RetainRuns) (*RetainedRuns, error) {
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
			d, failure := readDeployment(r.Key, r.Revision, r.Value)
			if failure != nil {
				return nil, failure
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
		n, err := store.Retain(ctx, s.store, before, &store.RetainOptions{Deployment: d.id})
		if n > 0 {
			done.Deleted += n
			done.Deployments[d.id] = n
		}
		if err != nil {
			return nil, errorOf(err)
		}
	}
	if done.Deleted > 0 {
		subject := "deployments"
		if p.Deployment != "" {
			subject = "deployment:" + p.Deployment
		}
		if err := s.audit(ctx, Event{Method: "deployments.retain", Subject: subject, Note: plural(done.Deleted, "run was deleted", "runs were deleted")}); err != nil {
			return nil, err
		}
	}
	done.Advice = advise(plural(done.Deleted, "run whose time was over is gone", "runs whose time was over are gone"), false,
		action(toInspect, "runs.list", ListRuns{}, "which runs there are", "run", "list"))
	return done, nil
}
