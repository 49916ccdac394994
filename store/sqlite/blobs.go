package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"io"

	"lda.chat/wf"
	"lda.chat/wf/store"
	"lda.chat/wf/store/internal/blob"
)

// PutBlob is [store.Blobs.PutBlob].
func (s *Store) PutBlob(ctx context.Context, r io.Reader) (store.BlobRef, error) {
	all, err := blob.NewSpool(ctx, r)
	if err != nil {
		return store.BlobRef{}, err
	}
	defer all.Close()
	err = s.change(ctx, func(w *writer) error {
		var there int
		if err := w.row(`SELECT count(*) FROM blobs WHERE digest = ?`, all.Digest).Scan(&there); err != nil || there > 0 {
			return err
		}
		result, err := w.exec(`INSERT INTO blobs (digest, size) VALUES (?, ?)`, all.Digest, all.Size)
		if err != nil {
			return err
		}
		id, err := result.LastInsertId()
		if err != nil {
			return err
		}
		return all.Parts(func(n int64, part []byte) error {
			_, err := w.exec(`INSERT INTO blob_parts (blob, part, data) VALUES (?, ?, ?)`, id, n, part)
			return err
		})
	})
	if err != nil {
		return store.BlobRef{}, err
	}
	return store.BlobRef{Digest: all.Digest, Size: all.Size}, nil
}

// OpenBlob is [store.Blobs.OpenBlob].
func (s *Store) OpenBlob(ctx context.Context, ref store.BlobRef) (io.ReadCloser, error) {
	if s.closed.Load() {
		return nil, wf.ErrJournalClosed
	}
	var id int64
	err := s.row(ctx, `SELECT n FROM blobs WHERE digest = ?`, ref.Digest).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, blob.Missing(ref.Digest)
	}
	if err != nil {
		return nil, s.explain(err)
	}
	return blob.Check(blob.Parts(func(n int64) (part []byte, err error) {
		err = s.row(ctx, `SELECT data FROM blob_parts WHERE blob = ? AND part = ?`, id, n).Scan(&part)
		if errors.Is(err, sql.ErrNoRows) {
			return nil, io.EOF
		}
		return part, s.explain(err)
	}), s.path, ref.Digest, ref.Size), nil
}
