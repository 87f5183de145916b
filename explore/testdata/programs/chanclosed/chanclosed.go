// Package chanclosed closes a channel that others send to.
package chanclosed

import "sync/atomic"

// Log takes lines until it is closed.
type Log struct {
	c    chan int
	over atomic.Bool
}

// New makes an empty Log.
func New() *Log { return &Log{c: make(chan int, 4)} }

// Write adds a line, unless the log is closed.
func (l *Log) Write(v int) bool {
	if l.over.Load() {
		return false
	}
	l.c <- v
	return true
}

// Close closes the log, once.
func (l *Log) Close() {
	if l.over.CompareAndSwap(false, true) {
		close(l.c)
	}
}
