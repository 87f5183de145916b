// A flag set by CompareAndSwap says "initialized" before the resource is there; a second goroutine believes it.
// Source: https://github.com/astavonin/go-optimization-guide/issues/18
// Kind: use before initialization.

package other1

import (
	"sync"
	"sync/atomic"
	"testing"
)

type lazyResource struct {
	initialized atomic.Bool
	once        sync.Once
	mu          sync.Mutex
	path        string
	value       atomic.Pointer[string]
}

func (r *lazyResource) build() {
	r.mu.Lock()
	v := r.path + "/data"
	r.mu.Unlock()
	r.value.Store(&v)
}

func (r *lazyResource) get() *string {
	if r.initialized.CompareAndSwap(false, true) {
		r.build()
	}
	return r.value.Load()
}

func (r *lazyResource) getFixed() *string {
	r.once.Do(r.build)
	return r.value.Load()
}

func lazyRun(t *testing.T, get func(*lazyResource) *string) {
	r := &lazyResource{path: "/var"}
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if v := get(r); v == nil {
				t.Error("used before it was built")
			}
		}()
	}
	wg.Wait()
}

func TestLazyInitFlag(t *testing.T)      { lazyRun(t, (*lazyResource).get) }
func TestLazyInitFlagFixed(t *testing.T) { lazyRun(t, (*lazyResource).getFixed) }
