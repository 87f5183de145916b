package explore

import (
	"context"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/internal/wording"
)

// Test explores a package, and fails the test unless it holds. Bounds that are 0
// are two: two goroutines with two operations each, over two values. If the package that
// is tested calls it, Dir is ".".
func Test(t testing.TB, o Options) {
	t.Helper()
	for _, n := range []*int{&o.Bounds.Threads, &o.Bounds.Operations, &o.Bounds.Values} {
		if *n == 0 {
			*n = 2
		}
	}
	ctx := t.Context()
	if d, ok := t.(interface{ Deadline() (time.Time, bool) }); ok {
		if end, ok := d.Deadline(); ok { // time for a report is left
			var cancel context.CancelFunc
			ctx, cancel = context.WithDeadline(ctx, end.Add(-time.Until(end)/10))
			defer cancel()
		}
	}
	r, err := Run(ctx, o)
	switch {
	case err != nil:
		t.Fatal(err)
	case r.Verdict != Holds:
		t.Fatal("explore: " + wording.Text(r.Text()))
	}
	t.Log("explore: " + r.Sentence())
}
