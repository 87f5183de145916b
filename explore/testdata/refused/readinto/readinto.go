// Package readinto has an operation that writes to its argument: no answer shows what.
package readinto

import "sync"

// Buffer holds bytes.
type Buffer struct {
	mu sync.Mutex
	b  []byte
}

// Write adds bytes.
func (b *Buffer) Write(p []byte) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.b = append(b.b, p...)
	return len(p)
}

// Read takes bytes.
func (b *Buffer) Read(p []byte) int {
	b.mu.Lock()
	n := min(len(p), len(b.b))
	head := b.b[:n]
	b.b = b.b[n:]
	b.mu.Unlock()
	return copy(p, head)
}
