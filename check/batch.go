package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/coverage"
	"github.com/adtinfer/adtinfer/internal/engine/prefix"
	"github.com/adtinfer/adtinfer/internal/memory"
	"github.com/adtinfer/adtinfer/internal/printable"
	"github.com/adtinfer/adtinfer/reference"
)

// Source is a log to be read: a name for messages and a way to open it.
type Source struct {
	Name string
	Open func() (io.ReadCloser, error)
}

// Report is what came of one source.
type Report struct {
	Name   string
	Result Result
	Ops    int

	// Coverage is how much the log could have shown of the kinds of operations
	// that the theory has, which are Kinds.
	Coverage coverage.Coverage
	Kinds    []history.Kind

	Err error // the log could not be read or is none the theory speaks of; then Result is empty

	// At is where the log has the event that completes the shortest violating prefix,
	// or what Err is about; zero if that is not known.
	At   history.Pos
	Took time.Duration // to read, decide and explain

	// Explanation is the reason for a violation, if it was asked for and the
	// theory alone shows the violation.
	Explanation *Explanation

	// Evidence proves the verdict, if that was asked for; Unproved says in one
	// sentence why there is none.
	Evidence *evidence.Evidence
	Unproved string
}

// Batch checks many logs with one checker, some at a time.
type Batch struct {
	Checker  *Checker
	Parallel int // logs at a time; at least 1

	// Memory is how many bytes the process may use; 0 is no limit. Before it has more,
	// logs that are being checked are given up, the largest first: they are Inconclusive.
	Memory int64
}

// ahead is how many reports may wait for that of a log before theirs.
const ahead = 1 << 12

// Run checks every source and hands the reports to each in the order of the
// sources. The next source is asked for when there is room to check it. A log that
// cannot be read fails alone. Run ends early only with the context, whose error it
// returns; sources not finished by then get no report.
func (b *Batch) Run(ctx context.Context, sources iter.Seq[Source], each func(Report)) error {
	guard := memory.Watch(b.Memory)
	defer guard.Close()
	ctx, cancel := context.WithCancel(ctx)
	var workers sync.WaitGroup
	defer workers.Wait()
	defer cancel()
	free := make(chan struct{}, max(b.Parallel, 1)) // holds one for each log that is being checked
	reports := make(chan chan Report, ahead)
	workers.Add(1)
	go func() {
		defer workers.Done()
		defer close(reports)
		free <- struct{}{}
		for s := range sources {
			done := make(chan Report, 1)
			select {
			case reports <- done:
			case <-ctx.Done():
				return
			}
			workers.Add(1)
			go func() {
				defer workers.Done()
				done <- b.Checker.report(ctx, guard, s)
				<-free
			}()
			select {
			case free <- struct{}{}:
			case <-ctx.Done():
				return
			}
		}
	}()
	for {
		done, ok := receive(ctx, reports)
		if !ok {
			return ctx.Err()
		}
		r, _ := receive(ctx, done)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		each(r)
	}
}

// receive waits for a value, or the end of the context.
func receive[T any](ctx context.Context, c <-chan T) (v T, ok bool) {
	select {
	case v, ok = <-c:
	case <-ctx.Done():
	}
	return v, ok
}

// patience is how long after its time a log may take to be given up: engines look
// at the clock now and then, files and pipes do not.
const patience = 2 * time.Second

// report checks a source, in the time and the memory that there is. It waits for
// neither a source nor an engine that does not end when it should.
func (c *Checker) report(ctx context.Context, guard *memory.Guard, s Source) Report {
	ctx, use := guard.Enter(ctx)
	defer use.Leave()
	ctx, cancel := c.limit(ctx)
	defer cancel()
	w := &work{Checker: c, ctx: ctx, use: use}
	done, start := make(chan Report, 1), time.Now()
	go func() {
		r := w.read(s)
		r.end(start)
		done <- r
	}()
	r, ok := receive(ctx, done)
	if !ok {
		select {
		case r = <-done:
		case <-time.After(c.patience):
			r = Report{Name: s.Name, Kinds: c.kinds, Result: Result{Verdict: Inconclusive, Engine: c.engine.name(), Detail: prefix.Stopped(ctx)}, Took: time.Since(start)}
			if seen := w.seen.Load(); seen != nil {
				r.Ops, r.Coverage, r.Result.Events = seen.Ops, seen.Coverage, seen.Result.Events
			}
		}
	}
	if ctx.Err() != nil && r.Result.Verdict == Inconclusive {
		r.Result.Detail = joined(r.Result.Detail, w.extent(&r))
	}
	return r
}

// work is the checking of one source.
type work struct {
	*Checker
	ctx   context.Context
	use   *memory.Use
	bytes atomic.Int64
	seen  atomic.Pointer[Report] // what was read, before it is decided
}

// extent says how large a log is that was given up, or how much was read of it.
func (w *work) extent(r *Report) string {
	if r.Result.Events == 0 {
		return fmt.Sprintf("%d bytes of the log had been read", w.bytes.Load())
	}
	return fmt.Sprintf("the log has %s in %s", printable.Count(r.Ops, "operation"), printable.Count(r.Result.Events, "event"))
}

// metered is a log that is read as long as there is time.
type metered struct {
	io.Reader
	w *work
}

func (m metered) Read(p []byte) (int, error) {
	if m.w.ctx.Err() != nil {
		return 0, m.w.ctx.Err()
	}
	n, err := m.Reader.Read(p)
	m.w.bytes.Add(int64(n))
	m.w.use.Grow(n)
	return n, err
}

// read reads a source and checks it.
func (w *work) read(s Source) Report {
	c, r := w.Checker, Report{Name: s.Name, Kinds: w.kinds}
	f, err := s.Open()
	switch {
	case errors.As(err, new(*memory.Exceeded)):
		r.Result = Result{Verdict: Inconclusive, Engine: c.engine.name(), Detail: err.Error()}
		return r
	case err != nil:
		r.Err = err
		return r
	}
	defer f.Close()
	log := c.reader(metered{f, w}, s.Name)
	if c.direct(w.ctx, log, &r) {
		return r
	}
	e, err := log.Execution(c.reading())
	switch {
	case err != nil && w.ctx.Err() != nil:
		r.Result = Result{Verdict: Inconclusive, Engine: c.engine.name(), Detail: prefix.Stopped(w.ctx)}
		return r
	case err != nil:
		r.Err = err
		return r
	}
	w.seen.Store(&Report{Ops: len(e.Ops), Coverage: coverage.Of(e), Result: Result{Events: e.Events}})
	c.judge(w.ctx, e, &r)
	if errors.As(r.Err, new(*reference.Fault)) {
		r.Err = fmt.Errorf("%s: %s", s.Name, strings.TrimPrefix(r.Err.Error(), "reference: "))
	}
	r.incomplete(e.Tail)
	return r
}

// incomplete takes back what the log is too short for: tail says what is missing
// at its end, if anything is, and it may have no events at all. A violation stays
// one, whatever came after it.
func (r *Report) incomplete(tail string) {
	if r.Err != nil || tail == "" && r.Result.Events > 0 {
		return
	}
	why := ""
	switch r.Result.Verdict {
	case Violation:
		r.Result.Detail = joined(r.Result.Detail, tail)
		return
	case Linearizable, NoViolationFound:
		why = "no violation in what is there"
		if r.Result.Events == 0 {
			why = "the log has no events"
		}
	}
	r.Result.Verdict, r.Result.Detail = Inconclusive, joined(joined(why, r.Result.Detail), tail)
	r.Evidence, r.Unproved = nil, r.Result.Detail
}

// judge checks an execution, in the time that there is. The answer is false if
// that was too short.
func (c *Checker) judge(ctx context.Context, e *history.Execution, r *Report) (finished bool) {
	r.Ops, r.Coverage = len(e.Ops), coverage.Of(e)
	r.Result, r.Err = c.Check(ctx, e)
	if outside(r.Err) && c.theory != nil {
		r.Result, r.Err = c.before(ctx, e, r.Err)
	}
	finished = ctx.Err() == nil
	if r.Result.Verdict == Violation {
		r.At = placeOf(e, r.Result.Prefix)
	}
	if r.Err == nil && (c.options.Explain && r.Result.Verdict == Violation || c.options.Witness) {
		c.prove(ctx, e, r)
	}
	return finished
}

// end says how long it took, and what an error is about.
func (r *Report) end(start time.Time) {
	r.Took = time.Since(start)
	var (
		parse    *history.ParseError
		label    *UnknownLabel
		language *OutsideLanguage
	)
	switch {
	case errors.As(r.Err, &parse):
		r.At = parse.Pos
	case errors.As(r.Err, &label):
		r.At = label.Op.CallPos
	case errors.As(r.Err, &language) && language.A != nil:
		r.At = language.A.CallPos
	}
}

// placeOf is where the log of an execution has the last of so many events.
func placeOf(e *history.Execution, events int) history.Pos {
	for i := range e.Ops {
		switch events - 1 {
		case e.Ops[i].Call:
			return e.Ops[i].CallPos
		case e.Ops[i].Return: // NoReturn is no index
			if events > 0 {
				return e.Ops[i].ReturnPos
			}
		}
	}
	return history.Pos{}
}

// before decides the events of an execution before the one with which it leaves the
// theory's language. What is a violation by then is one; else the execution is
// refused for what it does there.
func (c *Checker) before(ctx context.Context, e *history.Execution, refused error) (Result, error) {
	whole, err := c.resolve(e)
	if err != nil {
		return Result{}, err
	}
	e = c.rest(whole)
	n, err := c.leaves(ctx, e)
	if err == nil {
		return Result{}, refused
	}
	res, bad := c.check(ctx, e.Prefix(n-1))
	if bad != nil || res.Verdict != Violation {
		return Result{}, err
	}
	res = c.shortest(ctx, whole.Prefix(n-1), res)
	res.Events = e.Events
	return res, nil
}

// prove explains a verdict and makes evidence for it. An error says that there
// is no explanation, or no evidence.
func (c *Checker) prove(ctx context.Context, e *history.Execution, r *Report) {
	var err error
	if r.Result.Verdict == Violation {
		var x *Explanation
		if d := c.options.ExplainTime; d > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, d)
			defer cancel()
		}
		if x, err = c.Explain(ctx, e, r.Result); err == nil && c.options.Witness {
			r.Evidence, err = c.derivation(ctx, e, x)
		}
		if c.options.Explain {
			r.Explanation = x
		}
	} else {
		r.Evidence, err = c.Witness(ctx, e, r.Result)
	}
	if err != nil && c.options.Witness {
		r.Unproved = strings.TrimPrefix(err.Error(), "check: no evidence: ")
	}
}
