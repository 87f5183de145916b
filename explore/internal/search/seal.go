package search

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"strings"
)

// A checkpoint begins with this, its version and a newline.
const (
	prefix  = "adtinfer-exploration "
	version = "1"
	magic   = prefix + version + "\n"
)

// sealedBytes is how many bytes a piece of a checkpoint has at most.
const sealedBytes = 1 << 16

// What is wrong with a checkpoint, but for what is in it.
var (
	errForeign = errors.New("this is no checkpoint of an exploration")
	errCut     = errors.New("the checkpoint is cut off")
	errDamaged = errors.New("the checkpoint is damaged")
)

// sealer writes pieces: their length, their bytes, and the checksum of all bytes so
// far, the lengths too. An empty piece is the last one.
type sealer struct {
	w     io.Writer
	sum   uint32
	begun bool
}

func (s *sealer) Write(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for rest := p; len(rest) > 0; {
		n := min(len(rest), sealedBytes)
		if err := s.piece(rest[:n]); err != nil {
			return 0, err
		}
		rest = rest[n:]
	}
	return len(p), nil
}

func (s *sealer) end() error { return s.piece(nil) }

func (s *sealer) piece(p []byte) error {
	var b []byte
	if !s.begun {
		b, s.begun = append(b, magic...), true
	}
	at := len(b)
	b = append(binary.LittleEndian.AppendUint32(b, uint32(len(p))), p...)
	s.sum = crc32.Update(s.sum, crc32.IEEETable, b[at:])
	_, err := s.w.Write(binary.LittleEndian.AppendUint32(b, s.sum))
	return err
}

// unsealer reads what a sealer wrote: begin, Read to the end, end.
type unsealer struct {
	r    io.Reader
	sum  uint32
	rest []byte
	buf  [4 + sealedBytes + 4]byte
	last bool
	err  error
}

func (u *unsealer) begin() error {
	b := make([]byte, len(magic))
	n, err := io.ReadFull(u.r, b)
	if err != nil && !short(err) {
		return err
	}
	line, _, _ := strings.Cut(string(b[:n]), "\n")
	switch v, ok := strings.CutPrefix(line, prefix); {
	case !ok:
		return errForeign
	case v != version:
		return fmt.Errorf("the checkpoint is of version %s of its format, not %s: explore from the start", v, version)
	}
	return nil
}

func (u *unsealer) Read(p []byte) (int, error) {
	for len(u.rest) == 0 && u.err == nil {
		u.err = u.piece()
	}
	if len(u.rest) == 0 {
		return 0, u.err
	}
	n := copy(p, u.rest)
	u.rest = u.rest[n:]
	return n, nil
}

// piece reads the next piece. The error is io.EOF after the last one.
func (u *unsealer) piece() error {
	if u.last {
		return io.EOF
	}
	if _, err := io.ReadFull(u.r, u.buf[:4]); err != nil {
		return cut(err)
	}
	n := binary.LittleEndian.Uint32(u.buf[:])
	if n > sealedBytes {
		return errDamaged
	}
	if _, err := io.ReadFull(u.r, u.buf[4:8+n]); err != nil {
		return cut(err)
	}
	u.sum = crc32.Update(u.sum, crc32.IEEETable, u.buf[:4+n])
	if u.sum != binary.LittleEndian.Uint32(u.buf[4+n:]) {
		return errDamaged
	}
	u.rest, u.last = u.buf[4:4+n], n == 0
	return nil
}

// end reports an error unless all has been read.
func (u *unsealer) end() error {
	if n, err := io.Copy(io.Discard, u); err != nil {
		return err
	} else if n > 0 {
		return errDamaged
	}
	if n, err := u.r.Read(u.buf[:1]); n > 0 {
		return errDamaged
	} else if err != nil && err != io.EOF {
		return err
	}
	return nil
}

// because is the reason why the contents could not be read: that of the file comes first.
func (u *unsealer) because(err error) error {
	if u.err != nil && u.err != io.EOF {
		return u.err
	}
	return fmt.Errorf("the checkpoint cannot be used: %w", err)
}

// cut says that a file ends too early.
func cut(err error) error {
	if short(err) {
		return errCut
	}
	return err
}

func short(err error) bool { return err == io.EOF || err == io.ErrUnexpectedEOF }
