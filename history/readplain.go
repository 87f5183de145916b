package history

import (
	"cmp"
	"io"
	"io/fs"
	"slices"
	"strings"
	"unsafe"
)

// maxText is the size of a log that is read into memory as a whole.
const maxText = 1<<31 - 1

// readText reads a log into memory, text or JSON Lines. Of what is neither by its
// first character, or too large, or cannot be read, it leaves rest. A file of
// known size, which may grow meanwhile, takes as much memory as it has bytes.
func readText(r io.Reader) (src string, rest io.Reader) {
	const most = 64 << 10
	text := make([]byte, 0, cmp.Or(sizeOf(r), most)+1) // a byte more than there is, to see the end
	end := min(cap(text), most)
	for {
		n, err := r.Read(text[len(text):end])
		first := len(text) == 0
		text = text[:len(text)+n]
		switch {
		case err == io.EOF:
			return stringOf(text), nil
		case err != nil:
			return stringOf(text), failing{err}
		case len(text) > maxText || first && !beginsText(text):
			return stringOf(text), r
		}
		if len(text) == cap(text) {
			text = slices.Grow(text, most)
		}
		end = cap(text)
	}
}

// stringOf is b as a string without a copy, which takes as long as reading a file.
// That is sound since nobody changes b from then on: it is readText's alone, and a
// reader must not hold on to it.
func stringOf(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

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

// beginsText tells whether a log begins with an event or a comment.
func beginsText(b []byte) bool {
	return len(b) > 0 && strings.IndexByte("[{# \t", b[0]) >= 0
}

// failing is a reader that fails.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// readPlain makes an execution of a log in memory. If the log is for a Reader
// as a whole, ok is false.
func readPlain(src, file string, sig Signature) (e *Execution, ok bool, err error) {
	b := newBuilder(sig)
	l := plainLog{src: src, rd: Reader{file: file}}
	err = l.each(func(e *plainLine) error {
		b.reserve(l.at, len(src))
		if e.odd == nil && b.plain(&e.plainEvent, l.pos(e)) {
			return nil
		}
		ev, err := l.event(e)
		switch {
		case err != nil:
			return err
		case ev.doubt:
			return errUnusual // the arguments before are to be known
		}
		return b.add(ev)
	})
	if err != nil {
		return nil, err != errUnusual, err
	}
	b.e.Object = l.rd.object
	return b.e, true, nil
}

// reserve makes room for an operation and for the others that a log of so many
// bytes has if it goes on like the part before at.
func (b *builder) reserve(at, size int) {
	n := len(b.e.Ops)
	switch {
	case n < cap(b.e.Ops):
	case n == 0:
		b.e.Ops = make([]Operation, 0, min(4+size/64, 256))
	default:
		more := int(float64(n) * (float64(size)/float64(at) - 1) * 1.01)
		b.e.Ops = append(make([]Operation, 0, n+min(max(more, 256), 64*n+256)), b.e.Ops...)
	}
}

// plain adds a plain event; false if something is wrong with it.
func (b *builder) plain(p *plainEvent, pos Pos) bool {
	i, known := b.ops.get(p.op, p.number)
	if known == p.call {
		return false
	}
	if p.call {
		return b.plainCall(p, pos)
	}
	op := &b.e.Ops[i]
	m := b.find(op.Method)
	if op.Completed() || p.doubtful(m) || p.method != "" && b.find(p.method) != m || !sameProcess(p.process, op.Process) {
		return false
	}
	outcome, named, ok := m.answer(p.first(), p.n)
	if !ok {
		return false
	}
	op.Outcome, op.Rets = outcome, b.values(p.values[named:p.n])
	op.Return, op.ReturnPos = b.e.Events, pos
	if op.Process == "" {
		op.Process = p.process
	}
	b.e.Events++
	return true
}

func (b *builder) plainCall(p *plainEvent, pos Pos) bool {
	m := b.find(p.method)
	if m == nil || m.Args != p.n {
		return false
	}
	n := len(b.e.Ops)
	b.ops.put(p.op, p.number, n)
	b.e.Ops = b.e.Ops[:n+1] // reserve saw to that
	op := &b.e.Ops[n]       // all zeros
	op.ID, op.Process, op.Method, op.Args = p.op, p.process, m.Name, b.values(p.values[:p.n])
	op.Call, op.Return, op.CallPos = b.e.Events, NoReturn, pos
	b.e.Events++
	return true
}

// values moves the values of one operation to where they stay, without an
// allocation for each.
func (b *builder) values(texts []string) []Value {
	if len(texts) == 0 {
		return nil
	}
	n := len(b.room)
	if len(texts) > cap(b.room)-n {
		n, b.room = 0, make([]Value, 0, 1024)
	}
	for _, s := range texts {
		b.room = append(b.room, Value(s))
	}
	return b.room[n:len(b.room):len(b.room)]
}
