package schema

import "testing"

func TestIsInteger(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"1": true, "1.0": true, "1e3": true, "-0": true, "0.0": true, "1.5": false, "15e-1": false, "150e-1": true, "1.50e1": true,
		"12345678901234567890": true, "12345678901234567890.0": true, "12345678901234567890.10": false, "1.2345e30": true, "1e-3": false,
		"12345678901234567890.50e1": true, "100000000000000000000e-2": true, "100000000000000000001e-2": false, "0e-5": true,
	} {
		if got := isInteger(parsedNumber(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
