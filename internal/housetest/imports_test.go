package housetest

import "testing"

var sketch = &Drawing{
	Rooms: []Room{
		{Path: ".", May: []string{"internal/..."}, Why: "the root knows no sibling"},
		{Path: "internal/...", May: []string{"internal/..."}, Why: "inward"},
		{Path: "internal/kernel", May: []string{"internal/value"}, Std: []string{"fmt"}, Why: "pure"},
		{Path: "store/...", May: []string{"."}, Why: "store knows the root only"},
		{Path: "source", May: []string{"."}, Why: "source knows the root only"},
	},
	Libraries: []Library{
		{Path: "github.com/a/valid", Rooms: []string{"internal/schema"}},
		{Path: "github.com/a/oracle", Tests: []string{"internal/schema"}},
		{Path: "github.com/a/cmp", Tests: []string{"..."}},
	},
	Tests: []string{"internal/golden"},
}

func TestImports(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, file, imports string
		want                []string
	}{
		{name: "the root may use internal", file: "a.go", imports: `"example.org/m/internal/value"; "os"`},
		{name: "the root imports a sibling", file: "a.go", imports: `"example.org/m/source"`,
			want: []string{"a.go:2: . must not import example.org/m/source"}},
		{name: "a test of the root may", file: "a_test.go", imports: `"example.org/m/source"`},
		{name: "the longest pattern is the room", file: "internal/kernel/a.go", imports: `"example.org/m/internal/schema"`,
			want: []string{"internal/kernel/a.go:2: internal/kernel must not import example.org/m/internal/schema"}},
		{name: "kernel imports the root", file: "internal/kernel/a.go", imports: `"example.org/m"`,
			want: []string{"internal/kernel/a.go:2: internal/kernel must not import example.org/m"}},
		{name: "kernel looks at the clock", file: "internal/kernel/a.go", imports: `"fmt"; "time"`,
			want: []string{"internal/kernel/a.go:2: internal/kernel must not import time"}},
		{name: "a kernel test may", file: "internal/kernel/a_test.go", imports: `"time"; "testing"`},
		{name: "source imports store", file: "source/a.go", imports: `"example.org/m/store"`,
			want: []string{"source/a.go:2: source must not import example.org/m/store"}},
		{name: "store imports source", file: "store/disk/a.go", imports: `"example.org/m/source"`,
			want: []string{"store/disk/a.go:2: store/disk must not import example.org/m/source"}},
		{name: "a family knows itself", file: "store/disk/a.go", imports: `"example.org/m/store"`},
		{name: "a folder that nobody drew", file: "misc/a.go", imports: `"fmt"`,
			want: []string{"misc/a.go:1: folder misc stands in no room"}},

		{name: "a library in its room", file: "internal/schema/a.go", imports: `"github.com/a/valid/v2"`},
		{name: "a library outside its room", file: "store/a.go", imports: `"github.com/a/valid"`,
			want: []string{"store/a.go:2: store must not import github.com/a/valid"}},
		{name: "a library outside its room, in a test", file: "store/a_test.go", imports: `"github.com/a/valid"`,
			want: []string{"store/a_test.go:2: store must not import github.com/a/valid"}},
		{name: "a library of tests in a test", file: "internal/schema/a_test.go", imports: `"github.com/a/oracle"`},
		{name: "a library of tests in a binary", file: "internal/schema/a.go", imports: `"github.com/a/oracle"`,
			want: []string{"internal/schema/a.go:2: internal/schema must not import github.com/a/oracle"}},
		{name: "go-cmp everywhere in tests", file: "source/a_test.go", imports: `"github.com/a/cmp/cmpopts"`},
		{name: "go-cmp in a test package", file: "store/storetest/a.go", imports: `"github.com/a/cmp"`},
		{name: "go-cmp in a binary", file: "source/a.go", imports: `"github.com/a/cmp"`,
			want: []string{"source/a.go:2: source must not import github.com/a/cmp"}},
		{name: "a name that only begins alike", file: "source/a.go", imports: `"github.com/a/cmpx"`,
			want: []string{"source/a.go:2: source imports the unknown library github.com/a/cmpx"}},

		{name: "a test package in a binary", file: "store/a.go", imports: `"example.org/m/store/storetest"`,
			want: []string{"store/a.go:2: store imports, outside a test, example.org/m/store/storetest"}},
		{name: "a test package in a test", file: "store/a_test.go", imports: `"example.org/m/store/storetest"`},
		{name: "a listed helper of tests in a binary", file: "a.go", imports: `"example.org/m/internal/golden"`,
			want: []string{"a.go:2: . imports, outside a test, example.org/m/internal/golden"}},
		{name: "testing in a binary", file: "a.go", imports: `"testing"; "net/http/httptest"; "testing/iotest"`,
			want: []string{
				"a.go:2: . imports, outside a test, testing",
				"a.go:2: . imports, outside a test, net/http/httptest",
				"a.go:2: . imports, outside a test, testing/iotest",
			}},
		{name: "testing in a helper of tests", file: "internal/golden/a.go", imports: `"testing"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			loaded := tree(t, tt.file, "package p\nimport ("+tt.imports+")\n")
			expect(t, loaded.Imports(sketch), tt.want...)
		})
	}
}
