package record

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/adtinfer/adtinfer/check"
)

// WatchOptions say how a recorder is watched.
type WatchOptions struct {
	// View asks for view refinement; default: I/O refinement alone.
	View bool

	// OnViolation is called once, by the verification goroutine, when a
	// violation shows. The Blame is Unknown then. It may call Stop, which then
	// does not wait, and returns the same Result.
	OnViolation func(Result)
}

// Watcher checks a recording while it goes on, in a goroutine of its own.
type Watcher struct {
	rec     *Recorder
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
// It follows the recording and holds up nobody, unless the recorder's Limit and
// Policy say so. The verdicts are those of CheckIO and CheckView on the log.
// Stop ends it.
//
// It needs the result of an operation at its commit, so it stands still while
// an operation that has committed, or has begun a commit, or is an observer,
// does not return.
func Watch[S any](r *Recorder, c Config[S], o WatchOptions) (*Watcher, error) {
	s, err := c.setup(r.names, o.View)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	f, err := newFeed(ctx, s, r.process, c.limit())
	if err != nil {
		cancel()
		return nil, err
	}
	f.copies, f.s.online = true, true
	m, err := r.attach()
	if err != nil {
		cancel()
		return nil, err
	}
	src, err := newSource(m)
	if err != nil {
		cancel()
		r.detach()
		return nil, err
	}
	w := &Watcher{rec: r, stop: make(chan struct{}), stopped: make(chan struct{}), cancel: cancel}
	var wrong error // once the goroutine has stopped
	w.triage = func(ctx context.Context, res Result) Result {
		if c.NoTriage || r.forgets() {
			res.add("nobody judged what is to blame: that takes the log")
			return res
		}
		l, err := r.Log()
		if err != nil {
			res.add("nobody judged what is to blame: " + strings.TrimPrefix(err.Error(), "record: "))
			return res
		}
		return triage(ctx, l.until(wrong), &c, res)
	}
	go func() {
		defer cancel()
		defer close(w.stopped)
		l := &Log{}
		wrong = follow(ctx, w, src, f, o.OnViolation, l)
		src.close()
		r.detach()
		w.final, w.err = f.conclude(l, wrong)
		if ctx.Err() != nil {
			w.final, w.err = w.sofar(ctx), nil
		}
		if err := r.names.full(); err != nil { // names were mixed up
			w.final, w.err = Result{}, err
		}
	}()
	return w, nil
}

// follow feeds entries to f until the watcher is stopped and there are no more, or
// the context ends, and says in l what is missing then.
func follow[S any](ctx context.Context, w *Watcher, src *source, f *feed[S], onViolation func(Result), l *Log) error {
	var told bool
	tell := func() {
		if f.settled && !told {
			w.tell(f.result, onViolation)
		}
		told = f.settled
	}
	defer tell()
	var failed error
	idle := idler{stop: w.stop}
	for more := true; more; {
		n, err := src.read(func(es []entry) bool {
			failed = f.push(es)
			w.read.Store(es[0].seq)
			return failed == nil && ctx.Err() == nil
		})
		tell()
		if failed != nil {
			return failed
		}
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			l.Dropped, l.dropped = true, err
			break
		}
		if more = idle.wait(n); idle.last && n == 0 {
			src.finish()
		}
	}
	if err := f.end(); err != nil {
		return err
	}
	if err := w.rec.misused(); err != nil {
		return err
	}
	if l.Dropped {
		return nil
	}
	var err error
	l.Dropped, l.Missing, err = src.m.rest()
	return err
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
	return w.rec.seq.Load() - read
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
		if strings.HasSuffix(f.Function, "record.(*Watcher).tell") {
			return true
		}
		if !more {
			return false
		}
	}
}

// process is the name of a process.
func (r *Recorder) process(proc uint32) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.procs[proc]
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

// wait is told how much was read last, and tells whether to read again: until
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
