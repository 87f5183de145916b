// Package recorded records in several ways. A comment "want" says what is found in its line.
package recorded

import (
	"sync"
	"sync/atomic"

	"github.com/adtinfer/adtinfer/record"
	"github.com/adtinfer/adtinfer/record/refine"
)

var rec = record.New(record.Options{})

var options = refine.Options{Observers: []string{"peek", "observe"}}

// Stack is recorded by its own operations.
type Stack struct {
	top  atomic.Pointer[node]
	size atomic.Int64
	push record.Method
	vtop record.Variable
}

type node struct {
	v    int
	next *node
}

func New() *Stack { return &Stack{push: rec.Method("put"), vtop: rec.Variable("top")} }

func (s *Stack) Push(h *record.Handle, v int) {
	h.Call(s.push, record.Int(v))
	n := &node{v: v}
	for {
		h.Begin()
		n.next = s.top.Load()
		if s.top.CompareAndSwap(n.next, n) {
			break
		}
	}
	h.Commit()
	h.Return(record.None)
}

func (s *Stack) try(h *record.Handle, n *node) bool {
	h.Begin()
	n.next = s.top.Load()
	if !s.top.CompareAndSwap(n.next, n) {
		return false
	}
	h.Commit()
	return true
}

// PushBy commits in a function that says so.
func (s *Stack) PushBy(h *record.Handle, v int) {
	h.Call(s.push, record.Int(v))
	for n := (&node{v: v}); !s.try(h, n); {
	}
	h.Return(record.None)
}

// PushOnce forgets to ask.
func (s *Stack) PushOnce(h *record.Handle, v int) {
	h.Call(s.push, record.Int(v))
	s.try(h, &node{v: v})
	h.Return(record.None) // want: put returns here without a commit
}

func (s *Stack) Pop(h *record.Handle) (v int, ok bool) { // the operation is the method itself
	n := s.top.Load()
	if n == nil {
		return 0, false // want: pop returns here without a commit
	}
	if s.top.CompareAndSwap(n, n.next) {
		h.Commit()
		return n.v, true
	}
	panic("try again")
}

func (s *Stack) Peek(h *record.Handle) int {
	if n := s.top.Load(); n != nil {
		return n.v
	}
	h.Commit()
	return 0
}

// Size is what the view has.
func (s *Stack) grow(h *record.Handle, by int64) {
	s.size.Add(by)
	h.Write(s.vtop, 0, record.Int(s.size.Load()))
}

func (s *Stack) Grow(h *record.Handle) {
	s.grow(h, 1)
	h.Commit()
}

func (s *Stack) Shrink(h *record.Handle) {
	if s.size.CompareAndSwap(1, 0) { // want: shrink writes to Stack.size
		h.Commit()
		return
	}
	h.Commit()
}

func (s *Stack) Reset(h *record.Handle) {
	s.size.Store(0) // want: reset writes to Stack.size
	h.Commit()
	h.Write(s.vtop, 0, record.Int(s.size.Load()))
}

// Table has a lock, and is recorded by deferred calls.
type Table struct {
	mu     sync.RWMutex
	m      map[int]int
	cells  [4]int
	strict bool
	vm, vc record.Variable
}

func NewTable(strict bool) *Table { return &Table{m: map[int]int{}, strict: strict} }

func (t *Table) Put(h *record.Handle, k, v int) bool {
	h.Call(rec.Method("put it"))
	defer h.Return(record.None) // want: put it returns here without a commit
	t.mu.Lock()
	defer t.mu.Unlock()
	if k < 0 {
		return false
	}
	defer h.Commit()
	t.m[k] = v
	h.Write(t.vm, k, record.Int(v))
	return true
}

func (t *Table) Get(h *record.Handle, k int) int {
	h.Call(rec.Method("observe"))
	t.mu.RLock()
	v := t.m[k]
	t.mu.RUnlock()
	h.Return(record.Some, record.Int(v))
	return v
}

// Swap asks the same twice.
func (t *Table) Swap(h *record.Handle, i, j int) {
	h.Call(rec.Method("swap"))
	if t.strict {
		t.mu.Lock()
	}
	same := i == j
	if !same {
		t.cells[i], t.cells[j] = t.cells[j], t.cells[i]
		h.WriteBlock(record.Write{Variable: t.vc, Index: int64(i), Value: record.Int(t.cells[i])}, // want: the block entry is recorded without a lock
			record.Write{Variable: t.vc, Index: int64(j), Value: record.Int(t.cells[j])})
		h.Commit()
	}
	if t.strict {
		t.mu.Unlock()
	}
	if same {
		h.Commit()
	}
	h.Return(record.None)
}

// Clear hands work to a closure.
func (t *Table) Clear(h *record.Handle) {
	h.Call(rec.Method("clear"))
	t.locked(func() {
		for i := range t.cells {
			t.cells[i] = 0
			h.Write(t.vc, i, record.Int(0))
		}
		h.Commit()
	})
	h.Return(record.None)
}

func (t *Table) locked(do func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	do()
}

// Wipe does so without saying it.
func (t *Table) Wipe(h *record.Handle) {
	h.Call(rec.Method("wipe"))
	t.locked(func() {
		clear(t.cells[:]) // want: wipe writes to Table.cells
		h.Commit()
	})
	h.Return(record.None)
}

// Mode is a switch with a commit in each case but one.
func (t *Table) Mode(h *record.Handle, m int) {
	h.Call(rec.Method("mode"))
	if m == 1 || m == 2 {
		h.Commit()
	}
	switch m {
	case 1, 2:
	case 3:
	default:
		h.Commit()
	}
	h.Return(record.None) // want: mode returns here without a commit
}

// Twice commits in every round.
func (t *Table) Twice(h *record.Handle, n int) {
	h.Call(rec.Method("twice"))
	for range n {
		h.Commit() // want: twice commits a second time here
	}
	h.Return(record.None) // want: twice returns here without a commit
}

// Each is generic code.
type Each[T ~int] struct {
	vs []T
	v  record.Variable
}

func (e *Each[T]) add(h *record.Handle, i int, v T) {
	e.vs[i] = v
	h.Write(e.v, i, record.Int(v))
}

func AddTo(e *Each[int], h *record.Handle, v int) {
	h.Call(rec.Method("add"))
	e.add(h, 0, v)
	h.Commit()
	h.Return(record.None)
}

func SetTo(e *Each[int], h *record.Handle, v int) {
	h.Call(rec.Method("set"))
	e.vs[0] = v + 1 // want: set writes to Each.vs
	h.Commit()
	h.Return(record.None)
}

// Never is never instantiated.
type Never[T any] struct{ vs []T }

func (n *Never[T]) Add(h *record.Handle, v T) {
	h.Call(rec.Method("never"))
	n.vs = append(n.vs, v)
	h.Return(record.None) // want: never returns here without a commit
}

// Falls commits in one way, and ends without a return.
func Falls(h *record.Handle, yes bool) {
	if yes {
		h.Commit()
	}
} // want: falls returns here without a commit

// Deep calls itself, which is not followed.
func Deep(h *record.Handle, n int) {
	if n > 0 {
		Deep(h, n-1) // want: Deep records, and is called within itself
		return
	}
	h.Commit()
}
