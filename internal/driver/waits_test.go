package driver

import "testing"

// TestAllCallsMade: where nothing runs any more because the run is done, no call
// waits.
func TestAllCallsMade(t *testing.T) {
	m := &Machine{Acceptor: true, waits: newWaits(false)}
	r := &runner{m: m}
	r.calling(0)
	done := make(chan struct{})
	if r.waitsInside(r.pos.Load(), 1, done) == nil {
		t.Error("nothing runs, and no call waits")
	}
	close(done)
	if err := r.waitsInside(r.pos.Load(), 1, done); err != nil {
		t.Error(err)
	}
}
