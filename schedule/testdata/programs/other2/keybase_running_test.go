// "Running" is set under a lock and reset without it.
// Source: https://github.com/keybase/client/pull/1629
// Kind: data race.
// found only with -race

package other2

import (
	"sync"
	"testing"
)

type keybaseUpdater struct {
	mu      sync.Mutex
	running bool
	updates int
}

func (u *keybaseUpdater) begin() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.running {
		return false
	}
	u.running = true
	return true
}

func (u *keybaseUpdater) end() { u.running = false }

func (u *keybaseUpdater) endFixed() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.running = false
}

func updaterRun(t *testing.T, end func(*keybaseUpdater)) {
	u := &keybaseUpdater{}
	done := make(chan bool, 2)
	for range 2 {
		go func() {
			ok := u.begin()
			if ok {
				work()
				end(u)
			}
			done <- ok
		}()
	}
	if a, b := <-done, <-done; !a && !b {
		t.Error("no update ran")
	}
}

func TestKeybaseRunningFlag(t *testing.T)      { updaterRun(t, (*keybaseUpdater).end) }
func TestKeybaseRunningFlagFixed(t *testing.T) { updaterRun(t, (*keybaseUpdater).endFixed) }
