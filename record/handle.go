package record

import (
	"github.com/adtinfer/adtinfer/internal/host/binlog"
	"github.com/adtinfer/adtinfer/record/internal/tape"
)

// Handle records what one goroutine does. A goroutine hands it to the code it
// calls, for commits and writes; two goroutines never use one at once.
//
// Its methods take no lock, and allocate nothing but a chunk of memory now and
// then. Each takes the next number of the recorder's global order, so a call is
// to be recorded before the operation starts, a return after it ended, and a
// commit or write while no other goroutine can see it differently (under the lock
// that protects it), or between Begin and Commit.
type Handle struct {
	position
	rec     *Recorder
	lane    *lane // nil: closed
	proc    uint32
	inside  bool // an operation is open
	half    bool // an entry is half written
	eager   bool // publish every entry: others may have to wait for it
	process string
	texts   map[string]Value

	_ [64]byte
}

// Call records that the goroutine calls a method.
func (h *Handle) Call(m Method, args ...Value) {
	if !enabled {
		return
	}
	if h.inside {
		h.rec.note(&UseError{Process: h.process, Msg: "calls " + h.rec.names.Name(uint16(m)) + " inside an operation" + tape.AdviceShared})
	}
	h.inside = true
	h.valued("an argument", args)
	h.putValues(binlog.CallEntry, uint16(m), args)
	h.publish()
}

// Return records that the method returns. The values are those that the
// outcome carries.
func (h *Handle) Return(o Outcome, rets ...Value) {
	if !enabled {
		return
	}
	h.valued("a result", rets)
	h.putValues(binlog.ReturnEntry, uint16(o), rets)
	h.inside = false
	h.publish()
}

// Commit records that the operation takes effect now: before any other goroutine can
// see otherwise, or, after Begin, at some moment since.
func (h *Handle) Commit() {
	if enabled {
		h.put(binlog.CommitEntry)
	}
}

// Begin records that the operation may take effect from now on, and up to its
// Commit. It stands before a compare-and-swap and Commit after it; after one
// that failed, another Begin starts again. Writes between a Begin and its
// Commit are part of the commit.
func (h *Handle) Begin() {
	if enabled {
		h.put(binlog.BeginEntry)
	}
}

// Write records that a variable, or element i of an array, has a new value.
func (h *Handle) Write(v Variable, i int, x Value) {
	if !enabled {
		return
	}
	e := h.next() // which may wait, so that the number comes after it
	h.update(e, h.rec.seq.Add(1), Write{v, int64(i), x})
	h.written()
}

// WriteBlock records several updates as one: those of a stretch of code that
// has exclusive access to the variables.
func (h *Handle) WriteBlock(ws ...Write) {
	if !enabled || len(ws) == 0 {
		return
	}
	seq := h.rec.seq.Add(1)
	h.half = true
	for k, w := range ws {
		e := h.next()
		h.update(e, seq, w)
		if k < len(ws)-1 {
			e.Kind |= binlog.MoreFlag
		}
	}
	h.half = false
	h.written()
}

// Acquire records that the goroutine got lock l, or element i of an array of
// locks: while it holds it.
func (h *Handle) Acquire(l Variable, i int) {
	if enabled {
		h.lock(binlog.AcquireEntry, l, i)
	}
}

// Release records that the goroutine gives lock l back: while it still holds it.
func (h *Handle) Release(l Variable, i int) {
	if enabled {
		h.lock(binlog.ReleaseEntry, l, i)
	}
}

// Text is a text as a Value.
func (h *Handle) Text(s string) Value {
	if !enabled {
		return Value{}
	}
	v, ok := h.texts[s]
	if !ok {
		v = Value{h.rec.names.TextID(s), binlog.TextValue}
		if h.texts == nil {
			h.texts = map[string]Value{}
		}
		h.texts[s] = v
	}
	return v
}

// Publish lets others see what was recorded. Calls, commits, returns and Close do
// so themselves; after writes outside an operation, and before waiting for long
// inside one, it is up to the caller. What is not published hides all that comes
// after it.
func (h *Handle) Publish() {
	if enabled {
		h.publish()
	}
}

// Close gives the handle back when its goroutine records no more: what was
// recorded is published, and the next Handle takes over the memory, 33 KB. So a
// goroutine for each request can have a handle of its own; if it has the name of
// one that was closed, nothing is left of either but the entries. An operation that
// has not returned stays pending.
//
// Close may be called again. Recording with a handle that is closed is a
// *UseError.
func (h *Handle) Close() {
	if enabled {
		h.rec.close(h)
	}
}

// valued notes a zero Value where one is needed.
func (h *Handle) valued(what string, vs []Value) {
	for _, v := range vs {
		if v.Type == binlog.NoValue {
			h.rec.note(&UseError{Process: h.process, Msg: what + " is the zero record.Value, which is no value; make one with record.Int, Uint, Bool, or Handle.Text"})
			return
		}
	}
}

// next is the entry to be written next, with its number.
func (h *Handle) next() *tape.Entry {
	if h.n >= chunkSize {
		h.grow()
	}
	e := &h.cur.entries[h.n]
	h.n++
	return e
}

// put records and publishes an entry without values.
func (h *Handle) put(k uint8) {
	e := h.next()
	e.Seq, e.Proc, e.ID, e.Kind, e.Types = h.rec.seq.Add(1), h.proc, 0, k, 0
	h.publish()
}

// putValues records an entry with values; those that have no room in one go on in
// the next.
func (h *Handle) putValues(k uint8, id uint16, vs []Value) {
	seq := uint64(0)
	for {
		e := h.next()
		if seq == 0 {
			seq = h.rec.seq.Add(1)
		}
		e.Seq, e.Proc, e.ID = seq, h.proc, id
		switch len(vs) {
		case 0:
			e.Kind, e.Types = k, 0
		case 1:
			e.Kind, e.Types = k|tape.CountOne, vs[0].Type
			e.Vals[0] = vs[0].Bits
		default:
			e.Kind, e.Types = k|2*tape.CountOne, vs[0].Type|vs[1].Type<<4
			e.Vals[0], e.Vals[1] = vs[0].Bits, vs[1].Bits
		}
		if len(vs) <= 2 {
			h.half = false
			return
		}
		e.Kind |= binlog.MoreFlag
		h.half = true
		vs = vs[2:]
	}
}

// update says that an entry is a write.
func (h *Handle) update(e *tape.Entry, seq uint64, w Write) {
	e.Seq, e.Proc, e.ID = seq, h.proc, uint16(w.Variable)
	e.Kind, e.Types = binlog.WriteEntry|2*tape.CountOne, binlog.IntValue|w.Value.Type<<4
	e.Vals[0], e.Vals[1] = uint64(w.Index), w.Value.Bits
}

func (h *Handle) lock(k uint8, l Variable, i int) {
	e := h.next()
	e.Seq, e.Proc, e.ID = h.rec.seq.Add(1), h.proc, uint16(l)
	e.Kind, e.Types = k|tape.CountOne, binlog.IntValue
	e.Vals[0] = uint64(int64(i))
	h.written()
}

// written publishes a write or a lock if it may not wait for the operation's
// next step. In a recorder that is full it may not: its reader waits for the
// entry, somebody for the reader, and this goroutine perhaps for a lock that
// that one holds.
func (h *Handle) written() {
	if h.eager {
		h.publish()
	}
}

// publish makes what was written so far visible to readers.
func (h *Handle) publish() {
	if h.lost {
		return
	}
	h.lane.published.Store(h.before + uint64(h.n))
}

// grow starts a new chunk. When the recording has ended the entries go where
// no reader sees them.
func (h *Handle) grow() {
	if h.lost {
		if h.lane == nil && h.cur == nil {
			h.rec.note(&UseError{Process: h.process, Msg: "records with a Handle that it has closed; take another one"})
			h.cur = &chunk{}
		}
		h.n = 0
		return
	}
	if !h.half {
		h.publish()
	}
	c := h.rec.chunk(h.half)
	if c == nil {
		h.lost = true
		c = &chunk{}
	} else {
		h.cur.next = c
	}
	h.before += uint64(h.n)
	h.cur, h.n = c, 0
}
