package sync

import "sync/atomic"

type Once struct {
	done atomic.Bool
	m    Mutex
}

func (o *Once) Do(f func()) {
	if !o.done.Load() {
		o.doSlow(f)
	}
}

func (o *Once) doSlow(f func()) {
	o.m.Lock()
	defer o.m.Unlock()
	if !o.done.Load() {
		defer o.done.Store(true)
		f()
	}
}

// onced calls a function once, and panics each time with what it panicked with.
type onced struct {
	once  Once
	valid bool
	p     any
	f     func()
}

func (o *onced) call() {
	o.once.Do(func() {
		defer func() {
			o.f = nil
			o.p = recover()
			if !o.valid {
				panic(o.p)
			}
		}()
		o.f()
		o.valid = true
	})
	if !o.valid {
		panic(o.p)
	}
}

func OnceFunc(f func()) func() {
	o := &onced{f: f}
	return o.call
}

func OnceValue[T any](f func() T) func() T {
	var result T
	o := &onced{f: func() { result = f() }}
	return func() T {
		o.call()
		return result
	}
}

func OnceValues[T1, T2 any](f func() (T1, T2)) func() (T1, T2) {
	var r1 T1
	var r2 T2
	o := &onced{f: func() { r1, r2 = f() }}
	return func() (T1, T2) {
		o.call()
		return r1, r2
	}
}
