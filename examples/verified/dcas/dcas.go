// Package dcas has words of memory, any two of which can be compared and swapped at once. No
// processor does that, and so there is a lock, which everybody who reads takes, too.
package dcas

import "sync"

// mu protects the values of all words: any two of them may be asked for at once.
var mu sync.Mutex

// Word has a value, at first the zero value. Its methods may be called by any goroutine.
// It must not be copied.
type Word[T comparable] struct {
	value T
}

// Load is the value of w.
func (w *Word[T]) Load() T {
	mu.Lock()
	defer mu.Unlock()
	return w.value
}

// Store sets the value of w.
func (w *Word[T]) Store(value T) {
	mu.Lock()
	defer mu.Unlock()
	w.value = value
}

// CompareAndSwap sets the value of w if it is what it is expected to be, and reports
// whether it was.
func (w *Word[T]) CompareAndSwap(expected, value T) bool {
	mu.Lock()
	defer mu.Unlock()
	if w.value != expected {
		return false
	}
	w.value = value
	return true
}

// Change is what is expected of a word, and what it is set to.
type Change[T comparable] struct {
	Word            *Word[T]
	Expected, Value T
}

// Swap makes both changes if both words are as expected, and reports whether they were;
// else it makes none. The words must be two.
func Swap[A, B comparable](a Change[A], b Change[B]) bool {
	mu.Lock()
	defer mu.Unlock()
	if a.Word.value != a.Expected || b.Word.value != b.Expected {
		return false
	}
	a.Word.value, b.Word.value = a.Value, b.Value
	return true
}
