package matching_test

import (
	"errors"
	"slices"
)

// Plain types that synthesis has not been tuned for. Their names say nothing on
// purpose, or they are what people write.

// abc is a queue with names that say nothing.
type abc struct{ vs []string }

func (q *abc) A(v string) { q.vs = append(q.vs, v) }
func (q *abc) B() (string, error) {
	if len(q.vs) == 0 {
		return "", errors.New("nothing")
	}
	v := q.vs[0]
	q.vs = q.vs[1:]
	return v, nil
}

// generic is a stack of any type with pointer results and a look at the top.
type generic[T any] struct{ vs []T }

func (s *generic[T]) Push(v T) { s.vs = append(s.vs, v) }
func (s *generic[T]) Pop() *T {
	if len(s.vs) == 0 {
		return nil
	}
	v := s.vs[len(s.vs)-1]
	s.vs = s.vs[:len(s.vs)-1]
	return &v
}
func (s *generic[T]) Top() *T {
	if len(s.vs) == 0 {
		return nil
	}
	v := s.vs[len(s.vs)-1]
	return &v
}

// deque has two ways in and two ways out.
type deque struct{ vs []int }

func (d *deque) PushFront(v int) { d.vs = append([]int{v}, d.vs...) }
func (d *deque) PushBack(v int)  { d.vs = append(d.vs, v) }
func (d *deque) PopFront() (int, bool) {
	if len(d.vs) == 0 {
		return 0, false
	}
	v := d.vs[0]
	d.vs = d.vs[1:]
	return v, true
}
func (d *deque) PopBack() (int, bool) {
	if len(d.vs) == 0 {
		return 0, false
	}
	v := d.vs[len(d.vs)-1]
	d.vs = d.vs[:len(d.vs)-1]
	return v, true
}

// boolSet is a set as most people write it.
type boolSet struct{ vs map[int]bool }

func (s *boolSet) Add(v int) bool {
	if s.vs[v] {
		return false
	}
	if s.vs == nil {
		s.vs = map[int]bool{}
	}
	s.vs[v] = true
	return true
}
func (s *boolSet) Remove(v int) bool {
	ok := s.vs[v]
	delete(s.vs, v)
	return ok
}
func (s *boolSet) Has(v int) bool { return s.vs[v] }

// sizedSet also counts.
type sizedSet struct{ boolSet }

func (s *sizedSet) Size() int { return len(s.vs) }

// holders is a lock taken by keys, for reading or writing, that names a key in
// the way.
type holders struct {
	writer  int
	writing bool
	readers []int
}

func (l *holders) Lock(key int) (blocker int, blocked bool) {
	if l.writing {
		return l.writer, true
	}
	if len(l.readers) > 0 {
		return l.readers[0], true
	}
	l.writer, l.writing = key, true
	return 0, false
}
func (l *holders) RLock(key int) (blocker int, blocked bool) {
	if l.writing {
		return l.writer, true
	}
	l.readers = append(l.readers, key)
	return 0, false
}
func (l *holders) Unlock(key int) bool {
	if !l.writing || l.writer != key {
		return false
	}
	l.writing = false
	return true
}
func (l *holders) RUnlock(key int) bool {
	i := slices.Index(l.readers, key)
	if i < 0 {
		return false
	}
	l.readers = slices.Delete(l.readers, i, i+1)
	return true
}

// pool hands out what was put in, the last first, and can be emptied of one value.
type pool struct{ vs []int }

func (p *pool) Put(v int) { p.vs = append(p.vs, v) }
func (p *pool) Get() (int, bool) {
	if len(p.vs) == 0 {
		return 0, false
	}
	v := p.vs[len(p.vs)-1]
	p.vs = p.vs[:len(p.vs)-1]
	return v, true
}
func (p *pool) Discard(v int) bool {
	i := slices.Index(p.vs, v)
	if i < 0 {
		return false
	}
	p.vs = slices.Delete(p.vs, i, i+1)
	return true
}

// swapper exchanges its value for another.
type swapper struct {
	v  int
	ok bool
}

func (s *swapper) Swap(v int) (old int, ok bool) {
	old, ok = s.v, s.ok
	s.v, s.ok = v, true
	return old, ok
}
func (s *swapper) Load() (int, bool) { return s.v, s.ok }

// cas is a register with compare-and-swap.
type cas struct {
	v  int
	ok bool
}

func (c *cas) Write(v int)       { c.v, c.ok = v, true }
func (c *cas) Read() (int, bool) { return c.v, c.ok }
func (c *cas) CompareAndSwap(old, new int) bool {
	if !c.ok || c.v != old {
		return false
	}
	c.v = new
	return true
}

// cell is written once.
type cell struct {
	v  int
	ok bool
}

func (c *cell) Put(v int) bool {
	if c.ok {
		return false
	}
	c.v, c.ok = v, true
	return true
}
func (c *cell) Get() (int, bool) { return c.v, c.ok }

// table is a map.
type table map[string]int

func (m table) Put(k string, v int)         { m[k] = v }
func (m table) Get(k string) (int, bool)    { v, ok := m[k]; return v, ok }
func (m table) Delete(k string) (int, bool) { v, ok := m[k]; delete(m, k); return v, ok }

// bounded is a queue of two places.
type bounded struct{ vs []int }

func (b *bounded) Add(v int) bool {
	if len(b.vs) == 2 {
		return false
	}
	b.vs = append(b.vs, v)
	return true
}
func (b *bounded) Remove() (int, bool) {
	if len(b.vs) == 0 {
		return 0, false
	}
	v := b.vs[0]
	b.vs = b.vs[1:]
	return v, true
}

// priority removes the smallest.
type priority struct{ vs []int }

func (p *priority) Add(v int) { p.vs = append(p.vs, v) }
func (p *priority) Min() (int, bool) {
	if len(p.vs) == 0 {
		return 0, false
	}
	slices.Sort(p.vs)
	v := p.vs[0]
	p.vs = p.vs[1:]
	return v, true
}

// counter and adder make values up.
type counter struct{ n int }

func (c *counter) Inc()     { c.n++ }
func (c *counter) Get() int { return c.n }

type adder struct{ n int }

func (a *adder) FetchAdd(d int) int { n := a.n; a.n += d; return n }
func (a *adder) Load() int          { return a.n }

// onOff has no values at all.
type onOff struct{ on bool }

func (f *onOff) Set()        { f.on = true }
func (f *onOff) Clear()      { f.on = false }
func (f *onOff) IsSet() bool { return f.on }
