package time

import "sync/atomic"

// Ticker goes off at any moment, again and again: a goroutine fills its channel until it is stopped.
type Ticker struct {
	C     <-chan Time
	c     chan Time
	ticks *atomic.Pointer[chan struct{}] // what ends the goroutine; nil if it is stopped
}

func NewTicker(d Duration) *Ticker {
	if d <= 0 {
		panic("non-positive interval for NewTicker")
	}
	c := make(chan Time, 1)
	t := &Ticker{C: c, c: c, ticks: new(atomic.Pointer[chan struct{}])}
	t.start()
	return t
}

func Tick(d Duration) <-chan Time {
	if d <= 0 {
		return nil
	}
	return NewTicker(d).C
}

func (t *Ticker) start() {
	c, stopped := t.c, make(chan struct{})
	t.ticks.Store(&stopped)
	go func() {
		for {
			select {
			case c <- Now():
			case <-stopped:
				return
			}
		}
	}()
}

func (t *Ticker) Stop() {
	if t.ticks == nil {
		return
	}
	if stopped := t.ticks.Swap(nil); stopped != nil {
		close(*stopped)
	}
	select {
	case <-t.c:
	default:
	}
}

func (t *Ticker) Reset(d Duration) {
	if d <= 0 {
		panic("non-positive interval for Ticker.Reset")
	}
	if t.ticks == nil {
		panic("time: Reset called on uninitialized Ticker")
	}
	t.Stop()
	t.start()
}
