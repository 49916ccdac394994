package wftest

import "strings"

// mostCompared is up to how many pairs of lines are compared to find the shortest difference.
const mostCompared = 1 << 22

// diff tells line by line how a text became another: "-" before what is gone, "+" before what is new. Of what stays only a
// few lines around are told.
func diff(want, got string) string {
	a, b := lines(want), lines(got)
	start := 0
	for start < min(len(a), len(b)) && a[start] == b[start] {
		start++
	}
	end := 0
	for end < min(len(a), len(b))-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	const around = 3
	var out strings.Builder
	tell := func(mark string, lines []string) {
		for _, line := range lines {
			out.WriteString(mark + line + "\n")
		}
	}
	if start > around {
		out.WriteString("  …\n")
	}
	tell("  ", a[max(0, start-around):start])
	changed(a[start:len(a)-end], b[start:len(b)-end], tell)
	tell("  ", a[len(a)-end:len(a)-end+min(end, around)])
	if end > around {
		out.WriteString("  …\n")
	}
	return out.String()
}

// changed tells the difference of texts by their longest common lines.
func changed(a, b []string, tell func(mark string, lines []string)) {
	if len(a)*len(b) > mostCompared {
		tell("- ", a)
		tell("+ ", b)
		return
	}
	common := make([][]int, len(a)+1) // how many lines a[i:] and b[j:] have in common
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			tell("  ", a[i:i+1])
			i, j = i+1, j+1
		case i < len(a) && (j == len(b) || common[i+1][j] >= common[i][j+1]):
			tell("- ", a[i:i+1])
			i++
		default:
			tell("+ ", b[j:j+1])
			j++
		}
	}
}

func lines(text string) []string { return strings.Split(strings.TrimSuffix(text, "\n"), "\n") }
