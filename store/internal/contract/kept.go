package contract

import "time"

// Micros is how databases keep a time: in microseconds since 1970, 0 for none.
func Micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

// Time is the way back.
func Time(micros int64) time.Time {
	if micros == 0 {
		return time.Time{}
	}
	return time.UnixMicro(micros).UTC()
}

// Ceil is the first whole microsecond that is not before t: what is kept is whole.
func Ceil(t time.Time) int64 {
	n := t.UnixMicro()
	if time.UnixMicro(n).Before(t) {
		n++
	}
	return n
}

// Bytes is never NULL.
func Bytes(data []byte) []byte {
	if data == nil {
		return []byte{}
	}
	return data
}
