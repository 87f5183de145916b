package history

import (
	"encoding/binary"
	"io"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/internal/host/binlog"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// binaryWriter writes calls and returns in the compact form, a few bytes each. It
// holds one block at a time, the names of methods and processes, and the
// operations that run. Times are not kept, nor the method of a return.
type binaryWriter struct {
	out io.Writer
	log binlog.Appender
	err error
	oneObject

	block     []byte // compact events
	buf       []byte // blocks
	names     map[string]int
	processes map[string]int
	calls     int
	last      int
	running   map[string]runningOp
}

// blockSize is about how many bytes of events a block has.
const blockSize = 32 << 10

func newBinaryWriter(w io.Writer) *binaryWriter {
	b := &binaryWriter{out: w, names: map[string]int{}, processes: map[string]int{}, running: map[string]runningOp{}}
	b.buf = b.log.Begin(nil)
	return b
}

func (w *binaryWriter) object(name string) error {
	w.name = name
	w.add(binlog.ObjectBlock, []byte(name))
	return w.err
}

// event writes an event. It is an error if it is too long for a block.
func (w *binaryWriter) event(e *event) error {
	if err := w.take(e, w.object); err != nil {
		return err
	}
	if e.call {
		w.running[e.id()] = runningOp{call: w.calls, process: e.process}
		w.calls++
		w.head(w.number(binlog.NameBlock, w.names, e.method)<<2, e.process)
		w.id(e.id())
	} else {
		op := w.running[e.id()]
		delete(w.running, e.id())
		process := e.process
		if process == op.process {
			process = "" // the reader knows
		}
		w.head(uint64(w.calls-1-op.call)<<2|returnFlag, process)
	}
	w.values(e.values)
	if len(w.block) >= blockSize {
		w.flush()
	}
	return w.err
}

func (w *binaryWriter) close(tail string) error {
	w.endBlock()
	if tail == "" {
		w.buf = w.log.End(w.buf, false, 0)
	}
	w.flush()
	return w.err
}

// flush writes what is held back.
func (w *binaryWriter) flush() {
	w.endBlock()
	if w.err == nil && len(w.buf) > 0 {
		_, w.err = w.out.Write(w.buf)
	}
	w.buf = w.buf[:0]
}

func (w *binaryWriter) endBlock() {
	if len(w.block) > 0 {
		w.add(binlog.EventBlock, w.block)
		w.block = w.block[:0]
	}
}

// add adds a block. One that is too long ends the log.
func (w *binaryWriter) add(kind byte, contents []byte) {
	buf, err := w.log.Block(w.buf, kind, contents)
	w.buf = buf
	if w.err == nil {
		w.err = err
	}
}

// number numbers a name; a new one gets a block before the events that use it.
func (w *binaryWriter) number(kind byte, numbers map[string]int, name string) uint64 {
	n, ok := numbers[name]
	if !ok {
		n = len(numbers)
		numbers[strings.Clone(name)] = n // which may be part of much text
		w.add(kind, []byte(name))
	}
	return uint64(n)
}

func (w *binaryWriter) head(head uint64, process string) {
	if process == "" {
		w.uvarint(head)
		return
	}
	p := w.number(binlog.ProcessBlock, w.processes, process)
	w.uvarint(head | processFlag)
	w.uvarint(p)
}

func (w *binaryWriter) id(id string) {
	n, ok := integer(id)
	if !ok || n < 0 || n > 1<<60 {
		w.uvarint(uint64(len(id))<<1 | 1)
		w.block = append(w.block, id...)
		return
	}
	w.uvarint(zigzag(n-int64(w.last)-1) << 1)
	w.last = int(n)
}

func (w *binaryWriter) values(vs []raw) {
	w.uvarint(uint64(len(vs)))
	for _, v := range vs {
		if n, ok := integer(v.text); ok && !v.quoted && n > -1<<60 && n < 1<<60 {
			w.uvarint(zigzag(n)<<2 | numberType)
			continue
		}
		typ := uint64(bareType)
		switch {
		case v.quoted, v.isText && (v.text == unknownValue || wording.IsUnusual(v.text)):
			typ = quotedType
		case v.outcome, v.isUnknown(): // no outcome has that name
			typ = namedType
		}
		w.uvarint(uint64(len(v.text))<<2 | typ)
		w.block = append(w.block, v.text...)
	}
}

func (w *binaryWriter) uvarint(n uint64) { w.block = binary.AppendUvarint(w.block, n) }

// integer is the number that a text is in its usual form.
func integer(s string) (int64, bool) {
	if s == "" || s[0] != '-' && s[0]-'0' > 9 {
		return 0, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil && strconv.FormatInt(n, 10) == s
}

// runningOp is an operation of compact events.
type runningOp struct {
	call    int // its place among the calls, from 1; 0 if there is none
	number  int // its identifier
	id      string
	process string
}

// runningOps are the operations that run: those called of late, each in a place of
// its own, and the others by their calls.
type runningOps struct {
	late [128]runningOp
	more map[int]runningOp
}

// put adds the operation that is called, by its place among the calls.
func (r *runningOps) put(call int, e *event) {
	op := &r.late[call%len(r.late)]
	if op.call != 0 {
		if r.more == nil {
			r.more = map[int]runningOp{}
		}
		r.more[op.call] = *op
	}
	op.call, op.number, op.id, op.process = call, e.number, e.op, e.process
}

// take takes an operation out; nil if it does not run. It is good until the next
// call.
func (r *runningOps) take(call int) *runningOp {
	if op := &r.late[call%len(r.late)]; op.call == call && call > 0 {
		op.call = 0
		return op
	}
	op, ok := r.more[call]
	if !ok {
		return nil
	}
	delete(r.more, call)
	return &op
}
