package wf

import (
	"fmt"
	"slices"
	"strconv"
)

// checkSeconds checks a time in seconds; 0 is "not given".
func (c *checker) checkSeconds(name string, seconds float64, at *place, step int) {
	if seconds >= 0 && seconds <= maxSeconds || c.holes && seconds == holeNumber {
		return
	}
	c.report("timer_out_of_range", at.key(name), step,
		fmt.Sprintf("%s is %s seconds, it must lie between 0 and %d", name, formatNumber(seconds), maxSeconds), "write a number of seconds, for example 30")
}

// checkCount checks a whole number that must not be negative; 0 is "not given".
func (c *checker) checkCount(name string, n float64, at *place, step int) {
	if n < 0 && !(c.holes && n == holeNumber) {
		c.report("out_of_range", at.key(name), step, fmt.Sprintf("%s is %s, it must be at least 1", name, formatNumber(n)),
			"write a number from 1 on, or leave it out")
	}
}

func formatNumber(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// checkWord checks a member that takes one of a few words.
func (c *checker) checkWord(name, word string, at *place, step int, words ...string) {
	if word == "" || slices.Contains(words, word) || c.isHole(word) {
		return
	}
	d := c.report("word_unknown", at.key(name), step, fmt.Sprintf("%s is %q, which is none of %s", name, clip(word), listSome(words)),
		c.suggest(word, words, "write one of "+listSome(words))).expects(words, word)
	if meant, ok := c.nearest(word, words); ok {
		d.fix(fmt.Sprintf("Write %q", meant), FixUnsafe, testOp(at.key(name), word), replaceOp(at.key(name), meant))
	}
}

// checkRetry checks the numbers and codes of a retry.
func (c *checker) checkRetry(r *Retry, at *place, step int) {
	if r == nil {
		return
	}
	at = at.key("retry")
	if r.MaxAttempts < 0 && !(c.holes && r.MaxAttempts == holeNumber) {
		c.report("out_of_range", at.key("max_attempts"), step, fmt.Sprintf("max_attempts is %d, it counts the first attempt and must be at least 1", r.MaxAttempts),
			"1 is no retry, 3 is two more attempts")
	}
	if r.Backoff != 0 && !(r.Backoff >= 1 && r.Backoff <= 1000) && !(c.holes && r.Backoff == holeNumber) {
		c.report("out_of_range", at.key("backoff"), step, fmt.Sprintf("backoff is %s, each pause is the last one times backoff: it must lie between 1 and 1000", formatNumber(r.Backoff)),
			"1 keeps the pauses equal, 2 doubles them")
	}
	c.checkSeconds("initial_interval_seconds", r.InitialIntervalSeconds, at, step)
	c.checkSeconds("max_interval_seconds", r.MaxIntervalSeconds, at, step)
	c.checkSeconds("total_seconds", r.TotalSeconds, at, step)
	if r.MaxIntervalSeconds > 0 && r.InitialIntervalSeconds > r.MaxIntervalSeconds {
		c.report("retry_invalid", at.key("max_interval_seconds"), step, fmt.Sprintf("max_interval_seconds is %s, less than initial_interval_seconds, %s",
			formatNumber(r.MaxIntervalSeconds), formatNumber(r.InitialIntervalSeconds)), "make the longest pause at least as long as the first")
	}
	c.checkFailureCodes(r.On, at.key("on"), step, false)
}
