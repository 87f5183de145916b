// Package deque is a queue with two ends, on a doubly linked list.
package deque

import "errors"

// ErrEmpty says that there is nothing to take.
var ErrEmpty = errors.New("deque: empty")

// Deque has a node before the first and after the last.
type Deque struct {
	ends node
}

type node struct {
	value      int
	prev, next *node
}

// New makes an empty deque.
func New() *Deque {
	d := new(Deque)
	d.ends.prev, d.ends.next = &d.ends, &d.ends
	return d
}

// PushFront adds a value at the front.
func (d *Deque) PushFront(v int) { insert(&d.ends, v) }

// PushBack adds a value at the back.
func (d *Deque) PushBack(v int) { insert(d.ends.prev, v) }

// PopFront removes the value at the front.
func (d *Deque) PopFront() (int, error) { return d.remove(d.ends.next) }

// PopBack removes the value at the back.
func (d *Deque) PopBack() (int, error) { return d.remove(d.ends.prev) }

func insert(after *node, v int) {
	n := &node{v, after, after.next}
	after.next.prev = n
	after.next = n
}

func (d *Deque) remove(n *node) (int, error) {
	if n == &d.ends {
		return 0, ErrEmpty
	}
	n.prev.next, n.next.prev = n.next, n.prev
	return n.value, nil
}
