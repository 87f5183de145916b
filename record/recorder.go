package record

import (
	"sync"
	"sync/atomic"

	"github.com/adtinfer/adtinfer/history"
)

// Options say how a Recorder works. The zero Options record everything in
// memory until Log or Execution asks for it.
type Options struct {
	// Object names the recorded object in logs.
	Object string
}

// Recorder records what goroutines do with one object. Its methods may be
// called by any goroutine; recording itself goes through a Handle, of which
// each goroutine has its own.
type Recorder struct {
	seq   atomic.Uint64 // number of the latest entry
	_     [56]byte      // the counter has a cache line to itself
	opts  Options
	names *names

	mu      sync.Mutex
	handles []*Handle
	misuse  error // the first one, noticed while recording
}

// New makes a Recorder.
func New(opts Options) *Recorder { return &Recorder{opts: opts, names: newNames()} }

// Method numbers a method by its name. The same name has the same number.
func (r *Recorder) Method(name string) Method { return Method(r.names.id(name)) }

// Outcome numbers an outcome class.
func (r *Recorder) Outcome(o history.Outcome) Outcome { return Outcome(r.names.id(string(o))) }

// Variable numbers the name of a variable, a lock, or an array of them.
func (r *Recorder) Variable(name string) Variable { return Variable(r.names.id(name)) }

// Text is a text as a Value. Handle.Text is faster.
func (r *Recorder) Text(s string) Value { return Value{r.names.textID(s), textValue} }

// Handle makes a handle for a goroutine. process names it in logs: the thread
// or client; two handles may have the same name if the first is not used any
// more.
func (r *Recorder) Handle(process string) *Handle {
	h := &Handle{rec: r, process: process}
	if !Enabled {
		return h
	}
	h.first = &chunk{}
	h.cur = h.first
	r.mu.Lock()
	defer r.mu.Unlock()
	h.proc = uint32(len(r.handles))
	r.handles = append(r.handles, h)
	return h
}

// note keeps the first misuse.
func (r *Recorder) note(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.misuse == nil {
		r.misuse = err
	}
}

// snapshot lists the handles and the first misuse so far.
func (r *Recorder) snapshot() ([]*Handle, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	err := r.misuse
	if err == nil {
		r.names.mu.RLock()
		err = r.names.err
		r.names.mu.RUnlock()
	}
	return r.handles[:len(r.handles):len(r.handles)], err
}
