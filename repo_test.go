package wf_test

import "testing"

func TestFilesKeepTheHouseRules(t *testing.T) {
	t.Parallel()
	report(t, module(t).Habits())
}

func TestNoLibraryInTheAPI(t *testing.T) {
	t.Parallel()
	report(t, module(t).Leaks())
}
