// Two goroutines remove the same watch; the one that comes second finds none any more and returns with the table's lock held.
// Source: https://github.com/howeyc/fsnotify/pull/77
// Kind: blocking, early return keeps a lock.

package blocking2

import (
	"errors"
	"sync"
	"testing"
)

type howeycWatcher struct {
	mu      sync.RWMutex
	watched map[string]bool
	bufmut  sync.Mutex
	handles map[string]int
}

func (w *howeycWatcher) isWatched(name string) bool {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return w.watched[name]
}

func (w *howeycWatcher) setWatched(name string, on bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.watched[name] = on
}

func (w *howeycWatcher) remove(name string, fixed bool) error {
	if !w.isWatched(name) {
		return nil
	}
	w.bufmut.Lock()
	if _, ok := w.handles[name]; !ok {
		if fixed {
			w.bufmut.Unlock()
		}
		return errors.New("no watch for " + name)
	}
	delete(w.handles, name)
	w.setWatched(name, false)
	w.bufmut.Unlock()
	return nil
}

func (w *howeycWatcher) add(name string) {
	w.bufmut.Lock()
	defer w.bufmut.Unlock()
	w.handles[name] = len(w.handles) + 1
	w.setWatched(name, true)
}

func howeycRun(fixed bool) {
	w := &howeycWatcher{watched: map[string]bool{}, handles: map[string]int{}}
	w.add("log")
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		w.remove("log", fixed)
	}()
	w.remove("log", fixed)
	wg.Wait()
	w.add("etc")
}

func TestHoweycRemoveKeepsLock(t *testing.T)      { howeycRun(false) }
func TestHoweycRemoveKeepsLockFixed(t *testing.T) { howeycRun(true) }
