package file

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"strconv"

	"lda.chat/wf/store/internal/ledger"
)

// A frame is one change in the log:
//
//	wf 000000000012 5d1e77f0 0000000143 0000000210 8c1f02aa
//	{"do":"append","run":{"run_id":"run_1", …}}
//	the bytes of its events, snapshot, message or record, each followed by a line's end
//
// The first line has the frame's number in the file, the CRC-32C of all that follows it, the length of the second line and of the rest, and
// its own CRC-32C. So a frame that is cut off is told from one that is damaged: only the end of a file is ever cut off. The header of the
// first frame of a write says how many frames were synced before it, which tells damage from what a loss of power leaves.
const frameLine = len("wf 000000000012 5d1e77f0 0000000143 0000000210 8c1f02aa\n")

const maxPart = 1<<31 - 1

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func sum(data []byte) uint32 { return crc32.Checksum(data, castagnoli) }

// header is the second line of a frame.
type header struct {
	Synced int64 `json:"synced,omitempty"` // the number of a frame that is on the disk for certain, with all before it
	*ledger.Change
}

// encode appends a frame.
func encode(dst []byte, number, synced int64, c *ledger.Change) ([]byte, error) {
	begin := len(dst)
	c.Parts(func(data *[]byte, size *int) { *size = len(*data) })
	header, err := json.Marshal(header{synced, c})
	if err != nil {
		return dst, err
	}
	dst = append(dst, make([]byte, frameLine)...)
	dst = append(append(dst, header...), '\n')
	body := len(dst)
	c.Parts(func(data *[]byte, _ *int) { dst = append(append(dst, *data...), '\n') })
	if len(dst)-body > maxPart {
		return dst[:begin], fmt.Errorf("a change of %d bytes is more than a file store takes", len(dst)-body)
	}
	line := fmt.Appendf(nil, "wf %012d %08x %010d %010d", number, sum(dst[begin+frameLine:]), len(header)+1, len(dst)-body)
	line = fmt.Appendf(line, " %08x\n", sum(line))
	copy(dst[begin:], line)
	return dst, nil
}

// frameHead is the first line of a frame.
type frameHead struct {
	number       int64
	sum          uint32
	header, body int64
}

func (h *frameHead) rest() int64 { return h.header + h.body }

// decodeHead reads the first line of a frame, of frameLine bytes. It says what is wrong with it, if anything is.
func decodeHead(line []byte) (h frameHead, problem string) {
	fields := bytes.Split(bytes.TrimSuffix(line, []byte("\n")), []byte(" "))
	if len(line) != frameLine || line[frameLine-1] != '\n' || len(fields) != 6 || string(fields[0]) != "wf" {
		return h, "no frame begins there"
	}
	if string(fields[5]) != fmt.Sprintf("%08x", sum(line[:frameLine-10])) { // as text, so that no other way to write the number fits
		return h, "the first line of the frame is damaged"
	}
	rest, err1 := strconv.ParseUint(string(fields[2]), 16, 32)
	number, err2 := strconv.ParseInt(string(fields[1]), 10, 64)
	header, err3 := strconv.ParseInt(string(fields[3]), 10, 64)
	body, err4 := strconv.ParseInt(string(fields[4]), 10, 64)
	if err1 != nil || err2 != nil || err3 != nil || err4 != nil || header < 3 || body < 0 || header > maxPart || body > maxPart {
		return h, "the first line of the frame holds no numbers of a frame"
	}
	return frameHead{number, uint32(rest), header, body}, ""
}

// decode reads what follows the first line.
func (h *frameHead) decode(rest []byte) (c *ledger.Change, synced int64, problem string) {
	if int64(len(rest)) != h.rest() {
		return nil, 0, "the frame is not complete"
	}
	if sum(rest) != h.sum {
		return nil, 0, "the content of the frame is damaged"
	}
	c = &ledger.Change{}
	second := header{Change: c}
	if err := json.Unmarshal(rest[:h.header], &second); err != nil {
		return nil, 0, "the header of the frame is no change: " + err.Error()
	}
	body := rest[h.header:]
	c.Parts(func(data *[]byte, size *int) {
		if *size < 0 || *size >= len(body) {
			problem = "the sizes in the header are not those of the frame"
			return
		}
		*data, body = body[:*size:*size], body[*size+1:]
	})
	if problem == "" && len(body) > 0 {
		problem = "the frame is longer than its header says"
	}
	return c, second.Synced, problem
}
