package binlog

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// Magic begins a binary log; the last byte before the newline is the version.
const Magic = "adtinfer-record 1\n"

// The blocks of a binary log: kind, length of the contents (4 bytes), contents,
// CRC-32 (IEEE) of all that (4 bytes); all numbers are little-endian.
const (
	ObjectBlock  = 'O' // the object's name
	NameBlock    = 'N' // a method, outcome or variable; numbered from 0
	TextBlock    = 'T' // a text value; numbered from 0
	ProcessBlock = 'P' // a process; numbered from 0
	EntryBlock   = 'E' // entries of 32 bytes, as recorded
	EventBlock   = 'C' // calls and returns in the compact form
	EndBlock     = 'Z' // the log was closed: dropped (1 byte), missing (8 bytes)
)

// MaxBlock is the largest length in bytes of a block's contents.
const MaxBlock = 1 << 26

// AppendBlock appends a block to b.
func AppendBlock(b []byte, kind byte, contents []byte) []byte {
	n := len(b)
	b = append(b, kind)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(contents)))
	b = append(b, contents...)
	return binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b[n:]))
}

// AppendEnd appends the block that closes a log: whether entries were dropped,
// and how many are known to be missing.
func AppendEnd(b []byte, dropped bool, missing uint64) []byte {
	end := make([]byte, 1, 9)
	if dropped {
		end[0] = 1
	}
	return AppendBlock(b, EndBlock, binary.LittleEndian.AppendUint64(end, missing))
}

// Damaged says that a file is no binary log, or no longer one.
type Damaged struct {
	File   string
	Offset int64 // in bytes, of the block that is damaged
	Msg    string
}

// Error is "file: byte offset: message; the file is damaged there".
func (d *Damaged) Error() string {
	return fmt.Sprintf("%s: byte %d: %s; the file is damaged there", d.File, d.Offset, d.Msg)
}

// NotBinary is the error of a file that does not begin as a binary log does.
type NotBinary struct{ File string }

// Error says how binary logs begin.
func (e *NotBinary) Error() string {
	return fmt.Sprintf("%s: this is no binary log of version 1: it does not begin with %q", e.File, Magic[:len(Magic)-1])
}

// Blocks reads the blocks of a log.
type Blocks struct {
	in     *bufio.Reader
	file   string
	offset int64
	size   int64 // of the block that was read last
	buf    []byte
	closed bool
}

// NewBlocks reads the log r, named file in errors.
func NewBlocks(r io.Reader, file string) *Blocks {
	return &Blocks{in: bufio.NewReaderSize(r, 1<<16), file: file}
}

// Next is the next block; the contents are valid until Next is called again.
// The error is io.EOF at the end of a log that was closed, and
// io.ErrUnexpectedEOF where one ends that was not: what was read then is good
// as far as it goes. Other errors are a *NotBinary, a *Damaged, or the reader's.
func (b *Blocks) Next() (kind byte, contents []byte, err error) {
	b.offset, b.size = b.offset+b.size, 0
	if b.offset == 0 {
		if err := b.magic(); err != nil {
			return 0, nil, err
		}
	}
	if b.closed {
		if _, err := b.in.ReadByte(); err != nil {
			return 0, nil, b.failed(err, io.EOF)
		}
		return 0, nil, b.Damage("something after the end of the log")
	}
	var head [5]byte
	if _, err := io.ReadFull(b.in, head[:]); err != nil {
		return 0, nil, b.failed(err, io.ErrUnexpectedEOF)
	}
	n := int(binary.LittleEndian.Uint32(head[1:]))
	if n > MaxBlock {
		return 0, nil, b.Damage("a block of %d bytes", n)
	}
	if cap(b.buf) < n+4 {
		b.buf = make([]byte, n+4)
	}
	buf := b.buf[:n+4]
	if _, err := io.ReadFull(b.in, buf); err != nil {
		return 0, nil, b.failed(err, io.ErrUnexpectedEOF)
	}
	sum := crc32.Update(crc32.ChecksumIEEE(head[:]), crc32.IEEETable, buf[:n])
	if sum != binary.LittleEndian.Uint32(buf[n:]) {
		return 0, nil, b.Damage("a block whose checksum is wrong")
	}
	b.size, b.closed = int64(len(head)+len(buf)), head[0] == EndBlock
	return head[0], buf[:n], nil
}

func (b *Blocks) magic() error {
	magic := make([]byte, len(Magic))
	_, err := io.ReadFull(b.in, magic)
	if err != nil && !ended(err) {
		return b.failed(err, nil)
	}
	if string(magic) != Magic {
		return &NotBinary{b.file}
	}
	b.offset = int64(len(magic))
	return nil
}

// Damage is the error of a block that makes no sense: the last one that was
// read.
func (b *Blocks) Damage(format string, args ...any) error {
	return &Damaged{b.file, b.offset, fmt.Sprintf(format, args...)}
}

// failed is the error of a read: end if there was nothing more.
func (b *Blocks) failed(err, end error) error {
	if ended(err) {
		return end
	}
	return fmt.Errorf("reading %s: %w", b.file, err)
}

func ended(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }
