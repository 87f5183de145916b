// A buffer's capacity is read after the buffer was put back into its pool, where the next owner writes it.
// Source: https://github.com/thanos-io/thanos/pull/4792
// Kind: data race, use after put.
// found only with -race

package other1

import (
	"sync"
	"sync/atomic"
	"testing"
)

type bytesPool struct {
	free chan *[]byte
	used atomic.Int64
}

func (p *bytesPool) get() *[]byte {
	b := <-p.free
	p.used.Add(int64(cap(*b)))
	return b
}

func (p *bytesPool) put(b *[]byte) {
	p.free <- b
	p.used.Add(-int64(cap(*b)))
}

func (p *bytesPool) putFixed(b *[]byte) {
	n := int64(cap(*b))
	p.free <- b
	p.used.Add(-n)
}

func bytesRun(t *testing.T, put func(*bytesPool, *[]byte)) {
	p := &bytesPool{free: make(chan *[]byte, 1)}
	b := make([]byte, 0, 8)
	p.free <- &b
	var wg sync.WaitGroup
	for _, text := range []string{"tsdb", "rule"} {
		wg.Add(1)
		go func() {
			defer wg.Done()
			b := p.get()
			*b = append((*b)[:0], text...)
			if string(*b) != text {
				t.Errorf("%q instead of %q", *b, text)
			}
			put(p, b)
		}()
	}
	wg.Wait()
	if n := p.used.Load(); n != 0 {
		t.Errorf("%d bytes in use at the end", n)
	}
}

func TestThanosPoolCap(t *testing.T)      { bytesRun(t, (*bytesPool).put) }
func TestThanosPoolCapFixed(t *testing.T) { bytesRun(t, (*bytesPool).putFixed) }
