package schema

import "fmt"

// Problem is something wrong with a schema, as opposed to a value ([Violation]).
type Problem struct {
	Pointer string // RFC 6901, into the schema's document
	Code    string // a stable slug, one of the Code constants
	Message string
	Fatal   bool // the schema cannot be used
}

func (p Problem) String() string {
	at := p.Pointer
	if at == "" {
		at = "the schema"
	}
	return fmt.Sprintf("%s: %s (%s)", at, p.Message, p.Code)
}

// The codes of a Problem. Those of the first group are fatal: there is no schema. Those of the second leave a usable
// schema in which the named keyword is not checked, or is checked as the message says.
const (
	CodeInvalid         = "schema_invalid"          // not JSON, or a keyword with a value it cannot have
	CodeTooLarge        = "schema_too_large"        // over one of the Limits
	CodeRefRemote       = "schema_ref_remote"       // refers to another document
	CodeRefMissing      = "schema_ref_missing"      // refers to a place that is not a schema
	CodeRefCycle        = "schema_ref_cycle"        // applies to a value only by applying to that value again
	CodeRefDynamic      = "schema_ref_dynamic"      // a reference whose target depends on the way to it
	CodeTypeUnsupported = "schema_type_unsupported" // a Go type that JSON cannot carry

	CodePatternUnsupported = "schema_pattern_unsupported" // a regular expression outside RE2, or of too many states
	CodeKeywordUnsupported = "schema_keyword_unsupported" // a keyword we do not evaluate: $vocabulary
	CodeDialectUnknown     = "schema_dialect_unknown"     // an unknown $schema: read as 2020-12
	CodeTypeOpaque         = "schema_type_opaque"         // a Go type that writes its own JSON: anything is accepted
	CodeTagUnknown         = "schema_tag_unknown"         // a struct tag that says nothing we understand
	CodeDefaultInvalid     = "schema_default_invalid"     // a default that its own schema refuses
)

// maxProblems bounds the list for a document that is wrong throughout.
const maxProblems = 100

func fatal(problems []Problem) bool {
	for _, p := range problems {
		if p.Fatal {
			return true
		}
	}
	return false
}
