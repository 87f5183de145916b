package history

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"strconv"
	"unsafe"

	"github.com/adtinfer/adtinfer/internal/host/binlog"
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
	file    string
	size    int    // in memory; 0 for a stream
	missing string // the tail
	err     error  // final

	kind   byte   // of the block at hand
	block  []byte // its contents
	from   int    // where its next event begins
	ends   int    // how many bytes the blocks so far have
	count  int    // events so far
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

// newBinaryLog reads the log src, after which comes end, or in if that is not nil.
func newBinaryLog(file, src string, in *bufio.Reader, end error) *binaryLog {
	if in != nil {
		return &binaryLog{blocks: binlog.NewBlocks(in, file), file: file}
	}
	bytes := unsafe.Slice(unsafe.StringData(src), len(src)) // which are only read
	return &binaryLog{blocks: binlog.InMemory(bytes, end, file), file: file, size: len(src)}
}

func (b *binaryLog) object() (string, string) { return b.Object, "" }
func (b *binaryLog) tail() string             { return b.missing }
func (b *binaryLog) place() (at, size int)    { return max(b.ends-len(b.block)+b.from, 1), b.size }

// estimateBinary is about how many operations a log in memory has.
func estimateBinary(src string) int {
	b := newBinaryLog("", src, nil, io.EOF)
	for {
		_, err := b.next()
		ops := b.calls + b.ops
		if err != nil {
			return ops
		}
		if at, size := b.place(); at >= 1<<16 {
			return int(float64(ops) * float64(size) / float64(at))
		}
	}
}

// next is the next call or return, or io.EOF. Other errors are a
// *binlog.NotBinary, a *binlog.Damaged, or the underlying reader's.
func (b *binaryLog) next() (*event, error) {
	e := &b.event
	e.begin(Pos{File: b.file, Line: b.count + 1}, "")
	for b.err == nil {
		switch {
		case b.from == len(b.block):
			b.err = b.nextBlock()
		case b.kind == binlog.EventBlock:
			msg := b.compact(e)
			if b.from > len(b.block) {
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
	b.ends += len(contents)
	b.kind, b.block, b.from = kind, nil, 0
	switch kind {
	case binlog.EntryBlock:
		b.block = contents
		return b.blocks.CheckEntries(contents)
	case binlog.EventBlock:
		b.block = contents
		return nil
	case binlog.EndBlock:
		dropped, missing, err := b.blocks.End(contents)
		b.missing = binlog.Missing(dropped, missing)
		return err
	}
	return b.Take(b.blocks, kind, contents)
}

// compact reads a compact event. The message is what is wrong with it; the next
// one begins beyond the block if there was less than expected.
func (b *binaryLog) compact(e *event) (msg string) {
	head, at := number(b.block, b.from)
	if head&processFlag != 0 {
		var p uint64
		if p, at = number(b.block, at); p >= uint64(len(b.Processes)) {
			b.from = at
			return "has an unknown process"
		}
		e.process = b.Processes[p]
	}
	if head&returnFlag != 0 {
		op := b.running.take(b.calls - int(min(head>>2, uint64(b.calls))))
		if op == nil {
			b.from = at
			return "returns from an operation that does not run"
		}
		e.op, e.number, e.decimal = op.id, op.number, true
		if head&processFlag == 0 {
			e.process = op.process
		}
		b.from = b.values(e, at)
		return ""
	}
	if head>>2 >= uint64(len(b.Names)) {
		b.from = at
		return "has an unknown method"
	}
	e.call, e.method = true, b.Names[head>>2]
	n, at := number(b.block, at)
	if n&1 != 0 {
		if e.op, at = b.text(n>>1, at); e.op == "" {
			b.from = at
			return "has no identifier"
		}
		e.number = numberOf(e.op)
	} else {
		b.last += 1 + int(unzigzag(n>>1))
		e.number, e.decimal = b.last, true
	}
	b.calls++
	b.running.put(b.calls, e)
	b.from = b.values(e, at)
	return ""
}

// values reads the values of a compact event from a place on, and returns where
// they end.
func (b *binaryLog) values(e *event, at int) int {
	n, at := number(b.block, at)
	if at > len(b.block) || n > uint64(len(b.block)-at) {
		return len(b.block) + 1
	}
	for ; n > 0; n-- {
		var head uint64
		var v raw
		if head, at = number(b.block, at); head&3 == numberType {
			v.text = b.number(unzigzag(head >> 2))
		} else {
			v.text, at = b.text(head>>2, at)
			v.quoted, v.outcome = head&3 == quotedType, head&3 == namedType
			if v.text == unknownValue {
				v.isText, v.outcome = !v.outcome, false
			}
		}
		e.values = append(e.values, v)
	}
	return at
}

// number reads a number, and returns where it ends: beyond the block if that does
// not have it.
func number(block []byte, at int) (n uint64, end int) {
	if uint(at) < uint(len(block)) && block[at] < 0x80 {
		return uint64(block[at]), at + 1
	}
	return longNumber(block, at)
}

func longNumber(block []byte, at int) (n uint64, end int) {
	if at < len(block) {
		if n, size := binary.Uvarint(block[at:]); size > 0 {
			return n, at + size
		}
	}
	return 0, len(block) + 1
}

// text reads a text of n bytes, and returns where it ends, as number does. Of a log
// in memory, which does not change, it is a part.
func (b *binaryLog) text(n uint64, at int) (string, int) {
	if at > len(b.block) || n > uint64(len(b.block)-at) {
		return "", len(b.block) + 1
	}
	text := b.block[at : at+int(n)]
	if b.size > 0 {
		return unsafe.String(unsafe.SliceData(text), len(text)), at + int(n)
	}
	return string(text), at + int(n)
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
	x.Decode(b.block[b.from:])
	b.from += binlog.EntrySize
	if !x.Sound(len(b.Processes)) {
		b.err = b.blocks.Damage("entry %d makes no sense", x.Seq)
		return false
	}
	first := &b.entry
	if first.Kind == 0 {
		first, e.values = &x, e.values[:0]
	}
	msg := ""
	switch {
	case x.What() > binlog.ReturnEntry:
	case !b.entryValues(&x, e):
		msg = "has a value of an unknown type or text"
	case x.More():
	case int(first.ID) >= len(b.Names):
		msg = "has an unknown name"
	default:
		msg = b.entryEvent(first, e)
		ok = msg == ""
	}
	if !x.More() {
		b.entry.Kind = 0
	} else if first == &x {
		b.entry = x
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
			v.text, v.isText = b.Texts[bits], b.Texts[bits] == unknownValue
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

func zigzag(n int64) uint64   { return uint64(n)<<1 ^ uint64(n>>63) }
func unzigzag(n uint64) int64 { return int64(n>>1) ^ -int64(n&1) }

// digits makes texts of numbers, many to an allocation.
type digits struct{ room []byte }

const digitsRoom = 1 << 14

func (d *digits) of(n int64) string {
	if len(d.room) < 20 {
		d.room = make([]byte, digitsRoom)
	}
	room, rest := d.room, uint64(n)
	if n < 0 {
		rest = -rest
	}
	i := len(room) - 1 // from the end, where the length need not be known
	for ; rest >= 10; i-- {
		room[i] = '0' + byte(rest%10)
		rest /= 10
	}
	room[i] = '0' + byte(rest)
	if n < 0 {
		i--
		room[i] = '-'
	}
	d.room = room[:i]
	return unsafe.String(&room[i], len(room)-i) // nobody changes it
}
