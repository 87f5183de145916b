// Package ptrqueue passes on pointers to requests.
package ptrqueue

import "sync"

// Request is somebody's request. Two equal requests are still two.
type Request struct {
	Path string
	Body []byte
}

// Queue is first in, first out.
type Queue struct {
	mu       sync.Mutex
	requests []*Request
}

// New makes an empty queue.
func New() *Queue { return &Queue{} }

// Add appends a request.
func (q *Queue) Add(r *Request) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.requests = append(q.requests, r)
}

// Next removes the oldest request, nil if there is none.
func (q *Queue) Next() *Request {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.requests) == 0 {
		return nil
	}
	r := q.requests[0]
	q.requests = q.requests[1:]
	return r
}
