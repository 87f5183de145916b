package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/logs"
	"github.com/adtinfer/adtinfer/internal/engine/monitor"
	"github.com/adtinfer/adtinfer/internal/host/memory"
)

// Progress is how far the checking of a log is that is followed. It may be read
// at any time.
type Progress struct {
	Events atomic.Int64 // so far
	Live   atomic.Int64 // what the engine holds: values, operations
}

// maxKept is how many events of a log that is followed are kept, so that the
// engine proper can decide it in the end.
const maxKept = 1 << 16

// Follow checks a log as it comes, such as one that is still being written. It
// ends with the first violation, or with the log, or with the context, and then
// reports what was established so far.
//
// Where the engine can work event by event, memory is bounded by what is live, by
// the first events, maxKept of them, and by what must not be used twice: a few bits
// for an identifier, or a value that the language has once, if they are numbers that
// lie close together, some 20 bytes if not. A violation among the first events, a log
// that ends or leaves the language there, is decided by the engine as Run does it.
// Engines that need the whole log are asked at its end; so is what decides logs that
// leave the language, if anything does. A source that Grows has no end, and is then
// Inconclusive.
//
// A theory without patterns is followed with its automaton, by key where it is a
// product of such; one with both by the automaton once the log leaves the language, if
// that is among the first events.
//
// Later the answer is that of Run, or less: a violation is noticed late, or not, by
// saturation, and what Run finds out in spite of running operations that may leave
// the language is inconclusive here.
//
// Timeout is the time for what the engine does at the end.
func (c *Checker) Follow(ctx context.Context, s Source, p *Progress) (r Report) {
	start := time.Now()
	r = Report{Name: s.Name, Kinds: c.kinds}
	defer func() { r.end(start) }()
	f := &follower{Checker: c, ctx: ctx, progress: p, r: &r, grows: s.Grows, kept: &kept{}, most: cmp.Or(c.options.keep, maxKept)}
	f.online, f.language = c.online(ctx)
	in, err := s.Open()
	if err != nil {
		r.Err = err
		return r
	}
	defer in.Close()
	f.log = c.reader(in, s.Name)
	f.log.Growing = true
	if err = f.run(); !f.settled {
		f.report(err)
	}
	r.Incomplete(f.log.Tail())
	return r
}

// CanFollow is nil if the engine can work event by event, so that Follow finds a
// violation before the log ends.
func (c *Checker) CanFollow(ctx context.Context) error {
	if c.alone() {
		return fmt.Errorf("check: a search needs the whole log, since %s decides it without a theory", c.model.who)
	}
	if len(c.mayFail) > 0 {
		return fmt.Errorf("check: only the whole log says which operations failed, as they may (%s)", strings.Join(c.mayFail.Texts(), ", "))
	}
	if o, _ := c.online(ctx); o == nil {
		return fmt.Errorf("check: engine %s needs the whole log of theory %s", c.engine.name(), c.named)
	}
	return nil
}

// online is what follows a log in place of the engine, if anything does. That must
// be told when the log leaves the language.
func (c *Checker) online(ctx context.Context) (online, *language) {
	if c.theory != nil && len(c.mayFail) == 0 {
		if rules, err := c.patterns(); err == nil {
			if o := c.onlineEngine(ctx); o != nil {
				return o, newLanguage(rules, o.holds)
			}
		}
	}
	if f := c.configured(); f != nil {
		return f, &language{}
	}
	return nil, nil
}

// follower follows one log.
type follower struct {
	*Checker
	ctx      context.Context
	progress *Progress
	log      *history.Reader
	grows    bool
	events   int
	r        *Report
	settled  bool // r says all

	online   online // nil if the engine needs the whole log
	language *language
	kept     *kept  // the events so far; nil if they are too many
	ids      keySet // of all operations
	most     int    // events that are kept
	ops      int
	seen     history.Coverage
	last     history.Pos       // of the events
	never    history.Operation // with an answer that no call has, if it has a method
}

// run reads events up to the first violation.
func (f *follower) run() error {
	for op, err := range f.log.Follow(f.reading()) {
		if err = cmp.Or(err, f.ctx.Err()); err != nil {
			return err
		}
		f.events++
		f.last = op.CallPos
		if op.Completed() {
			f.last = op.ReturnPos
		}
		if err := f.keep(op); err != nil {
			return err
		}
		ok, err := f.step(op)
		if err != nil || !ok {
			return err
		}
	}
	return nil
}

// step gives an event to what follows the log. It is false if nothing that comes later
// matters.
func (f *follower) step(op *history.Operation) (bool, error) {
	n := f.events
	f.progress.Events.Store(int64(n))
	if op.Completed() && f.isNever(&op.Label) {
		f.never = *ownTexts(op)
		return f.violated()
	}
	if f.online == nil {
		return true, nil
	}
	if err := f.language.event(op); err != nil {
		return f.left(err)
	}
	ok, err := f.online.event(op)
	if err != nil {
		return f.left(err)
	}
	if n&1023 == 0 || n < 1024 {
		f.progress.Live.Store(int64(f.online.live()))
	}
	if !ok {
		return f.violated()
	}
	return true, nil
}

// left says how it goes on with an event that is not followed. Where nothing decides logs outside the theory's
// language, the log is refused for it; all that comes later matters to what decides them.
func (f *follower) left(err error) (bool, error) {
	if set := f.instead(); set != nil {
		if set.bad {
			return f.violated()
		}
		return true, nil
	}
	if f.kept != nil && outside(err) && !f.elsewhere() {
		return false, nil
	}
	return f.entire(err)
}

// violated has the engine proper decide the events that were kept, after the last of which they seem to be a
// violation. If that finds none, what comes later matters.
func (f *follower) violated() (bool, error) {
	if f.kept == nil {
		return false, nil
	}
	before := *f.r
	f.settle(f.found())
	if v := f.r.Result.Verdict; f.r.Err != nil || v != Linearizable && v != NoViolationFound {
		f.settled = true
		return false, nil
	}
	*f.r = before
	return f.entire(errors.New("a violation by the theory is none by what else decides"))
}

// entire has the log read as a whole from now on, for the engine proper. The error is why it cannot be.
func (f *follower) entire(err error) (bool, error) {
	switch {
	case f.grows:
		return false, &unfollowed{nil, fmt.Errorf("%w; only the whole log decides: check it without --follow when it has ended", err)}
	case f.kept != nil:
		f.online = nil
		return true, nil
	case f.elsewhere():
		return false, &unfollowed{nil, fmt.Errorf("%w; only the whole log decides, and its first events are no longer there: check it as a file", err)}
	}
	return false, err
}

// elsewhere reports whether something beside the patterns decides logs outside their language.
func (f *follower) elsewhere() bool {
	_, auto := f.engine.(autoEngine)
	return f.model != nil || auto && (len(f.described) > 0 || f.options.Open != nil)
}

// keep keeps an event, as long as there are few or all are needed.
func (f *follower) keep(op *history.Operation) error {
	if !op.Completed() {
		f.ops++
		f.seen.Call()
		if !f.ids.add(op.ID) {
			return f.calledTwice(op)
		}
	} else {
		f.seen.Return(op.Method, op.Outcome)
	}
	if f.kept == nil {
		return nil
	}
	if f.online != nil && len(f.kept.events) >= f.most {
		f.kept = nil
		return nil
	}
	f.kept.add(op)
	return nil
}

// kept are the operations of a log so far, in pieces, so that nothing is moved when there
// are more.
type kept struct {
	pieces [][]history.Operation
	ops    int
	events []int32 // by event: the operation
}

const pieceSize = 256

// add adds an operation that is called or, if it is completed, returns.
func (k *kept) add(op *history.Operation) {
	if op.Completed() {
		i := k.events[op.Call]
		k.events = append(k.events, i)
		k.pieces[i/pieceSize][i%pieceSize] = *op
		return
	}
	k.events = append(k.events, int32(k.ops))
	if k.ops%pieceSize == 0 {
		k.pieces = append(k.pieces, make([]history.Operation, 0, pieceSize))
	}
	k.ops++
	last := &k.pieces[len(k.pieces)-1]
	*last = append(*last, *op)
}

// execution is what they are together.
func (k *kept) execution() *history.Execution {
	return &history.Execution{Ops: slices.Concat(k.pieces...), Events: len(k.events)}
}

func (f *follower) calledTwice(op *history.Operation) error {
	msg := fmt.Sprintf("operation %s is called twice", op.ID)
	if f.kept != nil {
		ops := f.kept.execution().Ops
		first := slices.IndexFunc(ops, func(o history.Operation) bool { return o.ID == op.ID })
		msg += fmt.Sprintf("; the first call is on line %d", ops[first].CallPos.Line)
	}
	return &history.ParseError{Pos: op.CallPos, Msg: msg}
}

// report says what came of it; err is why there are no more events.
func (f *follower) report(err error) {
	r := f.r
	r.Ops, r.Coverage = f.ops, f.seen
	found := f.found()
	switch {
	case f.kept == nil && found.Verdict == Violation:
		r.Result = found
		if found.Prefix == f.events {
			r.At = f.last
		}
	case errors.As(context.Cause(f.ctx), new(*memory.Exceeded)):
		r.Result = Result{Verdict: Inconclusive, Engine: found.Engine, Events: f.events, Detail: fmt.Sprintf("%s after %d events", logs.Stopped(f.ctx), f.events)}
	case f.ctx.Err() != nil:
		r.Result = found
		r.Result.Detail = joined(fmt.Sprintf("interrupted after %d events", found.Events), found.Detail)
	case errors.As(err, new(*monitor.OutsideClass)), errors.As(err, new(*unfollowed)), outside(err) && found.Verdict != Linearizable:
		r.Result = Result{Verdict: Inconclusive, Engine: found.Engine, Events: found.Events, Detail: strings.TrimPrefix(err.Error(), "check: ")}
	case err != nil && f.online != nil:
		r.Err = fmt.Errorf("%w; no violation was found in the %d events before", err, found.Events)
	case err != nil:
		r.Err = err
	case f.kept == nil:
		r.Result = found
	default:
		f.settle(found)
	}
}

// found is what is known of the events so far.
func (f *follower) found() Result {
	if o := &f.never; o.Method != "" && f.kept == nil {
		r := Result{Verdict: Violation, Engine: f.engine.name(), Events: f.events, Prefix: f.events, Detail: f.beside(o)}
		if !exactly(f.online) || f.online.result().Verdict != Linearizable {
			r.Detail = joined(r.Detail, shorter)
		}
		return r
	}
	if f.online == nil {
		return Result{Verdict: Inconclusive, Engine: f.engine.name(), Events: f.events}
	}
	found := f.online.result()
	if name := f.engine.name(); name != found.Engine {
		found.Engine = name + ": " + found.Engine
	}
	if f.language.open() && (found.Verdict == Violation || found.Verdict == Linearizable) {
		found.Verdict, found.Prefix, found.Patterns = Inconclusive, 0, nil
		found.Detail = "a running operation may return so that the log leaves the theory's language, which says nothing about that"
	}
	return found
}

// settle asks the engine proper about the events that were kept. What an exact
// procedure said stands where the engine did not finish.
func (f *follower) settle(found Result) {
	e := f.kept.execution()
	e.Object = f.log.Object()
	ctx, cancel := f.limit(f.ctx)
	defer cancel()
	finished := f.judge(ctx, e, f.r)
	if exactly(f.online) && !finished && f.r.Err == nil && f.r.Result.Verdict == Inconclusive {
		f.r.Result = found
	}
}
