// Two readers take two read locks in opposite orders, which is harmless until a writer waits at each of the locks.
// Source: https://github.com/syncthing/syncthing/issues/3596
// Kind: blocking, lock order of read locks with waiting writers.

package blocking2

import (
	"sync"
	"testing"
)

type syncthingModel struct {
	fmut, pmut sync.RWMutex
	folders    int
	conns      int
}

func (m *syncthingModel) stats(first, second *sync.RWMutex) int {
	first.RLock()
	defer first.RUnlock()
	second.RLock()
	defer second.RUnlock()
	return m.folders + m.conns
}

func (m *syncthingModel) addFolder() {
	m.fmut.Lock()
	m.folders++
	m.fmut.Unlock()
}

func (m *syncthingModel) addConn() {
	m.pmut.Lock()
	m.conns++
	m.pmut.Unlock()
}

func syncthingRun(t *testing.T, availability func(*syncthingModel) int) {
	m := &syncthingModel{}
	var wg sync.WaitGroup
	for _, f := range []func(){m.addFolder, m.addConn, func() { m.stats(&m.fmut, &m.pmut) }} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			f()
		}()
	}
	if n := availability(m); n > 2 {
		t.Errorf("%d folders and connections", n)
	}
	wg.Wait()
}

func TestSyncthingReadLockOrder(t *testing.T) {
	syncthingRun(t, func(m *syncthingModel) int { return m.stats(&m.pmut, &m.fmut) })
}

func TestSyncthingReadLockOrderFixed(t *testing.T) {
	syncthingRun(t, func(m *syncthingModel) int { return m.stats(&m.fmut, &m.pmut) })
}
