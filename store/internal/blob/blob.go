// Package blob names large values by their content and checks them while they are read.
package blob

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"strings"

	"lda.chat/wf"
)

const algorithm = "sha256:"

// Digest names bytes.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return algorithm + hex.EncodeToString(sum[:])
}

// Sum is the name of what was written to a hash of [New].
func Sum(h hash.Hash) string { return algorithm + hex.EncodeToString(h.Sum(nil)) }

// New makes the hash of names.
func New() hash.Hash { return sha256.New() }

// Hex returns the digits of a name, and whether it is one.
func Hex(digest string) (string, bool) {
	digits, ok := strings.CutPrefix(digest, algorithm)
	raw, err := hex.DecodeString(digits)
	return digits, ok && err == nil && len(raw) == sha256.Size && strings.ToLower(digits) == digits
}

// Missing is the error for a blob that is not there.
func Missing(digest string) error { return &wf.NotFoundError{What: "blob", Key: digest} }

// Context reads from r until ctx ends.
func Context(ctx context.Context, r io.Reader) io.Reader { return &limited{ctx, r} }

type limited struct {
	ctx context.Context
	r   io.Reader
}

func (l *limited) Read(p []byte) (int, error) {
	if err := l.ctx.Err(); err != nil {
		return 0, err
	}
	return l.r.Read(p)
}

// Check reads a blob that stands at a place, and ends well only if it is the one that was named.
func Check(r io.ReadCloser, place, digest string, size int64) io.ReadCloser {
	return &checked{r, New(), place, digest, size, 0}
}

// Bytes is Check for bytes in memory.
func Bytes(data []byte, place, digest string, size int64) io.ReadCloser {
	return Check(io.NopCloser(bytes.NewReader(data)), place, digest, size)
}

type checked struct {
	io.ReadCloser
	hash   hash.Hash
	place  string
	digest string
	size   int64
	read   int64
}

func (c *checked) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	c.hash.Write(p[:n])
	c.read += int64(n)
	if c.read > c.size || err == io.EOF && (c.read < c.size || Sum(c.hash) != c.digest) {
		return n, &wf.CorruptError{Place: c.place, Offset: c.read, Problem: "the content is not that of blob " + c.digest}
	}
	return n, err
}
