package lifecycle

import "fmt"

// pageLimit is the size of a page that somebody asked for.
func pageLimit(limit int) (int, *Error) {
	switch {
	case limit < 0 || limit > 1000:
		return 0, badParam("limit", "a limit of %d: expected 1 to 1000", limit)
	case limit == 0:
		return 50, nil
	}
	return limit, nil
}

// pageWords are the words of the command of the next page.
func pageWords(words []string, flag, text string, limit int, cursor string) []string {
	if text != "" {
		words = append(words, flag, text)
	}
	if limit > 0 {
		words = append(words, "--limit", fmt.Sprint(limit))
	}
	return append(words, "--cursor", cursor)
}
