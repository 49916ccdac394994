// Package powertest takes the power from stores while they write: a disk in memory that keeps what was synced apart from what
// was only written, what may be left of it after a cut, and a history of operations that is played on it.
package powertest

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
)

// Kind is what an operation does to a disk.
type Kind string

// The operations that change a disk. A name (of a file that was made, renamed or removed) is only durable once the folder was
// synced, the content of a file once the file was.
const (
	Mkdir    Kind = "mkdir"
	Create   Kind = "create"
	Write    Kind = "write"
	Truncate Kind = "truncate"
	Sync     Kind = "sync"
	Rename   Kind = "rename"
	Remove   Kind = "remove"
	SyncDir  Kind = "sync folder"
)

// Op is one operation. It has a number, the first one is 1.
type Op struct {
	Kind Kind
	Path string // as the file was called when it was opened
	To   string // the new name
	file int
	at   int64 // the place of a write, or the new size
	data []byte
	err  error // it failed, having done what a failing one does
}

func (o Op) String() string {
	text := fmt.Sprint(o.Kind, " ", o.Path, o.To)
	if o.Kind == Write {
		text += fmt.Sprintf(" at %d, %d bytes", o.at, len(o.data))
	}
	return text
}

// folderFile stands for the content of a folder.
const folderFile = -1

// Disk is a file system. Its methods may be called by several goroutines.
type Disk struct {
	// Fail, if set, is asked before each operation; with an error the operation fails: of a write the first half is done, and what
	// a failed sync should have kept is kept in part, and not kept by a later one.
	Fail func(number int, op Op) error

	mu      sync.Mutex
	files   []*inode
	names   map[string]int // as everybody sees them
	durable map[string]int
	moves   []move // of names, since their folder was synced
	ops     []Op
	temp    int
}

// inode is the content of a file.
type inode struct {
	data    []byte // as everybody sees it
	durable []byte
	writes  []write // since it was synced
}

type write struct {
	number int
	at     int64
	data   []byte // nil: the file gets the size at
}

// move is one change of names.
type move struct {
	number int
	folder string
	gone   string
	name   string
	file   int
}

// NewDisk is an empty disk with a root folder.
func NewDisk() *Disk {
	return &Disk{names: map[string]int{"/": folderFile}, durable: map[string]int{"/": folderFile}}
}

// Ops returns the operations that were done.
func (d *Disk) Ops() []Op {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clip(d.ops)
}

// Replay does operations that another disk has done.
func (d *Disk) Replay(ops ...Op) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, op := range ops {
		d.apply(op)
	}
}

// do carries out an operation, or lets it fail.
func (d *Disk) do(op Op) error {
	if d.Fail != nil {
		op.err = d.Fail(len(d.ops)+1, op)
	}
	d.apply(op)
	if op.err != nil {
		return &fs.PathError{Op: string(op.Kind), Path: op.Path, Err: op.err}
	}
	return nil
}

// apply is the only one to change a disk.
func (d *Disk) apply(op Op) {
	d.ops = append(d.ops, op)
	number := len(d.ops)
	if op.err != nil {
		switch op.Kind {
		case Write:
			d.files[op.file].write(write{number, op.at, op.data[:len(op.data)/2]})
		case Sync:
			d.files[op.file].forget(number)
		}
		return
	}
	switch op.Kind {
	case Mkdir:
		d.move(move{number: number, name: op.Path, file: folderFile})
	case Create:
		d.files = append(d.files, &inode{})
		d.move(move{number: number, name: op.Path, file: len(d.files) - 1})
	case Rename:
		d.move(move{number: number, gone: op.Path, name: op.To, file: d.names[op.Path]})
	case Remove:
		d.move(move{number: number, gone: op.Path})
	case Write:
		d.files[op.file].write(write{number, op.at, op.data})
	case Truncate:
		d.files[op.file].write(write{number, op.at, nil})
	case Sync:
		d.files[op.file].sync()
	case SyncDir:
		d.moves = slices.DeleteFunc(d.moves, func(m move) bool {
			if m.folder == op.Path {
				m.on(d.durable)
			}
			return m.folder == op.Path
		})
	}
}

func (d *Disk) move(m move) {
	m.folder = path.Dir(m.gone + m.name)
	if m.name != "" {
		m.folder = path.Dir(m.name)
	}
	m.on(d.names)
	d.moves = append(d.moves, m)
}

func (m move) on(names map[string]int) {
	delete(names, m.gone)
	if m.name != "" {
		names[m.name] = m.file
	}
}

// pageSize is how much of a file is kept or forgotten together by a sync.
const pageSize = 4096

func (f *inode) write(w write) {
	f.data = w.on(f.data)
	f.writes = append(f.writes, w)
}

func (w write) on(data []byte) []byte {
	if w.data == nil {
		return resize(data, w.at)
	}
	data = resize(data, max(int64(len(data)), w.at+int64(len(w.data))))
	copy(data[w.at:], w.data)
	return data
}

func resize(data []byte, size int64) []byte {
	if size <= int64(len(data)) {
		return data[:size:size]
	}
	return append(data, make([]byte, size-int64(len(data)))...)
}

// sync keeps the pages that were written since the last time.
func (f *inode) sync() {
	durable := f.durable
	for _, w := range f.writes {
		if w.data == nil {
			durable = resize(durable, min(w.at, int64(len(durable))))
		}
	}
	durable = resize(durable, int64(len(f.data)))
	for _, w := range f.writes {
		begin := w.at / pageSize * pageSize
		end := (w.at + int64(len(w.data)) + pageSize) / pageSize * pageSize
		if size := int64(len(f.data)); begin < size {
			copy(durable[begin:], f.data[begin:min(end, size)])
		}
	}
	f.durable, f.writes = durable, nil
}

// forget is a sync that failed: some of what was written is kept, and the system takes all of it for kept.
func (f *inode) forget(number int) {
	for i, w := range f.writes {
		if (i+number)%3 == 0 {
			f.durable = w.on(f.durable)
		}
	}
	f.writes = nil
}

func missing(op, name string) error { return &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist} }

// find returns the file with a name.
func (d *Disk) find(op, name string) (int, error) {
	file, there := d.names[name]
	if !there || file == folderFile {
		return 0, missing(op, name)
	}
	return file, nil
}

// room tells whether something new can be called name.
func (d *Disk) room(op, name string) error {
	if _, there := d.names[name]; there {
		return &fs.PathError{Op: op, Path: name, Err: fs.ErrExist}
	}
	if parent, there := d.names[path.Dir(name)]; !there || parent != folderFile {
		return missing(op, name)
	}
	return nil
}

// Mkdir makes a folder.
func (d *Disk) Mkdir(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.room("mkdir", name); err != nil {
		return err
	}
	return d.do(Op{Kind: Mkdir, Path: name})
}

// Create makes a file; a * in its name becomes a number.
func (d *Disk) Create(name string) (*File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if strings.Contains(name, "*") {
		d.temp++
		name = strings.Replace(name, "*", fmt.Sprint("temp", d.temp), 1)
	}
	if err := d.room("create", name); err != nil {
		return nil, err
	}
	if err := d.do(Op{Kind: Create, Path: name}); err != nil {
		return nil, err
	}
	return &File{disk: d, name: name, file: len(d.files) - 1}, nil
}

// Open opens a file.
func (d *Disk) Open(name string) (*File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	file, err := d.find("open", name)
	if err != nil {
		return nil, err
	}
	return &File{disk: d, name: name, file: file}, nil
}

// Rename gives a file another name, which may be that of one that is gone then.
func (d *Disk) Rename(from, to string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, err := d.find("rename", from); err != nil {
		return err
	}
	return d.do(Op{Kind: Rename, Path: from, To: to})
}

// Remove removes the name of a file, or of an empty folder.
func (d *Disk) Remove(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, there := d.names[name]; !there {
		return missing("remove", name)
	}
	return d.do(Op{Kind: Remove, Path: name})
}

// SyncDir makes the names in a folder durable.
func (d *Disk) SyncDir(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.names[name] != folderFile {
		return missing("sync", name)
	}
	return d.do(Op{Kind: SyncDir, Path: name})
}

// List returns the names in a folder.
func (d *Disk) List(folder string) (names []string, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if file, there := d.names[folder]; !there || file != folderFile {
		return nil, missing("list", folder)
	}
	for name := range d.names {
		if name != "/" && path.Dir(name) == folder {
			names = append(names, path.Base(name))
		}
	}
	slices.Sort(names)
	return names, nil
}
