package libraries

import (
	"testing"

	"github.com/adtinfer/adtinfer/adttest"
)

// semaphore is a channel with room for those who hold it.
type semaphore chan struct{}

func (s semaphore) Acquire(ticket int) { s <- struct{}{} }
func (s semaphore) Release(ticket int) { <-s }

// visits acquires and releases some tickets in three threads.
var visits = adttest.Scenario{Threads: [][]adttest.Call{
	times(2, with("Acquire"), with("Release")),
	times(2, plus("Acquire", 10), plus("Release", 10)),
	times(2, plus("Acquire", 20), plus("Release", 20)),
}}

func TestSemaphore(t *testing.T) {
	t.Parallel()
	adttest.Run(t, only(adttest.Config{Theory: aSemaphore, New: func() semaphore { return make(semaphore, 2) }}, visits))
}

// TestSemaphoreTooWide finds that three are in where two may be.
func TestSemaphoreTooWide(t *testing.T) {
	finds(t, only(adttest.Config{Theory: aSemaphore, New: func() semaphore { return make(semaphore, 3) }}, visits))
}
