// Package seat has operations that wait for another one, each with a ticket: in a seat, or in the hand of who
// calls it.
package seat

import "sync/atomic"

// Room counts those who have waited for the last Fire.
type Room struct {
	generation atomic.Int32
	seat       atomic.Pointer[ticket]
}

type ticket struct{ called atomic.Bool }

// New makes a Room.
func New() *Room { return &Room{} }

// Wait waits in the seat for the next Fire, or to be called.
//
//lin:receive after fired() in waiting: wait(); goto served
//lin:receive after fired() in held: wait(); goto late
//lin:receive after taken(x *ticket) in start if owns(x): goto held
//lin:receive after taken(x *ticket) in waiting if owns(x): goto held
//lin:receive after called(x *ticket) in held if owns(x): wait(); goto served
func (r *Room) Wait() {
	t := &ticket{}
	for !r.seat.CompareAndSwap(nil, t) {
	}
	//lin: own t
	now := r.generation.Load() //lin: in start: goto waiting
	for r.generation.Load() == now && !t.called.Load() {
	}
	r.seat.CompareAndSwap(t, nil)
}

// Fire lets all go on that wait.
func (r *Room) Fire() {
	r.generation.Store(1 - r.generation.Load())
	//lin: fire(); broadcast fired()
}

// Call calls who is in the seat, if anybody is.
func (r *Room) Call() {
	t := r.seat.Swap(nil)
	//lin: if t != nil: broadcast taken(t)
	if t == nil {
		//lin: call()
		return
	}
	t.called.Store(true)
	//lin: call(); broadcast called(t)
}
