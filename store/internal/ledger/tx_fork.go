package ledger

import "lda.chat/wf"

// Fork begins a run with a copy of another's events.
func (t *Tx) Fork(from string, at wf.Revision, run *wf.NewRun, load Load) (wf.RunHead, error) {
	if old := t.run(run.RunID); old != nil {
		return t.begin(run, "", nil, nil) // it is there: the same one, or not
	}
	source, err := t.must(from)
	if err != nil {
		return wf.RunHead{}, err
	}
	if at == 0 || at > source.head.Revision || at < source.head.Pruned {
		return wf.RunHead{}, NoRevision("event", from, at)
	}
	var events []Event
	if at > source.head.Pruned {
		source.walk(0, at, load, func(e wf.Event, failed error) bool {
			if err = failed; err == nil {
				events = append(events, Event{Revision: e.Revision, At: e.At, Data: e.Data})
			}
			return err == nil
		})
	}
	if err != nil {
		return wf.RunHead{}, err
	}
	var snapshot *Snapshot
	if s := source.snapshot(at); s != nil {
		change, err := load(s.kept)
		if err != nil {
			return wf.RunHead{}, err
		}
		snapshot = &Snapshot{Revision: s.at, Data: change.Snapshot.Data}
	}
	return t.begin(run, "fork", events, snapshot)
}
