// A record goes to a consumer and back to its pool at once; the producer's next record overwrites what the consumer still reads.
// Source: https://github.com/xxddpac/go-flow/pull/6
// Kind: use after put, data race with a wrong result.

package other2

import (
	"runtime"
	"testing"
)

type trafficRecord struct{ bytes int }

type trafficPool chan *trafficRecord

func (p trafficPool) get() *trafficRecord {
	select {
	case r := <-p:
		return r
	default:
		return &trafficRecord{}
	}
}

func (p trafficPool) put(r *trafficRecord) {
	select {
	case p <- r:
	default:
	}
}

func trafficRun(t *testing.T, share func(*trafficRecord) *trafficRecord) {
	pool, out, sum := make(trafficPool, 1), make(chan *trafficRecord), make(chan int)
	go func() {
		n := 0
		for r := range out {
			n = n*10 + r.bytes
		}
		sum <- n
	}()
	for i := range 3 {
		r := pool.get()
		r.bytes = i + 1
		out <- share(r)
		runtime.Gosched()
		pool.put(r)
	}
	close(out)
	if n := <-sum; n != 123 {
		t.Errorf("the consumer saw %d instead of 123", n)
	}
}

func TestGoflowRecordReuse(t *testing.T) {
	trafficRun(t, func(r *trafficRecord) *trafficRecord { return r })
}

func TestGoflowRecordReuseFixed(t *testing.T) {
	trafficRun(t, func(r *trafficRecord) *trafficRecord {
		c := *r
		return &c
	})
}
