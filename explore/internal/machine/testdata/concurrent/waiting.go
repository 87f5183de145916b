package concurrent

import (
	"sync"
	"sync/atomic"
)

// Workers has operations that start goroutines.
type Workers struct {
	n  atomic.Int64
	mu sync.Mutex
	m  map[int]int
}

func NewWorkers() *Workers { return &Workers{m: map[int]int{}} }

// Sum waits for its goroutines by a wait group, and tells in which order they came.
func (w *Workers) Sum(x int) int {
	var wg sync.WaitGroup
	got := make([]int, 2)
	for i := range got {
		wg.Add(1)
		go func() {
			defer wg.Done()
			got[i] = int(w.n.Add(int64(x)))
		}()
	}
	wg.Wait()
	return got[0]*10 + got[1]
}

// First waits for the first of its goroutines.
func (w *Workers) First(x int) int {
	ch := make(chan int, 2)
	for i := range 2 {
		go func() {
			w.mu.Lock()
			w.m[i] += x
			w.mu.Unlock()
			ch <- i
		}()
	}
	return <-ch
}

func (w *Workers) Count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := 0
	for k, v := range w.m {
		n += v * (k + 1)
	}
	return n
}

// Buffer waits with condition variables.
type Buffer struct {
	mu    sync.Mutex
	some  *sync.Cond
	items []int
}

func NewBuffer() *Buffer {
	b := &Buffer{}
	b.some = sync.NewCond(&b.mu)
	return b
}

func (b *Buffer) Put(x int) int {
	b.mu.Lock()
	b.items = append(b.items, x)
	b.mu.Unlock()
	b.some.Signal()
	return len("")
}

func (b *Buffer) Take() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	for len(b.items) == 0 {
		b.some.Wait()
	}
	x := b.items[0]
	b.items = b.items[1:]
	return x
}

// PutTwo wakes everybody.
func (b *Buffer) PutTwo(x int) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.items = append(b.items, x, x+1)
	b.some.Broadcast()
	return 0
}

// Names is a map under a read-write mutex.
type Names struct {
	mu sync.RWMutex
	m  map[string]int
}

func NewNames() *Names { return &Names{m: map[string]int{}} }

func (n *Names) Set(x int) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	old := n.m["a"]
	n.m["a"] = x
	return old
}

func (n *Names) Get() int {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return n.m["a"]
}

func (n *Names) TrySet(x int) int {
	if !n.mu.TryLock() {
		return -1
	}
	defer n.mu.Unlock()
	n.m["a"] = x
	return 0
}

func (n *Names) TryGet() int {
	if !n.mu.TryRLock() {
		return -1
	}
	defer n.mu.RUnlock()
	return n.m["a"]
}

// Pool lends out cells.
type Pool struct {
	cells sync.Pool
	last  atomic.Pointer[cell]
}

type cell struct{ n int }

func NewPool() *Pool { return &Pool{cells: sync.Pool{New: func() any { return &cell{} }}} }

func (p *Pool) Use(x int) int {
	c := p.cells.Get().(*cell)
	old := c.n
	c.n = x
	p.cells.Put(c)
	return old
}

// Keep uses a cell after it has put it back.
func (p *Pool) Keep(x int) int {
	c := p.cells.Get().(*cell)
	p.cells.Put(c)
	c.n = x
	return 0
}

// Twice puts a cell back twice.
func (p *Pool) Twice(int) int {
	c := p.cells.Get().(*cell)
	p.cells.Put(c)
	p.cells.Put(c)
	return 0
}
