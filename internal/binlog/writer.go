package binlog

import (
	"encoding/binary"
	"fmt"
	"io"
	"strconv"

	"github.com/adtinfer/adtinfer/history"
)

// Writer writes calls and returns in the compact form, a few bytes each. It
// holds one block at a time, the names of methods and processes, and the
// operations that run. It implements history.EventWriter.
type Writer struct {
	out io.Writer
	log Appender
	err error

	block   []byte // compact events
	buf     []byte // blocks
	names   map[string]int
	procs   map[string]int
	calls   int
	last    int
	running map[string]int // by identifier: place among the calls
	ran     map[string]string
}

// blockSize is about how many bytes of events a block has.
const blockSize = 32 << 10

// NewWriter begins a log.
func NewWriter(w io.Writer) *Writer {
	b := &Writer{out: w, names: map[string]int{}, procs: map[string]int{}, running: map[string]int{}, ran: map[string]string{}}
	b.buf = b.log.Begin(nil)
	return b
}

// Object names the object.
func (w *Writer) Object(name string) error {
	w.add(ObjectBlock, []byte(name))
	return w.err
}

// Event writes an event. It is an error if an operation is called that runs, or
// returns that does not, or if the event is too long for a block. Times are not kept, nor the method of a return.
func (w *Writer) Event(ev *history.Event) error {
	at, runs := w.running[ev.Op]
	if runs == ev.Call {
		return fmt.Errorf("binlog: operation %q is called twice, or returns without a call", ev.Op)
	}
	if ev.Call {
		w.call(ev)
	} else {
		w.ret(ev, at)
	}
	if len(w.block) >= blockSize {
		w.flush()
	}
	return w.err
}

// Flush writes what is held back.
func (w *Writer) Flush() error {
	w.flush()
	return w.err
}

// Close ends the log.
func (w *Writer) Close() error {
	w.endBlock()
	w.buf = w.log.End(w.buf, false, 0)
	w.flush()
	return w.err
}

func (w *Writer) flush() {
	w.endBlock()
	if w.err == nil && len(w.buf) > 0 {
		_, w.err = w.out.Write(w.buf)
	}
	w.buf = w.buf[:0]
}

func (w *Writer) endBlock() {
	if len(w.block) > 0 {
		w.add(EventBlock, w.block)
		w.block = w.block[:0]
	}
}

// add adds a block. One that is too long ends the log.
func (w *Writer) add(kind byte, contents []byte) {
	buf, err := w.log.Block(w.buf, kind, contents)
	w.buf = buf
	if w.err == nil {
		w.err = err
	}
}

// number numbers a name; a new one gets a block before the events that use it.
func (w *Writer) number(kind byte, numbers map[string]int, name string) uint64 {
	n, ok := numbers[name]
	if !ok {
		n = len(numbers)
		numbers[name] = n
		w.add(kind, []byte(name))
	}
	return uint64(n)
}

func (w *Writer) call(ev *history.Event) {
	w.running[ev.Op] = w.calls
	w.calls++
	w.head(w.number(NameBlock, w.names, ev.Method)<<2, ev.Process)
	if ev.Process != "" {
		w.ran[ev.Op] = ev.Process
	}
	w.id(ev.Op)
	w.values(ev.Args)
}

func (w *Writer) ret(ev *history.Event, at int) {
	process := ev.Process
	if process == w.ran[ev.Op] {
		process = "" // the reader knows
	}
	delete(w.running, ev.Op)
	delete(w.ran, ev.Op)
	w.head(uint64(w.calls-1-at)<<2|returnFlag, process)
	w.values(ev.Rets)
}

func (w *Writer) head(head uint64, process string) {
	if process == "" {
		w.uvarint(head)
		return
	}
	p := w.number(ProcessBlock, w.procs, process)
	w.uvarint(head | processFlag)
	w.uvarint(p)
}

func (w *Writer) id(id string) {
	n, ok := integer(id)
	if !ok || n < 0 || n > 1<<60 {
		w.uvarint(uint64(len(id))<<1 | 1)
		w.block = append(w.block, id...)
		return
	}
	w.uvarint(zigzag(n-int64(w.last)-1) << 1)
	w.last = int(n)
}

func (w *Writer) values(vs []history.Raw) {
	w.uvarint(uint64(len(vs)))
	for _, v := range vs {
		if n, ok := integer(v.Text); ok && !v.Quoted && n > -1<<60 && n < 1<<60 {
			w.uvarint(zigzag(n)<<2 | numberType)
			continue
		}
		typ := uint64(bareType)
		switch {
		case v.Quoted:
			typ = quotedType
		case v.Outcome:
			typ = namedType
		}
		w.uvarint(uint64(len(v.Text))<<2 | typ)
		w.block = append(w.block, v.Text...)
	}
}

func (w *Writer) uvarint(n uint64) { w.block = binary.AppendUvarint(w.block, n) }

// integer is the number that a text is in its usual form.
func integer(s string) (int64, bool) {
	if s == "" || s[0] != '-' && s[0]-'0' > 9 {
		return 0, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil && strconv.FormatInt(n, 10) == s
}

// ParseEnd reads the contents of an EndBlock.
func ParseEnd(contents []byte) (dropped bool, missing uint64, ok bool) {
	if len(contents) != 9 {
		return false, 0, false
	}
	return contents[0] != 0, binary.LittleEndian.Uint64(contents[1:]), true
}
