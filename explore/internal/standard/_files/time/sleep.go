package time

import "sync/atomic"

func Sleep(d Duration) {}

// Timer goes off at any moment, once: a goroutine waits for it.
type Timer struct {
	C     <-chan Time
	c     chan Time
	armed *atomic.Bool // of the goroutine
	f     func()
}

func NewTimer(d Duration) *Timer {
	c := make(chan Time, 1)
	t := &Timer{C: c, c: c}
	t.f = func() { c <- Now() }
	t.arm()
	return t
}

func AfterFunc(d Duration, f func()) *Timer {
	t := &Timer{f: f}
	t.arm()
	return t
}

func After(d Duration) <-chan Time { return NewTimer(d).C }

func (t *Timer) arm() {
	armed, f := new(atomic.Bool), t.f
	armed.Store(true)
	t.armed = armed
	go func() {
		if armed.CompareAndSwap(true, false) {
			f()
		}
	}()
}

func (t *Timer) Stop() bool {
	if t.armed == nil {
		panic("time: Stop called on uninitialized Timer")
	}
	stopped := t.armed.CompareAndSwap(true, false)
	select {
	case <-t.c:
		return true
	default:
		return stopped
	}
}

func (t *Timer) Reset(d Duration) bool {
	if t.armed == nil {
		panic("time: Reset called on uninitialized Timer")
	}
	active := t.Stop()
	t.arm()
	return active
}
