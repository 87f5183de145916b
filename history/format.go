package history

import (
	"bufio"
	"io"
	"strings"

	"github.com/adtinfer/adtinfer/internal/host/binlog"
)

// Format is how a log is written.
type Format int

// The formats.
const (
	Text Format = iota
	JSON        // JSON Lines
	Binary
)

func newWriter(w io.Writer, f Format) eventWriter {
	switch f {
	case JSON:
		return &jsonWriter{out: bufio.NewWriter(w)}
	case Binary:
		return newBinaryWriter(w)
	}
	return &textWriter{out: bufio.NewWriter(w)}
}

// open begins to read, from memory if the log is there.
func (r *Reader) open() {
	if r.in == nil {
		return // imported
	}
	var in *bufio.Reader
	isBinary := strings.HasPrefix(r.src, binlog.Prefix)
	if !r.loaded {
		in = bufio.NewReaderSize(io.MultiReader(strings.NewReader(r.src), r.in), 64<<10)
		isBinary = begins(in, binlog.Prefix)
	}
	if isBinary {
		r.events = newBinaryLog(r.file, r.src, in, r.ended())
		return
	}
	l := newLines(r.file, r.src, nil, r.ended())
	if !r.loaded {
		l.src, l.in = "", in
	}
	l.growing = r.Growing
	r.events = &timeOrder{lines: l}
}

// begins reports whether a log begins with a text, and reads no more of it than
// that takes.
func begins(in *bufio.Reader, text string) bool {
	for n := 1; n <= len(text); n++ {
		if head, _ := in.Peek(n); string(head) != text[:n] {
			return false
		}
	}
	return true
}
