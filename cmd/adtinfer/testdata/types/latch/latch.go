// Package latch has a door that opens once.
package latch

// Latch is closed at first and stays open once it was opened.
type Latch struct{ open bool }

// Open opens the latch.
func (l *Latch) Open() { l.open = true }

// IsOpen reports whether the latch was opened.
func (l *Latch) IsOpen() bool { return l.open }
