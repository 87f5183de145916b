package check

import (
	"cmp"
	"context"
	"errors"
	"io"
	"iter"
	"strings"
	"sync"
	"time"

	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/logs"
	"github.com/adtinfer/adtinfer/internal/host/memory"
)

// Source is a log to be read: a name for messages and a way to open it.
type Source struct {
	Name  string
	Open  func() (io.ReadCloser, error)
	Grows bool // at its end Follow waits for more, so that the log never ends
}

// Report is what came of one source, or of one of its objects.
type Report struct {
	Name   string
	Object string // if the log has several: there is a report for each
	Shard  Shard  // the keys that it is about; the zero Shard: all
	Result Result
	Ops    int

	// Coverage is how much the log could have shown of the kinds of operations
	// that the theory has, which are Kinds.
	Coverage history.Coverage
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

	// ByKey has logs checked one at a time, and Parallel keys of each; if Shard is not
	// the zero Shard, only those keys. The theory must be one that Split takes.
	ByKey bool
	Shard Shard
}

// ahead is how many reports may wait for that of a log before theirs.
const ahead = 1 << 12

// Run checks every source and hands the reports to each in the order of the
// sources. The next source is asked for when there is room to check it. A log that
// cannot be read fails alone. Run ends early only with the context, whose error it
// returns; sources not finished by then get no report.
func (b *Batch) Run(ctx context.Context, sources iter.Seq[Source], each func(Report)) error {
	logs, keys := max(b.Parallel, 1), 0
	if b.ByKey {
		if _, err := b.Checker.split(); err != nil {
			return err
		}
		logs, keys = 1, logs
	}
	guard := memory.Watch(b.Memory)
	defer guard.Close()
	ctx, cancel := context.WithCancel(ctx)
	var workers sync.WaitGroup
	defer workers.Wait()
	defer cancel()
	free := make(chan struct{}, logs) // holds one for each log that is being checked
	reports := make(chan chan []Report, ahead)
	workers.Add(1)
	go func() {
		defer workers.Done()
		defer close(reports)
		free <- struct{}{}
		for s := range sources {
			done := make(chan []Report, 1)
			select {
			case reports <- done:
			case <-ctx.Done():
				return
			}
			workers.Add(1)
			go func() {
				defer workers.Done()
				done <- b.Checker.report(ctx, guard, s, keys, b.Shard)
				<-free
			}()
			select {
			case free <- struct{}{}:
			case <-ctx.Done():
				return
			}
		}
	}()
	return inOrder(ctx, reports, each)
}

// inOrder hands on the reports that were promised, until there are no more or the context ends.
func inOrder(ctx context.Context, promised <-chan chan []Report, each func(Report)) error {
	for {
		done, ok := receive(ctx, promised)
		if !ok {
			return ctx.Err()
		}
		found, _ := receive(ctx, done)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for _, r := range found {
			each(r)
		}
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
// neither a source nor an engine that does not end when it should. Unless keys is 0, so
// many keys of the shard are checked at a time.
func (c *Checker) report(ctx context.Context, guard *memory.Guard, s Source, keys int, shard Shard) (reports []Report) {
	ctx, use := guard.Enter(ctx)
	defer use.Leave()
	ctx, cancel := c.limit(ctx)
	defer cancel()
	w := &work{Checker: c, name: s.Name, ctx: ctx, use: use, keys: keys, shard: shard}
	found, gone, start := make(chan Report), make(chan struct{}), time.Now()
	defer close(gone)
	go func() {
		defer close(found)
		send := func(r Report) bool {
			select {
			case found <- r:
				return true
			case <-gone:
				return false
			}
		}
		if err := w.each(s, send); err != nil {
			send(Report{Name: s.Name, Shard: shard, Err: err, Took: time.Since(start)})
		}
	}()
	over, late := ctx.Done(), (<-chan time.Time)(nil)
	for {
		select {
		case r, ok := <-found:
			if !ok {
				return reports
			}
			reports = append(reports, r)
		case <-over:
			over, late = nil, time.After(c.patience)
		case <-late:
			r := Report{Name: s.Name, Kinds: c.kinds, Shard: shard}
			if seen := w.seen.Load(); seen != nil {
				r = *seen
			}
			r.Result.Verdict, r.Result.Engine, r.Result.Detail = Inconclusive, c.engine.name(), logs.Stopped(ctx)
			r.Took = time.Since(start)
			w.sized(&r)
			return append(reports, r)
		}
	}
}

// compareReports compares reports: a violation is worse than a log that the theory does not
// speak of, and that is worse than not to know.
func compareReports(a, b Report) int {
	rank := func(r Report) int {
		if r.Err != nil {
			return 3
		}
		return map[Verdict]int{Violation: 4, Inconclusive: 2, NoViolationFound: 1}[r.Result.Verdict]
	}
	return cmp.Compare(rank(a), rank(b))
}

// Incomplete takes back what the log is too short for: tail says what is missing
// at its end, if anything is, and it may have no events at all. A violation stays
// one, whatever came after it.
func (r *Report) Incomplete(tail string) {
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
	r.Ops, r.Coverage = len(e.Ops), history.Of(e)
	start := time.Now()
	r.Result, r.Err = c.verdict(ctx, e)
	r.Took = time.Since(start)
	finished = ctx.Err() == nil
	if r.Result.Verdict == Violation {
		r.At = placeOf(e, r.Result.Prefix)
	}
	if r.Result.Unknown > 0 {
		r.Unproved = "what some calls returned nobody knows, for which evidence has no place"
	} else if r.Err == nil && (c.options.Explain && r.Result.Verdict == Violation || c.options.Witness) {
		c.prove(ctx, e, r)
	}
	return finished
}

// verdict is Check, but of what happened before the execution leaves the theory's
// language, if that is a violation.
func (c *Checker) verdict(ctx context.Context, e *history.Execution) (Result, error) {
	return c.upTo(ctx, e, func(ctx context.Context, e *history.Execution) (Result, error) {
		r, err := c.checkEvents(ctx, e)
		if outside(err) && c.theory != nil {
			return c.before(ctx, e, err)
		}
		return r, err
	})
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

// explainLong explains a violation of an execution that is long, or takes grounding, by the operations that the procedure
// blames, as directRun does; nil if there is no procedure, or that does not do. The derivation is about
// these operations, or if whole is true about the execution.
func (c *Checker) explainLong(ctx context.Context, e *history.Execution, prefix int, whole bool) *Explanation {
	if len(e.Ops) <= maxExplain && !c.grounds(e) || len(c.mayFail) > 0 {
		return nil
	}
	p := c.firstProcedure(ctx)
	if p == nil {
		return nil
	}
	_, reason, err := c.monitor(ctx, p, e.Prefix(prefix))
	if err != nil || reason == nil || len(reason.Execution.Ops) > maxExplain {
		return nil
	}
	x, err := c.explain(ctx, reason.Execution, Result{Verdict: Violation, Prefix: reason.Execution.Events})
	if err != nil {
		return nil
	}
	if x.Prefix = prefix; !whole || len(c.theory.Spec.Patterns) == 0 { // derivations are made of patterns
		return x
	}
	if e, err = c.resolve(e); err != nil {
		return nil
	}
	d, final := c.explainer().Derive(ctx, e.Prefix(prefix), x.Execution)
	if !final {
		return nil
	}
	x.Steps, x.Underived, x.Labels = d.Steps, d.Underived, d.Labels
	return x
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
		x, err = c.explained(ctx, e, r.Result, c.options.Witness, min(mostTime, 2*r.Took+leastTime))
		if err == nil && c.options.Witness {
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
