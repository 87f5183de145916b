// Goroutines assign the error variable of the function around them and look at it next: one's failure is overwritten by another's
// success.
// Source: https://github.com/kyverno/kyverno/pull/16630
// Kind: lost result, data race (a plain run needs switches at memory accesses).

package other2

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
)

func createPod(i int) (string, error) {
	if i == 1 {
		return "", errors.New("quota")
	}
	return "pod", nil
}

func podsShared(wg *sync.WaitGroup, failed *atomic.Int32) {
	var err error
	for i := range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			_, err = createPod(i)
			if err != nil {
				failed.Add(1)
			}
		}()
	}
}

func podsOwn(wg *sync.WaitGroup, failed *atomic.Int32) {
	for i := range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if _, err := createPod(i); err != nil {
				failed.Add(1)
			}
		}()
	}
}

func podsRun(t *testing.T, create func(*sync.WaitGroup, *atomic.Int32)) {
	var wg sync.WaitGroup
	var failed atomic.Int32
	create(&wg, &failed)
	wg.Wait()
	if n := failed.Load(); n != 1 {
		t.Errorf("%d failures, want 1", n)
	}
}

func TestKyvernoSharedErr(t *testing.T)      { podsRun(t, podsShared) }
func TestKyvernoSharedErrFixed(t *testing.T) { podsRun(t, podsOwn) }
