package file

import (
	"bytes"
	"testing"
	"time"

	"lda.chat/wf"
	"lda.chat/wf/store/internal/ledger"
)

// No bytes make the reader of frames panic, and what it reads is written as it was.
func FuzzFrame(f *testing.F) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC)
	for _, c := range []*ledger.Change{
		{Do: "append", Run: &wf.RunHead{RunID: "r", Revision: 2}, Events: []ledger.Event{{Revision: 1, At: at, Data: []byte("a\n")}, {Revision: 2, At: at}}},
		{Do: "put", Record: &ledger.Record{Kind: "k", Key: "a", Revision: 1, Updated: at, Data: []byte{0, 255}}},
		{Do: "post", Run: &wf.RunHead{RunID: "r"}, Message: &ledger.Message{ID: "m", At: at, Data: []byte("hello")}},
	} {
		frame, err := encode(nil, 7, 6, c)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(frame)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < frameLine {
			return
		}
		h, problem := decodeHead(data[:frameLine])
		if problem != "" {
			h = frameHead{header: int64(bytes.IndexByte(data[frameLine:], '\n') + 1)}
			h.body = int64(len(data)-frameLine) - h.header
		}
		rest := data[frameLine:]
		if problem != "" { // the header is read although nothing vouches for it
			h.sum = sum(rest)
		}
		c, synced, problem := h.decode(rest)
		if problem != "" {
			return
		}
		frame, err := encode(nil, h.number, synced, c)
		if err != nil {
			return // a time that JSON cannot hold was not written by us
		}
		again, problem := decodeHead(frame[:frameLine])
		if problem != "" {
			t.Fatalf("what was written is not read: %s", problem)
		}
		if _, _, problem := again.decode(frame[frameLine:]); problem != "" {
			t.Fatalf("what was written is not read: %s", problem)
		}
	})
}
