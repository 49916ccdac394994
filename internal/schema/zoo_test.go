package schema

import (
	"encoding/json"
	"errors"
	"math/big"
	"net/netip"
	"net/url"
	"time"

	generator "github.com/invopop/jsonschema"
)

// The zoo: types whose JSON is easy to get wrong.

type color int

func (c color) MarshalText() ([]byte, error) { return []byte([]string{"red", "blue"}[c&1]), nil }
func (c *color) UnmarshalText([]byte) error  { return errors.New("not needed") }

type loud int

func (l loud) MarshalJSON() ([]byte, error) { return []byte(`{"loud":true}`), nil }

type shy struct{ X int }

func (s *shy) MarshalJSON() ([]byte, error) { return []byte(`"shy"`), nil }

type coy struct{ X int }

func (s *coy) MarshalText() ([]byte, error) { return []byte("coy"), nil }

type mood string

func (*mood) JSONSchema() *generator.Schema {
	return &generator.Schema{Type: "string", Enum: []any{"good", "bad", ""}}
}

type base struct {
	ID   int    `json:"id"`
	Name string `json:"name"`
}

type Mixin struct {
	Name string   // hidden by whoever embeds it with a Name of its own
	Tags []string `json:"tags"`
	Deep *Mixin   `json:"deep,omitempty"`
}

type embeds struct {
	base
	*Mixin
	Name  string `json:"name,omitempty"`
	Extra int
}

type left struct{ Same int }
type right struct{ Same string }

type ambiguous struct {
	left
	right
	Only bool
}

type tree struct {
	Value    int              `json:"value"`
	Children []*tree          `json:"children"`
	Index    map[string]*tree `json:"index,omitempty"`
}

type nest []nest

type page[T any] struct {
	Items []T    `json:"items"`
	Next  string `json:"next,omitzero"`
}

type both struct {
	A page[base]        `json:"a"`
	B page[page[color]] `json:"b"`
	C []page[*tree]     `json:"c"`
}

type everything struct {
	Bool      bool
	Int       int8
	Uint      uint64
	Float     float32
	Text      string
	Bytes     []byte
	Fixed     [3]uint8
	Colors    [2]color
	Pointer   *int
	Deep      **string
	Omitted   *int            `json:",omitempty"`
	Lists     [][]string      `json:",omitempty"`
	ByPointer *[]int          `json:",omitempty"`
	Zeroed    []int           `json:",omitzero"`
	Map       map[string]any  `json:"map"`
	ByInt     map[int]string  `json:"by_int"`
	ByColor   map[color][]int `json:"by_color"`
	Quoted    int             `json:"quoted,string"`
	QuotedP   *bool           `json:"quoted_p,string"`
	QuotedT   string          `json:"quoted_t,string"`
	//lint:ignore SA5008 encoding/json takes it as the name "-"
	Dash    int      `json:"-,"`
	Left    chan int `json:"-"`
	Odd     int      `json:"odd.name/~ !"`
	When    time.Time
	Took    time.Duration
	Raw     json.RawMessage
	Number  json.Number
	Big     *big.Int
	Float2  *big.Float
	Address netip.Addr
	URL     url.URL
	URLs    []*url.URL
	Any     any
	Err     error
	Loud    loud
	LoudP   *loud `json:",string"`
	Shy     shy
	ShyP    *shy
	Coy     coy
	Coys    []coy
	CoyMap  map[string]coy
	Mood    mood
	Inline  struct {
		X []int
		Y *struct{ Z bool }
	}
}

type panicking struct{ X int }

func (panicking) JSONSchema() *generator.Schema { panic("out of order") }
