package lifecycle

import "regexp"

// idForm is what names what is kept: safe in every store, and never two that a file system takes for one place.
var idForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$`)

// checkID refuses what cannot name anything. "" is for the caller to judge.
func checkID(param, id string) error {
	if id == "" || idForm.MatchString(id) {
		return nil
	}
	return badParam(param, "%s is %q: expected a letter or digit and then letters, digits, \".\", \"_\" and \"-\", at most 128", param, clip(id))
}
