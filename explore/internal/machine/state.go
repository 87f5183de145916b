package machine

import "github.com/adtinfer/adtinfer/explore/internal/ir"

// shared is the owner of an object that several threads reach.
const shared int32 = -1

// object is words of the heap.
type object struct {
	layout int32
	off, n int32 // its words: Machine.words[off:][:n]
	owner  int32 // the only thread that reaches it, or shared
	name   int32 // in the canonical form that is being written, if mark is its
	mark   uint32
	sig    int32 // the number that a thread gives it, if sigMark is the thread's
	sigAt  uint32
	// published says that several threads have reached it once.
	published bool
	pooled    bool // it is in a pool: nobody may touch it
	// ownedBy is the call, and 1, of the operation that owns it; with Options.Published.
	ownedBy int32
}

// frame is a call that has not returned. That of a caller is at the call.
type frame struct {
	fn, pc, base int32 // base is where its registers start
}

// unwinding is a panic that unwinds a thread's calls.
type unwinding struct {
	value     [2]ir.Word // an interface
	depth     int32      // frames that were there when the deferred calls of the last one started
	recovered bool
	pos       int32
}

// thread is a goroutine. It has no frames if it is idle: it may begin an operation,
// or has ended.
type thread struct {
	frames []frame
	regs   []ir.Word
	panics []unwinding
	left   int32   // operations that it has yet to call
	op     int32   // the operation that it runs, -1: started by one
	wait   ir.Word // the condition variable at which it waits
	id     int32   // its name in a trace

	// With a policy, of the operation that it runs: the call, the state of its controller, what it
	// owns; with Options.Held, the mutexes that it has locked, the last one last.
	call, state int32
	guesses     uint32 // 3 bits each: it was made, it is true, it has turned out
	owned, held []ir.Word
}

// state is the heap and the threads. Objects up to number base are there from the
// start; see Shared.
type state struct {
	objs    []object // the permanent ones first
	words   []ir.Word
	threads []thread
	fresh   int32 // fresh calls that have been made
}

// copyFrom makes s equal to another state, whose first words are the same.
func (s *state) copyFrom(from *state, frozen int) {
	s.objs = append(s.objs[:0], from.objs...)
	s.words = append(s.words[:frozen], from.words[frozen:]...)
	s.fresh = from.fresh
	s.setThreads(len(from.threads))
	for i := range from.threads {
		a, b := &s.threads[i], &from.threads[i]
		a.frames = append(a.frames[:0], b.frames...)
		a.regs = append(a.regs[:0], b.regs...)
		a.panics = append(a.panics[:0], b.panics...)
		a.left, a.op, a.wait, a.id = b.left, b.op, b.wait, b.id
		a.call, a.state, a.guesses = b.call, b.state, b.guesses
		a.owned, a.held = append(a.owned[:0], b.owned...), append(a.held[:0], b.held...)
	}
}

// setThreads changes the number of threads; new ones may have the memory of old
// ones.
func (s *state) setThreads(n int) {
	for len(s.threads) < n {
		if len(s.threads) < cap(s.threads) {
			s.threads = s.threads[:len(s.threads)+1]
		} else {
			s.threads = append(s.threads, thread{})
		}
	}
	s.threads = s.threads[:n]
}

// reset makes a thread idle.
func (t *thread) reset() {
	t.frames, t.regs, t.panics = t.frames[:0], t.regs[:0], t.panics[:0]
	t.op, t.wait, t.call, t.state, t.guesses = -1, 0, 0, 0, 0
	t.owned, t.held = t.owned[:0], t.held[:0]
}

// running reports whether a thread is within an operation, or is a goroutine that
// has not ended.
func (t *thread) running() bool { return len(t.frames) > 0 }
