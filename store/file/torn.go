package file

import (
	"bytes"
	"errors"
	"io"
)

// sectorSize is what a disk writes whole or not at all.
const sectorSize = 512

// torn reports whether the frame at the end of what was read, which is not whole, is what a loss of power leaves of frames that were never
// synced, and so never answered: a sector of it did not get to the disk, which then reads as zeros, and no frame behind it says
// that this one was synced before. Anything else is damage.
func (l *log) torn(f io.ReaderAt, size int64) (bool, error) {
	bad := io.NewSectionReader(f, l.size, size-l.size)
	end := int64(frameLine)
	if h, problem := headAt(bad, 0); problem == "" {
		end += h.rest()
	}
	lost, err := hole(bad, l.size, min(end, bad.Size()))
	if err != nil || !lost {
		return false, err
	}
	known, err := l.vouched(bad)
	return !known, err
}

// hole looks for a sector without content in the first bytes of a part of a file that begins at a place of it.
func hole(part io.ReaderAt, begin, size int64) (bool, error) {
	zeros := make([]byte, sectorSize)
	sector := make([]byte, sectorSize)
	for at := int64(0); at < size; {
		n := min(sectorSize-(begin+at)%sectorSize, size-at)
		if _, err := part.ReadAt(sector[:n], at); err != nil {
			return false, err
		}
		if bytes.Equal(sector[:n], zeros[:n]) {
			return true, nil
		}
		at += n
	}
	return false, nil
}

// vouched looks for a whole frame that says that the next one was synced.
func (l *log) vouched(part *io.SectionReader) (bool, error) {
	const step = 1 << 16
	begins := []byte("wf ")
	chunk := make([]byte, step+len(begins)-1)
	for from := int64(0); from < part.Size(); from += step {
		n, err := part.ReadAt(chunk, from)
		if err != nil && !errors.Is(err, io.EOF) {
			return false, err
		}
		for at := 0; ; at++ {
			next := bytes.Index(chunk[at:n], begins)
			if next < 0 {
				break
			}
			at += next
			h, problem := headAt(part, from+int64(at))
			if problem != "" || h.rest() > part.Size()-from-int64(at+frameLine) {
				continue
			}
			rest := make([]byte, h.rest())
			if _, err := part.ReadAt(rest, from+int64(at+frameLine)); err != nil {
				return false, err
			}
			if _, number, problem := h.decode(rest); problem == "" && number >= l.next {
				return true, nil
			}
		}
	}
	return false, nil
}

// headAt reads the first line of a frame.
func headAt(part io.ReaderAt, at int64) (frameHead, string) {
	line := make([]byte, frameLine)
	if _, err := part.ReadAt(line, at); err != nil {
		return frameHead{}, err.Error()
	}
	return decodeHead(line)
}
