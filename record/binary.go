package record

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/adtinfer/adtinfer/history"
)

// binaryMagic begins a binary log; the last byte before the newline is the
// version.
const binaryMagic = "adtinfer-record 1\n"

// The blocks of a binary log: kind, length of the contents (4 bytes), contents,
// CRC-32 (IEEE) of all that (4 bytes); all numbers are little-endian.
const (
	objectBlock  = 'O' // the object's name
	nameBlock    = 'N' // a method, outcome or variable; numbered from 0
	textBlock    = 'T' // a text value; numbered from 0
	processBlock = 'P' // a handle's name; numbered from 0
	entryBlock   = 'E' // entries of 32 bytes
	endBlock     = 'Z' // the log was closed: dropped (1 byte), missing (8 bytes)
)

// maxBlock is the largest length of a block's contents that a reader believes.
const maxBlock = 1 << 26

// binaryWriter writes a binary log. An error stays.
type binaryWriter struct {
	out   *bufio.Writer
	names *names
	procs func() []string

	nNames, nTexts, nProcs int // written so far
	entries                []byte
	err                    error
}

func newBinaryWriter(w io.Writer, object string, n *names, procs func() []string) *binaryWriter {
	b := &binaryWriter{out: bufio.NewWriterSize(w, 1<<16), names: n, procs: procs}
	b.out.WriteString(binaryMagic)
	if object != "" {
		b.block(objectBlock, []byte(object))
	}
	return b
}

func (b *binaryWriter) block(kind byte, contents []byte) {
	var head [5]byte
	head[0] = kind
	binary.LittleEndian.PutUint32(head[1:], uint32(len(contents)))
	b.out.Write(head[:]) // an error comes again from Flush
	b.out.Write(contents)
	b.out.Write(binary.LittleEndian.AppendUint32(nil, checksum(head, contents)))
}

// checksum is that of a block: of its kind, length and contents.
func checksum(head [5]byte, contents []byte) uint32 {
	return crc32.Update(crc32.ChecksumIEEE(head[:]), crc32.IEEETable, contents)
}

// add takes entries. They reach the file with flush, or when there are many.
func (b *binaryWriter) add(es []entry) {
	for i := range es {
		n := len(b.entries)
		b.entries = append(b.entries, make([]byte, entrySize)...)
		es[i].encode(b.entries[n:])
	}
	if len(b.entries) >= 1<<15 {
		b.flush()
	}
}

// flush writes what was added, and before it the names that are new: names are
// made before the entries that use them.
func (b *binaryWriter) flush() error {
	if len(b.entries) > 0 {
		b.tables()
		b.block(entryBlock, b.entries)
		b.entries = b.entries[:0]
	}
	if err := b.out.Flush(); err != nil && b.err == nil {
		b.err = fmt.Errorf("record: writing the log: %w", err)
	}
	return b.err
}

func (b *binaryWriter) tables() {
	b.names.mu.RLock()
	newNames, newTexts := b.names.names[b.nNames:], b.names.list[b.nTexts:]
	b.names.mu.RUnlock()
	newProcs := b.procs()[b.nProcs:]
	b.table(nameBlock, newNames, &b.nNames)
	b.table(textBlock, newTexts, &b.nTexts)
	b.table(processBlock, newProcs, &b.nProcs)
}

func (b *binaryWriter) table(kind byte, list []string, written *int) {
	for _, s := range list {
		b.block(kind, []byte(s))
	}
	*written += len(list)
}

func (b *binaryWriter) close(dropped bool, missing uint64) error {
	b.flush()
	end := make([]byte, 1, 9)
	if dropped {
		end[0] = 1
	}
	b.block(endBlock, binary.LittleEndian.AppendUint64(end, missing))
	return b.flush()
}

// WriteBinary writes the log in the binary form, in which nothing is lost.
func (l *Log) WriteBinary(w io.Writer) error {
	b := newBinaryWriter(w, l.Object, l.names, func() []string { return l.procs })
	b.tables() // even if there are no entries
	l.each(func(es []entry) error {
		b.add(es)
		return b.err
	})
	if l.Cut {
		return b.flush()
	}
	return b.close(l.Dropped, l.Missing)
}

// ReadBinary reads a binary log; file is its name in errors. If the file ends
// before the recorder closed it, as after a crash, what is there is the log,
// and Cut is set. Other damage is an error with the offset in bytes.
func ReadBinary(r io.Reader, file string) (*Log, error) {
	b := &binaryReader{in: bufio.NewReaderSize(r, 1<<16), file: file}
	b.log.names = &names{ids: map[string]uint16{}, texts: map[string]uint64{}}
	magic := make([]byte, len(binaryMagic))
	if _, err := io.ReadFull(b.in, magic); err != nil && !ended(err) {
		return nil, fmt.Errorf("record: reading %s: %w", file, err)
	}
	if string(magic) != binaryMagic {
		return nil, fmt.Errorf("record: %s: this is no binary log of version 1: it does not begin with %q", file, binaryMagic[:len(binaryMagic)-1])
	}
	b.offset = int64(len(magic))
	for !b.closed {
		err := b.block()
		if ended(err) {
			b.log.Cut = true
			break
		}
		if err != nil {
			return nil, err
		}
	}
	if _, err := b.in.ReadByte(); b.closed && err == nil {
		return nil, b.damaged("something after the end of the log")
	}
	// A crash may cut a block of entries off between an entry and what continues it.
	for n := len(b.log.entries); n > 0 && b.log.entries[n-1].more(); n-- {
		b.log.entries = b.log.entries[:n-1]
	}
	return &b.log, nil
}

func ended(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }

type binaryReader struct {
	in     *bufio.Reader
	file   string
	offset int64
	log    Log
	buf    []byte
	closed bool
}

// block reads a block; io.EOF and io.ErrUnexpectedEOF if there is no whole one.
func (b *binaryReader) block() error {
	var head [5]byte
	if _, err := io.ReadFull(b.in, head[:]); err != nil {
		return b.failed(err)
	}
	n := int(binary.LittleEndian.Uint32(head[1:]))
	if n > maxBlock {
		return b.damaged("a block of %d bytes", n)
	}
	if cap(b.buf) < n+4 {
		b.buf = make([]byte, n+4)
	}
	buf := b.buf[:n+4]
	if _, err := io.ReadFull(b.in, buf); err != nil {
		return b.failed(err)
	}
	contents := buf[:n]
	if checksum(head, contents) != binary.LittleEndian.Uint32(buf[n:]) {
		return b.damaged("a block whose checksum is wrong")
	}
	if err := b.take(head[0], contents); err != nil {
		return err
	}
	b.offset += int64(len(head) + len(buf))
	return nil
}

func (b *binaryReader) failed(err error) error {
	if ended(err) {
		return err
	}
	return fmt.Errorf("record: reading %s: %w", b.file, err)
}

func (b *binaryReader) damaged(format string, args ...any) error {
	return fmt.Errorf("record: %s: byte %d: %s; the file is damaged there", b.file, b.offset, fmt.Sprintf(format, args...))
}

func (b *binaryReader) take(kind byte, contents []byte) error {
	n := b.log.names
	switch kind {
	case objectBlock:
		b.log.Object = string(contents)
	case nameBlock:
		if len(n.names) > 0xffff {
			return b.damaged("more than 65536 names")
		}
		n.id(string(contents))
	case textBlock:
		n.textID(string(contents))
	case processBlock:
		b.log.procs = append(b.log.procs, string(contents))
	case entryBlock:
		return b.takeEntries(contents)
	case endBlock:
		if len(contents) != 9 {
			return b.damaged("an end of %d bytes", len(contents))
		}
		b.log.Dropped, b.log.Missing = contents[0] != 0, binary.LittleEndian.Uint64(contents[1:])
		b.closed = true
	default:
		return b.damaged("a block of the unknown kind %q", kind)
	}
	return nil
}

func (b *binaryReader) takeEntries(contents []byte) error {
	if len(contents)%entrySize != 0 {
		return b.damaged("%d bytes of entries, which have %d each", len(contents), entrySize)
	}
	for ; len(contents) > 0; contents = contents[entrySize:] {
		var e entry
		e.decode(contents)
		if int(e.proc) >= len(b.log.procs) || e.count() > 2 || e.what() < callEntry || e.what() > releaseEntry {
			return b.damaged("entry %d makes no sense", e.seq)
		}
		b.log.entries = append(b.log.entries, e)
		if !e.more() {
			b.log.count++
		}
	}
	return nil
}

// Format is a form of logs that histories are read from.
type Format int

const (
	// TextFormat is what history.WriteText writes.
	TextFormat Format = iota
	// JSONFormat is what history.WriteJSON writes.
	JSONFormat
)

// Convert reads a binary log, named file in errors, and writes its calls and
// returns as text or JSON Lines, with a comment if its tail is missing. The
// result is the log. The whole log is held in memory.
func Convert(w io.Writer, r io.Reader, file string, f Format) (*Log, error) {
	l, err := ReadBinary(r, file)
	if err != nil {
		return nil, err
	}
	return l, l.write(w, f)
}

// WriteText writes the calls and returns as a text log, with a comment if the
// log's tail is missing.
func (l *Log) WriteText(w io.Writer) error { return l.write(w, TextFormat) }

// WriteJSON writes the calls and returns as JSON Lines, with a comment if the
// log's tail is missing.
func (l *Log) WriteJSON(w io.Writer) error { return l.write(w, JSONFormat) }

func (l *Log) write(w io.Writer, f Format) error {
	e, err := l.Execution()
	if err != nil {
		return err
	}
	write := history.WriteText
	if f == JSONFormat {
		write = history.WriteJSON
	}
	if err := write(w, e); err != nil {
		return err
	}
	if d := l.qualify(Result{}).Detail; d != "" {
		_, err = fmt.Fprintf(w, "# %s\n", d)
	}
	return err
}
