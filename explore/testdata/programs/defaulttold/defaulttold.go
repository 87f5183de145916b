// Package defaulttold is a cell that is read by those who find a channel full.
package defaulttold

// Cell is set once, by who finds room.
type Cell struct {
	v    int
	room chan int
	full chan int
}

// New makes a cell.
func New() *Cell {
	c := &Cell{room: make(chan int, 1), full: make(chan int, 1)}
	c.room <- 1
	return c
}

// Set sets the cell, unless it is set.
func (c *Cell) Set(v int) bool {
	select {
	case <-c.room:
	default:
		return false
	}
	c.v = v
	c.full <- 1
	return true
}

// Get reads the cell, 0 if it is not set.
func (c *Cell) Get() int {
	select {
	case c.full <- 1:
		<-c.full
		return 0
	default:
		return c.v
	}
}
