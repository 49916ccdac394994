package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"os"

	"lda.chat/wf"
	"lda.chat/wf/store"
	"lda.chat/wf/store/internal/blob"
)

// partSize is how many bytes of a blob are in a row.
const partSize = 1 << 20

// PutBlob is [store.Blobs.PutBlob]. The data waits in a temporary file until all of it is there, so that a slow reader
// holds up nobody.
func (s *Store) PutBlob(ctx context.Context, r io.Reader) (store.BlobRef, error) {
	f, err := os.CreateTemp("", "wf-blob-*")
	if err != nil {
		return store.BlobRef{}, err
	}
	defer func() {
		_ = f.Close()
		_ = os.Remove(f.Name())
	}()
	h := blob.New()
	n, err := io.Copy(io.MultiWriter(f, h), blob.Context(ctx, r))
	if err != nil {
		return store.BlobRef{}, err
	}
	ref := store.BlobRef{Digest: blob.Sum(h), Size: n}
	err = s.change(ctx, func(w *writer) error {
		var there int
		if err := w.row(`SELECT count(*) FROM blobs WHERE digest = ?`, ref.Digest).Scan(&there); err != nil || there > 0 {
			return err
		}
		result, err := w.exec(`INSERT INTO blobs (digest, size) VALUES (?, ?)`, ref.Digest, ref.Size)
		if err != nil {
			return err
		}
		id, err := result.LastInsertId()
		if err != nil {
			return err
		}
		part := make([]byte, min(partSize, n))
		for i := int64(0); i*partSize < n; i++ {
			size := min(partSize, n-i*partSize)
			if _, err := f.ReadAt(part[:size], i*partSize); err != nil {
				return err
			}
			if _, err := w.exec(`INSERT INTO blob_parts (blob, part, data) VALUES (?, ?, ?)`, id, i, part[:size]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return store.BlobRef{}, err
	}
	return ref, nil
}

// OpenBlob is [store.Blobs.OpenBlob].
func (s *Store) OpenBlob(ctx context.Context, ref store.BlobRef) (io.ReadCloser, error) {
	if s.closed.Load() {
		return nil, wf.ErrJournalClosed
	}
	var id int64
	err := s.read.QueryRowContext(ctx, `SELECT n FROM blobs WHERE digest = ?`, ref.Digest).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, blob.Missing(ref.Digest)
	}
	if err != nil {
		return nil, s.explain(err)
	}
	return blob.Check(&parts{ctx: ctx, s: s, id: id}, s.path, ref.Digest, ref.Size), nil
}

// parts reads a blob row by row.
type parts struct {
	ctx  context.Context
	s    *Store
	id   int64
	next int64
	left []byte
}

func (p *parts) Read(into []byte) (int, error) {
	if len(p.left) == 0 {
		err := p.s.read.QueryRowContext(p.ctx, `SELECT data FROM blob_parts WHERE blob = ? AND part = ?`, p.id, p.next).Scan(&p.left)
		if errors.Is(err, sql.ErrNoRows) {
			return 0, io.EOF
		}
		if err != nil {
			return 0, p.s.explain(err)
		}
		p.next++
	}
	n := copy(into, p.left)
	p.left = p.left[n:]
	return n, nil
}

func (p *parts) Close() error { return nil }
