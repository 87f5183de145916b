package sources

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/adtinfer/adtinfer/internal/host/memory"
)

const (
	maxUnpacked = 16 << 30
	maxRatio    = 500      // text that repeats itself comes to 200
	freeRatio   = 32 << 20 // bytes for which the ratio does not matter
	zstdWindow  = 64 << 20
)

// Error is about what is packed: a log of which nothing is decided. It names the file.
type Error struct{ err error }

func (e *Error) Error() string { return e.err.Error() }
func (e *Error) Unwrap() error { return e.err }

func errorf(format string, args ...any) error { return &Error{fmt.Errorf(format, args...)} }

// Unpack reads what is compressed with gzip or zstd as what it was before, and anything
// else as it is: the first bytes tell. Name is for messages, and most is Options.Unpacked.
func Unpack(r io.Reader, name string, most int64) io.ReadCloser {
	return &unpacked{name: name, most: most, packed: &counted{Reader: r}}
}

// unpacked looks at the first bytes when they are asked for, so that a pipe holds
// nothing up before.
type unpacked struct {
	name   string
	most   int64
	packed *counted
	begun  bool
	how    string // gzip or zstd; empty if it is not compressed
	plain  io.Reader
	close  func()
	n      int64 // bytes of plain
	err    error
}

type counted struct {
	io.Reader
	n   int64
	err error // other than the end
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += int64(n)
	if err != nil && err != io.EOF {
		c.err = err
	}
	return n, err
}

var (
	gzipMagic = []byte{0x1f, 0x8b}
	zstdMagic = []byte{0x28, 0xb5, 0x2f, 0xfd}
	zipMagic  = []byte("PK\x03\x04")
)

func (u *unpacked) Read(p []byte) (int, error) {
	if !u.begun {
		u.begun = true
		u.err = u.begin()
	}
	if u.err != nil {
		return 0, u.err
	}
	n, err := u.plain.Read(p)
	if u.how == "" {
		return n, err
	}
	u.n += int64(n)
	switch most := cmp.Or(u.most, maxUnpacked); {
	case err != nil && err != io.EOF:
		u.err = u.broken(err)
	case u.n > most:
		u.err = errorf("%s: decompresses to more than %s; if you trust it, allow more with --unpack SIZE", u.name, memory.Size(most))
	case u.most == 0 && u.n > freeRatio && u.n/maxRatio > u.packed.n:
		u.err = errorf("%s: decompresses to more than %d times its size, as decompression bombs do; if you trust it, allow its size with --unpack SIZE", u.name, maxRatio)
	default:
		return n, err
	}
	return 0, u.err
}

// begin finds out how the bytes are packed.
func (u *unpacked) begin() error {
	in := bufio.NewReaderSize(u.packed, 4096)
	start, _ := in.Peek(4)
	switch {
	case bytes.HasPrefix(start, gzipMagic):
		z, err := gzip.NewReader(in)
		u.how, u.plain = "gzip", &members{z, in}
		if err != nil {
			return u.broken(err)
		}
		z.Multistream(false)
	case bytes.HasPrefix(start, zstdMagic):
		z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(zstdWindow))
		u.how, u.plain = "zstd", z
		if err != nil {
			return u.broken(err)
		}
		u.close = z.Close
	case bytes.HasPrefix(start, zipMagic):
		return errorf("%s: is a zip archive; give it a name that ends in .zip to have its entries read", u.name)
	default:
		u.plain = in
	}
	return nil
}

// members are gzip data, one after the other, which gzip reads as one; its own reader takes all that follows for one more that is
// cut off.
type members struct {
	*gzip.Reader
	in *bufio.Reader
}

// errFollows is the error of what follows packed data, and is not packed.
var errFollows = errors.New("something else follows")

func (m *members) Read(p []byte) (n int, err error) {
	for {
		if n, err = m.Reader.Read(p); n > 0 || err != io.EOF {
			if err == io.EOF {
				err = nil
			}
			return n, err
		}
		start, err := m.in.Peek(len(gzipMagic))
		switch {
		case len(start) == 0:
			return 0, err
		case !bytes.HasPrefix(gzipMagic, start):
			return 0, errFollows
		}
		if err := m.Reset(m.in); err != nil {
			return 0, noEnd(err)
		}
		m.Multistream(false)
	}
}

// noEnd is an error of data that have begun.
func noEnd(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// broken says what is wrong with packed bytes; errors of reading them stay.
func (u *unpacked) broken(err error) error {
	switch {
	case u.packed.err != nil:
		return u.packed.err
	case errors.Is(err, errFollows), errors.Is(err, zstd.ErrMagicMismatch) && u.n > 0:
		return errorf("%s: after the %s data comes something else, and whether it belongs to the log nobody can tell; cut it off, or pack the log again", u.name, u.how)
	case errors.Is(err, io.ErrUnexpectedEOF), err == io.EOF:
		return errorf("%s: the %s data are truncated, and a part of them is not checked; fetch the file again", u.name, u.how)
	}
	return errorf("%s: the %s data are damaged (%w); fetch the file again", u.name, u.how, err)
}

// Close frees what unpacking holds.
func (u *unpacked) Close() error {
	if u.close != nil {
		u.close()
	}
	return nil
}
