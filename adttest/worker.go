package adttest

import (
	"math/rand/v2"
	"runtime/debug"
	"sync/atomic"

	"github.com/adtinfer/adtinfer/record"
	"github.com/adtinfer/adtinfer/reference/driver"
)

// worker is a goroutine of a batch.
type worker struct {
	b       *batch
	name    string
	before  []readyCall // of the first worker
	during  []readyCall
	after   []readyCall
	handles [3]*record.Handle // before, during, after
	rng     *rand.Rand
	beat    atomic.Uint64 // counts up while something happens
	current atomic.Pointer[readyCall]
	ended   atomic.Bool
	_       [64]byte
}

// readyCall is a step with what the recorder knows it by.
type readyCall struct {
	step
	process string
	id      record.Method
	outs    []record.Outcome // by driver.Results.Outcome
	vals    []record.Value
}

// fault is an operation that panicked, or the constructor if call is empty.
type fault struct {
	process, call string
	panicked      any
	stack         string
	err           error // the constructor's
}

// loop is what a worker does.
func (w *worker) loop(first bool) {
	b := w.b
	for range b.repeat {
		if first && !(w.fresh() && w.calls(0, w.before)) {
			b.barrier.stop.Store(true)
			return
		}
		if !b.barrier.wait() {
			return
		}
		if !w.calls(1, w.during) {
			b.barrier.stop.Store(true)
			return
		}
		if !b.barrier.wait() {
			return
		}
		if first {
			if !w.calls(2, w.after) {
				b.barrier.stop.Store(true)
				return
			}
			b.close(false)
		}
	}
}

// fresh makes the object of a round.
func (w *worker) fresh() (ok bool) {
	defer w.catch("", "", &ok)
	o, err := w.b.subject.machine.Live()
	if err != nil {
		w.b.note(&fault{err: err})
		return false
	}
	w.b.object.Store(o)
	return true
}

// calls makes calls one after the other; false if one did not return in order.
func (w *worker) calls(part int, calls []readyCall) bool {
	o := w.b.object.Load()
	for i := range calls {
		if o == nil || w.b.barrier.stop.Load() && part != 1 || !w.one(o, w.handles[part], &calls[i], part == 1) {
			return false
		}
	}
	return true
}

// one makes a call and records it. That of an operation that panics, blocks, or
// ends its goroutine stays pending.
func (w *worker) one(o *driver.Live, h *record.Handle, c *readyCall, noisy bool) (ok bool) {
	defer w.catch(c.process, c.call.String(), &ok)
	if noisy {
		w.b.noise.before(w.rng)
	}
	if w.b.over.Load() {
		return false
	}
	w.current.Store(c)
	h.Call(c.id, c.vals...)
	r := o.Call(w.b.ctx, c.method.index, c.args)
	if r.Blocked {
		w.beat.Add(1)
		return false
	}
	var room [2]record.Value
	vals := room[:0]
	for _, v := range r.Values {
		vals = append(vals, recorded(h, v))
	}
	if w.b.over.Load() {
		return false // too late
	}
	h.Return(c.outs[r.Outcome], vals...)
	w.current.Store(nil)
	w.beat.Add(1)
	operations.Add(1)
	return true
}

// catch notes a panic.
func (w *worker) catch(process, call string, ok *bool) {
	if r := recover(); r != nil {
		*ok = false
		w.b.note(&fault{process: process, call: call, panicked: r, stack: string(debug.Stack())})
		w.current.Store(nil)
		w.beat.Add(1)
	}
}
