package record

import (
	"errors"
	"sync"
	"sync/atomic"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/record/internal/tape"
)

// Options say how a Recorder works. The zero Options record everything in
// memory until Log or Execution asks for it.
type Options struct {
	// Object names the recorded object in logs.
	Object string

	// Limit is the number of entries, of 32 bytes, that may be in memory; 0 is no
	// limit. Each handle has two chunks of 1023 in any case. What all readers (a
	// Stream, a watcher of package refine) have read is then forgotten, and Log has
	// nothing to give.
	Limit int

	// Reserve is the number of entries to have memory ready for. Recording takes
	// about a third of the time in memory that is ready.
	Reserve int

	// Drop ends the recording at the limit: the log is complete up to there, can
	// be checked, and may show a violation; otherwise it is inconclusive. Without
	// Drop goroutines wait at the limit until its readers, if any, have read on.
	Drop bool
}

// Recorder records what goroutines do with one object. Its methods may be
// called by any goroutine; recording itself goes through a Handle, of which
// each goroutine has its own.
type Recorder struct {
	seq   atomic.Uint64 // number of the latest entry
	_     [56]byte      // the counter has a cache line to itself
	opts  Options
	names *tape.Names

	mu        sync.Mutex
	lanes     []*lane
	idle      []*lane             // those of closed handles
	procs     []string            // names of processes, by number
	idleProcs map[string][]uint32 // by name: those of closed handles
	misuse    error               // the first one, noticed while recording
	room      sync.Cond
	used      int      // chunks that handles write or readers have not read
	free      []*chunk // chunks to be used again
	readers   int      // that read all entries, while the recorder is bounded
	patient   bool     // goroutines never wait: a reader puts aside what it cannot take

	cut atomic.Uint64 // first entry that may be lost, 0: none
}

// New makes a Recorder.
func New(opts Options) *Recorder {
	r := &Recorder{opts: opts, names: &tape.Names{}, idleProcs: map[string][]uint32{}}
	for _, o := range []history.Outcome{history.None, history.Some, history.Nil, history.True, history.False, history.Error} {
		r.names.ID(string(o))
	}
	r.room.L = &r.mu
	for range opts.Reserve / chunkSize {
		c := &chunk{}
		for i := range c.entries {
			c.entries[i].Seq = 0 // so that the memory is really there
		}
		r.free = append(r.free, c)
	}
	return r
}

// Method numbers a method by its name. The same name has the same number.
func (r *Recorder) Method(name string) Method { return Method(r.names.ID(name)) }

// Outcome numbers an outcome class.
func (r *Recorder) Outcome(o history.Outcome) Outcome { return Outcome(r.names.ID(string(o))) }

// Variable numbers the name of a variable, a lock, or an array of them.
func (r *Recorder) Variable(name string) Variable { return Variable(r.names.ID(name)) }

// Handle makes a handle for a goroutine. process names it in logs: the thread
// or client; two handles may have the same name if the first is not used any
// more. Close gives it back.
func (r *Recorder) Handle(process string) *Handle {
	h := &Handle{rec: r, process: process, eager: r.opts.Limit > 0}
	if !enabled {
		return h
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.open(h)
	return h
}

// Log is what was recorded so far. If the goroutines are done it is everything;
// while some are still running, what they published.
//
// The error is a *UseError if a handle was used wrongly.
func (r *Recorder) Log() (*Log, error) {
	m := newMerger(r)
	if m.Forgets() {
		return nil, errors.New("record: the recorder has a Limit and a reader, so it keeps no log; Stream the log to a file and read it from there")
	}
	l := &Log{Object: r.opts.Object, tape: tape.Tape{Names: r.names}}
	m.Pull(func(es []tape.Entry) bool {
		l.tape.Entries = append(l.tape.Entries, es...)
		return true
	})
	l.tape.Procs = m.processes(0)
	if err := r.misused(); err != nil {
		return nil, err
	}
	var err error
	l.Dropped, l.Missing, err = m.Rest()
	if err != nil {
		return nil, err
	}
	return l, nil
}

// note keeps the first misuse.
func (r *Recorder) note(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.misuse == nil {
		r.misuse = err
	}
}

// misused is the first misuse so far, or nil.
func (r *Recorder) misused() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.misuse != nil {
		return r.misuse
	}
	return r.names.Full()
}

// chunk is room for more entries, or nil if the recording ends here. There is
// always room for an entry that is half written.
func (r *Recorder) chunk(half bool) *chunk {
	r.mu.Lock()
	defer r.mu.Unlock()
	for !half && r.full() {
		if r.opts.Drop || r.readers == 0 {
			r.drop()
			return nil
		}
		r.room.Wait()
	}
	return r.newChunk()
}

func (r *Recorder) full() bool {
	return r.opts.Limit > 0 && !r.patient && r.used*chunkSize >= r.opts.Limit && r.used >= 2*len(r.lanes)
}

// drop says that entries are lost from now on.
func (r *Recorder) drop() {
	if r.cut.Load() == 0 {
		r.cut.Store(r.seq.Load() + 1)
	}
}

// newChunk is an empty chunk. The lock is held.
func (r *Recorder) newChunk() *chunk {
	r.used++
	c := &chunk{}
	if n := len(r.free); n > 0 {
		c, r.free = r.free[n-1], r.free[:n-1]
	}
	c.next, c.readers = nil, r.readers
	return c
}

// release says that a reader is done with a chunk.
func (r *Recorder) release(c *chunk) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if c.readers--; c.readers == 0 {
		r.used--
		r.free = append(r.free, c)
		r.room.Broadcast()
	}
}
