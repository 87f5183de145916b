// Package secondtold hands out two tickets: who gets the second one knows that somebody took the first one, but
// is not ordered after that.
package secondtold

import "sync"

// Desk has two tickets.
type Desk struct {
	mu      sync.Mutex
	signed  bool
	first   int
	tickets chan int
}

// New makes a desk.
func New() *Desk {
	d := &Desk{tickets: make(chan int, 2)}
	d.tickets <- 1
	d.tickets <- 2
	return d
}

// Sign leaves a name, unless there is one, and then takes a ticket.
func (d *Desk) Sign() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.signed {
		d.signed, d.first = true, 7
		<-d.tickets
	}
}

// Ask takes a ticket, and reads the name if it is the second one.
func (d *Desk) Ask() int {
	if <-d.tickets == 2 {
		return d.first
	}
	return 0
}
