// Package twochannels takes numbers from two channels, whichever has one.
package twochannels

// Bag holds four numbers at most.
type Bag struct{ even, odd chan int }

// New makes an empty Bag.
func New() *Bag { return &Bag{make(chan int, 2), make(chan int, 2)} }

// Put adds v, or returns false if there is no room.
func (b *Bag) Put(v int) bool {
	c := b.odd
	if v%2 == 0 {
		c = b.even
	}
	select {
	case c <- v:
		return true
	default:
		return false
	}
}

// Take takes any number, or returns false if there is none.
func (b *Bag) Take() (int, bool) {
	select {
	case v := <-b.even:
		return v, true
	case v := <-b.odd:
		return v, true
	default:
		return 0, false
	}
}
