package blob

import (
	"context"
	"io"
	"os"
)

// Spool is a large value on its way into a database: all of it, in a temporary file, so that a slow reader holds up nobody.
type Spool struct {
	Digest string
	Size   int64
	file   *os.File
}

// partSize is how many bytes of a blob are in a row.
const partSize = 1 << 20

// NewSpool reads all that r gives.
func NewSpool(ctx context.Context, r io.Reader) (*Spool, error) {
	f, err := os.CreateTemp("", "wf-blob-*")
	if err != nil {
		return nil, err
	}
	s := &Spool{file: f}
	h := New()
	if s.Size, err = io.Copy(io.MultiWriter(f, h), Context(ctx, r)); err != nil {
		s.Close()
		return nil, err
	}
	s.Digest = Sum(h)
	return s, nil
}

// Parts gives the value in parts, in order. What is given is overwritten by the next.
func (s *Spool) Parts(keep func(n int64, part []byte) error) error {
	part := make([]byte, min(partSize, s.Size))
	for n := int64(0); n*partSize < s.Size; n++ {
		size := min(partSize, s.Size-n*partSize)
		if _, err := s.file.ReadAt(part[:size], n*partSize); err != nil {
			return err
		}
		if err := keep(n, part[:size]); err != nil {
			return err
		}
	}
	return nil
}

// Close removes the file.
func (s *Spool) Close() {
	_ = s.file.Close()
	_ = os.Remove(s.file.Name())
}

// Parts reads a value part by part; next returns part n, or [io.EOF] behind the last.
func Parts(next func(n int64) ([]byte, error)) io.ReadCloser { return &parts{next: next} }

type parts struct {
	next func(int64) ([]byte, error)
	n    int64
	left []byte
}

func (p *parts) Read(into []byte) (int, error) {
	for len(p.left) == 0 {
		part, err := p.next(p.n)
		if err != nil {
			return 0, err
		}
		p.n++
		p.left = part
	}
	n := copy(into, p.left)
	p.left = p.left[n:]
	return n, nil
}

func (p *parts) Close() error { return nil }
