package lifecycle

import (
	"fmt"
	"strings"
)

// mostID is how long an id may be.
const mostID = 128

// checkID checks an id that somebody chose: an ASCII letter or digit, then letters, digits, ".", "_" and "-". So no id leaves the
// place where a store keeps it, and no two that look alike differ. Ids are compared byte for byte.
func checkID(param, id string, most int) *Error {
	problem := ""
	switch {
	case id == "":
		return badParam(param, "%s is missing: expected an id, such as \"report\"", param)
	case len(id) > most:
		problem = fmt.Sprintf("has %d characters", len(id))
	case !isAlphanumeric(id[0]):
		problem = fmt.Sprintf("begins with %q", []rune(id)[0])
	default:
		if i := strings.IndexFunc(id, func(r rune) bool { return r > 0x7f || !isAlphanumeric(byte(r)) && !strings.ContainsRune("._-", r) }); i >= 0 {
			problem = fmt.Sprintf("holds %q", []rune(id[i:])[0])
		}
	}
	if problem == "" {
		return nil
	}
	return badParam(param, "the %s %q %s: expected a letter or a digit of ASCII, then letters, digits, \".\", \"_\" and \"-\", at most %d characters",
		strings.ReplaceAll(param, "_", " "), clip(id), problem, most)
}

func isAlphanumeric(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}
