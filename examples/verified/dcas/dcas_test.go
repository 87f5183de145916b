package dcas

import (
	"sync"
	"testing"
)

// TestSwap moves two words together, from several goroutines, each as often as the
// other.
func TestSwap(t *testing.T) {
	t.Parallel()
	const goroutines, times = 4, 1000
	var a, b Word[int]
	b.Store(1)
	var wg sync.WaitGroup
	for range goroutines {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for done := 0; done < times; {
				n := a.Load()
				if Swap(Change[int]{&a, n, n + 1}, Change[int]{&b, n + 1, n + 2}) {
					done++
				}
			}
		}()
	}
	wg.Wait()
	if a.Load() != goroutines*times || b.Load() != goroutines*times+1 {
		t.Errorf("%d and %d", a.Load(), b.Load())
	}
}

// TestUnexpected compares with what is not there.
func TestUnexpected(t *testing.T) {
	t.Parallel()
	var a Word[int]
	var b Word[string]
	switch {
	case a.CompareAndSwap(1, 2), a.Load() != 0:
		t.Error("a word is changed that is not as expected")
	case Swap(Change[int]{&a, 1, 2}, Change[string]{&b, "", "x"}), Swap(Change[int]{&a, 0, 2}, Change[string]{&b, "y", "x"}), a.Load() != 0, b.Load() != "":
		t.Error("two words are changed of which one is not as expected")
	case !Swap(Change[int]{&a, 0, 2}, Change[string]{&b, "", "x"}), a.Load() != 2, b.Load() != "x":
		t.Error("two words are not changed that are as expected")
	case !a.CompareAndSwap(2, 3), a.Load() != 3:
		t.Error("a word is not changed that is as expected")
	}
}
