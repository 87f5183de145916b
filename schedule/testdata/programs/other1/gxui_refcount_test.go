// A reference count is changed by atomic additions but read like any other field.
// Source: https://github.com/google/gxui/issues/69
// Kind: data race, mixed atomic and plain access.
// found only with -race

package other1

import (
	"sync"
	"sync/atomic"
	"testing"
)

type gxuiTexture struct{ refs int32 }

func (x *gxuiTexture) add()              { atomic.AddInt32(&x.refs, 1) }
func (x *gxuiTexture) release() bool     { return atomic.AddInt32(&x.refs, -1) == 0 }
func (x *gxuiTexture) alive() bool       { return x.refs > 0 }
func (x *gxuiTexture) aliveAtomic() bool { return atomic.LoadInt32(&x.refs) > 0 }

func gxuiRun(t *testing.T, alive func(*gxuiTexture) bool) {
	x := &gxuiTexture{refs: 1}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		x.add()
		x.release()
	}()
	if !alive(x) {
		t.Error("dead while it is held")
	}
	wg.Wait()
	if !x.release() {
		t.Error("alive after the last release")
	}
}

func TestGxuiPlainRefcount(t *testing.T)      { gxuiRun(t, (*gxuiTexture).alive) }
func TestGxuiPlainRefcountFixed(t *testing.T) { gxuiRun(t, (*gxuiTexture).aliveAtomic) }
