// Closest holds a read lock and calls Owner, which takes the read lock again: a writer that waits in between blocks both.
// Source: https://github.com/buraksezer/consistent/issues/23
// Kind: blocking, recursive read lock.

package blocking1

import (
	"sync"
	"testing"
)

type consistentRing struct {
	mu     sync.RWMutex
	owners []string
}

func (r *consistentRing) add(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.owners = append(r.owners, name)
}

func (r *consistentRing) owner(i int) string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.ownerLocked(i)
}

func (r *consistentRing) ownerLocked(i int) string { return r.owners[i%len(r.owners)] }

func (r *consistentRing) closest(i int, owner func(int) string) []string {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return []string{owner(i), owner(i + 1)}
}

func consistentRun(t *testing.T, closest func(*consistentRing, int) []string) {
	r := &consistentRing{owners: []string{"a"}}
	var wg sync.WaitGroup
	for _, name := range []string{"b", "c"} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r.add(name)
		}()
	}
	if got := closest(r, 0); got[0] != "a" {
		t.Errorf("closest = %v", got)
	}
	wg.Wait()
}

func TestConsistentNestedRLock(t *testing.T) {
	consistentRun(t, func(r *consistentRing, i int) []string { return r.closest(i, r.owner) })
}

func TestConsistentNestedRLockFixed(t *testing.T) {
	consistentRun(t, func(r *consistentRing, i int) []string { return r.closest(i, r.ownerLocked) })
}
