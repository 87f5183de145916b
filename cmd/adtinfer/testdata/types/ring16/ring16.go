// Package ring16 is a ring of frames with free-running indices.
package ring16

import "sync"

// Frame is a frame number.
type Frame uint16

const mask = 16 - 1

// Ring holds up to sixteen frames.
type Ring struct {
	mu         sync.Mutex
	frames     [mask + 1]Frame
	read, next uint32
}

// New returns an empty ring.
func New() *Ring { return new(Ring) }

// Push adds a frame and reports whether there was room.
func (r *Ring) Push(f Frame) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.next-r.read > mask {
		return false
	}
	r.frames[r.next&mask] = f
	r.next++
	return true
}

// Pop takes the oldest frame.
func (r *Ring) Pop() (f Frame, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.read == r.next {
		return 0, false
	}
	f = r.frames[r.read&mask]
	r.read++
	return f, true
}
