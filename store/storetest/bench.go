package storetest

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lda.chat/wf"
)

// Bench measures appends of one event of 300 bytes: by one run, and by many at a time, which share their commits.
func Bench(b *testing.B, open Open) {
	for _, runs := range []int{1, 64} {
		b.Run(fmt.Sprintf("append/runs=%d", runs), func(b *testing.B) {
			st, err := open(b.TempDir(), time.Now)
			if err != nil {
				b.Fatal(err)
			}
			defer st.Close()
			data := make([]byte, 300)
			for i := range runs {
				if _, err := st.Create(ctx, wf.NewRun{RunID: idOf(i), Owner: "p", TTL: time.Hour}); err != nil {
					b.Fatal(err)
				}
			}
			var left atomic.Int64
			left.Store(int64(b.N))
			var all sync.WaitGroup
			b.ReportAllocs()
			b.ResetTimer()
			for i := range runs {
				all.Go(func() {
					for revision := wf.Revision(0); left.Add(-1) >= 0; revision++ {
						if _, err := st.Append(ctx, wf.Append{RunID: idOf(i), Expect: revision, Fence: 1, Events: [][]byte{data}}); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			all.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "appends/s")
		})
	}
}
