// Package deque is a double-ended queue.
package deque

import "container/list"

// Deque is empty at first.
type Deque struct{ l list.List }

// New returns an empty deque.
func New() *Deque {
	d := &Deque{}
	d.l.Init()
	return d
}

// PushFront adds v in front.
func (d *Deque) PushFront(v int) { d.l.PushFront(v) }

// PushBack adds v at the back.
func (d *Deque) PushBack(v int) { d.l.PushBack(v) }

// PopFront takes the first value.
func (d *Deque) PopFront() (int, bool) { return d.take(d.l.Front()) }

// PopBack takes the last value.
func (d *Deque) PopBack() (int, bool) { return d.take(d.l.Back()) }

func (d *Deque) take(e *list.Element) (int, bool) {
	if e == nil {
		return 0, false
	}
	return d.l.Remove(e).(int), true
}
