package record

import (
	"bufio"
	"fmt"
	"io"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/binlog"
)

// binaryWriter writes a binary log. An error stays.
type binaryWriter struct {
	out   *bufio.Writer
	log   binlog.Appender
	names *names
	procs func() []string

	nNames, nTexts, nProcs int // written so far
	entries, buf           []byte
	err                    error
}

func newBinaryWriter(w io.Writer, object string, n *names, procs func() []string) *binaryWriter {
	b := &binaryWriter{out: bufio.NewWriterSize(w, 1<<16), names: n, procs: procs}
	b.out.Write(b.log.Begin(nil))
	if object != "" {
		b.block(binlog.ObjectBlock, []byte(object))
	}
	return b
}

// block writes a block. After one that is too long nothing is written: the log
// is one that was cut off.
func (b *binaryWriter) block(kind byte, contents []byte) {
	if b.err != nil {
		return
	}
	buf, err := b.log.Block(b.buf[:0], kind, contents)
	if err != nil {
		b.err = fmt.Errorf("record: writing the log: %w", err)
		return
	}
	b.buf = buf
	b.out.Write(b.buf) // an error comes again from Flush
}

// add takes entries. They reach the file with flush, or when there are many.
func (b *binaryWriter) add(es []entry) {
	for i := range es {
		n := len(b.entries)
		b.entries = append(b.entries, make([]byte, binlog.EntrySize)...)
		es[i].encode(b.entries[n:])
		if len(b.entries) >= 1<<15 {
			b.flush()
		}
	}
}

// flush writes what was added, and before it the names that are new: names are
// made before the entries that use them.
func (b *binaryWriter) flush() error {
	if len(b.entries) > 0 {
		b.tables()
		b.block(binlog.EntryBlock, b.entries)
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
	b.table(binlog.NameBlock, newNames, &b.nNames)
	b.table(binlog.TextBlock, newTexts, &b.nTexts)
	b.table(binlog.ProcessBlock, newProcs, &b.nProcs)
}

func (b *binaryWriter) table(kind byte, list []string, written *int) {
	for _, s := range list {
		b.block(kind, []byte(s))
	}
	*written += len(list)
}

func (b *binaryWriter) close(dropped bool, missing uint64) error {
	if err := b.flush(); err != nil {
		return err
	}
	b.out.Write(b.log.End(nil, dropped, missing))
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
	b := &binaryReader{file: file, blocks: binlog.NewBlocks(r, file)}
	for {
		kind, contents, err := b.blocks.Next()
		if err == nil {
			err = b.take(kind, contents)
		}
		b.log.Cut = err == io.ErrUnexpectedEOF
		if b.log.Cut || err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("record: %w", err)
		}
	}
	// A crash may cut a block of entries off between an entry and what continues it.
	for n := len(b.log.entries); n > 0 && b.log.entries[n-1].more(); n-- {
		b.log.entries = b.log.entries[:n-1]
	}
	n := &names{ids: map[string]uint16{}, texts: map[string]uint64{}}
	for _, name := range b.tables.Names {
		n.id(name)
	}
	for _, text := range b.tables.Texts {
		n.textID(text)
	}
	b.log.Object, b.log.procs, b.log.names = b.tables.Object, b.tables.Processes, n
	return &b.log, nil
}

type binaryReader struct {
	file   string
	blocks *binlog.Blocks
	tables binlog.Tables
	log    Log
}

func (b *binaryReader) take(kind byte, contents []byte) (err error) {
	switch kind {
	case binlog.EntryBlock:
		return b.takeEntries(contents)
	case binlog.EndBlock:
		b.log.Dropped, b.log.Missing, err = b.blocks.End(contents)
		return err
	case binlog.EventBlock:
		return fmt.Errorf("%s: the log was converted and has calls and returns only; check it against a theory", b.file)
	case binlog.NameBlock:
		if len(b.tables.Names) > 0xffff {
			return b.blocks.Damage("more than 65536 names")
		}
	}
	return b.tables.Take(b.blocks, kind, contents)
}

func (b *binaryReader) takeEntries(contents []byte) error {
	if err := b.blocks.CheckEntries(contents); err != nil {
		return err
	}
	for ; len(contents) > 0; contents = contents[binlog.EntrySize:] {
		var e entry
		e.decode(contents)
		if int(e.proc) >= len(b.tables.Processes) || e.count() > 2 || e.what() < callEntry || e.what() > releaseEntry {
			return b.blocks.Damage("entry %d makes no sense", e.seq)
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
	if d := l.tail(); d != "" {
		_, err = fmt.Fprintf(w, "# %s\n", d)
	}
	return err
}
