package lifecycle

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"
)

// Event is a line of the audit: an operation that changed something. Events are only ever added.
type Event struct {
	ID       string    `json:"id"`
	At       time.Time `json:"at"`
	Who      string    `json:"who,omitempty"` // see [Acting]; "": nobody said
	Method   string    `json:"method"`
	Subject  string    `json:"subject"`            // "draft:report", "artifact:report@1", "run:run_1"
	Revision uint64    `json:"revision,omitempty"` // of the subject behind the operation; 0: it has none
	Note     string    `json:"note,omitempty"`     // what was done, in words
}

// ListEvents are the parameters of events.list.
type ListEvents struct {
	Subject string `json:"subject,omitempty" jsonschema_description:"only events on this, such as draft:report"`
	Method  string `json:"method,omitempty" jsonschema_description:"only events of this operation"`
	Limit   int    `json:"limit,omitempty" jsonschema_description:"how many a page has; 50 if it is left out, at most 1000"`
	Cursor  string `json:"cursor,omitempty" jsonschema_description:"the next of the page before"`
}

// EventList is a page of events, newest first. Where only some are asked for it may have fewer than its limit and not be the last.
type EventList struct {
	Events []Event `json:"events"`
	Next   string  `json:"next,omitempty"` // the cursor of the next page; "": this is the last
	Advice *Advice `json:"advice,omitempty"`
}

const kindEvent = "event"

type actorKey struct{}

// Acting says for whom the operations with the context are made: a name that events tell.
func Acting(ctx context.Context, who string) context.Context {
	return context.WithValue(ctx, actorKey{}, who)
}

// audit keeps what was done. It was done, so a caller who goes away does not keep it from being told.
func (s *Service) audit(ctx context.Context, e Event) error {
	e.Who, _ = ctx.Value(actorKey{}).(string)
	e.At = s.now().UTC()
	e.ID = fmt.Sprintf("%019d-%s", math.MaxInt64-e.At.UnixNano(), rand.Text()[:10]) // the newest comes first in a scan
	text, err := json.Marshal(e)
	if err != nil {
		return errorOf(err)
	}
	if _, err := s.store.PutRecord(context.WithoutCancel(ctx), kindEvent, e.ID, 0, text); err != nil {
		failure := errorOf(err)
		failure.Diagnostics[0].Message = fmt.Sprintf("%s was done on %s, but the event that tells of it could not be kept: %v", e.Method, e.Subject, err)
		return failure
	}
	return nil
}

// auditRun is audit of an operation on a run.
func (s *Service) auditRun(ctx context.Context, method, runID, note string) error {
	return s.audit(ctx, Event{Method: method, Subject: "run:" + runID, Note: note})
}

// ListEvents implements [Events].
func (s *Service) ListEvents(ctx context.Context, p *ListEvents) (*EventList, error) {
	limit, bad := pageLimit(p.Limit)
	if bad != nil {
		return nil, bad
	}
	list := &EventList{Events: []Event{}, Next: p.Cursor}
	for len(list.Events) == 0 {
		page, err := s.store.ScanRecords(ctx, kindEvent, "", list.Next, limit)
		if err != nil {
			return nil, errorOf(err)
		}
		for _, r := range page.Records {
			var e Event
			if err := json.Unmarshal(r.Value, &e); err != nil {
				return nil, damaged(kindEvent, r.Key, err)
			}
			if (p.Subject == "" || e.Subject == p.Subject) && (p.Method == "" || e.Method == p.Method) {
				list.Events = append(list.Events, e)
			}
		}
		if list.Next = page.Next; list.Next == "" {
			break
		}
	}
	list.Advice = list.advice(p)
	return list, nil
}

func (l *EventList) advice(p *ListEvents) *Advice {
	var actions []NextAction
	if l.Next != "" {
		more := *p
		more.Cursor = l.Next
		words := []string{"event", "list"}
		if p.Subject != "" {
			words = append(words, "--subject", p.Subject)
		}
		actions = append(actions, action(toInspect, "events.list", more, "the next page", pageWords(words, "--method", p.Method, p.Limit, l.Next)...))
	}
	if len(l.Events) == 0 {
		return advise("no event is as it was asked for", false, actions...)
	}
	if id, ok := strings.CutPrefix(l.Events[0].Subject, "artifact:"); ok {
		actions = append(actions, showArtifact(id, "what the artifact is"))
	}
	return advise(plural(len(l.Events), "event", "events"), false, actions...)
}
