package binlog

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// Prefix begins every binary log. The version follows, and a newline.
const Prefix = "adtinfer-record "

// Magic begins the logs that are written: version 2.
const Magic = Prefix + "2\n"

// magic1 begins a log of version 1, which is still read.
const magic1 = Prefix + "1\n"

// The blocks of a binary log: head, contents, and the checksum of all that the
// log has up to there (4 bytes). The head is the kind (1 byte), the length of the
// contents (4 bytes), and the checksum of all up to there (4 bytes). Checksums
// are CRC-32 (IEEE) and leave each other out; all numbers are little-endian.
//
// So a block that was moved, lost or repeated is damage as well, and a length can
// be trusted: a log whose last block is short was cut off, not damaged. Version 1
// has no checksum in the head, and checksums of one block each.
const (
	ObjectBlock  = 'O' // the object's name
	NameBlock    = 'N' // a method, outcome or variable; numbered from 0
	TextBlock    = 'T' // a text value; numbered from 0
	ProcessBlock = 'P' // a process; numbered from 0
	EntryBlock   = 'E' // entries of 32 bytes, as recorded
	EventBlock   = 'C' // calls and returns in the compact form
	EndBlock     = 'Z' // the log was closed: dropped (1 byte), missing (8 bytes)
)

// blockNames are the blocks that can be too long, in messages.
var blockNames = map[byte]string{ObjectBlock: "an object's name", NameBlock: "a name", TextBlock: "a text", ProcessBlock: "a process's name", EventBlock: "an event"}

// MaxBlock is the largest length in bytes of a block's contents.
const MaxBlock = 1 << 26

const headSize = 5 // without its checksum

// Appender makes the bytes of a log, block by block: Begin, Block any number of
// times, End.
type Appender struct{ sum uint32 }

// Begin appends what a log begins with.
func (a *Appender) Begin(b []byte) []byte {
	a.sum = 0
	return a.summed(append(b, Magic...), len(Magic))
}

// Block appends a block. The error says that the contents are longer than
// MaxBlock, so that nobody could read the log; then nothing is appended.
func (a *Appender) Block(b []byte, kind byte, contents []byte) ([]byte, error) {
	if len(contents) > MaxBlock {
		return b, fmt.Errorf("binlog: %s of %d bytes does not fit into a binary log, which takes %d", blockNames[kind], len(contents), MaxBlock)
	}
	b = append(b, kind)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(contents)))
	b = binary.LittleEndian.AppendUint32(a.summed(b, headSize), a.sum)
	return binary.LittleEndian.AppendUint32(a.summed(append(b, contents...), len(contents)), a.sum), nil
}

// End appends the block that closes a log: whether entries were dropped, and how
// many are known to be missing.
func (a *Appender) End(b []byte, dropped bool, missing uint64) []byte {
	end := make([]byte, 1, 9)
	if dropped {
		end[0] = 1
	}
	b, _ = a.Block(b, EndBlock, binary.LittleEndian.AppendUint64(end, missing)) // which is short
	return b
}

// summed takes the last n bytes of b into the checksum.
func (a *Appender) summed(b []byte, n int) []byte {
	a.sum = crc32.Update(a.sum, crc32.IEEETable, b[len(b)-n:])
	return b
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
	return fmt.Sprintf("%s: this is no binary log of a version that is read here: it begins with neither %q nor %q", e.File, Magic, magic1)
}

// Blocks reads the blocks of a log, from a stream or from memory.
type Blocks struct {
	in       *bufio.Reader // nil: the log is in memory
	log      []byte        // what is left of it there
	end      error         // what comes after that
	file     string
	version1 bool
	sum      uint32 // of everything so far; of version 1, of nothing
	offset   int64
	size     int64  // of the block that was read last
	buf      []byte // that block, if it is from a stream
	closed   bool
}

// NewBlocks reads the log r, named file in errors.
func NewBlocks(r io.Reader, file string) *Blocks {
	return &Blocks{in: bufio.NewReaderSize(r, 1<<16), file: file}
}

// InMemory reads a log that is in memory and does not change, nor do the contents
// of its blocks. After it comes end: io.EOF, or why that is not all.
func InMemory(log []byte, end error, file string) *Blocks {
	return &Blocks{log: log, end: end, file: file}
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
		if _, err := b.take(1); err != nil {
			return 0, nil, b.failed(err, io.EOF)
		}
		return 0, nil, b.Damage("something after the end of the log")
	}
	kind, n, err := b.head()
	if err != nil {
		return 0, nil, err
	}
	all, err := b.take(n + 4)
	if err != nil {
		return 0, nil, b.failed(err, io.ErrUnexpectedEOF)
	}
	if !b.sound(all) {
		return 0, nil, b.Damage("a block whose checksum is wrong")
	}
	b.size, b.closed = b.size+int64(n+4), kind == EndBlock
	return kind, all[:n:n], nil
}

// take takes n bytes, which are valid until the next call. It is an error if there
// are fewer.
func (b *Blocks) take(n int) ([]byte, error) {
	if b.in == nil {
		if n > len(b.log) {
			b.log = nil
			return nil, b.end
		}
		taken := b.log[:n]
		b.log = b.log[n:]
		return taken, nil
	}
	if cap(b.buf) < n {
		b.buf = make([]byte, n)
	}
	_, err := io.ReadFull(b.in, b.buf[:n])
	return b.buf[:n], err
}

// head reads the head of a block.
func (b *Blocks) head() (kind byte, n int, err error) {
	size := headSize + 4
	if b.version1 {
		size, b.sum = headSize, 0
	}
	head, err := b.take(size)
	if err != nil {
		return 0, 0, b.failed(err, io.ErrUnexpectedEOF)
	}
	n = int(binary.LittleEndian.Uint32(head[1:]))
	switch {
	case b.version1:
		b.sum = crc32.ChecksumIEEE(head)
	case !b.sound(head):
		return 0, 0, b.Damage("the head of a block whose checksum is wrong")
	}
	if n > MaxBlock {
		return 0, 0, b.Damage("a block of %d bytes", n)
	}
	b.size = int64(size)
	return head[0], n, nil
}

// sound takes bytes into the checksum, and reports whether it is the one that
// the last four of them are.
func (b *Blocks) sound(buf []byte) bool {
	n := len(buf) - 4
	b.sum = crc32.Update(b.sum, crc32.IEEETable, buf[:n])
	return b.sum == binary.LittleEndian.Uint32(buf[n:])
}

func (b *Blocks) magic() error {
	magic, err := b.take(len(Magic))
	if err != nil && !ended(err) {
		return b.failed(err, nil)
	}
	b.version1 = err == nil && string(magic) == magic1
	if err != nil || string(magic) != Magic && !b.version1 {
		return &NotBinary{b.file}
	}
	b.offset, b.sum = int64(len(magic)), crc32.ChecksumIEEE(magic)
	return nil
}

// Tail says what it means that the log ended without being closed.
func (b *Blocks) Tail() string {
	if b.version1 {
		return "the log was not closed: its tail is missing, or damaged, which version 1 of the format does not tell apart"
	}
	return "the log was not closed: its tail is missing"
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
