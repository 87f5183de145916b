// Several goroutines wait on one condition for different messages; Signal wakes only one, which may be the wrong one.
// Source: https://github.com/ObolNetwork/charon/pull/123
// Kind: blocking, Signal instead of Broadcast.

package blocking1

import (
	"sync"
	"testing"
)

type charonBoard struct {
	mu   sync.Mutex
	cond *sync.Cond
	msgs map[string]int
}

func (b *charonBoard) await(key string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	for {
		if v, ok := b.msgs[key]; ok {
			return v
		}
		b.cond.Wait()
	}
}

func (b *charonBoard) post(key string, v int, wake func(*sync.Cond)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.msgs[key] = v
	wake(b.cond)
}

func charonRun(t *testing.T, wake func(*sync.Cond)) {
	b := &charonBoard{msgs: map[string]int{}}
	b.cond = sync.NewCond(&b.mu)
	var wg sync.WaitGroup
	for key, want := range map[string]int{"duty": 1, "proof": 2} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if got := b.await(key); got != want {
				t.Errorf("await(%s) = %d", key, got)
			}
		}()
	}
	b.post("duty", 1, wake)
	b.post("proof", 2, wake)
	wg.Wait()
}

func TestCharonSignalWrongWaiter(t *testing.T)      { charonRun(t, (*sync.Cond).Signal) }
func TestCharonSignalWrongWaiterFixed(t *testing.T) { charonRun(t, (*sync.Cond).Broadcast) }
