package check

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/adtinfer/adtinfer/check/internal/explain"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/clauses"
	"github.com/adtinfer/adtinfer/internal/engine/ground"
	"github.com/adtinfer/adtinfer/internal/engine/logs"
	"github.com/adtinfer/adtinfer/internal/engine/monitor"
	"github.com/adtinfer/adtinfer/internal/engine/symbolic"
	"github.com/adtinfer/adtinfer/internal/semantics/instance"
	"github.com/adtinfer/adtinfer/theory"
)

// Checker checks executions against a theory, a reference or a model. What depends
// on these alone is computed once, when it is first needed. A Checker is safe for
// concurrent use.
type Checker struct {
	options   Options
	named     string             // the theory's name
	spec      *theory.Spec       // and all that it says; nil if there is none
	theory    *theory.Theory     // nil if it has no patterns, or they are not all that it says of the data type
	described []description      // by which the theory describes the data type beside them, or instead of them
	model     *modelEngine       // of Options.Reference, or without a theory; else nil
	opened    once[*modelEngine] // of Options.Open
	engine    engine
	signature history.Signature
	kinds     []history.Kind
	ground    *ground.Theory
	patience  time.Duration
	mayFail   history.Kinds // come in every state, and change nothing
	spared    history.Kinds // those that were left out before

	usual      map[history.Kind]int // how many values operations answer
	whollyTold bool                 // the theory says all about the data type

	// Made when first needed:
	propagation func() (*clauses.Rules, error)  // with what follows from several patterns
	patterns    func() (*clauses.Rules, error)  // without
	short       func() (*symbolic.Rules, error) // of patterns
	long        func() (*symbolic.Rules, error) // of propagation, for long executions
	explainer   func() *explain.Explainer
	selection   once[*monitor.Procedure] // the near-linear procedure
	leaned      once[*Checker]           // without what may fail
	axioms      func() *modelEngine      // the automaton that axioms mean; nil: none
}

// New makes a theory ready. Without one, which is nil, or if it is a reference itself,
// the Reference or the Model of the options decides. The error is about the theory, or about the options.
func New(t *theory.Theory, o Options) (*Checker, error) {
	c := &Checker{options: o, patience: patience}
	if t != nil {
		c.named, c.spec = t.Name, &t.Spec
		if t.Spec.Headline() == theory.ByPatterns && t.Spec.Control == nil {
			c.theory = t
		}
		if err := c.describe(t); err != nil {
			return nil, err
		}
	}
	if o.Reference != nil || t == nil {
		m, err := newModelEngine(c, t)
		if err != nil {
			return nil, err
		}
		c.model = m
	}
	if err := c.choose(t); err != nil {
		return nil, err
	}
	c.usual, c.whollyTold = usualOf(c.signature), t != nil && instance.TellsAll(t)
	return c, c.setMayFail(t)
}

// choose makes the engine ready that is asked first: patterns, another description, or
// the reference or model alone.
func (c *Checker) choose(t *theory.Theory) (err error) {
	switch {
	case c.theory != nil:
		return c.compile(t)
	case t != nil && (len(c.described) > 0 || t.Spec.Headline() != theory.ByModel):
		if c.engine, err = c.engineFor(t); err != nil {
			return err
		}
		c.kinds = t.Kinds()
		if c.signature, err = t.Signature(c.options.Aliases); err == nil {
			c.signature, err = c.typed(c.signature, t)
		}
		return err
	case c.model == nil:
		return fmt.Errorf("check: %w", t.NoPatterns("an engine", "give the reference in Options.Reference"))
	}
	c.engine, c.signature, c.kinds = c.model, c.model.signature, c.model.kindsOf(c.model.signature)
	return nil
}

// alone reports whether the reference or the model decides, and nothing else.
func (c *Checker) alone() bool { return c.theory == nil && len(c.described) == 0 }

// compile makes the theory ready.
func (c *Checker) compile(t *theory.Theory) error {
	g, err := ground.Compile(t, c.options.Solver)
	if err != nil {
		return err
	}
	c.ground, c.kinds = g, t.Kinds()
	if c.engine, err = c.newEngine(); err != nil {
		return err
	}
	if c.signature, err = t.Signature(c.options.Aliases); err != nil {
		return err
	}
	if c.signature, err = c.typed(c.signature, t); err != nil {
		return err
	}
	c.propagation = sync.OnceValues(func() (*clauses.Rules, error) { return clauses.Compile(t) })
	c.patterns = sync.OnceValues(func() (*clauses.Rules, error) { return clauses.OfPatterns(t) })
	c.short = sync.OnceValues(func() (*symbolic.Rules, error) { return compiled(c.patterns()) })
	c.long = sync.OnceValues(func() (*symbolic.Rules, error) { return compiled(c.propagation()) })
	c.axioms = sync.OnceValue(func() *modelEngine { return newOfAxioms(c, t) })
	c.explainer = sync.OnceValue(func() *explain.Explainer {
		return explain.New(t, g, byTheory{c}, c.options.Brief && !c.options.Witness)
	})
	return nil
}

func compiled(r *clauses.Rules, err error) (*symbolic.Rules, error) {
	if err != nil {
		return nil, err
	}
	return symbolic.Compile(r), nil
}

// once is a value that is computed once; a context that ends before leaves it to
// the next call.
type once[T any] struct {
	mu    sync.Mutex
	made  bool
	value T
	err   error
}

func (o *once[T]) get(ctx context.Context, compute func() (T, error)) (T, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.made {
		if o.value, o.err = compute(); ctx.Err() != nil {
			return *new(T), ctx.Err()
		}
		o.made = true
	}
	return o.value, o.err
}

// Prepare does now what the first check would do: it compares the Model of the
// options with the theory, and finds out how the states of the Reference are kept. The
// error is that they differ, that they cannot be kept, or the context's.
func (c *Checker) Prepare(ctx context.Context) error {
	if c.model != nil {
		if _, err := c.model.by(ctx); err != nil {
			return err
		}
	}
	switch e := c.engine.(type) {
	case *wglEngine:
		_, err := e.model(ctx)
		return err
	case *monitorEngine:
		if c.options.Model != "" {
			_, err := c.procedure(ctx)
			return err
		}
	}
	return nil
}

// Check decides an execution. When the time is over or the context ends first the
// verdict is Inconclusive and the error nil. Errors are about the input: a theory
// the engine cannot use, or an execution the theory does not speak of
// (*OutsideLanguage, *UnknownLabel, *Ambiguous). Where something is missing of the log
// that the execution is from, the verdict is a Violation or Inconclusive.
func (c *Checker) Check(ctx context.Context, e *history.Execution) (Result, error) {
	r, err := c.upTo(ctx, e, c.checkEvents)
	if e.Tail == "" {
		return r, err
	}
	all := Report{Result: r, Err: err}
	all.Incomplete(e.Tail)
	return all.Result, err
}

// checkEvents decides what is there of an execution.
func (c *Checker) checkEvents(ctx context.Context, e *history.Execution) (Result, error) {
	ctx, cancel := c.limit(ctx)
	defer cancel()
	r, err := c.relaxed(ctx, e)
	if len(e.Unknown) > 0 && err == nil && (r.Verdict == Linearizable || r.Verdict == NoViolationFound) {
		return c.filled(ctx, e, r)
	}
	if len(e.Unknown) > 0 && r.Verdict == Violation && e.Unknown[0][1] < r.Prefix {
		r.Detail = joined(r.Detail, "a shorter prefix may violate, too, since some calls returned what nobody knows")
	}
	return r, err
}

// strict decides an execution all operations of which are those of the data type.
func (c *Checker) strict(ctx context.Context, e *history.Execution) (Result, error) {
	r, err := c.decision(ctx, e)
	switch {
	case c.model == nil:
		return c.last(ctx, e, r, err)
	case c.alone():
		return r, err
	}
	return c.compared(ctx, e, r, err)
}

// decision is the engine's, and where that is auto and does not know, another
// description's.
func (c *Checker) decision(ctx context.Context, e *history.Execution) (r Result, err error) {
	_, auto := c.engine.(autoEngine)
	if c.theory != nil || !auto {
		resolved, bad := c.resolve(e)
		if err = bad; err == nil {
			r, err = c.check(ctx, resolved)
		}
	}
	if auto && outside(err) && c.theory != nil && (len(c.described) > 0 || c.options.Open != nil) {
		if res, bad := c.before(ctx, e, err); bad == nil { // patterns say more
			return res, nil
		}
	}
	if auto && !decided(r, err) {
		r, err = c.otherwise(ctx, e, r, err)
	}
	return r, err
}

// check decides an execution with resolved labels.
func (c *Checker) check(ctx context.Context, e *history.Execution) (Result, error) {
	return c.checkBy(ctx, c.engine, e)
}

func (c *Checker) checkBy(ctx context.Context, by engine, e *history.Execution) (Result, error) {
	res, err := by.check(ctx, e)
	if err != nil {
		return Result{}, inputError(err, e)
	}
	c.whole(&res, e.Events)
	if res.Engine == "" {
		res.Engine = by.name()
	}
	res.Events = e.Events
	return res, nil
}

// whole makes a violating prefix the whole, if no shorter one was asked for.
func (c *Checker) whole(res *Result, events int) {
	if c.options.Whole && res.Verdict == Violation && res.Prefix < events {
		res.Prefix, res.Detail = events, joined(res.Detail, logs.NotSought)
	}
}

// CheckLog decides a log in any format; name is for messages. What happened before
// the log leaves the theory's language is decided, too: a violation there is one.
// A log that lacks its end, or is empty, is Inconclusive unless it is a violation. Of a
// log with several objects the answer is the worst, and says of which object it is.
func (c *Checker) CheckLog(ctx context.Context, log io.Reader, name string) (Result, error) {
	reports := c.report(ctx, nil, Source{Name: name, Open: func() (io.ReadCloser, error) { return unclosed{log}, nil }}, 0, Shard{})
	r := slices.MaxFunc(reports, compareReports)
	if r.Object != "" && r.Err != nil {
		r.Err = fmt.Errorf("object %q: %w", r.Object, r.Err)
	} else if r.Object != "" && r.Result.Verdict != Linearizable {
		r.Result.Detail = joined(fmt.Sprintf("object %q", r.Object), r.Result.Detail)
	}
	return r.Result, r.Err
}

// limit ends a context when the time for a log is over.
func (c *Checker) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	if c.options.Timeout > 0 {
		return context.WithTimeout(ctx, c.options.Timeout)
	}
	return context.WithCancel(ctx)
}

// resolve is the execution with method names as the theory has them. It refuses
// labels that the theory does not know.
func (c *Checker) resolve(e *history.Execution) (*history.Execution, error) {
	if c.theory != nil {
		r, err := c.ground.Resolve(e)
		return r, inputError(err, e)
	}
	if c.alone() {
		return c.model.resolve(e)
	}
	return c.described[0].resolve(e)
}

// outside reports whether an error is about the theory's language.
func outside(err error) bool {
	return errors.As(err, new(*OutsideLanguage)) || errors.As(err, new(*clauses.LanguageError))
}

// reader reads a log as the options say.
func (c *Checker) reader(r io.Reader, file string) *history.Reader {
	if c.options.Reader != nil {
		return c.options.Reader(r, file, c.reading())
	}
	return history.NewReader(r, file)
}

// ReadLog is history.ReadLog with the theory's methods, and the aliases and the reader
// that the options say.
func (c *Checker) ReadLog(r io.Reader, file string) (*history.Execution, error) {
	return c.reader(r, file).Execution(c.reading())
}

// ReadObjects is ReadLog for a log that may have several objects: an execution for each.
func (c *Checker) ReadObjects(r io.Reader, file string) ([]*history.Execution, error) {
	return c.reader(r, file).Executions(c.reading())
}
