package schema

import "strings"

// dialect is the version of JSON Schema a document declares. All are read into one tree, in the terms of 2020-12.
type dialect uint8

const (
	draft4 dialect = iota
	draft6
	draft7
	draft2019
	draft2020
)

// dialectOf reads a $schema; ok is false for one we do not know.
func dialectOf(uri string) (dialect, bool) {
	uri = strings.TrimSuffix(uri, "#")
	uri = strings.TrimPrefix(strings.TrimPrefix(uri, "https://"), "http://")
	switch uri {
	case "json-schema.org/draft-04/schema":
		return draft4, true
	case "json-schema.org/draft-06/schema":
		return draft6, true
	case "json-schema.org/draft-07/schema":
		return draft7, true
	case "json-schema.org/draft/2019-09/schema":
		return draft2019, true
	case "json-schema.org/draft/2020-12/schema":
		return draft2020, true
	}
	return draft2020, false
}

// lifetimes of the keywords that do not exist in every dialect: first and last one.
var lifetimes = map[string][2]dialect{
	"id":                    {draft4, draft4},
	"$id":                   {draft6, draft2020},
	"const":                 {draft6, draft2020},
	"contains":              {draft6, draft2020},
	"propertyNames":         {draft6, draft2020},
	"if":                    {draft7, draft2020},
	"then":                  {draft7, draft2020},
	"else":                  {draft7, draft2020},
	"dependencies":          {draft4, draft7},
	"dependentRequired":     {draft2019, draft2020},
	"dependentSchemas":      {draft2019, draft2020},
	"minContains":           {draft2019, draft2020},
	"maxContains":           {draft2019, draft2020},
	"unevaluatedItems":      {draft2019, draft2020},
	"unevaluatedProperties": {draft2019, draft2020},
	"$anchor":               {draft2019, draft2020},
	"$recursiveRef":         {draft2019, draft2019},
	"$vocabulary":           {draft2019, draft2020},
	"prefixItems":           {draft2020, draft2020},
	"$dynamicRef":           {draft2020, draft2020},
	"$dynamicAnchor":        {draft2020, draft2020},
}

func (d dialect) knows(keyword string) bool {
	l, listed := lifetimes[keyword]
	return !listed || l[0] <= d && d <= l[1]
}

// refAlone: up to draft 7 the other keywords beside a $ref are ignored.
func (d dialect) refAlone() bool { return d <= draft7 }
