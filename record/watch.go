package record

import (
	"context"
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
	// violation shows. The Blame is Unknown then.
	OnViolation func(Result)
}

// Watcher checks a recording while it goes on, in a goroutine of its own.
type Watcher struct {
	rec     *Recorder
	stop    chan struct{}
	stopped chan struct{}
	once    sync.Once

	read atomic.Uint64 // number of the last entry that was checked

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
	f, err := newFeed(context.Background(), s, r.process, c.limit())
	if err != nil {
		return nil, err
	}
	f.copies, f.s.online = true, true
	m, err := r.attach()
	if err != nil {
		return nil, err
	}
	src, err := newSource(m)
	if err != nil {
		r.detach()
		return nil, err
	}
	w := &Watcher{rec: r, stop: make(chan struct{}), stopped: make(chan struct{})}
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
		defer close(w.stopped)
		l := &Log{}
		wrong = follow(w, src, f, o.OnViolation, l)
		src.close()
		r.detach()
		w.final, w.err = f.conclude(l, wrong)
		if err := r.names.full(); err != nil { // names were mixed up
			w.final, w.err = Result{}, err
		}
	}()
	return w, nil
}

// follow feeds entries to f until the watcher is stopped and there are no more, and
// says in l what is missing then.
func follow[S any](w *Watcher, src *source, f *feed[S], onViolation func(Result), l *Log) error {
	var told bool
	tell := func() {
		if f.settled && !told && onViolation != nil {
			onViolation(f.result)
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
			return failed == nil
		})
		tell()
		if failed != nil {
			return failed
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

// Lag is the number of entries recorded and not checked yet.
func (w *Watcher) Lag() uint64 {
	read := w.read.Load() // first, or it could be ahead
	return w.rec.seq.Load() - read
}

// Stop waits until everything recorded has been checked, and is the result. The
// goroutines that record are to be done by then. The context bounds the search
// for what is to blame; that needs the log, so Blame is Unknown if the recorder
// is bounded by a Limit.
func (w *Watcher) Stop(ctx context.Context) (Result, error) {
	w.once.Do(func() {
		close(w.stop)
		<-w.stopped
		if w.err == nil && w.final.Verdict == check.Violation {
			w.final = w.triage(ctx, w.final)
		}
	})
	return w.final, w.err
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
