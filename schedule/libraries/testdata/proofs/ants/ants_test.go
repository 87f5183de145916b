// Package ants stands alone: importing the library starts goroutines.
package ants

import (
	"testing"
	"time"

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
