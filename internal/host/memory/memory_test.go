package memory

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"
)

// The largest work goes first, and the small one stays.
func TestGuard(t *testing.T) {
	g := Watch(64 << 20)
	defer g.Close()
	ctx, u := g.Enter(t.Context())
	defer u.Leave()
	held := make([]byte, 100<<20)
	select {
	case <-ctx.Done():
	case <-time.After(time.Minute):
		t.Fatal("nothing ended")
	}
	runtime.KeepAlive(held)
	var over *Exceeded
	if !errors.As(context.Cause(ctx), &over) || over.Limit != 64<<20 {
		t.Errorf("it ended with %v", context.Cause(ctx))
	}
}

// The largest work ends first, and none a second time.
func TestEndLargest(t *testing.T) {
	g := &Guard{limit: 1, uses: map[*Use]bool{}} // that nobody watches
	large, a := g.Enter(t.Context())
	small, b := g.Enter(t.Context())
	a.Grow(2)
	b.Grow(1)
	if !g.endLargest() || large.Err() == nil || small.Err() != nil {
		t.Errorf("first: the large one %v, the small one %v", large.Err(), small.Err())
	}
	a.Leave()
	if !g.endLargest() || small.Err() == nil {
		t.Errorf("then: the small one %v", small.Err())
	}
	if g.endLargest() {
		t.Error("one ended a second time")
	}
	b.Leave()
}

func TestNoGuard(t *testing.T) {
	g := Watch(0)
	ctx, u := g.Enter(t.Context())
	u.Grow(1)
	u.Leave()
	g.Close()
	if ctx.Err() != nil {
		t.Error(ctx.Err())
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]int64{"1": 1, "512MB": 512 << 20, "4gb": 4 << 30, "2 KB": 2 << 10, "1TB": 1 << 40, "0": 0, "-1": 0, "x": 0, "": 0, "9999999999GB": 0, "1.5GB": 0} {
		got, err := Parse(text)
		if got != want || (err == nil) != (want > 0) {
			t.Errorf("%q is %d, %v; want %d", text, got, err, want)
		}
		if back, _ := Parse(Size(want)); want > 0 && back != want {
			t.Errorf("%d is %s", want, Size(want))
		}
	}
	if Machine() < 1<<20 {
		t.Errorf("the machine has %d bytes", Machine())
	}
}
