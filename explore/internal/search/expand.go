package search

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/adtinfer/adtinfer/explore/internal/machine"
)

// roundBlocks is how many blocks are expanded before they are inserted.
const roundBlocks = 16

// round is blocks of a frontier, expanded.
type round struct {
	from, to int // blocks of the frontier
	blocks   [roundBlocks]block
}

// block is what the states of a block have become. Its memory is used again.
type block struct {
	states  []expanded
	steps   []step
	data    []byte // states and permutations
	choices []int32
	said    []machine.Announced
	err     error
}

// expanded is a state whose steps are known.
type expanded struct {
	set   int32
	steps int // where they end in block.steps
	raced bool
	idle  bool // no thread can begin an operation; status is known
	// status is what is left.
	status machine.Status
}

// step is a machine.Step that is kept for a while.
type step struct {
	sum          sum
	next         span // in block.data
	perm         span // in block.data; empty: threads stay what they are
	choices      span // in block.choices
	said         span // in block.said
	thread       int32
	call, answer int32
	open         bool
	fault        *machine.Fault
}

type span struct{ from, to uint32 }

func (b *block) reset() {
	clear(b.states) // let go of what they point to
	clear(b.steps)
	b.states, b.steps, b.data, b.choices, b.said, b.err = b.states[:0], b.steps[:0], b.data[:0], b.choices[:0], b.said[:0], nil
}

// bytes is the memory that the rounds take.
func (r *round) bytes() (n int64) {
	for i := range r.blocks {
		b := &r.blocks[i]
		n += int64(cap(b.data)) + int64(cap(b.choices))*4 + int64(cap(b.said))*24 + int64(cap(b.steps))*72 + int64(cap(b.states))*96
	}
	return n
}

// worker expands blocks.
type worker struct {
	m       Machine
	threads int
	ends    bool // look for ends in all states
	b       *block
	called  bool // the state has a step that begins an operation
	raced   bool
	keep    func(*machine.Step) error // w.step, made once
}

func newWorker(m Machine, threads int, ends bool) *worker {
	w := &worker{m: m, threads: threads, ends: ends}
	w.keep = w.step
	return w
}

// expand expands a block of a frontier.
func (w *worker) expand(ctx context.Context, f *frontier, n int, b *block) {
	b.reset()
	w.b = b
	f.each(n, func(set int32, state []byte) bool {
		first := len(b.steps)
		w.called, w.raced = false, false
		if b.err = ctx.Err(); b.err == nil {
			b.err = w.m.Expand(state, w.keep)
		}
		if b.err != nil {
			return false
		}
		e := expanded{set: set, steps: len(b.steps), raced: w.raced}
		if !w.called && (w.ends || len(b.steps) == first) {
			e.idle, e.status = true, w.m.Status(state)
		}
		b.states = append(b.states, e)
		return true
	})
}

// step keeps a step of the state that is being expanded.
func (w *worker) step(s *machine.Step) error {
	b := w.b
	k := step{thread: int32(s.Thread), call: s.Call, answer: s.Answer, open: s.Open}
	w.called = w.called || s.Call >= 0
	if len(s.Choices) > 0 {
		k.choices.from = uint32(len(b.choices))
		b.choices = append(b.choices, s.Choices...)
		k.choices.to = uint32(len(b.choices))
	}
	if len(s.Announced) > 0 {
		k.said.from = uint32(len(b.said))
		b.said = append(b.said, s.Announced...)
		k.said.to = uint32(len(b.said))
	}
	if s.Fault != nil {
		f := *s.Fault
		f.Threads = slices.Clone(f.Threads)
		k.fault = &f
		w.raced = w.raced || f.Kind == machine.Race
	} else {
		k.sum = hash(s.Next)
		k.next.from = uint32(len(b.data))
		b.data = append(b.data, s.Next...)
		k.next.to = uint32(len(b.data))
		if perm := s.Perm[:min(w.threads, len(s.Perm))]; !identity(perm) {
			k.perm.from = uint32(len(b.data))
			b.data = append(b.data, perm...)
			k.perm.to = uint32(len(b.data))
		}
	}
	b.steps = append(b.steps, k)
	return nil
}

func identity(perm []uint8) bool {
	for i, t := range perm {
		if int(t) != i {
			return false
		}
	}
	return true
}

// expandAll expands a round with all workers, and returns when they are done.
func (s *Search) expandAll(ctx context.Context, r *round) {
	n := r.to - r.from
	if len(s.workers) == 1 || n == 1 {
		for i := range n {
			s.workers[0].expand(ctx, &s.now, r.from+i, &r.blocks[i])
		}
		return
	}
	var next atomic.Int32
	var wg sync.WaitGroup
	for _, w := range s.workers[:min(len(s.workers), n)] {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				w.expand(ctx, &s.now, r.from+i, &r.blocks[i])
			}
		}()
	}
	wg.Wait()
}

// failed is the error of a round: machine.ErrAgain and the context's come first,
// as nothing of the round counts then.
func (r *round) failed() error {
	var first error
	for i := range r.to - r.from {
		err := r.blocks[i].err
		switch {
		case err == nil:
		case errors.Is(err, machine.ErrAgain):
			return err
		case first == nil:
			first = err
		}
	}
	return first
}
