package refine

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/record"
	"github.com/adtinfer/adtinfer/record/internal/tape"
)

// Watcher checks a recording while it goes on, in a goroutine of its own.
type Watcher struct {
	rec     tape.Follower
	stop    chan struct{}
	stopped chan struct{}
	cancel  context.CancelFunc // ends the check, whatever is left
	once    sync.Once          // closes stop
	blame   sync.Once          // asks triage

	read  atomic.Uint64          // number of the last entry that was checked
	found atomic.Pointer[Result] // a violation, as OnViolation gets it

	err    error // of the goroutine
	final  Result
	triage func(context.Context, Result) Result
}

// Watch starts the verification goroutine ("Runtime refinement checking" §4.2).
// It follows the recording and holds up no goroutine, unless the recorder has a
// Limit. The verdicts are those of Check on the log. Stop ends it.
//
// It needs the result of an operation at its commit, so it stands still while
// an operation that has committed, or has begun a commit, or is an observer,
// does not return.
func Watch[S any](r *record.Recorder, spec Spec[S], o Options) (*Watcher, error) {
	rec := tape.Follow(r)
	s, err := newSetup(spec, o, rec.Names())
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	f, err := newFeed(ctx, s, rec.Process)
	if err != nil {
		cancel()
		return nil, err
	}
	f.copies, f.s.online = true, true
	src, err := newSource(rec, &s.Options)
	if err != nil {
		cancel()
		return nil, err
	}
	w := &Watcher{rec: rec, stop: make(chan struct{}), stopped: make(chan struct{}), cancel: cancel}
	var wrong error // once the goroutine has stopped
	w.triage = func(ctx context.Context, res Result) Result {
		if o.NoTriage || rec.Forgets() {
			res.add("what is to blame was not judged: that takes the log")
			return res
		}
		l, err := r.Log()
		if err != nil {
			res.add("what is to blame was not judged: " + reason(err))
			return res
		}
		return triage(ctx, until(tape.Of(l), wrong), s, res)
	}
	go func() {
		defer cancel()
		defer close(w.stopped)
		var at ending
		at, wrong = follow(ctx, w, src, f)
		src.close()
		w.final, w.err = f.conclude(at, wrong)
		if ctx.Err() != nil {
			w.final, w.err = w.sofar(ctx), nil
		}
		if err := rec.Names().Full(); err != nil { // names were mixed up
			w.final, w.err = Result{}, err
		}
	}()
	return w, nil
}

// follow feeds entries to f until the watcher is stopped and there are no more, or
// the context ends, and says what is missing then.
func follow[S any](ctx context.Context, w *Watcher, src *source, f *feed[S]) (at ending, err error) {
	tell := func() {
		if f.settled && w.found.Load() == nil {
			w.tell(f.result, f.OnViolation)
		}
	}
	defer tell()
	idle := idler{stop: w.stop}
	for more := true; more; {
		n, ended := src.read(func(es []tape.Entry) bool {
			err = f.push(es)
			w.read.Store(es[0].Seq)
			return err == nil && ctx.Err() == nil
		})
		tell()
		if err != nil || ctx.Err() != nil {
			return at, err
		}
		if ended != nil {
			at.dropped, at.why = true, ended
			break
		}
		if more = idle.wait(n); idle.last && n == 0 {
			src.finish()
		}
	}
	if err := f.end(); err != nil {
		return at, err
	}
	if err := src.Misused(); err != nil {
		return at, err
	}
	if !at.dropped {
		at.dropped, at.missing, err = src.Rest()
	}
	return at, err
}

// tell says that there is a violation.
func (w *Watcher) tell(r Result, onViolation func(Result)) {
	r.Blame = Unknown
	w.found.Store(&r)
	if onViolation != nil {
		onViolation(r)
	}
}

// Lag is the number of entries recorded and not checked yet.
func (w *Watcher) Lag() uint64 {
	read := w.read.Load() // first, or it could be ahead
	return w.rec.Recorded() - read
}

// Stop waits until everything recorded has been checked, and is the result. The
// goroutines that record are to be done by then. If the context ends before, so
// does the check: the result is a violation if one was found, and inconclusive
// otherwise. The context bounds the search for what is to blame, too; that needs
// the log, so Blame is Unknown if the recorder is bounded by a Limit.
func (w *Watcher) Stop(ctx context.Context) (Result, error) {
	w.once.Do(func() { close(w.stop) })
	if insideTell() {
		return *w.found.Load(), nil
	}
	select {
	case <-w.stopped:
	case <-ctx.Done():
		w.cancel()
		return w.sofar(ctx), nil
	}
	w.blame.Do(func() {
		if w.err == nil && w.final.Verdict == check.Violation {
			w.final = w.triage(ctx, w.final)
		}
	})
	return w.final, w.err
}

// sofar is the result where the context ends the check.
func (w *Watcher) sofar(ctx context.Context) Result {
	if r := w.found.Load(); r != nil {
		return *r
	}
	return Result{Verdict: check.Inconclusive, Detail: stopped(ctx)}
}

// insideTell reports whether OnViolation is among the callers: it holds up the
// goroutine that Stop would wait for.
func insideTell() bool {
	pcs := make([]uintptr, 1000)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for {
		f, more := frames.Next()
		if strings.HasSuffix(f.Function, "refine.(*Watcher).tell") {
			return true
		}
		if !more {
			return false
		}
	}
}

// idler waits a little while there is nothing to read, longer each time.
type idler struct {
	stop  chan struct{}
	pause time.Duration
	last  bool // stop was seen
}

const (
	minPause = 50 * time.Microsecond
	maxPause = 2 * time.Millisecond
)

// wait is told how much was read last, and reports whether to read again: until
// nothing came after stop.
func (i *idler) wait(n int) bool {
	if n > 0 {
		i.pause = 0
		return true
	}
	if i.last {
		return false
	}
	i.pause = min(max(2*i.pause, minPause), maxPause)
	select {
	case <-i.stop:
		i.last = true
	case <-time.After(i.pause):
	}
	return true
}
