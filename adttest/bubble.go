package adttest

import (
	"bytes"
	"runtime"
	"sync/atomic"
)

// bubbleOf is the mark that stack traces give goroutines of the present one's
// testing/synctest bubble; nil where there is none. (T.Deadline panics in a bubble,
// but callers of Find have no T.)
func bubbleOf() []byte {
	var buf [200]byte
	line, _, _ := bytes.Cut(buf[:runtime.Stack(buf[:], false)], []byte("\n"))
	i := bytes.LastIndex(line, []byte(", synctest bubble "))
	if i < 0 {
		return nil
	}
	return bytes.Clone(line[i:])
}

// apart calls f where there is no bubble, and returns when it has returned.
// What takes time in a bubble, where the clock stands still, or has goroutines and
// channels of its own, runs there: inference, judges, the watch. The objects under
// test belong to the bubble: inside, which f gets, makes a call in the caller's
// goroutine. Without a bubble both are plain calls.
func apart(f func(inside func(func()))) {
	if bubbleOf() == nil {
		f(func(g func()) { g() })
		return
	}
	// A goroutine of the bubble starts others in it; cleanups run outside of any.
	var link atomic.Pointer[chan func()]
	witness := new([4]*int)
	runtime.AddCleanup(witness, func(link *atomic.Pointer[chan func()]) {
		calls := make(chan func())
		go func() {
			defer close(calls)
			f(func(g func()) {
				done := make(chan struct{})
				calls <- func() { defer close(done); g() }
				<-done
			})
		}()
		link.Store(&calls)
	}, &link)
	for link.Load() == nil {
		runtime.GC()
		runtime.Gosched()
	}
	for call := range *link.Load() {
		call()
	}
}

// asleep reports whether all goroutines of a bubble but the present one are durably
// blocked: nothing happens there until its clock moves on.
func asleep(bubble []byte) bool {
	buf := make([]byte, 1<<16)
	for n := runtime.Stack(buf, true); n == len(buf); n = runtime.Stack(buf, true) {
		if n > 1<<26 {
			return false
		}
		buf = make([]byte, 2*n)
	}
	blocks := bytes.Split(bytes.TrimRight(buf, "\x00"), []byte("\n\n"))
	for _, g := range blocks[1:] { // the first one is the present one
		line, _, _ := bytes.Cut(g, []byte("\n"))
		line = bytes.TrimSuffix(line, []byte(":"))
		if bytes.HasSuffix(line, bytes.TrimSuffix(bubble, []byte(":"))) && !bytes.Contains(line, []byte("(durable)")) {
			return false
		}
	}
	return true
}
