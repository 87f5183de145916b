// Package bag is a bag of work: whoever asks gets some piece of it.
package bag

import "github.com/adtinfer/adtinfer/reference"

// Bag counts how often it has each piece.
type Bag struct {
	pieces map[string]int
	size   int
}

// New makes an empty bag.
func New() *Bag {
	return &Bag{pieces: map[string]int{}}
}

// Spec says which answers are right: any piece that is in the bag.
var Spec = reference.Spec{
	New: New,
	Operations: []reference.Operation{
		{Name: "put", Func: (func(piece string))(nil)},
		{Name: "take", Func: (func() (piece string, ok bool))(nil)},
	},
	Accept: (*Bag).accept,
}

func (b *Bag) accept(c reference.Claim) bool {
	switch {
	case c.Method == "put":
		b.pieces[c.Args[0].(string)]++
		b.size++
		return true
	case c.Outcome == "nil":
		return b.size == 0
	}
	piece := c.Rets[0].(string)
	if b.pieces[piece] == 0 {
		return false
	}
	b.pieces[piece]--
	b.size--
	return true
}
