// A missing reference is looked for under the read lock and made under the write lock without looking again: two callers get two
// references.
// Source: https://github.com/syncthing/syncthing/pull/5975
// Kind: atomicity, check under read lock and act under write lock.

package other2

import (
	"sync"
	"testing"
)

type deviceRef struct {
	mu    sync.Mutex
	seen  int
	owner string
}

type deviceRefs struct {
	mu   sync.RWMutex
	refs map[string]*deviceRef
}

func (d *deviceRefs) get(name string, again bool) *deviceRef {
	d.mu.RLock()
	r, ok := d.refs[name]
	d.mu.RUnlock()
	if ok {
		return r
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if r, ok := d.refs[name]; ok && again {
		return r
	}
	r = &deviceRef{owner: name}
	d.refs[name] = r
	return r
}

func (r *deviceRef) see() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seen++
}

func deviceRun(t *testing.T, again bool) {
	d := &deviceRefs{refs: map[string]*deviceRef{}}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		d.get("phone", again).see()
	}()
	d.get("phone", again).see()
	wg.Wait()
	if r := d.get("phone", again); r.seen != 2 {
		t.Errorf("seen %d of 2 times", r.seen)
	}
}

func TestSyncthingStatRef(t *testing.T)      { deviceRun(t, false) }
func TestSyncthingStatRefFixed(t *testing.T) { deviceRun(t, true) }
