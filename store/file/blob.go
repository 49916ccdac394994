package file

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path/filepath"

	"lda.chat/wf"
	"lda.chat/wf/store"
	"lda.chat/wf/store/internal/blob"
)

const blobDir = "blobs"

// PutBlob is [store.Blobs.PutBlob].
func (s *Store) PutBlob(ctx context.Context, r io.Reader) (ref store.BlobRef, err error) {
	if err := ctx.Err(); err != nil {
		return ref, err
	}
	if s.closed.Load() {
		return ref, wf.ErrJournalClosed
	}
	dir := filepath.Join(s.dir, blobDir)
	f, err := s.on.CreateTemp(dir, "*"+tempSuffix)
	if err != nil {
		return ref, err
	}
	defer func() { _ = s.on.Remove(f.Name()) }() // it has another name then, if all went well
	h := blob.New()
	n, err := io.Copy(io.MultiWriter(f, h), blob.Context(ctx, r))
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return ref, err
	}
	ref = store.BlobRef{Digest: blob.Sum(h), Size: n}
	path, _ := s.blobPath(ref.Digest)
	if err := s.on.Mkdir(filepath.Dir(path)); err != nil && !errors.Is(err, fs.ErrExist) {
		return store.BlobRef{}, err
	}
	if err := s.on.SyncDir(dir); err != nil { // also if the folder was there: whoever made it may not have come to it
		return store.BlobRef{}, err
	}
	if err := s.on.Rename(f.Name(), path); err != nil {
		return store.BlobRef{}, err
	}
	return ref, s.on.SyncDir(filepath.Dir(path))
}

// OpenBlob is [store.Blobs.OpenBlob].
func (s *Store) OpenBlob(ctx context.Context, ref store.BlobRef) (io.ReadCloser, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	path, ok := s.blobPath(ref.Digest)
	if !ok {
		return nil, blob.Missing(ref.Digest)
	}
	f, err := s.on.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, blob.Missing(ref.Digest)
	}
	if err != nil {
		return nil, err
	}
	return blob.Check(f, path, ref.Digest, ref.Size), nil
}

func (s *Store) blobPath(digest string) (string, bool) {
	digits, ok := blob.Hex(digest)
	if !ok {
		return "", false
	}
	return filepath.Join(s.dir, blobDir, digits[:2], digits), true
}
