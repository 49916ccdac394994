package wf

// checkCodes are what the validator finds.
var checkCodes = []CodeInfo{}
