// Package raced has a test for each finding that the race detector sees.
package raced

import (
	"sync"
	"testing"
	"time"

	"github.com/eapache/channels"
	"github.com/panjf2000/ants/v2"
)

// TestAntsReboot: the pool says that all workers are gone, and starts again while the last of them still reads what that replaces.
func TestAntsReboot(t *testing.T) {
	p, err := ants.NewPool(1)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Submit(func() {}); err != nil {
		t.Fatal(err)
	}
	if err := p.ReleaseTimeout(time.Minute); err != nil {
		t.Skip(err)
	}
	p.Reboot()
	p.Release()
}

// TestSharedBufferLen: Len reads what the goroutine of the buffer counts, without synchronization.
func TestSharedBufferLen(t *testing.T) {
	b := channels.NewSharedBuffer(1)
	c := b.NewChannel()
	var all sync.WaitGroup
	all.Go(func() { c.In() <- 1 })
	all.Go(func() { b.Len() })
	all.Wait()
	<-c.Out()
}
