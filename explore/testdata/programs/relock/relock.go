// Package relock gives a lock back for a moment, and takes it again when it holds
// the other one.
package relock

import "sync"

// List is two elements, each with its lock.
type List struct {
	first, second sync.Mutex
	a, b          int
}

// Set writes both elements.
func (l *List) Set(v int) {
	l.first.Lock()
	l.second.Lock()
	l.a, l.b = v, v
	l.second.Unlock()
	l.first.Unlock()
}

// Swap exchanges the elements.
func (l *List) Swap() {
	l.first.Lock()
	a := l.a
	l.first.Unlock()
	l.second.Lock()
	l.first.Lock()
	l.a, l.b = l.b, a
	l.first.Unlock()
	l.second.Unlock()
}
