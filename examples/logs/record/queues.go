package main

import (
	"runtime"
	"sync"
)

// queue is what the three implement.
type queue interface {
	enqueue(v int)
	dequeue() (int, bool)
}

var queues = map[string]func() queue{
	"mutex": func() queue { return &mutexQueue{} },
	"peek":  func() queue { return &peekQueue{} },
	"lanes": func() queue { return &laneQueue{} },
}

// mutexQueue is right.
type mutexQueue struct {
	mu     sync.Mutex
	values []int
}

func (q *mutexQueue) enqueue(v int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.values = append(q.values, v)
}

func (q *mutexQueue) dequeue() (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.values) == 0 {
		return 0, false
	}
	v := q.values[0]
	q.values = q.values[1:]
	return v, true
}

// peekQueue lets go of the lock between looking at the front and removing it,
// so that two goroutines may dequeue the same value, and lose the next one.
type peekQueue struct{ mutexQueue }

func (q *peekQueue) dequeue() (int, bool) {
	q.mu.Lock()
	if len(q.values) == 0 {
		q.mu.Unlock()
		return 0, false
	}
	v := q.values[0]
	q.mu.Unlock()
	runtime.Gosched()
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.values) > 0 {
		q.values = q.values[1:]
	}
	return v, true
}

// laneQueue spreads values over two queues, so that they may overtake.
type laneQueue struct {
	mu    sync.Mutex
	next  int
	lanes [2]mutexQueue
}

func (q *laneQueue) enqueue(v int) {
	q.mu.Lock()
	q.next++
	lane := q.next % len(q.lanes)
	q.mu.Unlock()
	q.lanes[lane].enqueue(v)
}

func (q *laneQueue) dequeue() (int, bool) {
	for i := range q.lanes {
		if v, ok := q.lanes[i].dequeue(); ok {
			return v, true
		}
	}
	return 0, false
}
