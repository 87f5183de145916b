package adttest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver"
	"github.com/adtinfer/adtinfer/record"
)

// batch runs one scenario some times, each time on a new object, with the same
// goroutines: they meet at a barrier between the parts of a round.
type batch struct {
	subject *subject
	repeat  int
	stall   time.Duration
	noise   noise
	ctx     context.Context // what operations get; ends when the batch is over

	bubble []byte       // mark of the bubble that run is called in, or nil
	tick   *time.Ticker // of the watch; not of the bubble
	every  time.Duration

	workers []*worker
	barrier barrier
	rec     *record.Recorder
	done    chan struct{} // every worker has ended
	object  atomic.Pointer[driver.Live]
	gates   scheduler   // that rounds run under, or nil
	over    atomic.Bool // no goroutine waits for the workers any more

	pointers map[uintptr]pointer // that are arguments

	mu      sync.Mutex
	fault   *fault
	panics  map[which]*fault // that histories have as outcomes
	blocked []string         // operations that said that they would wait
	left    int              // goroutines that did not end
}

// newBatch makes a scenario ready to run.
func newBatch(ctx context.Context, s *subject, sc Scenario, repeat int, stall time.Duration, rng *rand.Rand) (*batch, error) {
	b := &batch{subject: s, pointers: map[uintptr]pointer{}, panics: map[which]*fault{}, repeat: repeat, stall: stall, ctx: ctx, noise: newNoise(rng),
		rec: record.New(record.Options{})}
	threads := sc.Threads
	if len(threads) == 0 {
		threads = [][]Call{nil}
	}
	for i, calls := range threads {
		w := &worker{b: b, name: threadName(i), rng: rand.New(rand.NewPCG(rng.Uint64(), rng.Uint64()))}
		for part, calls := range [][]Call{sc.Before, calls, sc.After} {
			if i > 0 && part != 1 {
				continue
			}
			process := []string{beforeName, w.name, afterName}[part]
			steps, err := s.steps(calls)
			if err != nil {
				return nil, err
			}
			h := b.rec.Handle(process)
			w.handles[part] = h
			for nth, st := range steps {
				r := readyCall{step: st, process: process, nth: nth, id: b.rec.Method(st.method.name), panics: b.rec.Outcome(history.Panic)}
				for _, o := range st.method.outcomes {
					r.outs = append(r.outs, b.rec.Outcome(o))
				}
				for k, a := range st.args {
					st.args[k] = b.share(a)
					r.vals = append(r.vals, b.recorded(h, st.args[k]))
				}
				w.parts[part] = append(w.parts[part], r)
			}
		}
		b.workers = append(b.workers, w)
	}
	b.barrier.n = int32(len(b.workers))
	b.watch(max(stall/4, time.Millisecond))
	return b, nil
}

// run runs the batch. The executions are those of the rounds; in the last one
// operations may be pending, and the fault, if any, happened there.
func (b *batch) run() (rounds []*history.Execution, stuck []string, err error) {
	ends := b.ctx.Done()
	if b.bubble = bubbleOf(); b.bubble != nil { // which a cancellation from outside must not touch
		b.ctx = context.WithoutCancel(b.ctx)
		b.barrier.inBubble()
	}
	defer b.tick.Stop()
	ctx, cancel := context.WithCancel(b.ctx)
	b.ctx, b.done = ctx, make(chan struct{})
	defer cancel()
	var wg sync.WaitGroup
	for i, w := range b.workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			defer w.ended.Store(true)
			w.loop(i == 0)
		}()
	}
	go func() { wg.Wait(); close(b.done) }()
	if !b.wait(ends) {
		stuck = b.stuckWorkers()
	}
	return b.ended(stuck)
}

// stuckWorkers are the workers that did not end, with what they are doing.
func (b *batch) stuckWorkers() (stuck []string) {
	for _, w := range b.workers {
		c := w.current.Load()
		switch {
		case w.ended.Load():
			continue
		case c != nil:
			stuck = append(stuck, c.process+": "+c.call.String())
		default:
			stuck = append(stuck, w.name+": the constructor or Config.Close")
		}
		b.left++
	}
	return stuck
}

// ended is what a batch showed that is over.
func (b *batch) ended(stuck []string) (rounds []*history.Execution, _ []string, err error) {
	var e *history.Execution
	l, err := b.rec.Log()
	if err == nil {
		e, err = l.Execution()
	}
	b.mu.Lock()
	stuck = append(stuck, b.blocked...)
	b.mu.Unlock()
	if len(stuck) > 0 || b.failed() != nil {
		b.close(true)
	}
	return split(e, b.calls()), stuck, err
}

func (b *batch) calls() int {
	n := 0
	for _, w := range b.workers {
		n += len(w.parts[0]) + len(w.parts[1]) + len(w.parts[2])
	}
	return n
}

// wait waits until the workers have ended, or nothing has happened for too
// long; then it returns false, and whoever still comes back ends.
func (b *batch) wait(ends <-chan struct{}) bool {
	var last uint64
	ticks := int(b.stall / b.every)
	for idle := 0; idle <= ticks; {
		select {
		case <-b.done:
			return true
		case <-ends: // the round is the last one
			b.barrier.end()
			ends = nil
			continue
		case <-b.tick.C:
		}
		sum := b.beats()
		if idle++; sum != last {
			last, idle = sum, 0
		} else if b.bubble != nil && asleep(b.bubble) { // it is known at once that nothing happens
			if time.Sleep(b.stall); b.beats() == last {
				break
			}
			idle = 0
		}
	}
	b.barrier.end()
	for range max(1, ticks/4) {
		select {
		case <-b.done:
			return true
		case <-b.tick.C:
		}
		if b.bubble != nil && asleep(b.bubble) {
			break
		}
	}
	select {
	case <-b.done: // in the meantime
		return true
	default:
	}
	b.over.Store(true)
	return false
}

// watch says how often the watch looks.
func (b *batch) watch(every time.Duration) {
	if b.tick != nil {
		b.tick.Stop()
	}
	b.every, b.tick = every, time.NewTicker(every)
}

// beats counts up while something happens.
func (b *batch) beats() (sum uint64) {
	for _, w := range b.workers {
		sum += w.beat.Load()
	}
	return sum
}

// close hands the object to the user's Close; one that others still use in a
// goroutine of its own, because it may wait for them.
func (b *batch) close(inUse bool) {
	o := b.object.Swap(nil)
	if o == nil || !b.subject.close.IsValid() {
		return
	}
	v := o.Object()
	if want := b.subject.close.Type().In(0); v.Type() != want {
		v = v.Elem()
	}
	call := func() { b.subject.close.Call([]reflect.Value{v}) }
	if inUse {
		go func() {
			defer func() { _ = recover() }() // the round has its verdict already
			call()
		}()
		return
	}
	call()
}

func (b *batch) note(f *fault) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.fault == nil {
		b.fault = f
	}
}

// waiting notes an operation that says itself that it would wait for ever.
func (b *batch) waiting(c *readyCall) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.blocked = append(b.blocked, c.process+": "+c.call.String())
}

func (b *batch) failed() *fault {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.fault
}

// split cuts what was recorded into rounds of so many calls. Every round but the
// last is complete, and no round begins before the one before it has ended.
func split(e *history.Execution, calls int) []*history.Execution {
	if e == nil || calls == 0 {
		return nil
	}
	var rounds []*history.Execution
	for i := 0; i < len(e.Ops); i += calls {
		ops := e.Ops[i:min(i+calls, len(e.Ops))]
		from := 2 * i
		r := &history.Execution{Ops: ops}
		for k := range ops {
			o := &ops[k]
			o.ID = fmt.Sprint(k + 1)
			o.Call -= from
			r.Events++
			if o.Completed() {
				o.Return -= from
				r.Events++
			}
		}
		rounds = append(rounds, r)
	}
	return rounds
}

// last is the history of the round that failed, if anything was called in it: its
// operations did not all return.
func last(rounds []*history.Execution) *history.Execution {
	if n := len(rounds); n > 0 && slices.ContainsFunc(rounds[n-1].Ops, func(o history.Operation) bool { return !o.Completed() }) {
		return rounds[n-1]
	}
	return nil
}
