package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"lda.chat/wf/internal/suggest"
	"lda.chat/wf/store"
	"lda.chat/wf/store/file"
)

// Opener opens a store at a place: what stands behind the kind in a store's name.
type Opener func(ctx context.Context, place string, opts *OpenOptions) (store.Store, error)

// OpenOptions are what openers are told; the zero value is usual.
type OpenOptions struct {
	Now    func() time.Time // the store's clock; nil: the real one
	Logger *slog.Logger     // nil: what is logged is discarded

	// CheckOnly asks only whether the store could be opened, for [Stores.Check]: nothing is made or changed, and no store is returned.
	CheckOnly bool
}

// Stores are kinds of stores by their names. Those of [StandardStores] need no library; a binary that links others adds them.
type Stores map[string]Opener

// StandardStores gives the kinds that need no library: "memory", which lasts as long as the process, and "file", a folder of
// plain files for one process at a time.
func StandardStores() Stores {
	return Stores{
		"memory": func(_ context.Context, _ string, o *OpenOptions) (store.Store, error) {
			return store.NewMemory(&store.MemoryOptions{Now: o.Now}), nil
		},
		"file": func(_ context.Context, dir string, o *OpenOptions) (store.Store, error) {
			if o.CheckOnly {
				return nil, file.Check(dir)
			}
			return file.Open(dir, &file.Options{Now: o.Now, Logger: o.Logger})
		},
	}
}

// Open opens the store that a name names: "memory", "file:PATH", "sqlite:PATH", "postgres://…", as far as there is an opener
// for the kind. A path alone is a store of the kind "sqlite", or "file" if there is none. What fails is an [*Error]. opts may
// be nil.
func (s Stores) Open(ctx context.Context, name string, opts *OpenOptions) (store.Store, error) {
	if opts == nil {
		opts = &OpenOptions{}
	}
	kind, place := s.Split(name)
	open, ok := s[kind]
	kinds := slices.Sorted(maps.Keys(s))
	if !ok {
		hint := "the kinds are " + strings.Join(kinds, ", ")
		if near, ok := suggest.Nearest(kind, kinds); ok {
			hint = fmt.Sprintf("did you mean %q?", near)
		}
		return nil, failed(BadRequest, codeStoreUnknown, fmt.Sprintf("there is no kind of store %q here", kind), hint)
	}
	if place == "" && kind != "memory" {
		return nil, failed(BadRequest, codeStoreUnknown, fmt.Sprintf("the store %q does not say where it is", kind), fmt.Sprintf("name it as %s:PLACE", kind))
	}
	st, err := open(ctx, place, opts)
	if err != nil {
		return nil, unavailable(kind, err)
	}
	return st, nil
}

// Check finds out whether the store that a name names could be opened, and makes and changes nothing. Where there is none yet, there is
// nothing to find. What it finds is an [*Error].
func (s Stores) Check(ctx context.Context, name string) error {
	st, err := s.Open(ctx, name, &OpenOptions{CheckOnly: true})
	if err != nil || st == nil {
		return err
	}
	return st.Close()
}

// Split tells the kind of the store that a name names, and where it is; of a URL the place is all of it. The kind need not be one of these.
func (s Stores) Split(name string) (kind, place string) {
	kind, place, named := strings.Cut(name, ":")
	switch {
	case strings.HasPrefix(place, "//"): // a URL is a place as a whole
		if kind == "postgresql" {
			kind = "postgres"
		}
		return kind, name
	case named && len(kind) > 1: // one letter is a drive
		return kind, place
	case name == "memory":
		return name, ""
	}
	if _, ok := s["sqlite"]; ok {
		return "sqlite", name
	}
	return "file", name
}

// Placed gives a name whose path, if it is one and relative, is what under makes of it.
func (s Stores) Placed(name string, under func(path string) string) string {
	kind, place := s.Split(name)
	if place == "" || strings.Contains(place, "://") {
		return name
	}
	return kind + ":" + under(place)
}

// unavailable tells why a store cannot be opened. The place is not told: it may hold a password, and the caller knows it.
func unavailable(kind string, err error) *Error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return errorOf(err)
	}
	class, code := Internal, codeStoreUnavailable
	var inUse *file.InUseError
	switch {
	case errors.As(err, &inUse):
		class = Conflict
	case errors.Is(err, fs.ErrPermission):
		class = NotAllowed
	case errors.Is(err, fs.ErrNotExist):
		class = NotFound
	case isStoreError(err):
		code = codeStoreFailed
	}
	e := failed(class, code, fmt.Sprintf("the store of the kind %q cannot be opened: %v", kind, err), "")
	e.cause = err
	return e
}
