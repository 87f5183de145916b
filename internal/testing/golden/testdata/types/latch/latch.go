// Package latch is a gate that opens once and stays open.
package latch

// Latch is closed at first.
type Latch struct {
	open bool
}

// Open opens the latch; opening it again changes nothing.
func (l *Latch) Open() {
	l.open = true
}

// IsOpen reports whether the latch was opened.
func (l *Latch) IsOpen() bool {
	return l.open
}
