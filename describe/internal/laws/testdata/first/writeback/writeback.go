package writeback

import "maps"

// Buffer is a write-back cache for string settings. Writes stay in the buffer
// until Flush hands them over for saving.
type Buffer struct {
	clean map[string]string
	dirty map[string]string
}

// New returns an empty buffer.
func New() *Buffer {
	return &Buffer{clean: map[string]string{}, dirty: map[string]string{}}
}

// Load fills in a value read from the backing store. It does not override a
// pending write.
func (b *Buffer) Load(key, value string) {
	b.clean[key] = value
}

// Set records a write. Writing the value that is already saved cancels any
// pending write for that key.
func (b *Buffer) Set(key, value string) {
	if old, ok := b.clean[key]; ok && old == value {
		delete(b.dirty, key)
		return
	}
	b.dirty[key] = value
}

// Get returns the newest value known for key.
func (b *Buffer) Get(key string) (string, bool) {
	if v, ok := b.dirty[key]; ok {
		return v, true
	}
	v, ok := b.clean[key]
	return v, ok
}

// Dirty reports whether key has a pending write.
func (b *Buffer) Dirty(key string) bool {
	_, ok := b.dirty[key]
	return ok
}

// Flush returns the pending writes and regards them as saved.
func (b *Buffer) Flush() map[string]string {
	out := b.dirty
	maps.Copy(b.clean, out)
	b.dirty = map[string]string{}
	return out
}

// Discard drops all pending writes and returns how many there were.
func (b *Buffer) Discard() int {
	n := len(b.dirty)
	clear(b.dirty)
	return n
}
