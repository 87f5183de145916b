// Package politelock waits for the other one if that one waits, too: both wait for
// ever, without sleeping.
package politelock

import (
	"runtime"
	"sync/atomic"
)

// Lock is for two, Left and Right.
type Lock struct{ left, right atomic.Bool }

// Left enters and leaves.
func (l *Lock) Left() { visit(&l.left, &l.right) }

// Right enters and leaves.
func (l *Lock) Right() { visit(&l.right, &l.left) }

func visit(mine, other *atomic.Bool) {
	mine.Store(true)
	for other.Load() {
		runtime.Gosched()
	}
	mine.Store(false)
}
