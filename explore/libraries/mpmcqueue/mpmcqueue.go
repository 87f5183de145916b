// Package mpmcqueue is the bounded queue of github.com/puzpuzpuz/xsync.
package mpmcqueue

import "github.com/puzpuzpuz/xsync/v4"

// Queue is a queue of two numbers at most.
type Queue struct{ q *xsync.MPMCQueue[int] }

// New makes an empty Queue.
func New() *Queue { return &Queue{xsync.NewMPMCQueue[int](2)} }

// TryEnqueue adds v at the end, or returns false if there is no room.
func (q *Queue) TryEnqueue(v int) bool { return q.q.TryEnqueue(v) }

// TryDequeue takes the number at the front, or returns false if there is none.
func (q *Queue) TryDequeue() (int, bool) { return q.q.TryDequeue() }
