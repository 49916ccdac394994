package wf_test

import (
	"os"
	"path/filepath"
	"testing"

	"lda.chat/wf/internal/housetest"
)

// drawing is the picture of the house in docs/architecture.md, as data.
var drawing = &housetest.Drawing{
	Rooms: []housetest.Room{
		{Path: ".", May: []string{"internal/..."},
			Why: "the root is the language and the runtime; what stands on it must not stand under it"},

		{Path: "internal/value", May: []string{},
			Why: "values stand at the bottom: Go's library only"},
		{Path: "internal/schema", May: []string{"internal/value"},
			Why: "the room of the JSON Schema libraries knows values and nothing of workflows"},
		{Path: "internal/codec", May: []string{"internal/value"},
			Why: "the codec knows Go types and values, and nothing of workflows"},
		{Path: "internal/kernel", May: []string{"internal/value"}, Std: pureStd,
			Why: "the kernel is a pure machine: no clock, no input or output, no context, no lock, nothing of the root"},
		{Path: "internal/rig", May: []string{"internal/value"},
			Why: "what a simulated world and a runtime agree on is less than either knows"},
		{Path: "internal/jsonpatch", May: []string{"internal/value"}, Why: "patches work on values"},
		{Path: "internal/cron", May: []string{}, Why: "a calendar needs Go's library only"},
		{Path: "internal/golden", May: []string{}, Why: "a runner of text cases knows nothing of what it runs"},
		{Path: "internal/housetest", May: []string{}, Why: "the judge stands outside what it judges"},
		{Path: "internal/suggest", May: []string{}, Why: "names are strings"},
		{Path: "internal/bench", May: []string{"."}, Why: "the benchmarks are a host like any other"},
		{Path: "internal/corpus", May: []string{"internal/golden", "internal/value"},
			Why: "the corpus plays its cases on whatever drives a run, the root's own tests among them; so it knows only values"},

		{Path: "source/...", May: []string{".", "internal/..."}, Why: "sources know the root, never stores or lifecycle"},
		{Path: "plugin/...", May: []string{".", "internal/...", "source/..."}, Why: "a family of sources knows sources"},
		{Path: "mcpsource/...", May: []string{".", "internal/...", "source/..."}, Why: "a family of sources knows sources"},
		{Path: "store/...", May: []string{".", "internal/..."}, Why: "stores know the root, never sources or lifecycle"},
		{Path: "engine/...", May: []string{".", "internal/..."}, Why: "an engine drives the kernel; it needs neither sources nor stores"},
		{Path: "lifecycle/edit", May: []string{".", "internal/..."}, Why: "edits are pure functions on documents: they know no store and no source"},
		{Path: "lifecycle/...", May: []string{".", "internal/...", "source/...", "store/..."},
			Why: "the lifecycle joins sources and stores, and knows no surface"},
		{Path: "server/...", May: []string{".", "internal/...", "lifecycle/...", "source/..."},
			Why: "a surface reaches stores only through the lifecycle"},
		{Path: "cli/...", May: []string{".", "internal/...", "server/...", "lifecycle/...", "source/...", "plugin/..."},
			Why: "the command line reaches stores only through the lifecycle; binaries hand it what is heavy"},
		{Path: "wftest/...", May: []string{".", "internal/...", "source/...", "store/...", "lifecycle/..."},
			Why: "helpers for users' tests know the library, not its surfaces"},
		{Path: "skills/...", May: []string{}, Why: "skills are texts"},
		{Path: "docs/...", May: []string{".", "internal/..."}, Why: "documents are made from the library"},
		{Path: "tools/...", May: []string{}, Why: "what we build with knows nothing of what we build"},
		{Path: "examples/...", Why: "examples are hosts: they use what every host can, nothing internal",
			May: []string{".", "source/...", "plugin/...", "mcpsource/...", "store/...", "engine/...", "lifecycle/...", "server/...", "cli/..."}},
	},

	Libraries: []housetest.Library{
		{Path: "github.com/kaptinlin/jsonschema", Rooms: []string{"internal/schema"}, Record: "0002-kaptinlin-jsonschema.md"},
		{Path: "github.com/invopop/jsonschema", Rooms: []string{"internal/schema"}, Record: "0003-invopop-jsonschema.md"},
		{Path: "github.com/pb33f/ordered-map", Rooms: []string{"internal/schema"}, Record: "0003-invopop-jsonschema.md"},
		{Path: "github.com/santhosh-tekuri/jsonschema", Tests: []string{"internal/schema"}, Record: "0004-santhosh-jsonschema.md"},
		{Path: "github.com/google/go-cmp", Tests: []string{"..."}, Record: "0005-go-cmp.md"},
		{Path: "github.com/wI2L/jsondiff", Tests: []string{"internal/jsonpatch"}, Record: "0011-jsondiff.md"},
		{Path: "pgregory.net/rapid", Tests: []string{"."}, Record: "0013-rapid.md"},
		{Path: "modernc.org/sqlite", Rooms: []string{"store/sqlite"}, Record: "0014-sqlite.md"},
		{Path: "github.com/ncruces/go-sqlite3", Tests: []string{"store/sqlite"}, Record: "0017-ncruces.md"},
		{Path: "github.com/jackc/pgx", Rooms: []string{"store/postgres"}, Record: "0018-pgx.md"},
		{Path: "github.com/spf13/cobra", Rooms: []string{"cli"}, Record: "0006-cobra.md"},
		{Path: "github.com/spf13/pflag", Rooms: []string{"cli"}, Record: "0006-cobra.md"},
	},

	Tests: []string{"internal/golden", "internal/corpus"},
}

// pureStd are the packages of Go's library that compute and do nothing else. maps is not one of them: its iterators
// go in random order.
var pureStd = []string{
	"bytes", "cmp", "crypto/sha256", "encoding", "encoding/base64", "encoding/binary", "encoding/hex", "encoding/json",
	"errors", "fmt", "hash", "hash/fnv", "iter", "math", "math/big", "math/bits", "regexp", "regexp/syntax", "slices", "sort", "strconv",
	"strings", "unicode", "unicode/utf8",
}

// module is the tree of this repository, nested modules included.
func module(t *testing.T) *housetest.Tree {
	t.Helper()
	tree, err := housetest.Load(os.DirFS("."), "lda.chat/wf")
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func report(t *testing.T, findings []housetest.Finding) {
	t.Helper()
	for _, f := range findings {
		t.Error(f)
	}
}

func TestImportsPointInward(t *testing.T) {
	t.Parallel()
	report(t, module(t).Imports(drawing))
}

func TestKernelIsPure(t *testing.T) {
	t.Parallel()
	report(t, module(t).Pure("internal/kernel"))
}

func TestLibrariesHaveRecords(t *testing.T) {
	t.Parallel()
	for _, lib := range drawing.Libraries {
		if _, err := os.Stat(filepath.Join("docs", "decisions", lib.Record)); err != nil || lib.Record == "" {
			t.Errorf("%s needs a record in docs/decisions that gives its licence, weight and alternative: %v", lib.Path, err)
		}
	}
}
