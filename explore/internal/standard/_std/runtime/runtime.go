// Package runtime is what runtime is to the explorer: two processors, and nothing
// to be learnt about the system.
package runtime

import (
	"internal/goarch"
	"internal/goos"
	"unsafe"
)

const (
	Compiler        = "gc"
	GOARCH   string = goarch.GOARCH
	GOOS     string = goos.GOOS
)

func NumCPU() int           { return 2 }
func GOMAXPROCS(n int) int  { return 2 }
func SetDefaultGOMAXPROCS() {}
func NumCgoCall() int64     { return 0 }

func Gosched()
func GC()
func LockOSThread()
func UnlockOSThread()
func KeepAlive(x any)
func SetFinalizer(obj any, finalizer any)
func Goexit()
func NumGoroutine() int
func Breakpoint()
func GOROOT() string
func Version() string

type Cleanup struct{ _ int }

func AddCleanup[T, S any](ptr *T, cleanup func(S), arg S) Cleanup { return Cleanup{} }

func (c Cleanup) Stop() {}

type Pinner struct{ _ int }

func (p *Pinner) Pin(pointer any) {}
func (p *Pinner) Unpin()          {}

type Error interface {
	error
	RuntimeError()
}

// errorString is what the explorer panics with.
type errorString string

func (e errorString) Error() string { return "runtime error: " + string(e) }
func (e errorString) RuntimeError() {}

type TypeAssertionError struct{ text string }

func (e *TypeAssertionError) Error() string { return e.text }
func (*TypeAssertionError) RuntimeError()   {}

type PanicNilError struct{ _ int }

func (*PanicNilError) Error() string {
	return "panic called with nil argument (use GODEBUG=panicnil=1 to disable)"
}
func (*PanicNilError) RuntimeError() {}

func SetCgoTraceback(version int, traceback, context, symbolizer unsafe.Pointer)
