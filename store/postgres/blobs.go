package postgres

import (
	"context"
	"errors"
	"io"

	"github.com/jackc/pgx/v5"

	"lda.chat/wf"
	"lda.chat/wf/store"
	"lda.chat/wf/store/internal/blob"
)

// PutBlob is [store.Blobs.PutBlob]. It has a transaction of its own, so that a large value holds up nobody.
func (s *Store) PutBlob(ctx context.Context, r io.Reader) (store.BlobRef, error) {
	all, err := blob.NewSpool(ctx, r)
	if err != nil {
		return store.BlobRef{}, err
	}
	defer all.Close()
	if s.closed.Load() {
		return store.BlobRef{}, wf.ErrJournalClosed
	}
	tx, err := s.pool.Begin(ctx)
	if err != nil {
		return store.BlobRef{}, s.explain(err)
	}
	if err := s.putParts(ctx, tx, all); err != nil {
		_ = tx.Rollback(context.WithoutCancel(ctx))
		return store.BlobRef{}, s.explain(err)
	}
	if err := tx.Commit(ctx); err != nil {
		if unknown(err) {
			return store.BlobRef{}, &wf.AmbiguousError{Err: s.explain(err)}
		}
		return store.BlobRef{}, s.explain(err)
	}
	return store.BlobRef{Digest: all.Digest, Size: all.Size}, nil
}

func (s *Store) putParts(ctx context.Context, tx pgx.Tx, all *blob.Spool) error {
	var id int64
	err := tx.QueryRow(ctx, `INSERT INTO blobs (digest, size) VALUES ($1, $2) ON CONFLICT (digest) DO NOTHING RETURNING n`, all.Digest, all.Size).Scan(&id)
	if there, err := maybe(err); err != nil || !there {
		return err
	}
	return all.Parts(func(n int64, part []byte) error {
		_, err := tx.Exec(ctx, `INSERT INTO blob_parts (blob, part, data) VALUES ($1, $2, $3)`, id, n, part)
		return err
	})
}

// OpenBlob is [store.Blobs.OpenBlob].
func (s *Store) OpenBlob(ctx context.Context, ref store.BlobRef) (io.ReadCloser, error) {
	if _, ok := blob.Hex(ref.Digest); !ok {
		return nil, blob.Missing(ref.Digest)
	}
	var id int64
	err := s.ask(ctx, &id, `SELECT n FROM blobs WHERE digest = $1`, ref.Digest)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, blob.Missing(ref.Digest)
	}
	if err != nil {
		return nil, err
	}
	return blob.Check(blob.Parts(func(n int64) (part []byte, err error) {
		err = s.ask(ctx, &part, `SELECT data FROM blob_parts WHERE blob = $1 AND part = $2`, id, n)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil, io.EOF
		}
		return part, err
	}), s.place, ref.Digest, ref.Size), nil
}
