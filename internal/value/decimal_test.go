package value

import (
	"fmt"
	"testing"
)

// The length is foretold for every position of the point.
func TestCanonicalLen(t *testing.T) {
	t.Parallel()
	for _, digits := range []string{"0", "7", "12", "1234567", "1234567890123456789012345"} {
		for exp := -330; exp <= 330; exp++ {
			for _, sign := range []string{"", "-"} {
				d := readDecimal(fmt.Sprintf("%s%se%d", sign, digits, exp))
				if text := d.appendCanonical(nil); len(text) != d.canonicalLen() {
					t.Fatalf("%s has %d characters, foretold %d", text, len(text), d.canonicalLen())
				}
			}
		}
	}
}
