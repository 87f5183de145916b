// # Interleavings
//
// Interleave runs functions as threads of which one moves at a time, so
// that a test decides how their steps interleave, and the same decisions give
// the same execution every time.
package testsize

// Interleave runs the threads until all have returned. Each calls yield where another
// one may take over; a thread that waits for another yields in its loop.
// choose picks which of the n threads that have not returned goes on, from 0.
//
// Only one thread runs at a time, and each step happens before the next one, so
// even code with defects has no data race here. If a thread panics, so does
// Run, and the other threads stay where they are.
func Interleave(choose func(n int) int, threads ...func(yield func())) {
	alive := make([]*thread, len(threads))
	for i, body := range threads {
		t := &thread{turn: make(chan struct{}), stopped: make(chan outcome)}
		alive[i] = t
		go t.run(body)
	}
	for len(alive) > 0 {
		i := choose(len(alive))
		t := alive[i]
		t.turn <- struct{}{}
		switch o := <-t.stopped; {
		case o.panicked:
			panic(o.value)
		case o.done:
			alive = append(alive[:i], alive[i+1:]...)
		}
	}
}

type thread struct {
	turn    chan struct{}
	stopped chan outcome
}

type outcome struct {
	done, panicked bool
	value          any
}

func (t *thread) run(body func(yield func())) {
	o := outcome{done: true, panicked: true}
	defer func() {
		if o.panicked {
			o.value = recover()
		}
		t.stopped <- o
	}()
	<-t.turn
	body(func() {
		t.stopped <- outcome{}
		<-t.turn
	})
	o.panicked = false
}
