// Package linebuf edits one line of text with a cursor.
package linebuf

// Buffer is a line of text split at the cursor.
type Buffer struct {
	left, right []rune
}

// New returns a buffer with the cursor at the end of text.
func New(text string) *Buffer { return &Buffer{left: []rune(text)} }

// Insert types s at the cursor.
func (b *Buffer) Insert(s string) { b.left = append(b.left, []rune(s)...) }

// Backspace deletes up to n characters before the cursor and returns how many
// were deleted.
func (b *Buffer) Backspace(n int) int {
	n = min(max(n, 0), len(b.left))
	b.left = b.left[:len(b.left)-n]
	return n
}

// Move shifts the cursor by delta characters, stopping at the ends of the
// line, and returns its new position.
func (b *Buffer) Move(delta int) int {
	all := []rune(b.String())
	pos := min(max(len(b.left)+delta, 0), len(all))
	b.left = append([]rune(nil), all[:pos]...)
	b.right = append([]rune(nil), all[pos:]...)
	return pos
}

// Kill cuts everything after the cursor and returns it.
func (b *Buffer) Kill() string {
	s := string(b.right)
	b.right = nil
	return s
}

// String returns the whole line.
func (b *Buffer) String() string { return string(b.left) + string(b.right) }
