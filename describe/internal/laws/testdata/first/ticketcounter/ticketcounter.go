package ticketcounter

import "fmt"

// Counter hands out numbered tickets and calls them to a fixed number of desks.
type Counter struct {
	issued  int
	waiting []int
	desks   []int // ticket being served, 0 if none
	served  int
}

// New returns a counter with the given number of desks, numbered from 1.
func New(desks int) *Counter { return &Counter{desks: make([]int, desks)} }

// Take issues the next ticket.
func (c *Counter) Take() int {
	c.issued++
	c.waiting = append(c.waiting, c.issued)
	return c.issued
}

// Call finishes whoever is at the desk and calls the next ticket there. The
// ticket is 0 if nobody is waiting.
func (c *Counter) Call(desk int) (int, error) {
	if desk < 1 || desk > len(c.desks) {
		return 0, fmt.Errorf("ticketcounter: no desk %d", desk)
	}
	if c.desks[desk-1] != 0 {
		c.served++
		c.desks[desk-1] = 0
	}
	if len(c.waiting) == 0 {
		return 0, nil
	}
	c.desks[desk-1] = c.waiting[0]
	c.waiting = c.waiting[1:]
	return c.desks[desk-1], nil
}

// GiveUp removes a waiting ticket from the queue.
func (c *Counter) GiveUp(ticket int) bool {
	for i, t := range c.waiting {
		if t == ticket {
			c.waiting = append(c.waiting[:i], c.waiting[i+1:]...)
			return true
		}
	}
	return false
}

// Ahead returns how many people come before a waiting ticket.
func (c *Counter) Ahead(ticket int) (int, bool) {
	for i, t := range c.waiting {
		if t == ticket {
			return i, true
		}
	}
	return 0, false
}

// At returns the ticket that is being served at a desk.
func (c *Counter) At(desk int) (int, bool) {
	if desk < 1 || desk > len(c.desks) || c.desks[desk-1] == 0 {
		return 0, false
	}
	return c.desks[desk-1], true
}

// Served returns the number of tickets that are finished.
func (c *Counter) Served() int { return c.served }
