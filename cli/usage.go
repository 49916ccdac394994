package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"lda.chat/wf/internal/suggest"
)

// nearest is a hint which of the known names was meant; "" if none is near.
func nearest(name string, known []string) string {
	if near, ok := suggest.Nearest(name, known); ok {
		return "did you mean " + strconv.Quote(near) + "?"
	}
	return ""
}

// flagFailure says what is wrong with a flag.
func flagFailure(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var bad *pflag.InvalidValueError
	var missing *pflag.ValueRequiredError
	isBad := errors.As(err, &bad)
	switch {
	case errors.As(err, &unknown):
		name := unknown.GetSpecifiedName()
		if shorts := unknown.GetSpecifiedShortnames(); shorts != "" {
			return failed(ExitUsage, codeFlagUnknown, fmt.Sprintf("%s has no flag -%s", cmd.CommandPath(), name), seeHelp(cmd))
		}
		var known []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, f.Name) })
		hint := seeHelp(cmd)
		if same := sameFlag(cmd.Name(), name); same != "" {
			hint = fmt.Sprintf("did you mean --%s?", same)
		} else if near, ok := suggest.Nearest(name, known); ok {
			hint = fmt.Sprintf("did you mean --%s?", near)
		} else if slices.Contains(formats, name) { // --json
			hint = fmt.Sprintf("did you mean --format %s?", name)
		} else if c, _, err := cmd.Root().Find([]string{name}); err == nil && c != cmd.Root() { // --version
			hint = fmt.Sprintf("did you mean %q?", c.CommandPath())
		}
		return failed(ExitUsage, codeFlagUnknown, fmt.Sprintf("%s has no flag --%s", cmd.CommandPath(), name), hint)
	case isBad && errors.Is(bad.Unwrap(), errTwice):
		return failed(ExitUsage, codeFlagInvalid, fmt.Sprintf("--%s was given twice, with different values", bad.GetFlag().Name), "give it once")
	case isBad:
		return failed(ExitUsage, codeFlagInvalid, fmt.Sprintf("--%s cannot be %q: %s", bad.GetFlag().Name, bad.GetValue(), whatIsWrong(bad)), "")
	case errors.As(err, &missing):
		return failed(ExitUsage, codeFlagInvalid, fmt.Sprintf("--%s needs a value", missing.GetFlag().Name), seeHelp(cmd))
	}
	return failed(ExitUsage, codeUsage, err.Error(), seeHelp(cmd))
}

// whatIsWrong says what a flag's value should be, without the words of Go.
func whatIsWrong(bad *pflag.InvalidValueError) string {
	why := bad.Unwrap()
	_, number := errors.AsType[*strconv.NumError](why)
	switch kind := bad.GetFlag().Value.Type(); {
	case number && kind == "bool":
		return "expected true or false"
	case number && kind == "uint64":
		return "expected a whole number that is not negative"
	case number:
		return "expected a whole number"
	case strings.HasPrefix(why.Error(), "time: "):
		return "expected a span of time, as 30m or 720h"
	}
	return why.Error()
}

// severalTimes is what the help of a flag says that may be given several times. Others may not: one of two values would be dropped.
const severalTimes = "may be given several times"

var errTwice = errors.New("given twice")

// once is the value of a flag that has one value.
type once struct {
	pflag.Value
	given *string
}

// Set refuses another value than that which was given.
func (o *once) Set(text string) error {
	if o.given != nil && *o.given != text {
		return errTwice
	}
	o.given = &text
	return o.Value.Set(text)
}

func seeHelp(cmd *cobra.Command) string { return "see " + cmd.CommandPath() + " --help" }

// takes checks the number of arguments; most below 0 is any number. names say what they are: "PLAN".
func takes(least, most int, names string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return failed(ExitUsage, codeUsage, fmt.Sprintf("%s needs %s", cmd.CommandPath(), names), seeHelp(cmd))
		case most >= 0 && len(args) > most && names == "":
			return failed(ExitUsage, codeUsage, fmt.Sprintf("%s takes no argument, but got %q", cmd.CommandPath(), args[0]), seeHelp(cmd))
		case most >= 0 && len(args) > most:
			return failed(ExitUsage, codeUsage, fmt.Sprintf("%s takes %s, but got also %q", cmd.CommandPath(), names, args[most]), seeHelp(cmd))
		}
		return nil
	}
}

// orNearest is [nearest] as the end of a sentence.
func orNearest(name string, known []string) string {
	if hint := nearest(name, known); hint != "" {
		return "; " + hint
	}
	return ""
}
