// Package suggest guesses which name somebody meant.
package suggest

import (
	"strings"
	"unicode/utf8"
)

// Nearest returns the known name that was probably meant by name: the one with the smallest edit distance, if
// that is small for the name's length. Ties go to the first in known, so the answer depends on nothing else.
func Nearest(name string, known []string) (string, bool) {
	limit := max(1, utf8.RuneCountInString(name)/3)
	if utf8.RuneCountInString(name) < 2 { // any letter is as near as any other
		limit = 0
	}
	best, found := "", false
	for _, candidate := range known {
		if candidate == name {
			continue
		}
		if d := editDistance(name, candidate, limit); d <= limit {
			if best, found, limit = candidate, true, d-1; limit < 0 {
				break
			}
		}
	}
	if !found {
		return unqualifiedMatch(name, known)
	}
	return best, found
}

// unqualifiedMatch finds the one known name whose last dotted part is the last part of name.
func unqualifiedMatch(name string, known []string) (match string, found bool) {
	last := lastPart(name)
	if last == "" {
		return "", false
	}
	for _, candidate := range known {
		if candidate == name || lastPart(candidate) != last {
			continue
		}
		if found {
			return "", false
		}
		match, found = candidate, true
	}
	return match, found
}

// lastPart is what follows the last dot of a name.
func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// editDistance counts the insertions, deletions, replacements and swaps of neighbours that turn a into b, letters
// without regard to case; anything over limit is limit+1. Two names that differ in case only have the distance 0.
func editDistance(a, b string, limit int) int {
	x, y := []rune(strings.ToLower(a)), []rune(strings.ToLower(b))
	if len(x)-len(y) > limit || len(y)-len(x) > limit {
		return limit + 1
	}
	before, last, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range row {
		last[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least > limit {
			return limit + 1
		}
		before, last, row = last, row, before
	}
	return min(last[len(y)], limit+1)
}
