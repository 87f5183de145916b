// A reference is taken by looking at the count and then adding one; in between the last owner may have released and destroyed the
// value.
// Source: https://github.com/grpc/grpc-go/pull/9189
// Kind: atomicity, load and then add of a reference count.

package other1

import (
	"sync"
	"sync/atomic"
	"testing"
)

type countedValue struct {
	refs      atomic.Int32
	destroyed atomic.Bool
}

func (v *countedValue) acquire() bool {
	if v.refs.Load() == 0 {
		return false
	}
	v.refs.Add(1)
	return true
}

func (v *countedValue) acquireFixed() bool {
	for {
		n := v.refs.Load()
		if n == 0 {
			return false
		}
		if v.refs.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

func (v *countedValue) release() {
	if v.refs.Add(-1) == 0 {
		v.destroyed.Store(true)
	}
}

func refcountRun(t *testing.T, acquire func(*countedValue) bool) {
	v := &countedValue{}
	v.refs.Store(1)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		v.release()
	}()
	if acquire(v) {
		if v.destroyed.Load() {
			t.Error("a destroyed value in use")
		}
		v.release()
	}
	wg.Wait()
}

func TestRefcountResurrect(t *testing.T)      { refcountRun(t, (*countedValue).acquire) }
func TestRefcountResurrectFixed(t *testing.T) { refcountRun(t, (*countedValue).acquireFixed) }
