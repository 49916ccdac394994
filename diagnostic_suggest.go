package wf

import (
	"strings"

	"lda.chat/wf/internal/suggest"
)

// nearestName is [suggest.Nearest].
func nearestName(name string, known []string) (string, bool) { return suggest.Nearest(name, known) }

// lastPart is what follows the last dot of a name.
func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }
