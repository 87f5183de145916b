//go:build z3

package solver

// #cgo LDFLAGS: -lz3
// #include <z3.h>
import "C"

import (
	"context"
	"time"
	"unsafe"

	"github.com/mitchellh/go-z3"
)

// interruptible has Z3 interrupted when ctx ends. The function it returns is to
// be called once Z3 is back, and tells whether it was interrupted. go-z3 does
// not offer Z3_interrupt, but hands out the context that it takes.
func interruptible(ctx context.Context, c *z3.Context) (interrupted func() bool) {
	back, done := make(chan struct{}), make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(done)
		raw := C.Z3_context(unsafe.Pointer(c.Z3Value()))
		for {
			C.Z3_interrupt(raw) // again and again: it is lost if Z3 has not begun yet
			select {
			case <-back:
				return
			case <-time.After(10 * time.Millisecond):
			}
		}
	})
	return func() bool {
		close(back)
		if stop() {
			return false
		}
		<-done
		return true
	}
}
