//go:build go1.21

package driver

import (
	"encoding/binary"
	"errors"
	"io"
	"strconv"

	"github.com/adtinfer/adtinfer/internal/driver/values"
)

// Numbers on the wire are unsigned varints. A request is a count of sequences,
// and for each a count of calls and for each its method and its arguments, as
// numbers or Go text; the signature says how many. An answer is an outcome byte and its values; the
// answers to a sequence end after its last call or after a blocked one.

// AppendNumber appends a count or a method.
func AppendNumber(b []byte, n int) []byte { return binary.AppendUvarint(b, uint64(n)) }

// LogText is the text of a value as logs write it: of a string, without quotes.
func LogText(text string) string {
	if plain, err := strconv.Unquote(text); err == nil && text[0] == '"' {
		return plain
	}
	return text
}

// AppendValue appends a value: number k, or a text if k is 0.
func AppendValue(b []byte, k int, text string) []byte {
	if k > 0 {
		return binary.AppendUvarint(b, uint64(k)<<1)
	}
	b = binary.AppendUvarint(b, uint64(len(text))<<1|1)
	return append(b, text...)
}

// Reader reads what the Append functions wrote. After a malformed part all
// reads return zero and Err says so.
type Reader struct {
	b   []byte
	Err error
}

// NewReader reads from b.
func NewReader(b []byte) *Reader { return &Reader{b: b} }

// errShort is the Err of a Reader that met a malformed part.
var errShort = errors.New("malformed message")

// Number reads what AppendNumber wrote.
func (r *Reader) Number() int {
	n, size := binary.Uvarint(r.b)
	if size <= 0 || n > 1<<40 {
		r.b, r.Err = nil, errShort
		return 0
	}
	r.b = r.b[size:]
	return int(n)
}

// Count reads the number of parts that follow, each of a byte at least.
func (r *Reader) Count() int {
	n := r.Number()
	if n > len(r.b) {
		r.b, r.Err = nil, errShort
		return 0
	}
	return n
}

// Answer reads a returned value: a number, or Go text in parentheses, or a text
// that has numbers of arguments in it, and other parts in parentheses.
func (r *Reader) Answer() string {
	k, text := r.Value()
	switch {
	case k > 0:
		return strconv.Itoa(k)
	case len(text) > 0 && text[:1] == values.WithNumbers:
		return text[1:]
	}
	return "(" + text + ")"
}

// Value reads what AppendValue wrote: a number, or 0 and a text.
func (r *Reader) Value() (k int, text string) {
	n := r.Number()
	if n&1 == 0 {
		return n >> 1, ""
	}
	if n >>= 1; n > len(r.b) {
		r.b, r.Err = nil, errShort
		return 0, ""
	}
	text = string(r.b[:n])
	r.b = r.b[n:]
	return 0, text
}

// AppendBytes appends bytes with their length.
func AppendBytes[T ~string | ~[]byte](b []byte, part T) []byte {
	return append(AppendNumber(b, len(part)), part...)
}

// Bytes reads what AppendBytes wrote; it is valid as long as the message.
func (r *Reader) Bytes() []byte {
	n := r.Count()
	part := r.b[:n:n]
	r.b = r.b[n:]
	return part
}

// More reports whether there is more to read.
func (r *Reader) More() bool { return len(r.b) > 0 }

// Outcome reads an outcome's index, or PanicOutcome; blocked means that there is none.
func (r *Reader) Outcome() (i int, blocked bool) {
	if len(r.b) == 0 {
		r.Err = errShort
		return 0, false
	}
	o := r.b[0]
	r.b = r.b[1:]
	return int(o), o == blockedOutcome
}

// Frame types.
const (
	FrameConfig   = 'I' // parent: Config as JSON
	FrameHello    = 'H' // child: Hello as JSON
	FrameRun      = 'R' // parent: a request
	FrameCareful  = 'C' // parent: from, to, pause in ms, and a request whose every call is announced
	FrameRest     = 'S' // parent: from, and a request whose sequences before it are answered
	FrameKeep     = 'K' // parent: a request to a keeper; see KeepOpen
	FrameReply    = 'A' // child: the answers
	FramePart     = 'T' // child: to, and the answers to the sequences before it; a new process must answer the others
	FrameFault    = 'F' // child: Fault as JSON, instead of answers
	FrameError    = 'E' // child: text; the request made no sense
	FrameProgress = 'P' // child: sequence and call + 1, before the call
	FrameBeat     = 'B' // child: still alive
	FrameDefect   = 'D' // child: Fault as JSON, of a panic that is answered as an outcome
)

// AppendFrame appends a frame: prefix (the nonce, in the child's frames), type,
// length in four bytes, payload.
func AppendFrame(b []byte, prefix string, kind byte, payload []byte) []byte {
	b = append(b, prefix...)
	b = append(b, kind)
	b = binary.BigEndian.AppendUint32(b, uint32(len(payload)))
	return append(b, payload...)
}

// ReadFrame reads a frame without its prefix. The buffer is reused if it is
// large enough.
func ReadFrame(r io.Reader, buf []byte) (kind byte, payload []byte, err error) {
	var head [5]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, nil, err
	}
	n := binary.BigEndian.Uint32(head[1:])
	if n > 1<<30 {
		return 0, nil, errShort
	}
	if uint32(cap(buf)) < n {
		buf = make([]byte, n)
	}
	payload = buf[:n]
	_, err = io.ReadFull(r, payload)
	return head[0], payload, err
}
