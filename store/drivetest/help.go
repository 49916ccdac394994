package drivetest

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"lda.chat/wf"
)

func containsAll(text string, parts ...string) bool {
	for _, p := range parts {
		if !strings.Contains(text, p) {
			return false
		}
	}
	return true
}

// untilCancelled waits for the end of its context, and says so.
func untilCancelled(w *world, ended chan<- struct{}) behaviour {
	return func(ctx context.Context, _ wf.CallInfo, _ json.RawMessage) (*wf.Result, error) {
		select {
		case <-ctx.Done():
			ended <- struct{}{}
			return nil, ctx.Err()
		case <-w.over:
			return nil, nil
		}
	}
}

// one is a run of one call.
const one = `{"name": "one", "nodes": [{"id": "a", "node": "t.a", "output": {"at": "state.at"}, "next": "__end__"}]}`

// errAway is a store that cannot be reached.
var errAway = errors.New("the store cannot be reached")
