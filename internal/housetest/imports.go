package housetest

import (
	"path"
	"slices"
	"strings"
)

// Drawing says who may import whom.
type Drawing struct {
	Rooms     []Room
	Libraries []Library
	Tests     []string // patterns of rooms that are helpers of tests beside those whose name ends in "test"
}

// Room is a folder of the tree, or a family of folders.
//
// A pattern is a folder ("internal/value"; "." is the top one) or a folder and all below it ("store/...").
// The longest pattern that fits a folder is its room.
type Room struct {
	Path string
	May  []string // patterns of the folders that it may import; its own family always
	Std  []string // if not nil, the only packages of Go's library that it may import
	Why  string
}

// Library is a module of somebody else, known by few.
type Library struct {
	Path   string   // the module path
	Rooms  []string // patterns of the folders that may import it
	Tests  []string // patterns of the folders whose tests may import it too
	Record string   // the file in docs/decisions that says why we stand on it
}

const (
	whyStranger = "each library is known to the rooms of the drawing only, and has its record in docs/decisions"
	whyTest     = "helpers of tests must not reach a binary"
	whyUnknown  = "every folder stands in the drawing, so that its imports are a decision"
)

// Imports judges every import by the drawing. Tests may import what they like of the tree and of Go's library, and
// those libraries that list them.
func (t *Tree) Imports(d *Drawing) []Finding {
	var out []Finding
	unknown := map[string]bool{}
	for _, f := range t.files {
		room, ok := d.room(f.dir)
		if !ok && unknown[f.dir] {
			continue
		}
		if !ok {
			unknown[f.dir] = true
			out = append(out, t.found(f, f.ast.Package, whyUnknown, "folder %s stands in no room", f.dir))
			continue
		}
		for _, spec := range f.ast.Imports {
			p := imported(spec)
			what, why := "", ""
			if dir, ok := t.local(p); ok {
				what, why = d.judgeLocal(room, f, dir)
			} else if standard(p) {
				what, why = d.judgeStandard(room, f, p)
			} else {
				what, why = d.judgeLibrary(f, p)
			}
			if what != "" {
				out = append(out, t.found(f, spec.Pos(), why, "%s %s %s", f.dir, what, p))
			}
		}
	}
	return sorted(out)
}

func (d *Drawing) judgeLocal(room Room, f *file, dir string) (what, why string) {
	switch {
	case f.test:
		return "", ""
	case d.forTests(dir) && !d.forTests(f.dir):
		return "imports, outside a test,", whyTest
	case dir == f.dir || fits(room.Path, dir) && strings.HasSuffix(room.Path, "/...") || fitsAny(room.May, dir):
		return "", ""
	}
	return "must not import", room.Why
}

func (d *Drawing) judgeStandard(room Room, f *file, p string) (what, why string) {
	switch {
	case f.test:
		return "", ""
	case (fits("testing/...", p) || strings.HasSuffix(p, "test")) && !d.forTests(f.dir):
		return "imports, outside a test,", whyTest
	case room.Std != nil && !slices.Contains(room.Std, p):
		return "must not import", room.Why
	}
	return "", ""
}

func (d *Drawing) judgeLibrary(f *file, p string) (what, why string) {
	for _, lib := range d.Libraries {
		if !fits(lib.Path+"/...", p) {
			continue
		}
		inTest := f.test || d.forTests(f.dir)
		if fitsAny(lib.Rooms, f.dir) || inTest && fitsAny(lib.Tests, f.dir) {
			return "", ""
		}
		return "must not import", whyStranger
	}
	return "imports the unknown library", whyStranger
}

// room returns the room of a folder.
func (d *Drawing) room(dir string) (best Room, ok bool) {
	for _, r := range d.Rooms {
		if fits(r.Path, dir) && (!ok || len(r.Path) > len(best.Path)) {
			best, ok = r, true
		}
	}
	return best, ok
}

// forTests reports whether a folder's package exists for tests only.
func (d *Drawing) forTests(dir string) bool {
	return strings.HasSuffix(path.Base(dir), "test") || fitsAny(d.Tests, dir)
}

func fits(pattern, dir string) bool {
	family, ok := strings.CutSuffix(pattern, "...")
	if !ok {
		return pattern == dir
	}
	return strings.HasPrefix(dir+"/", family)
}

func fitsAny(patterns []string, dir string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return fits(p, dir) })
}
