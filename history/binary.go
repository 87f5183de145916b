package history

import (
	"encoding/binary"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/internal/binlog"
)

// The compact form of an event, in variable-length integers:
//
//	head      bit 0: a return; bit 1: a process follows; above: of a call the
//	          number of the method's name, of a return how many operations were
//	          called since its own
//	process   its number, if it follows
//	id        of a call: 0 is the number after that of the call before; an even
//	          number is how much further it is, zigzag, times two; an odd one is
//	          1 + twice the length of a text
//	count     of the values
//	value     bits 0 and 1 are the type: a number (the rest is the number,
//	          zigzag), or a text: in quotes, without, or the name of an outcome
//	          (the rest is its length)
const (
	returnFlag  = 1
	processFlag = 2

	numberType = 0
	quotedType = 1
	bareType   = 2
	namedType  = 3
)

// binaryLog reads a binary log. It holds one block at a time, the names and texts,
// and what it must know of the operations that run. The places of events are their
// numbers.
type binaryLog struct {
	blocks *binlog.Blocks
	binlog.Tables
	file     string
	at, size int
	missing  string // the tail
	err      error  // final

	kind   byte // of the block at hand
	block  decoder
	count  int // events so far
	event  event
	digits digits

	// Of compact events.
	calls   int // so far
	last    int // the number of the identifier of the last call
	running runningOps

	// Of entries as recorded.
	ops   int
	open  []int        // by process: the number of its running operation, or 0
	entry binlog.Entry // of which more is to come; Kind 0 if there is none
}

func newBinaryLog(r io.Reader, file string, size int) *binaryLog {
	return &binaryLog{blocks: binlog.NewBlocks(r, file), file: file, size: size}
}

func (b *binaryLog) object() (string, string) { return b.Object, "" }
func (b *binaryLog) tail() string             { return b.missing }
func (b *binaryLog) place() (at, size int)    { return max(b.at, 1), b.size }

// next is the next call or return, or io.EOF. Other errors are a
// *binlog.NotBinary, a *binlog.Damaged, or the underlying reader's.
func (b *binaryLog) next() (*event, error) {
	e := &b.event
	e.begin(Pos{File: b.file, Line: b.count + 1}, "")
	for b.err == nil {
		switch {
		case b.block.left() == 0:
			b.err = b.nextBlock()
		case b.kind == binlog.EventBlock:
			msg := b.compact(e)
			if b.block.bad {
				msg = "is cut off"
			}
			if msg != "" {
				b.err = b.blocks.Damage("event %d %s", b.count+1, msg)
				return nil, b.err
			}
			b.count++
			return e, nil
		default:
			if ok := b.takeEntry(e); ok {
				b.count++
				return e, nil
			}
		}
	}
	return nil, b.err
}

// nextBlock reads a block.
func (b *binaryLog) nextBlock() error {
	kind, contents, err := b.blocks.Next()
	if errors.Is(err, io.ErrUnexpectedEOF) {
		b.missing = b.blocks.Tail()
		return io.EOF
	}
	if err != nil {
		return err
	}
	b.at += len(contents)
	b.kind, b.block = kind, decoder{}
	switch kind {
	case binlog.EntryBlock:
		b.block.bytes = contents
		return b.blocks.CheckEntries(contents)
	case binlog.EventBlock:
		b.block.bytes = contents
		return nil
	case binlog.EndBlock:
		dropped, missing, err := b.blocks.End(contents)
		b.missing = binlog.Missing(dropped, missing)
		return err
	}
	return b.Take(b.blocks, kind, contents)
}

// compact reads a compact event. The message is what is wrong with it.
func (b *binaryLog) compact(e *event) (msg string) {
	d := &b.block
	head := d.number()
	if head&processFlag != 0 {
		p := d.number()
		if p >= uint64(len(b.Processes)) {
			return "has an unknown process"
		}
		e.process = b.Processes[p]
	}
	if head&returnFlag != 0 {
		op, ok := b.running.take(b.calls - 1 - int(min(head>>2, uint64(b.calls))))
		if !ok {
			return "returns from an operation that does not run"
		}
		e.op, e.number, e.decimal = op.id, op.number, true
		if head&processFlag == 0 {
			e.process = op.process
		}
		b.values(e)
		return ""
	}
	if head>>2 >= uint64(len(b.Names)) {
		return "has an unknown method"
	}
	e.call, e.method = true, b.Names[head>>2]
	if n := d.number(); n&1 != 0 {
		if e.op = d.text(n >> 1); e.op == "" {
			return "has no identifier"
		}
		e.number = numberOf(e.op)
	} else {
		b.last += 1 + int(unzigzag(n>>1))
		e.number, e.decimal = b.last, true
	}
	b.values(e)
	b.running.put(runningOp{b.calls, e.number, e.op, e.process})
	b.calls++
	return ""
}

// values reads the values of a compact event.
func (b *binaryLog) values(e *event) {
	d := &b.block
	n := d.number()
	if n > uint64(d.left()) {
		d.bad = true
		return
	}
	for ; n > 0; n-- {
		head := d.number()
		if head&3 == numberType {
			e.values = append(e.values, raw{text: b.number(unzigzag(head >> 2))})
			continue
		}
		e.values = append(e.values, raw{text: d.text(head >> 2), quoted: head&3 == quotedType, outcome: head&3 == namedType})
	}
}

// number is the text of a number. A log that is held in memory is read into
// something larger, and its numbers are made many to an allocation; of another one,
// each text is on its own, so that nothing else stays with it.
func (b *binaryLog) number(n int64) string {
	if b.size > 0 {
		return b.digits.of(n)
	}
	return strconv.FormatInt(n, 10)
}

// takeEntry reads an entry; ok is true if an event is complete.
func (b *binaryLog) takeEntry(e *event) (ok bool) {
	var x binlog.Entry
	x.Decode(b.block.bytes[b.block.at:])
	b.block.at += binlog.EntrySize
	if !x.Sound(len(b.Processes)) {
		b.err = b.blocks.Damage("entry %d makes no sense", x.Seq)
		return false
	}
	if b.entry.Kind == 0 {
		b.entry, e.values = x, e.values[:0]
	}
	first, msg := b.entry, ""
	switch {
	case x.What() > binlog.ReturnEntry:
	case !b.entryValues(&x, e):
		msg = "has a value of an unknown type or text"
	case x.More():
	case int(first.ID) >= len(b.Names):
		msg = "has an unknown name"
	default:
		msg = b.entryEvent(&first, e)
		ok = msg == ""
	}
	if !x.More() {
		b.entry.Kind = 0
	}
	if msg != "" {
		b.err = b.blocks.Damage("entry %d, of process %s, %s", x.Seq, b.Processes[x.Proc], msg)
	}
	return ok
}

// entryValues adds an entry's values.
func (b *binaryLog) entryValues(x *binlog.Entry, e *event) bool {
	for i := range x.Count() {
		var v raw
		switch bits := x.Vals[i]; x.Type(i) {
		case binlog.IntValue:
			v.text = b.number(int64(bits))
		case binlog.UintValue:
			v.text = strconv.FormatUint(bits, 10)
		case binlog.BoolValue:
			v.text = strconv.FormatBool(bits != 0)
		case binlog.TextValue:
			if bits >= uint64(len(b.Texts)) {
				return false
			}
			v.text = b.Texts[bits]
		default:
			return false
		}
		e.values = append(e.values, v)
	}
	return true
}

// entryEvent makes the event that begins with an entry. The message is what is
// wrong with it.
func (b *binaryLog) entryEvent(x *binlog.Entry, e *event) (msg string) {
	for int(x.Proc) >= len(b.open) {
		b.open = append(b.open, 0)
	}
	op := &b.open[x.Proc]
	e.process = b.Processes[x.Proc]
	if x.What() == binlog.CallEntry {
		if *op != 0 {
			return "calls an operation before the last one returned"
		}
		b.ops++
		*op = b.ops
		e.call, e.method, e.number, e.decimal = true, b.Names[x.ID], *op, true
		return ""
	}
	if *op == 0 {
		return "returns without a call"
	}
	e.number, e.decimal, *op = *op, true, 0
	e.values = rawResult(Outcome(b.Names[x.ID]), e.values)
	return ""
}

// runningOp is an operation of compact events.
type runningOp struct {
	call    int // its place among the calls
	number  int // its identifier
	id      string
	process string
}

// runningOps are the operations that run: mostly as many as there are processes,
// so that looking through them is quick, and the others by their calls.
type runningOps struct {
	few  []runningOp
	more map[int]runningOp
}

const maxFew = 32

func (r *runningOps) put(op runningOp) {
	if len(r.few) < maxFew {
		r.few = append(r.few, op)
		return
	}
	if r.more == nil {
		r.more = map[int]runningOp{}
	}
	r.more[op.call] = op
}

func (r *runningOps) take(call int) (op runningOp, ok bool) {
	for i := len(r.few) - 1; i >= 0; i-- {
		if op = r.few[i]; op.call == call {
			last := len(r.few) - 1
			r.few[i] = r.few[last]
			r.few = r.few[:last]
			return op, true
		}
	}
	op, ok = r.more[call]
	delete(r.more, call)
	return op, ok
}

// decoder takes a block apart.
type decoder struct {
	bytes []byte
	at    int
	bad   bool // there was less than expected
}

func (d *decoder) left() int { return len(d.bytes) - d.at }

func (d *decoder) number() uint64 {
	if d.at < len(d.bytes) && d.bytes[d.at] < 0x80 {
		d.at++
		return uint64(d.bytes[d.at-1])
	}
	n, size := binary.Uvarint(d.bytes[d.at:])
	if size <= 0 {
		d.bad, d.at = true, len(d.bytes)
		return 0
	}
	d.at += size
	return n
}

func (d *decoder) text(n uint64) string {
	if n > uint64(d.left()) {
		d.bad, d.at = true, len(d.bytes)
		return ""
	}
	d.at += int(n)
	return string(d.bytes[d.at-int(n) : d.at])
}

func zigzag(n int64) uint64   { return uint64(n)<<1 ^ uint64(n>>63) }
func unzigzag(n uint64) int64 { return int64(n>>1) ^ -int64(n&1) }

// digits makes texts of numbers, many to an allocation.
type digits struct{ text *strings.Builder }

const digitsRoom = 1 << 14

func (d *digits) of(n int64) string {
	if d.text == nil || d.text.Cap()-d.text.Len() < 20 {
		d.text = &strings.Builder{}
		d.text.Grow(digitsRoom)
	}
	var b [20]byte
	from := d.text.Len()
	d.text.Write(strconv.AppendInt(b[:0], n, 10))
	return d.text.String()[from:]
}
