package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/logs"
	"github.com/adtinfer/adtinfer/internal/host/memory"
	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/reference"
)

// each sends the reports on a source. The error is a panic.
func (w *work) each(s Source, send func(Report) bool) (err error) {
	defer w.caught(&err)
	for r := range w.read(s) {
		if w.sized(&r); !send(r) {
			break
		}
	}
	return nil
}

// caught makes a panic an error, so that other logs are checked. It is to be deferred.
func (w *work) caught(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("check: %s: this is an error in adtinfer, please report it: %v\n%s", w.name, p, debug.Stack())
	}
}

// work is the checking of one source.
type work struct {
	*Checker
	name  string
	ctx   context.Context
	use   *memory.Use
	keys  int // at a time; 0: logs are checked as wholes
	shard Shard
	bytes atomic.Int64
	seen  atomic.Pointer[Report] // what was read, before it is decided
}

// metered is a log that is read as long as there is time and memory, and counted.
type metered struct {
	memory.Reader
	w *work
}

func (w *work) metered(r io.Reader) *metered {
	return &metered{memory.Reader{Reader: r, Ctx: w.ctx, Use: w.use, Size: memory.SizeOf(r)}, w}
}

func (m *metered) Read(p []byte) (int, error) {
	n, err := m.Reader.Read(p)
	m.w.bytes.Add(int64(n))
	return n, err
}

// unclosed is a log that whoever handed it over closes.
type unclosed struct{ io.Reader }

func (unclosed) Close() error { return nil }
func (u unclosed) Len() int   { return memory.SizeOf(u.Reader) }

// Seek goes back in a file that can be read again.
func (m *metered) Seek(offset int64, whence int) (int64, error) {
	if s, ok := m.Reader.Reader.(io.Seeker); ok {
		return s.Seek(offset, whence)
	}
	return 0, errors.ErrUnsupported
}

// sized makes a report on a log that was given up say how large that is, or how much
// was read of it.
func (w *work) sized(r *Report) {
	if w.ctx.Err() == nil || r.Err != nil || r.Result.Verdict != Inconclusive {
		return
	}
	size := ""
	if n := w.bytes.Load(); r.Result.Events == 0 && n > 0 {
		size = fmt.Sprintf("%d bytes had been read", n)
	} else if r.Result.Events > 0 {
		size = fmt.Sprintf("it has %s in %s", wording.Count(r.Ops, "operation"), wording.Count(r.Result.Events, "event"))
	}
	r.Result.Detail = joined(r.Result.Detail, size)
}

// read reads a source and checks its objects one by one.
func (w *work) read(s Source) iter.Seq[Report] {
	return func(yield func(Report) bool) {
		c, ctx, start := w.Checker, w.ctx, time.Now()
		r := Report{Name: s.Name, Kinds: c.kinds, Shard: w.shard}
		if w.keys > 0 && w.followKeys(s, &r) {
			r.end(start)
			yield(r)
			return
		}
		f, err := s.Open()
		var es []*history.Execution
		if err == nil {
			defer f.Close()
			log := c.reader(w.metered(f), s.Name)
			if w.keys == 0 && c.direct(ctx, log, &r) {
				r.end(start)
				yield(r)
				return
			}
			es, err = log.Executions(c.reading())
		}
		if err != nil {
			w.unread(&r, err)
			r.end(start)
			yield(r)
			return
		}
		for _, e := range es {
			r := w.object(s, e, len(es) > 1)
			r.end(start)
			if !yield(r) {
				return
			}
			start = time.Now()
		}
	}
}

// object checks one object of a source, which may have several.
func (w *work) object(s Source, e *history.Execution, several bool) Report {
	r := Report{Name: s.Name, Kinds: w.kinds, Shard: w.shard}
	if several {
		r.Object = e.Object
	}
	r.Ops, r.Coverage, r.Result.Events = len(e.Ops), history.Of(e), e.Events
	seen := r
	w.seen.Store(&seen)
	if w.keys == 0 {
		w.judge(w.ctx, e, &r)
	} else {
		w.judgeKeys(e, &r)
	}
	if errors.As(r.Err, new(*reference.Fault)) {
		r.Err = fmt.Errorf("%s: %s", s.Name, strings.TrimPrefix(r.Err.Error(), "reference: "))
	}
	if tail := e.Tail; r.Result.Unknown > 0 {
		r.Incomplete(e.Rest)
	} else {
		r.Incomplete(tail)
	}
	return r
}

// unread says why a log was not read: an error of its own, or what it lacked.
func (w *work) unread(r *Report, err error) {
	why := ""
	switch {
	case w.ctx.Err() != nil:
		why = logs.Stopped(w.ctx)
	case errors.As(err, new(*memory.Exceeded)), errors.Is(err, context.DeadlineExceeded): // before it was handed over
		why = err.Error()
	default:
		r.Err = err
		return
	}
	r.Result = Result{Verdict: Inconclusive, Engine: w.engine.name(), Detail: why}
}
