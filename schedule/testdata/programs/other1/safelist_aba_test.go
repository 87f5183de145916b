// A lock-free list of free slots compares only its head: when the head was taken and given back in between, the swap succeeds with
// a successor that is in use.
// Source: https://github.com/giant-tech/go-service/issues/10
// Kind: ABA.

package other1

import (
	"sync"
	"sync/atomic"
	"testing"
)

// slotList keeps the first free slot in the low half of head and, in the fixed version, a version in the high half.
type slotList struct {
	head    atomic.Uint64
	next    [4]atomic.Uint32
	used    [4]atomic.Bool
	version uint64
}

func (l *slotList) pop(t *testing.T) (uint32, bool) {
	for {
		head := l.head.Load()
		slot := uint32(head)
		if slot == 0 {
			return 0, false
		}
		next := l.next[slot].Load()
		if l.head.CompareAndSwap(head, head&^0xffffffff+l.version+uint64(next)) {
			if !l.used[slot].CompareAndSwap(false, true) {
				t.Errorf("slot %d given out twice", slot)
			}
			return slot, true
		}
	}
}

func (l *slotList) push(slot uint32) {
	l.used[slot].Store(false)
	for {
		head := l.head.Load()
		l.next[slot].Store(uint32(head))
		if l.head.CompareAndSwap(head, head&^0xffffffff+l.version+uint64(slot)) {
			return
		}
	}
}

func slotRun(t *testing.T, l *slotList) {
	for slot := uint32(3); slot > 0; slot-- {
		l.push(slot)
	}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		a, okA := l.pop(t)
		_, okB := l.pop(t)
		if okA && okB {
			l.push(a)
		}
	}()
	l.pop(t)
	l.pop(t)
	wg.Wait()
}

func TestSafelistABA(t *testing.T)      { slotRun(t, &slotList{}) }
func TestSafelistABAFixed(t *testing.T) { slotRun(t, &slotList{version: 1 << 32}) }
