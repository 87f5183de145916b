// Package snapshot is two numbers that are read together.
package snapshot

// Pair holds two numbers.
type Pair struct {
	left, right int
}

// SetLeft replaces the left number.
func (p *Pair) SetLeft(v int) { p.left = v }

// SetRight replaces the right number.
func (p *Pair) SetRight(v int) { p.right = v }

// Scan returns both numbers.
func (p *Pair) Scan() (left, right int) {
	return p.left, p.right
}
