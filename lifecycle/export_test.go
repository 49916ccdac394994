package lifecycle

// MembersOf is how parameters are found, for what answers have.
var MembersOf = paramsOf
