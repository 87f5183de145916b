package history

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"iter"
	"slices"
	"strings"
	"time"
	"unsafe"

	"github.com/adtinfer/adtinfer/internal/host/binlog"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// ReadLog reads a whole log, named file in errors: text, JSON Lines, or binary,
// which is told by how it begins. Its events are resolved to labels of the
// signature's methods, and operations that do not return are pending. The first
// thing that does not fit is an error (a *ParseError, unless the log is binary and
// damaged, or r itself fails) and nothing after it is read. If a binary log says
// that its end is missing, so does Tail of the execution.
//
// Identifiers and values are parts of the log's text, which therefore stays in
// memory as long as they do.
func ReadLog(r io.Reader, file string, sig Signature) (*Execution, error) {
	return NewReader(r, file).Execution(sig)
}

// Reader reads a log in one of these ways, in any format: as a whole (Execution,
// and Visit before it), or with one block of it in memory at a time (Follow, Convert).
type Reader struct {
	// Growing says that somebody is still writing the log. If it ends in the middle
	// of a line that is an error, even if the part could be read: it may say
	// something else than the line was to say.
	Growing bool

	// Skew is by how much clocks may differ from the true time. Execution and
	// Executions then take each call for so much earlier, and each return for so much
	// later, than the log says, whatever the order of its lines: what still happens
	// before another operation truly did. All events must have times.
	Skew time.Duration

	// Sort has Convert and Visit hold the log in memory, so that times may go back.
	// Visit sets it when they do.
	Sort bool

	in     io.Reader
	file   string
	loaded bool   // src is the log
	src    string // of it, what is in memory
	err    error  // why that is not all
	events events // that are read
	marks  []mark // where Visit was now and then
	errors errorTexts
}

// NewReader reads the log r; file is its name in errors.
func NewReader(r io.Reader, file string) *Reader { return &Reader{in: r, file: file} }

// Object is the object's name as far as the log has said it, or ""; that of the first
// event if there are several.
func (r *Reader) Object() string {
	if r.events == nil {
		return ""
	}
	own, first := r.events.object()
	return cmp.Or(first, own)
}

// Tail says in a clause what is missing at the end of a log that was read, or what it
// says that an execution does not have: which error it was. Else it is empty.
func (r *Reader) Tail() string {
	if r.events == nil {
		return ""
	}
	return cmp.Or(r.events.tail(), r.errors.all())
}

// Execution reads the whole log; see ReadLog. It is of one object.
func (r *Reader) Execution(sig Signature) (*Execution, error) {
	es, err := r.executions(sig, false)
	if err != nil {
		return nil, err
	}
	return es[0], nil
}

// Estimate is about how many operations the log has, 0 if that is not easily said.
func (r *Reader) Estimate() int {
	if r.load(); !r.loaded {
		return 0
	}
	if strings.HasPrefix(r.src, binlog.Prefix) {
		return estimateBinary(r.src)
	}
	head := r.src[:min(len(r.src), 1<<16)]
	return strings.Count(head, "\n") * (len(r.src) / max(len(head), 1)) / 2
}

// Visit hands the events of a log to v, in a part of the time and memory of
// Execution. It is false if v says no, if something is wrong with the log, which
// Execution then says, if its events are of several objects, if times go back and there
// is no Sort yet, or if the log is too large to be read again.
func (r *Reader) Visit(sig Signature, v Visitor) bool {
	if r.load(); !r.loaded {
		return false
	}
	if r.ordered() != nil {
		return false
	}
	w := newWalk(sig, v)
	w.limits = r.limits()
	r.errors = errorTexts{}
	w.errors = &r.errors
	ops := r.Estimate()
	w.reserve(ops + ops/16 + 16)
	err := w.through(r.events)
	r.Sort, r.marks = r.Sort || isUnsorted(err), w.marks
	return err == nil && !w.stopped
}

// Follow yields operations as they are called and, completed, as they return, and
// remembers no more than those that run. So an identifier that is used again, after
// its operation returned, names a new operation; ReadLog refuses that. An error is
// the last thing that is yielded. Times that go back are one, and so are several
// objects, and a Skew.
func (r *Reader) Follow(sig Signature) iter.Seq2[*Operation, error] {
	return func(yield func(*Operation, error) bool) {
		r.open()
		if r.Skew != 0 {
			yield(nil, errors.New("history: a clock skew needs the whole log, so it cannot be followed"))
			return
		}
		f := follower{resolver: resolver{sig: sig, errors: &r.errors}, log: r.events}
		for n := 0; ; n++ {
			e, err := r.events.next()
			if err == io.EOF {
				return
			}
			var op *Operation
			if err == nil {
				op, err = f.step(e, n)
			}
			if err == nil && op == nil {
				n--
				continue
			}
			if !yield(op, err) || err != nil {
				return
			}
		}
	}
}

// follower remembers the operations that run.
type follower struct {
	resolver
	log     events
	object  string
	running wording.Map[running]
	young   []*running // called of late; some have returned
	free    []*running // to be used again
	room    []Value    // spare, for the values of operations to come
}

type running struct {
	Operation
	method int
	own    bool // its texts are no parts of a block
}

// maxFree is how many operations are kept to be used again: each may hold on to a block.
const maxFree = 64

// ownAfter is how many events an operation runs, about, before it gets texts of its
// own.
const ownAfter = 1 << 10

// step takes an event, the nth.
func (f *follower) step(e *event, n int) (*Operation, error) {
	if n == 0 {
		f.object = strings.Clone(e.object)
	} else if e.object != f.object {
		return nil, severalObjects(f.log, f.object, e)
	}
	if n%ownAfter == 0 {
		for _, op := range f.young {
			op.keep()
		}
		f.young = f.young[:0]
	}
	if e.written != "" {
		e.apart(f.owner(e))
	}
	id := e.idKey()
	op := f.running.Get(id)
	if err := e.fits(op != nil, op.line()); err != nil {
		return nil, err
	}
	if e.call {
		return f.call(e, n, id)
	}
	o, rets, err := f.returned(e, op.method, op.Process)
	if err != nil {
		return nil, err
	}
	f.running.Delete(id)
	if o == unknownAnswer { // it runs on
		return nil, nil
	}
	op.Outcome, op.Rets, op.Return, op.ReturnPos = o, f.values(rets), n, e.pos
	op.Process = cmp.Or(op.Process, e.process)
	if len(f.free) < maxFree {
		f.free = append(f.free, op)
	}
	return &op.Operation, nil
}

// owner finds the operation of an event, and its process.
func (f *follower) owner(e *event) func() (process string, ok bool) {
	return func() (string, bool) {
		if op := f.running.Get(e.idKey()); op != nil {
			return op.Process, true
		}
		return "", false
	}
}

// call takes a call, the nth event.
func (f *follower) call(e *event, n int, id wording.Key) (*Operation, error) {
	m, args, err := f.called(e)
	if err != nil {
		return nil, err
	}
	var op *running
	if last := len(f.free) - 1; last >= 0 {
		op, f.free = f.free[last], f.free[:last]
	} else {
		op = new(running)
	}
	label := Label{Kind: Kind{Method: f.sig.methods[m].Name}, Args: f.values(args)}
	*op = running{Operation{ID: e.id(), Process: e.process, Label: label, Call: n, Return: NoReturn, CallPos: e.pos}, m, false}
	f.running.Put(id.Own(), op)
	f.young = append(f.young, op)
	return &op.Operation, nil
}

// keep gives the operation texts of its own, if it runs.
func (r *running) keep() {
	if r.own || r.Completed() {
		return
	}
	r.own, r.ID, r.Process = true, strings.Clone(r.ID), strings.Clone(r.Process)
	for i, v := range r.Args {
		r.Args[i] = Value(strings.Clone(string(v)))
	}
}

// values are an operation's, in room that is not used again.
func (f *follower) values(texts []string) []Value {
	if len(texts) == 0 {
		return nil
	}
	if len(f.room) < len(texts) {
		f.room = make([]Value, max(64, len(texts)))
	}
	vs := f.room[:len(texts):len(texts)]
	f.room = f.room[len(texts):]
	for i, s := range texts {
		vs[i] = Value(s)
	}
	return vs
}

// line is where the operation was called.
func (r *running) line() int {
	if r == nil {
		return 0
	}
	return r.CallPos.Line
}

func (r *Reader) ended() error {
	if r.loaded {
		return cmp.Or(r.err, io.EOF)
	}
	return nil
}

// maxText is the size of a log that is read into memory as a whole.
const maxText = 1<<31 - 1

// load reads the log into memory, unless it is too large, or no log by its first
// character. A file of known size, which may grow meanwhile, takes as much memory
// as it has bytes.
func (r *Reader) load() {
	if r.loaded || r.src != "" || r.in == nil {
		return
	}
	const most = 64 << 10
	limits, size := r.limits(), cmp.Or(sizeOf(r.in), most)
	if r.err = limits.Room(size); r.err != nil {
		r.loaded = true
		return
	}
	text := make([]byte, 0, size+1) // a byte more than there is, to see the end
	end := min(cap(text), most)
	for !r.loaded {
		n, err := r.in.Read(text[len(text):end])
		first := len(text) == 0
		text = text[:len(text)+n]
		switch {
		case err != nil:
			r.loaded = true
			if err != io.EOF {
				r.err = err
			}
		case len(text) > maxText || first && n > 0 && strings.IndexByte("[{#a \t\r\n\xef", text[0]) < 0:
			r.src = string(text)
			return
		}
		if len(text) == cap(text) {
			more := max(most, len(text)/4)
			if r.err = limits.Room(len(text) + more); r.err != nil {
				r.loaded = true
				return
			}
			text = slices.Grow(text, more)
		}
		end = cap(text)
	}
	// A copy would take as long as reading a file. This is sound since nobody
	// changes text from here on: it is load's alone, and a reader must not hold on
	// to it.
	r.src = unsafe.String(unsafe.SliceData(text), len(text))
}

// limits are what a log that is read may have of its own: whether there is time, and whether there is room for so many
// bytes more.
type limits interface {
	Stopped() error
	Room(bytes int) error
}

// unlimited has all that is needed.
type unlimited struct{}

func (unlimited) Stopped() error { return nil }
func (unlimited) Room(int) error { return nil }

func (r *Reader) limits() limits {
	if l, ok := r.in.(limits); ok {
		return l
	}
	return unlimited{}
}

// sizeOf is the number of bytes to be read if that is easily known, else 0.
func sizeOf(r io.Reader) int {
	switch r := r.(type) {
	case interface{ Len() int }:
		return r.Len()
	case fs.File:
		if info, err := r.Stat(); err == nil && info.Mode().IsRegular() && info.Size() <= maxText {
			return int(info.Size())
		}
	}
	return 0
}
