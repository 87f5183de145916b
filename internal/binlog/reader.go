package binlog

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/adtinfer/adtinfer/history"
)

// Reader reads the calls and returns of a log. It holds one block at a time,
// the names and texts, and what it must know of the operations that run. It
// implements history.Events; the places of events are Event.Pos with column 0.
type Reader struct {
	blocks *Blocks
	file   string
	object string
	names  []string
	texts  []string
	procs  []string

	queue []history.Event // read and not handed out
	next  int
	err   error // after the queue

	events   int
	recorded recorded
	compact  compact
	tail     string
}

// NewReader reads the log r; file is its name in errors.
func NewReader(r io.Reader, file string) *Reader {
	return &Reader{blocks: NewBlocks(r, file), file: file}
}

// Object is the object's name, or "".
func (r *Reader) Object() string { return r.object }

// Tail says in a clause what is missing at the end of the log, or nothing. It
// is known once Next has said io.EOF.
func (r *Reader) Tail() string { return r.tail }

// Next is the next call or return, or io.EOF. Other errors are a *NotBinary, a
// *Damaged, or the underlying reader's.
func (r *Reader) Next() (history.Event, error) {
	for r.next == len(r.queue) {
		if r.err != nil {
			return history.Event{}, r.err
		}
		r.queue, r.next = r.queue[:0], 0
		r.err = r.block()
	}
	r.next++
	return r.queue[r.next-1], nil
}

// block reads a block.
func (r *Reader) block() error {
	kind, contents, err := r.blocks.Next()
	if errors.Is(err, io.ErrUnexpectedEOF) {
		r.tail = r.blocks.tail()
		return io.EOF
	}
	if err != nil {
		return err
	}
	switch kind {
	case EntryBlock:
		return r.entries(contents)
	case EventBlock:
		return r.compact.read(r, contents)
	}
	return r.other(kind, contents)
}

// other takes a block without events.
func (r *Reader) other(kind byte, contents []byte) error {
	switch kind {
	case ObjectBlock:
		r.object = string(contents)
	case NameBlock:
		r.names = append(r.names, string(contents))
	case TextBlock:
		r.texts = append(r.texts, string(contents))
	case ProcessBlock:
		r.procs = append(r.procs, string(contents))
	case EndBlock:
		return r.end(contents)
	default:
		return r.blocks.Damage("a block of the unknown kind %q", kind)
	}
	return nil
}

func (r *Reader) end(contents []byte) error {
	dropped, missing, ok := ParseEnd(contents)
	switch {
	case !ok:
		return r.blocks.Damage("an end of %d bytes", len(contents))
	case dropped:
		r.tail = "the recorder dropped what came after the end of the log"
	case missing > 0:
		r.tail = fmt.Sprintf("the log's tail is missing, at least %d of its entries", missing)
	}
	return nil
}

// emit hands out an event.
func (r *Reader) emit(ev history.Event) {
	r.events++
	ev.Pos = history.Pos{File: r.file, Line: r.events}
	r.queue = append(r.queue, ev)
}

// recorded is what must be known between entries.
type recorded struct {
	ops    int
	open   []string // by process: the identifier of its running operation, or ""
	entry  Entry    // of which more is to come; Kind 0 if there is none
	values []history.Raw
}

// entries reads entries as recorded.
func (r *Reader) entries(contents []byte) error {
	if len(contents)%EntrySize != 0 {
		return r.blocks.Damage("%d bytes of entries, which have %d each", len(contents), EntrySize)
	}
	for ; len(contents) > 0; contents = contents[EntrySize:] {
		var e Entry
		e.Decode(contents)
		if !e.sound(len(r.procs)) {
			return r.blocks.Damage("entry %d makes no sense", e.Seq)
		}
		if msg := r.entry(&e); msg != "" {
			return r.blocks.Damage("entry %d, of process %s, %s", e.Seq, r.procs[e.Proc], msg)
		}
	}
	return nil
}

// entry takes the next entry. The result is what is wrong with it.
func (r *Reader) entry(e *Entry) string {
	s := &r.recorded
	if s.entry.Kind == 0 {
		s.entry, s.values = *e, nil
	}
	if e.what() > ReturnEntry {
		if !e.more() {
			s.entry.Kind = 0
		}
		return ""
	}
	for i := range e.count() {
		v, ok := e.value(i, r.texts)
		if !ok {
			return "has a value of an unknown type or text"
		}
		s.values = append(s.values, v)
	}
	if e.more() {
		return ""
	}
	first := s.entry
	s.entry.Kind = 0
	if int(first.ID) >= len(r.names) {
		return "has an unknown name"
	}
	for int(first.Proc) >= len(s.open) {
		s.open = append(s.open, "")
	}
	if first.what() == CallEntry {
		return r.called(&first)
	}
	return r.returned(&first)
}

func (r *Reader) called(e *Entry) string {
	s := &r.recorded
	if s.open[e.Proc] != "" {
		return "calls an operation before the last one returned"
	}
	s.ops++
	id := strconv.Itoa(s.ops)
	s.open[e.Proc] = id
	r.emit(history.Event{Op: id, Call: true, Method: r.names[e.ID], Args: s.values, Process: r.procs[e.Proc]})
	return ""
}

func (r *Reader) returned(e *Entry) string {
	s := &r.recorded
	id := s.open[e.Proc]
	if id == "" {
		return "returns without a call"
	}
	s.open[e.Proc] = ""
	rets := history.RawResult(history.Outcome(r.names[e.ID]), s.values)
	r.emit(history.Event{Op: id, Rets: rets, Process: r.procs[e.Proc]})
	return ""
}
