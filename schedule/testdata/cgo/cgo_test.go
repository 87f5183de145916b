package cgo

import (
	"runtime"
	"sync"
	"testing"
)

func both(f func()) {
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() { defer wg.Done(); f() }()
	}
	wg.Wait()
}

// failed: counted 1
func TestLost(t *testing.T) {
	var c counter
	if both(c.inc); c.n != 2 {
		t.Errorf("counted %d", c.n)
	}
}

// failed: counted 1
func TestLostLocked(t *testing.T) { // goroutines that keep their thread
	var c counter
	both(func() { runtime.LockOSThread(); c.inc(); runtime.UnlockOSThread() })
	if c.n != 2 {
		t.Errorf("counted %d", c.n)
	}
}

// passed
func TestGood(t *testing.T) {
	var c counter
	var mu sync.Mutex
	both(func() { mu.Lock(); defer mu.Unlock(); c.inc() })
	if c.n != 2 {
		t.Errorf("counted %d", c.n)
	}
}

// passed
func TestBack(t *testing.T) { both(func() { back(1); <-got }) }

// deadlock: chan receive at cgo_test.go
func TestBackForever(t *testing.T) { both(func() { <-got; back(1) }) }

// undecided: a thread of C that calls back
func TestThread(t *testing.T) {
	if !start() {
		t.Skip("no thread")
	}
	<-got
}
