// A WaitGroup with a count beside it: adding raises the count first, and one who counts all off in between makes the WaitGroup
// negative.
// Source: https://github.com/jpillora/chisel/issues/585
// Kind: order, negative WaitGroup.

package other2

import (
	"sync"
	"sync/atomic"
	"testing"
)

type drainGroup struct {
	inner sync.WaitGroup
	n     atomic.Int32
}

func (g *drainGroup) add() {
	g.n.Add(1)
	g.inner.Add(1)
}

func (g *drainGroup) addFixed() {
	g.inner.Add(1)
	g.n.Add(1)
}

func (g *drainGroup) done() bool {
	for {
		n := g.n.Load()
		if n == 0 {
			return false
		}
		if g.n.CompareAndSwap(n, n-1) {
			g.inner.Done()
			return true
		}
	}
}

func (g *drainGroup) doneAll() {
	for g.done() {
	}
}

func drainRun(add func(*drainGroup)) {
	var g drainGroup
	var tunnels sync.WaitGroup
	for range 2 {
		tunnels.Add(1)
		go func() {
			defer tunnels.Done()
			add(&g)
			work()
			g.done()
		}()
	}
	g.doneAll()
	tunnels.Wait()
	g.inner.Wait()
}

func TestChiselDoneAll(t *testing.T)      { drainRun((*drainGroup).add) }
func TestChiselDoneAllFixed(t *testing.T) { drainRun((*drainGroup).addFixed) }
