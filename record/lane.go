package record

import (
	"sync/atomic"

	"github.com/adtinfer/adtinfer/record/internal/tape"
)

// chunkSize is the number of entries of a chunk, which fills 32 KiB.
const chunkSize = 1023

// chunk holds consecutive entries of one handle. The pointer stands first, so
// that the garbage collector need not look at the entries.
type chunk struct {
	next    *chunk
	readers int // that have not read it yet, if the recorder is bounded; under its lock
	entries [chunkSize]tape.Entry
}

// lane is a sequence of chunks that handles write to, one after the other: a
// handle takes one that another has given back, or a new one.
type lane struct {
	first *chunk
	at    position // where the next handle goes on

	_         [64]byte
	published atomic.Uint64 // entries that may be read
	_         [56]byte
}

// position is where a handle writes.
type position struct {
	cur    *chunk
	n      uint   // entries in cur
	before uint64 // entries in earlier chunks
	lost   bool   // recording ended for lack of room, or the handle is closed
}

// open gives a handle a lane and the number of its process. The lock is held.
func (r *Recorder) open(h *Handle) {
	n := len(r.idle)
	if n == 0 {
		c := r.newChunk()
		r.lanes = append(r.lanes, &lane{first: c, at: position{cur: c}})
		r.idle, n = append(r.idle, r.lanes[len(r.lanes)-1]), 1
	}
	h.lane, r.idle = r.idle[n-1], r.idle[:n-1]
	h.position = h.lane.at
	free := r.idleProcs[h.process]
	if len(free) == 0 {
		h.proc = uint32(len(r.procs))
		r.procs = append(r.procs, h.process)
		return
	}
	h.proc, r.idleProcs[h.process] = free[len(free)-1], free[:len(free)-1]
}

// close takes a handle's lane back. An operation that is open stays pending, so
// its process is not used again.
func (r *Recorder) close(h *Handle) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if h.lane == nil {
		return
	}
	h.publish()
	h.lane.at = h.position
	r.idle = append(r.idle, h.lane)
	if !h.inside {
		r.idleProcs[h.process] = append(r.idleProcs[h.process], h.proc)
	}
	h.lane, h.texts = nil, nil
	h.position = position{n: chunkSize, lost: true} // so that whatever is recorded goes to grow
}

// quiet is the number of entries if all handles are closed, so that all of them
// are published; 0 otherwise.
func (r *Recorder) quiet() uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.idle) < len(r.lanes) {
		return 0
	}
	return r.seq.Load()
}
