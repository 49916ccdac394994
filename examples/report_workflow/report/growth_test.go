//go:build !race

// The race detector makes sync.Pool forget at random, so that counts of memory mean nothing under it.

package report

import (
	"math"
	"runtime"
	"strings"
	"testing"
)

// Memory that is asked for is counted, since time cannot be on a busy machine. Not parallel: it must be alone.
func TestExtractReportGrowsWithTheText(t *testing.T) {
	const small, large = 1 << 11, 1 << 14
	for _, unit := range []string{
		"x", "x ", "# x\n", "x\n", "- x\n", "- x\n  - y\n", "  - y (Z) by Friday\n", "- x\n  y\n", "| x | y |\n", "|x", "(", "- ((Maya) ", "[", "[x](", "`",
		"**x", "__x", "~~", "```\n", "> ", "Risk: x\n", "x:\n", "- x @y, by May 1, 2026; owner: z\n", "x\n---\n", "<!-- ", "\t", "—", "\r", "\xff", "## Risks\n- x\n",
	} {
		for _, head := range []string{"", "## Action items\n"} {
			used := func(size int) uint64 {
				text := head + strings.Repeat(unit, size/len(unit))
				least := uint64(math.MaxUint64) // a collection in between empties pools, which are filled again
				for range 3 {
					var before, after runtime.MemStats
					runtime.ReadMemStats(&before)
					extract(t, text)
					runtime.ReadMemStats(&after)
					least = min(least, after.TotalAlloc-before.TotalAlloc)
				}
				return least
			}
			a, b := used(small), used(large)
			if times := float64(b) / float64(a); times > 2*large/small {
				t.Errorf("%q repeated after %q: %d times the text asks for %.0f times the memory", unit, head, large/small, times)
			}
		}
	}
}
