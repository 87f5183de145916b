package record

import (
	"errors"
	"sync"
	"sync/atomic"

	"github.com/adtinfer/adtinfer/history"
)

// Options say how a Recorder works. The zero Options record everything in
// memory until Log or Execution asks for it.
type Options struct {
	// Object names the recorded object in logs.
	Object string

	// Limit is the number of entries, of 32 bytes, that may be in memory; 0 is no
	// limit. Each handle has two chunks of 1023 in any case. What Watch and
	// Stream have both read is then forgotten, and Log has nothing to give.
	Limit int

	// Reserve is the number of entries to have memory ready for. Recording takes
	// about a third of the time in memory that is ready.
	Reserve int

	// Policy is what happens at the limit.
	Policy Policy
}

// Policy is what a Recorder does when it is full.
type Policy int

const (
	// Block lets the goroutine wait until there is room. If nobody reads the
	// entries it is Drop.
	Block Policy = iota

	// Spill lets nobody wait: Watch reads through temporary files, which are removed
	// as they have been read, and if they are too slow, too, memory grows beyond the
	// limit. If they cannot be written, as when the disk is full, it is Drop.
	Spill

	// Drop ends the recording. The log is complete up to that moment, can be
	// checked, and may show a violation; otherwise it is inconclusive.
	Drop
)

// Recorder records what goroutines do with one object. Its methods may be
// called by any goroutine; recording itself goes through a Handle, of which
// each goroutine has its own.
type Recorder struct {
	seq   atomic.Uint64 // number of the latest entry
	_     [56]byte      // the counter has a cache line to itself
	opts  Options
	names *names

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

	cut atomic.Uint64 // first entry that may be lost, 0: none

	newSpillFile func() (spillFile, error)
}

// New makes a Recorder.
func New(opts Options) *Recorder {
	r := &Recorder{opts: opts, names: newNames(), idleProcs: map[string][]uint32{}, newSpillFile: newTempFile}
	r.room.L = &r.mu
	for range opts.Reserve / chunkSize {
		c := &chunk{}
		for i := range c.entries {
			c.entries[i].seq = 0 // so that the memory is really there
		}
		r.free = append(r.free, c)
	}
	return r
}

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
// more. Close gives it back.
func (r *Recorder) Handle(process string) *Handle {
	h := &Handle{rec: r, process: process, eager: r.opts.Limit > 0}
	if !Enabled {
		return h
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.open(h)
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

// misused is the first misuse so far.
func (r *Recorder) misused() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.misuse != nil {
		return r.misuse
	}
	return r.names.full()
}

// processes lists the names of the processes so far.
func (r *Recorder) processes() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.procs[:len(r.procs):len(r.procs)]
}

// chunk is room for more entries, or nil if the recording ends here. There is
// always room for an entry that is half written.
func (r *Recorder) chunk(half bool) *chunk {
	r.mu.Lock()
	defer r.mu.Unlock()
	for !half && r.full() {
		if r.opts.Policy == Drop || r.readers == 0 {
			r.drop()
			return nil
		}
		r.room.Wait()
	}
	return r.newChunk()
}

func (r *Recorder) full() bool {
	return r.opts.Limit > 0 && r.opts.Policy != Spill && r.used*chunkSize >= r.opts.Limit && r.used >= 2*len(r.lanes)
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

// attach makes a merger that reads everything from the beginning; a bounded
// recorder keeps entries for those only that are attached before its handles
// are made.
func (r *Recorder) attach() (*merger, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	m := newMerger(r)
	if r.opts.Limit > 0 {
		if len(r.procs) > 0 {
			return nil, errors.New("record: a recorder with a Limit is watched or streamed from the beginning: start that before the first Handle")
		}
		r.readers++
		m.releases = true
	}
	return m, nil
}

// detach lets nobody wait any more for a reader that has stopped.
func (r *Recorder) detach() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.opts.Limit > 0 {
		r.opts.Policy = Drop
		r.room.Broadcast()
	}
}
