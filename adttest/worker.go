package adttest

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"runtime/debug"
	"sync/atomic"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver"
	"github.com/adtinfer/adtinfer/internal/driver/live"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/record"
)

// worker is a goroutine of a batch.
type worker struct {
	b       *batch
	name    string
	parts   [3][]readyCall // before, at the same time, after; only the first worker has those before and after
	handles [3]*record.Handle
	rng     *rand.Rand
	round   int
	beat    atomic.Uint64 // counts up while something happens
	current atomic.Pointer[readyCall]
	ended   atomic.Bool
	_       [64]byte
}

// readyCall is a step with what the recorder knows it by.
type readyCall struct {
	step
	process string
	nth     int // call of the process
	id      record.Method
	outs    []record.Outcome // by driver.Results.Outcome
	panics  record.Outcome
	vals    []record.Value
}

// loop is what a worker does. The first one makes the object, the calls before, and
// those after.
func (w *worker) loop(first bool) {
	for w.round = range w.b.repeat {
		if !w.once(first) {
			return
		}
	}
}

// once is one round of a worker; it reports whether there may be another.
func (w *worker) once(first bool) bool {
	meet := w.b.barrier.wait
	if first && !(w.fresh() && w.calls(0) && w.begins()) || !meet() || !w.calls(1) || !meet() || first && !w.calls(2) {
		w.b.barrier.end()
		return false
	}
	if first {
		w.b.close(false)
	}
	return true
}

// begins begins the schedule of a round: nothing has overlapped so far.
func (w *worker) begins() bool {
	if w.b.gates != nil {
		w.b.gates.ADTInferGates()
	}
	return true
}

// fresh makes the object of a round.
func (w *worker) fresh() (ok bool) {
	returned := false
	defer w.catch("", "", &ok, &returned)
	w.b.restore()
	o, err := w.b.subject.machine.Live()
	if err != nil {
		w.b.note(&fault{err: err})
	} else {
		w.b.object.Store(o)
	}
	returned = true
	return err == nil
}

// calls makes calls one after the other; false if one did not return in order.
func (w *worker) calls(part int) bool {
	o := w.b.object.Load()
	for i := range w.parts[part] {
		if o == nil || w.b.barrier.stop.Load() && part != 1 || !w.one(o, w.handles[part], &w.parts[part][i], part == 1) {
			return false
		}
	}
	return true
}

// one makes a call and records it. That of an operation that blocks, ends its
// goroutine, or panics where that is no outcome stays pending.
func (w *worker) one(o *driver.Live, h *record.Handle, c *readyCall, noisy bool) (ok bool) {
	returned := false
	defer w.catch(c.process, c.call.String(), &ok, &returned)
	if noisy {
		w.b.noise.before(w.rng)
	}
	if w.b.gates != nil {
		between()
	}
	if !w.b.over.Load() {
		ok = w.record(o, h, c)
	}
	returned = true
	return ok
}

func (w *worker) record(o *driver.Live, h *record.Handle, c *readyCall) bool {
	w.current.Store(c)
	h.Call(c.id, c.vals...)
	r, panicked := w.call(o, c)
	if r.Blocked {
		w.b.waiting(c)
		w.beat.Add(1)
		return false
	}
	var room [2]record.Value
	vals := room[:0]
	for i, v := range r.Values {
		if r.Typed != nil && r.Typed[i] != "" {
			vals = append(vals, h.Text(r.Typed[i]))
			continue
		}
		vals = append(vals, w.b.recorded(h, v))
	}
	if w.b.over.Load() {
		return false // too late
	}
	switch {
	case panicked != nil:
		w.remember(c, panicked)
		h.Return(c.panics)
	case r.Unnamed: // what the data type answers instead, its explanation says
		w.remember(c, &fault{process: c.process, call: c.call.String(), failed: r.Text})
		h.Return(w.b.rec.Outcome(wording.StrangeError(r.Text, c.method.outcomes)), vals...)
	default:
		h.Return(c.outs[r.Outcome], vals...)
	}
	w.current.Store(nil)
	w.beat.Add(1)
	operations.Add(1)
	return true
}

// catch notes a panic, or the end of the goroutine. Nobody waits for the worker
// then.
func (w *worker) catch(process, call string, ok, returned *bool) {
	p := recover()
	if *returned {
		return
	}
	*ok = false
	if w.b.over.Load() {
		return // Config.Close released it, or it is too late
	}
	f := &fault{process: process, call: call, panicked: p, stack: string(debug.Stack()), exited: p == nil}
	if f.exited && call == "" {
		f.err = errors.New("the constructor ends the goroutine that calls it (runtime.Goexit)")
	}
	w.b.note(f)
	w.current.Store(nil)
	w.beat.Add(1)
	w.b.barrier.end()
}

// recorded is a value as the recorder has it.
func (b *batch) recorded(h *record.Handle, v reflect.Value) record.Value {
	if v.Kind() == reflect.Pointer {
		if text, ok := b.pointers[v.Pointer()]; ok {
			return h.Text(text.text)
		}
	}
	v = live.Indirect(v)
	switch {
	case v.CanInt():
		return record.Int(v.Int())
	case v.CanUint():
		return record.Uint(v.Uint())
	case v.Kind() == reflect.Bool:
		return record.Bool(v.Bool())
	}
	return h.Text(string(live.Text(v)))
}

// pointer is a pointer that is an argument, with the text that it has in the log.
type pointer struct {
	value reflect.Value
	text  string
}

// share gives equal pointers of a scenario the same address.
func (b *batch) share(v reflect.Value) reflect.Value {
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Type().Elem().Size() == 0 {
		return v
	}
	text := values.GoText(v)
	for _, p := range b.pointers {
		if p.text == text && p.value.Type() == v.Type() {
			return p.value
		}
	}
	b.pointers[v.Pointer()] = pointer{v, text}
	return v
}

// restore makes what pointers point to as it was: an object of an earlier round may
// have changed it.
func (b *batch) restore() {
	for _, p := range b.pointers {
		if v, err := live.Parse(p.value.Type(), history.Value(p.text)); err == nil {
			p.value.Elem().Set(v.Elem())
		}
	}
}
