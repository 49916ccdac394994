package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lda.chat/wf"
	"lda.chat/wf/internal/value"
	"lda.chat/wf/lifecycle"
)

// store reads the store of a configuration and gives its name; "" if there is none, or something is wrong with it.
func (f *jsonFile) store(top *jsonObject, stores lifecycle.Stores) string {
	v := top.v.Get("store")
	if v.IsAbsent() {
		return ""
	}
	if name, isText := v.AsString(); isText {
		f.storeAsText(name, stores)
		return ""
	}
	o := f.object("/store", "a store", "kind", "path")
	kind := o.word("kind", slices.Sorted(maps.Keys(stores)))
	path := o.text("path", kind != "memory")
	if of, place := stores.Split(path); o.ok && strings.Contains(path, ":") && (of == kind || strings.Contains(path, "://")) {
		switch {
		case of != kind:
			o.wrong("word_unknown", "/path", fmt.Sprintf("%q is the address of a store of the kind %q, and the kind is %q", withoutPassword(path), of, kind), `write the kind that the address is of as "kind"`)
		case place != path:
			o.wrong("word_unknown", "/path", fmt.Sprintf("the path %q begins with the kind, which stands beside it", withoutPassword(path)), fmt.Sprintf("write %q", withoutPassword(place)))
		}
	}
	switch {
	case !o.ok:
		return ""
	case kind == "memory" || strings.Contains(path, "://"):
		return cmp.Or(path, kind)
	}
	return kind + ":" + path
}

// storeAsText reports a store that is written as --store takes it.
func (f *jsonFile) storeAsText(name string, stores lifecycle.Stores) {
	d := wf.Diagnostic{Code: "type_wrong", Path: "/store", Message: "a store is an object in a configuration, and a string stands here",
		RepairHint: `write it as in {"kind": "file", "path": "runs"}`}
	kind, place := stores.Split(name)
	if _, known := stores[kind]; known && (place != "" || kind == inMemory) {
		right := value.Object(value.Member{Key: "kind", Value: value.String(kind)})
		if place != "" {
			right = right.With("path", value.String(place))
		}
		d.RepairHint = "write " + withoutPassword(right.String())
		if withoutPassword(name) != name { // a fix would show it
			f.add(d)
			return
		}
		patch := value.Array(
			value.Object(value.Member{Key: "op", Value: value.String("test")}, value.Member{Key: "path", Value: value.String("/store")}, value.Member{Key: "value", Value: value.String(name)}),
			value.Object(value.Member{Key: "op", Value: value.String("replace")}, value.Member{Key: "path", Value: value.String("/store")}, value.Member{Key: "value", Value: right}))
		d.Fixes = []wf.Fix{{Title: "Write the store as an object", Applicability: wf.FixSafe, Patch: patch.JSON()}}
	}
	f.add(d)
}

// checkStore finds out whether the store of a configuration can be opened, or made where there is none. Nothing is made or changed.
func (a *app) checkStore(ctx context.Context, name string, f *jsonFile) {
	a.makesStore = true // others will
	err := a.lookAt(name)
	if err == nil {
		err = a.stores().Check(ctx, a.placed(name))
	}
	if err == nil {
		err = a.canMake(name)
	}
	if err == nil {
		return
	}
	found := failureOf(err).diags
	if e, ok := errors.AsType[*lifecycle.Error](err); ok {
		found = e.Diagnostics
	}
	for _, d := range found {
		f.add(wf.Diagnostic{Severity: d.Severity, Code: d.Code, Path: "/store", Message: d.Message, RepairHint: d.RepairHint})
	}
}

// canMake fails if a store of files cannot be made where it would be.
func (a *app) canMake(name string) error {
	kind, place := a.stores().Split(a.placed(name))
	if kind != "file" && kind != "sqlite" {
		return nil
	}
	for dir := place; ; {
		info, err := os.Stat(dir)
		switch {
		case err == nil && info.Mode().Perm()&0o222 == 0:
			return failed(ExitNotAllowed, codeNoStore, fmt.Sprintf("the store %s cannot be written: %s is read-only", name, dir), "see that you may write it, or name another place")
		case err == nil:
			return nil
		case !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir):
			return failed(ExitNotAllowed, codeNoStore, fmt.Sprintf("the store %s cannot be made: %v", name, err), "name another place")
		}
		dir = filepath.Dir(dir)
	}
}
