package record

import (
	"fmt"
	"io"

	"github.com/adtinfer/adtinfer/internal/host/binlog"
	"github.com/adtinfer/adtinfer/record/internal/tape"
)

// ReadBinary reads a binary log; file is its name in errors. If the file ends
// before the recorder closed it, as after a crash, what is there is the log,
// and Cut is set. Other damage is an error with the offset in bytes.
func ReadBinary(r io.Reader, file string) (*Log, error) {
	b := &binaryReader{file: file, blocks: binlog.NewBlocks(r, file)}
	b.log.tape.Names = &tape.Names{}
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
	t := &b.log.tape
	for n := len(t.Entries); n > 0 && t.Entries[n-1].More(); n-- {
		t.Entries = t.Entries[:n-1]
	}
	return &b.log, nil
}

type binaryReader struct {
	file   string
	blocks *binlog.Blocks
	log    Log
}

func (b *binaryReader) take(kind byte, contents []byte) (err error) {
	t := &b.log.tape
	switch kind {
	case binlog.ObjectBlock:
		b.log.Object = string(contents)
	case binlog.NameBlock:
		t.Names.ID(string(contents))
		if t.Names.Full() != nil {
			return b.blocks.Damage("more than 65536 names")
		}
	case binlog.TextBlock:
		t.Names.TextID(string(contents))
	case binlog.ProcessBlock:
		t.Procs = append(t.Procs, string(contents))
	case binlog.EntryBlock:
		return b.takeEntries(contents)
	case binlog.EndBlock:
		b.log.Dropped, b.log.Missing, err = b.blocks.End(contents)
	case binlog.EventBlock:
		return fmt.Errorf("%s: the log was converted and has calls and returns only; check it against a theory", b.file)
	default:
		return b.blocks.Damage("a block of the unknown kind %q", kind)
	}
	return err
}

func (b *binaryReader) takeEntries(contents []byte) error {
	if err := b.blocks.CheckEntries(contents); err != nil {
		return err
	}
	t := &b.log.tape
	for ; len(contents) > 0; contents = contents[binlog.EntrySize:] {
		var e tape.Entry
		e.Decode(contents)
		if int(e.Proc) >= len(t.Procs) || e.Count() > 2 || e.What() < binlog.CallEntry || e.What() > binlog.ReleaseEntry {
			return b.blocks.Damage("entry %d makes no sense", e.Seq)
		}
		t.Entries = append(t.Entries, e)
	}
	return nil
}
