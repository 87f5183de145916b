// A queue's timer has fired and was received without being set again; a full batch then stops it and waits for a value that
// will never come.
// Source: https://github.com/prometheus/prometheus/pull/3896
// Kind: blocking, timer drained twice.

package blocking1

import (
	"testing"
	"time"
)

func timerShard(samples <-chan int, fixed bool) int {
	timer := time.NewTimer(time.Millisecond)
	defer timer.Stop()
	pending, sent := 0, 0
	for {
		select {
		case _, ok := <-samples:
			if !ok {
				return sent + pending
			}
			if pending++; pending < 2 {
				continue
			}
			if !timer.Stop() {
				<-timer.C
			}
			timer.Reset(time.Millisecond)
		case <-timer.C:
			if fixed {
				timer.Reset(time.Millisecond)
			}
		}
		sent, pending = sent+pending, 0
	}
}

func timerRun(t *testing.T, fixed bool) {
	samples, sent := make(chan int), make(chan int)
	go func() { sent <- timerShard(samples, fixed) }()
	for i := range 5 {
		samples <- i
	}
	close(samples)
	if n := <-sent; n != 5 {
		t.Errorf("%d of 5 samples sent", n)
	}
}

func TestPrometheusTimerDrain(t *testing.T)      { timerRun(t, false) }
func TestPrometheusTimerDrainFixed(t *testing.T) { timerRun(t, true) }
