package binlog

import (
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/history"
)

// Visit hands the events of the log r to v, in a fraction of the time that a
// Reader takes, and with no allocation for an event. It is false if v says no, or
// if something in the log is wrong or merely unusual, as in history.Visit; then a
// Reader says what. The tail is as that of Reader.Tail.
func Visit(r io.Reader, sig history.Signature, v history.Visitor) (tail string, ok bool) {
	w := visit{log: Reader{blocks: NewBlocks(r, "")}, calls: history.NewCalls(sig, v)}
	for {
		kind, contents, err := w.log.blocks.Next()
		switch {
		case errors.Is(err, io.ErrUnexpectedEOF):
			return w.log.blocks.tail(), true
		case err == io.EOF:
			return w.log.tail, true
		case err != nil:
			return "", false
		}
		if !w.block(kind, contents) {
			return "", false
		}
	}
}

func (w *visit) block(kind byte, contents []byte) bool {
	if kind != EntryBlock && kind != EventBlock {
		return w.log.other(kind, contents) == nil
	}
	if w.only == 0 {
		w.only = kind
	}
	switch {
	case kind != w.only:
		return false // operations are numbered in two ways
	case kind == EntryBlock:
		return w.entries(contents)
	}
	return w.events(contents)
}

// visit takes events apart without making any.
type visit struct {
	log    Reader // its names, texts and processes
	calls  *history.Calls
	values []string
	digits digits

	open  []int // by process: 1 + the operation that it runs, as recorded
	entry Entry // of which more is to come; Kind 0 if there is none
	only  byte  // the kind of its blocks of events
}

// events takes a block of compact events. Identifiers that are not the numbers in
// turn are unusual: they may come twice.
func (w *visit) events(contents []byte) bool {
	d := &decoder{block: contents}
	for d.left() > 0 {
		head, process := d.number(), ""
		if head&processFlag != 0 {
			p := d.number()
			if p >= uint64(len(w.log.procs)) {
				return false
			}
			process = w.log.procs[p]
		}
		if head&returnFlag != 0 {
			op := w.calls.Len() - 1 - int(min(head>>2, uint64(w.calls.Len())))
			first, ok := w.take(d)
			if !ok || !w.calls.Return(op, process, w.values, first == quotedType, first == namedType) {
				return false
			}
			continue
		}
		if head>>2 >= uint64(len(w.log.names)) || d.number() != 0 {
			return false
		}
		if _, ok := w.take(d); !ok || !w.calls.Call(w.log.names[head>>2], process, w.values) {
			return false
		}
	}
	return !d.bad
}

// take takes the values of a compact event, and says the type of the first.
func (w *visit) take(d *decoder) (first uint64, ok bool) {
	w.values = w.values[:0]
	for n := d.number(); n > 0; n-- {
		head := d.number()
		if len(w.values) == 0 {
			first = head & 3
		}
		if head&3 == numberType {
			w.values = append(w.values, w.digits.of(unzigzag(head>>2)))
		} else {
			w.values = append(w.values, d.text(head>>2))
		}
		if d.bad {
			return first, false
		}
	}
	return first, !d.bad
}

// entries takes a block of entries as recorded.
func (w *visit) entries(contents []byte) bool {
	if len(contents)%EntrySize != 0 {
		return false
	}
	for ; len(contents) > 0; contents = contents[EntrySize:] {
		var e Entry
		e.Decode(contents)
		if !e.sound(len(w.log.procs)) || !w.one(&e) {
			return false
		}
	}
	return true
}

// one takes an entry.
func (w *visit) one(e *Entry) bool {
	if w.entry.Kind == 0 {
		w.entry, w.values = *e, w.values[:0]
	}
	if w.entry.what() != e.what() {
		return false
	}
	for i := 0; i < e.count() && e.what() <= ReturnEntry; i++ {
		if typ := e.Types >> (4 * i) & 0x0f; typ == IntValue {
			w.values = append(w.values, w.digits.of(int64(e.Vals[i])))
		} else if v, ok := e.value(i, w.log.texts); ok {
			w.values = append(w.values, v.Text)
		} else {
			return false
		}
	}
	if e.more() {
		return true
	}
	first := w.entry
	w.entry.Kind = 0
	if first.what() > ReturnEntry {
		return true
	}
	if int(first.ID) >= len(w.log.names) {
		return false
	}
	for int(first.Proc) >= len(w.open) {
		w.open = append(w.open, 0)
	}
	name, process, op := w.log.names[first.ID], w.log.procs[first.Proc], &w.open[first.Proc]
	if first.what() == CallEntry {
		if *op != 0 {
			return false
		}
		*op = w.calls.Len() + 1
		return w.calls.Call(name, process, w.values)
	}
	ran := *op
	*op = 0
	return ran != 0 && w.calls.Answer(ran-1, process, history.Outcome(name), w.values)
}

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
