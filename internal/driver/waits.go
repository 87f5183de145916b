//go:build go1.21

package driver

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// waits finds out whether a call waits for what will never happen: it has not
// returned, and every goroutine of the reference waits for another one. It looks
// at all goroutines but the driver's own, in a process that has no others, and
// is of no use where a timer may wake one of them.
type waits struct {
	mu      sync.Mutex
	apart   bool            // calls run in goroutines of their own, to be left alone
	left    int             // calls that wait, in helpers left alone
	lost    []*helper       // these, but for those of late
	late    []*helper       // with calls that nobody looked at yet
	idle    []*helper       // that wait for a call to make
	patient bool            // each call is looked at on its own
	ctx     context.Context // of calls that are to return once it is known that they wait
	cancel  func()          // ends it; nil if there is none
	outside map[string]bool // goroutines of the driver, by number
	buf     []byte
}

// mostLeft is the number of goroutines to leave alone in a process. To look at more
// takes longer than to start another one. In one run mostLate more are looked at only
// once, all together.
const (
	mostLeft = 128
	mostLate = 256
)

// mostKept is the same in a process that keeps states, which are lost with it.
const mostKept = 512

// errWaits is what a run ends with that finds a call waiting in the goroutine that
// is to make the other calls. It must be made again, with calls apart. errLate is that of
// one in which a call was taken to wait, and returned: calls must be looked at one by one.
var (
	errWaits = errors.New("a call waits for ever")
	errLate  = errors.New("a call was late")
)

// newWaits is called by the goroutine that serves, before any object is made.
func newWaits(apart bool) *waits {
	if apart {
		runtime.GOMAXPROCS(1)
	}
	w := &waits{apart: apart, outside: map[string]bool{"1": true}, buf: make([]byte, 1<<16)}
	w.outside[readGoroutine(w.buf[:runtime.Stack(w.buf, false)]).id] = true
	return w
}

// goroutine is what a dump says of one.
type goroutine struct {
	id, state      string
	creator, maker string // the goroutine that started it, and the function
}

// readGoroutine reads a goroutine's part of a dump.
func readGoroutine(part []byte) (g goroutine) {
	head, _, _ := bytes.Cut(part, []byte("\n"))
	_, head, _ = bytes.Cut(head, []byte("goroutine "))
	id, head, _ := bytes.Cut(head, []byte(" ["))
	state := head[:max(bytes.IndexAny(head, ",]"), 0)]
	g = goroutine{id: string(id), state: string(state)}
	if at := bytes.LastIndex(part, []byte("\ncreated by ")); at >= 0 {
		line, _, _ := bytes.Cut(part[at+len("\ncreated by "):], []byte("\n"))
		maker, creator, _ := bytes.Cut(line, []byte(" in goroutine "))
		g.maker, g.creator = string(maker), string(creator)
	}
	return g
}

// waiting are the states of goroutines that only another one can wake. Others are
// running, or are woken by the clock or the system.
var waiting = []string{
	"chan receive", "chan receive (nil chan)", "chan send", "chan send (nil chan)", "select", "select (no cases)",
	"sync.Cond.Wait", "sync.Mutex.Lock", "sync.RWMutex.Lock", "sync.RWMutex.RLock", "sync.WaitGroup.Wait",
}

// waits reports whether only another goroutine can wake this one.
func (g *goroutine) waits(part []byte) bool {
	if g.state == "semacquire" { // what package sync says where it says nothing better
		_, rest, _ := bytes.Cut(part, []byte("\n"))
		return bytes.HasPrefix(rest, []byte("sync."))
	}
	return slices.Contains(waiting, g.state)
}

// makers start goroutines of the driver, or some that never wake another.
var makers = []string{reflect.TypeOf(server{}).PkgPath() + ".(*server).", "runtime.", "testing."}

// stuck reports whether all goroutines of the reference wait for one another. It
// is called by another goroutine. All are looked at in one moment, for the world stops:
// if none of them runs, none can wake another.
func (w *waits) stuck() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := runtime.Stack(w.buf, true)
	for n == len(w.buf) {
		w.buf = make([]byte, 2*n)
		n = runtime.Stack(w.buf, true)
	}
	parts := bytes.Split(w.buf[:n], []byte("\n\n"))
	for _, part := range parts[1:] { // the first is the one that looks
		g := readGoroutine(part)
		made := func(by string) bool { return strings.HasPrefix(g.maker, by) }
		if w.outside[g.creator] && slices.ContainsFunc(makers, made) {
			w.outside[g.id] = true
		}
		if !w.outside[g.id] && !g.waits(part) {
			return false
		}
	}
	return true
}

// full reports whether a run should go on in another process, if so many goroutines were
// left alone before it: each look at its calls looks at them, too.
func (w *waits) full(before int) bool {
	return w != nil && (w.left >= mostLeft && w.left > before && before >= mostLeft/2 || w.left >= before+mostLate)
}

// crowded reports whether so many calls were taken to wait that they should be looked at.
func (w *waits) crowded() bool { return w != nil && len(w.late) >= mostLate }

// moment is how long a call may take before it is taken to wait.
const moment = 20 * time.Microsecond

// settle looks at the calls that were taken to wait, and reports whether they do.
func (r *runner) settle() bool {
	w := r.m.waits
	if w == nil {
		return true
	}
	if len(w.late) == 0 {
		w.release()
		return true
	}
	late := w.late
	w.lost, w.late = append(w.lost, late...), nil
	returned := func() (n int) {
		for _, k := range late {
			n += len(k.done)
		}
		return n
	}
	for wait := moment; wait < time.Millisecond<<4 && returned() == 0; wait *= 2 {
		if w.stuck() && returned() == 0 {
			w.release()
			return true
		}
		time.Sleep(wait)
		if r.stop.Load() {
			runtime.Goexit()
		}
	}
	return false
}

// context is passed to methods that take one. Nothing ends it before it is known which
// calls wait.
func (w *waits) context() reflect.Value {
	if w == nil || !w.apart {
		return background
	}
	if w.cancel == nil {
		w.ctx, w.cancel = context.WithCancel(context.Background())
	}
	return reflect.ValueOf(w.ctx)
}

// release ends the calls that were found to wait, if they heed their context: what was
// answered stands, their objects are used no more, and each look at others would look at
// them, too. Their helpers make other calls.
func (w *waits) release() {
	if w.cancel != nil && len(w.lost) > 0 {
		w.cancel()
		w.cancel = nil
		for i := 0; i < 16; i++ {
			runtime.Gosched()
		}
	}
	w.lost = slices.DeleteFunc(w.lost, func(k *helper) bool {
		if len(k.done) == 0 {
			return false
		}
		w.left--
		w.back(k, <-k.done)
		return true
	})
}

// helper is a goroutine that makes calls, until one does not come back. What it runs is
// no deeper than it must be, for each look goes through the stacks of all that wait.
type helper struct {
	calls chan attempt
	done  chan called
}

// attempt is a call to be made.
type attempt struct {
	o      *op
	object reflect.Value
	in     []reflect.Value
}

func newHelper() *helper {
	k := &helper{make(chan attempt, 1), make(chan called, 1)}
	go k.serve()
	return k
}

func (k *helper) serve() {
	defer func() { k.done <- called{exited: true} }() // the last call was runtime.Goexit's
	for c := range k.calls {
		k.done <- c.o.attempt(c.object, c.in)
	}
}

// apart makes a call in another goroutine, which is left alone if it waits for ever.
func (r *runner) apart(o *op, object reflect.Value, in []reflect.Value) called {
	w := r.m.waits
	k := w.next()
	done := k.done
	k.calls <- attempt{o, object, slices.Clone(in)}
	for i := 0; i < 16; i++ {
		runtime.Gosched()
		if len(done) > 0 {
			return w.back(k, <-k.done)
		}
	}
	if r.together && !w.patient {
		w.late = append(w.late, k)
		w.left++
		return called{left: true}
	}
	pause := time.NewTimer(time.Hour)
	defer pause.Stop()
	for wait := 50 * time.Microsecond; ; wait = min(2*wait, 10*time.Millisecond) {
		switch {
		case r.stop.Load():
			runtime.Goexit() // nobody listens any more
		case w.stuck() && len(done) == 0:
			w.lost = append(w.lost, k)
			w.left++
			return called{left: true}
		}
		pause.Reset(wait)
		select {
		case c := <-done:
			return w.back(k, c)
		case <-pause.C:
		}
	}
}

// next is a helper that makes the next call.
func (w *waits) next() *helper {
	n := len(w.idle)
	if n == 0 {
		return newHelper()
	}
	k := w.idle[n-1]
	w.idle = w.idle[:n-1]
	return k
}

// back is a call that a helper made and that came back. The helper makes others, too.
func (w *waits) back(k *helper, c called) called {
	if !c.exited {
		w.idle = append(w.idle, k)
	}
	return c
}

// waitsInside looks, now and then, whether a call waits in the goroutine that makes
// them, and says how the run ends then. Where done is closed nothing runs because
// all calls were made.
func (r *runner) waitsInside(pos uint64, ticks int, done <-chan struct{}) error {
	w := r.m.waits
	_, call := position(pos)
	if w == nil || ticks&(ticks-1) != 0 || ticks == 0 || w.apart && call >= 0 && !r.m.Acceptor {
		return nil
	}
	if !w.stuck() || r.pos.Load() != pos {
		return nil
	}
	select {
	case <-done:
		return nil
	default:
	}
	if call >= 0 && !r.m.Acceptor {
		w.apart = true
		runtime.GOMAXPROCS(1)
		return errWaits
	}
	seq, call := position(pos)
	return &Fault{Reason: Hangs, Seq: seq, At: call, Detail: "it waits for ever"}
}
