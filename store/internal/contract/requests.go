package contract

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"lda.chat/wf"
)

// NewRun checks a run that is to begin, and fills in what may be left out. from and at are those of a fork.
func NewRun(run *wf.NewRun, from string, at wf.Revision) error {
	if run.Status == "" {
		run.Status = wf.StatusRunning
	}
	err := first(ID("run id", run.RunID), labels(run.Labels), moment(&run.WakeAt), events(run.Events), status(run.Status))
	if err == nil && run.Deployment != "" {
		err = ID("deployment", run.Deployment)
	}
	if err == nil && run.Owner != "" {
		err = first(ID("owner", run.Owner), ttl(run.TTL))
	}
	if err == nil && run.Content != "" {
		err = ID("content", run.Content)
	}
	if err != nil {
		return err
	}
	if run.Content == "" {
		run.Content = content(run, from, at)
	}
	run.Labels = maps.Clone(run.Labels)
	return nil
}

// content tells whether two runs are the same.
func content(run *wf.NewRun, from string, at wf.Revision) string {
	h := sha256.New()
	part := func(data []byte) {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(data)))
		h.Write(n[:])
		h.Write(data)
	}
	part([]byte(run.Deployment))
	part(strconv.AppendInt(nil, int64(run.Kernel), 10))
	part([]byte(from))
	part(strconv.AppendUint(nil, uint64(at), 10))
	part(strconv.AppendInt(nil, int64(len(run.Labels)), 10))
	for _, key := range slices.Sorted(maps.Keys(run.Labels)) {
		part([]byte(key))
		part([]byte(run.Labels[key]))
	}
	for _, e := range run.Events {
		part(e)
	}
	return "sha256:" + fmt.Sprintf("%x", h.Sum(nil))
}

func status(s wf.RunStatus) error {
	switch s {
	case wf.StatusRunning, wf.StatusInterrupted, wf.StatusCompleted, wf.StatusFailed, wf.StatusCancelled:
		return nil
	}
	return &wf.InvalidError{What: "status", Found: string(s), Problem: "is none of running, interrupted, completed, failed, cancelled"}
}

func ttl(d time.Duration) error {
	if d < time.Microsecond || d > 24*time.Hour {
		return &wf.InvalidError{What: "time of a lease", Found: d.String(), Problem: "is not between a microsecond and a day"}
	}
	return nil
}

// Append checks a change of a run.
func Append(a *wf.Append) error {
	if a.Status != "" {
		if err := status(a.Status); err != nil {
			return err
		}
	}
	if a.Labels != nil {
		a.Labels = maps.Clone(a.Labels)
	}
	return first(ID("run id", a.RunID), labels(a.Labels), moment(&a.WakeAt), events(a.Events), size("a snapshot", a.Snapshot))
}

// Claim checks a claim and fills in what may be left out.
func Claim(c *wf.ClaimRequest) error {
	c.Max = bound(c.Max, 1)
	err := first(ID("owner", c.Owner), ttl(c.TTL), labels(c.Match))
	if err == nil && c.Only != "" {
		err = ID("run id", c.Only)
	}
	return err
}

// Leases checks what is to be renewed or, where d is nil, released.
func Leases(d *time.Duration, leases []wf.Lease) error {
	for _, l := range leases {
		if err := ID("run id", l.RunID); err != nil {
			return err
		}
	}
	if d != nil {
		return ttl(*d)
	}
	return nil
}

// Message checks a message.
func Message(runID string, m *wf.Message) error {
	err := first(ID("run id", runID), name("message id", m.ID, MaxMessage), size("a message", m.Data))
	if err == nil && m.Kind != "" {
		err = ID("kind of message", m.Kind)
	}
	return err
}

// Record checks a record's place and value.
func Record(kind, key string, data []byte) error {
	return first(ID("kind of record", kind), ID(kind, key), size("a record", data))
}

// Scan checks a scan of records and returns the bound of its page.
func Scan(kind, begin, cursor string, limit int) (int, error) {
	err := first(ID("kind of record", kind), prefix("prefix", begin), prefix("cursor", cursor))
	return bound(limit, 100), err
}

func bound(n, usual int) int {
	if n <= 0 {
		return usual
	}
	return min(n, 1000)
}

// Place is where a page of a list of runs ends.
type Place struct {
	Created time.Time
	RunID   string
}

// Query checks a query and returns the bound of its page and the place after which it begins, nil for the start.
func Query(q *wf.RunQuery) (int, *Place, error) {
	for _, s := range q.Status {
		if err := status(s); err != nil {
			return 0, nil, err
		}
	}
	if err := labels(q.Labels); err != nil {
		return 0, nil, err
	}
	limit := bound(q.Limit, 100)
	if q.Cursor == "" {
		return limit, nil, nil
	}
	text, err := base64.RawURLEncoding.DecodeString(q.Cursor)
	at, id, ok := strings.Cut(string(text), " ")
	micros, err2 := strconv.ParseInt(at, 10, 64)
	if err != nil || err2 != nil || !ok || ID("run id", id) != nil {
		return 0, nil, &wf.InvalidError{What: "cursor", Found: q.Cursor, Problem: "was not given by a list"}
	}
	return limit, &Place{time.UnixMicro(micros).UTC(), id}, nil
}

// Cursor is the text of the place of a run, for the page after it.
func Cursor(h *wf.RunHead) string {
	return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%d %s", h.Created.UnixMicro(), h.RunID))
}

// Fits reports whether a run has the labels.
func Fits(have, want map[string]string) bool {
	for key, text := range want {
		if got, ok := have[key]; !ok || got != text {
			return false
		}
	}
	return true
}

// Spared reports whether a run has none of the labels' values.
func Spared(have map[string]string, except map[string][]string) bool {
	for key, values := range except {
		if got, ok := have[key]; ok && slices.Contains(values, got) {
			return false
		}
	}
	return true
}
