// Package cgo calls C between operations that schedules control.
package cgo

/*
#include <pthread.h>
#include <unistd.h>

extern void called(int);

static int plus(int a, int b) { return a + b; }
static void back(int n) { called(n); }
static void *later(void *p) { usleep(2000); called(1); return 0; }
static int start(void) {
	pthread_t t;
	return pthread_create(&t, 0, later, 0) || pthread_detach(t);
}
*/
import "C"

import "sync"

var got = make(chan int, 2)

//export called
func called(n C.int) { got <- int(n) }

func plus(a, b int) int { return int(C.plus(C.int(a), C.int(b))) }

// back has C call Go in the same goroutine.
func back(n int) { C.back(C.int(n)) }

// start has C call Go in a thread of its own.
func start() bool { return C.start() == 0 }

type counter struct {
	mu sync.Mutex
	n  int
}

func (c *counter) get() int  { c.mu.Lock(); defer c.mu.Unlock(); return c.n }
func (c *counter) set(n int) { c.mu.Lock(); c.n = n; c.mu.Unlock() }
func (c *counter) inc()      { c.set(plus(c.get(), 1)) }
