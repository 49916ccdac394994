package wf

import "slices"

// checkCodes are what the validator finds, beside the codes that it shares with the reader.
var checkCodes = slices.Concat(graphCodes, regionCodes, stepCodes, dataCodes, flowCodes, typeCodes, schemaCodes, writeCodes)
