// Package secondtold hands out two tickets: who gets the second one knows that somebody took the first one, but
// is not ordered after that.
package secondtold

// Desk has two tickets.
type Desk struct {
	tickets chan int
	first   int
}

// New makes a desk.
func New() *Desk {
	d := &Desk{tickets: make(chan int, 2)}
	d.tickets <- 1
	d.tickets <- 2
	return d
}

// Sign leaves a name, and then takes a ticket.
func (d *Desk) Sign() {
	d.first = 7
	<-d.tickets
}

// Ask takes a ticket, and reads the name if it is the second one.
func (d *Desk) Ask() int {
	if <-d.tickets == 2 {
		return d.first
	}
	return 0
}
