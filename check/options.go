package check

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/solver"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// Options say how executions are checked. The zero Options are the default; Flags
// describes them.
type Options struct {
	Engine      string // empty: auto
	Model       string
	LRU         int  // 0 is no limit
	KeepMatches bool // the flag removal, inverted
	Probe       bool
	Whole       bool

	// Timeout is the time for each log, or what Follow does at its end; 0 is no
	// limit. A log that takes longer is Inconclusive.
	Timeout time.Duration

	// Explain and Witness: reports on logs have the explanations of violations, and
	// evidence for all verdicts, in what is left of the time.
	Explain, Witness bool

	// Order says that explanations are to be shown with their orders and derivations.
	Order bool

	// ExplainTime is the time for the explanation of a log's violation, which is not minimal
	// if that is too short; 0: what is left of the log's.
	ExplainTime time.Duration

	// Brief says that nobody asked for explanations: they have no derivation of more than a few steps, and
	// none is looked for that mostly takes more. Without effect where there is evidence to make.
	Brief bool

	// Aliases are other names of methods, by the theory's: the logs use them.
	Aliases map[string][]string

	// MayFail are answers of methods, such as "tryLock=false", that are allowed in
	// every state and then change nothing, beside those that the theory names.
	MayFail []string

	// Reader makes the reader of a log; nil: history.NewReader. It is given the names of
	// the theory's methods and their aliases.
	Reader func(log io.Reader, file string, methods history.Signature) *history.Reader

	// Solver makes satisfiability solvers; nil: the one in pure Go.
	Solver func() solver.Solver

	// Reference decides logs that the theory does not, and confirms violations; all
	// logs if there is no theory. Its states must be kept, as Load's and New's can.
	// The Checker does not close it.
	Reference reference.Implementation

	// Open opens the reference when the first log needs it that no description of the
	// theory covers, or whose parts prove nothing; nil: such logs are refused, or nothing
	// is found. It is called once, and not if there is a Reference. The Checker does not
	// close what it opens.
	Open func(ctx context.Context) (reference.Implementation, error)

	// Returned says that executions are not read from logs, but have what methods returned: an
	// outcome that a method has not is an answer that no call has, and no mistake of a log.
	Returned bool

	// For tests; 0: the usual.
	keep     int // maxKept of Follow
	leastOps int // minDirect
}

// Flag is an option as commands have it.
type Flag struct {
	Name, Help string
	Default    string               // "": the zero value
	Engines    []string             // that read it; none: all
	Choices    []string             // the values it takes; none: any
	Field      func(o *Options) any // where it is kept: a *string, *int, *bool or, for one that may be repeated, *[]string; nil if only a command can set it
	Inverse    bool                 // it is true where the field is false
}

// Flags lists the options that users set by flags: for a command's own flags and
// their help.
func Flags() []Flag {
	return []Flag{
		{Name: "engine", Help: "the checking engine: " + strings.Join(engineNames(), ", "), Default: autoName, Choices: engineNames(),
			Field: func(o *Options) any { return &o.Engine }},
		{Name: "model", Help: "decide by this built-in model, which is first compared with the theory, if there is one: " + strings.Join(wgl.Builtins(), ", ") +
			"; engine monitor accepts only priority-queue and min-priority-queue, for theories that do not say which value comes first", Engines: []string{wglName, monitorName}, Choices: wgl.Builtins(),
			Field: func(o *Options) any { return &o.Model }},
		{Name: "lru", Help: "number of configurations to remember (default: all)", Engines: []string{wglName},
			Field: func(o *Options) any { return &o.LRU }},
		{Name: "removal", Help: "drop matches that can no longer contribute anything", Engines: []string{saturateName},
			Field: func(o *Options) any { return &o.KeepMatches }, Inverse: true},
		{Name: "probe", Help: "try both values of what is left open; finds more violations, but takes longer", Engines: []string{saturateName},
			Field: func(o *Options) any { return &o.Probe }},
		{Name: "may-fail", Help: "METHOD=OUTCOME, such as tryLock=false: allow this answer in every state; it changes nothing",
			Field: func(o *Options) any { return &o.MayFail }},
		{Name: "whole", Help: "check whole executions only; do not look for the shortest violating prefix",
			Field: func(o *Options) any { return &o.Whole }},
		{Name: "solver", Help: "the satisfiability solver", Engines: []string{autoName, symbolicName}},
	}
}

// setMayFail reads what may fail, by the options and the theory.
func (c *Checker) setMayFail(t *theory.Theory) error {
	ks, err := history.Parse(c.signature.Methods(), c.options.MayFail)
	if err != nil {
		return fmt.Errorf("check: %w", err)
	}
	if c.mayFail = ks; t == nil {
		return nil
	}
	for i := range t.Spec.Patterns {
		p := &t.Spec.Patterns[i]
		for _, o := range p.History.Ops {
			if slices.Contains(ks, o.Kind) && !o.ReadOnly {
				return fmt.Errorf("check: what may fail: %s => %s changes the state, as pattern %s shows", o.Method, o.Outcome, p.Name)
			}
		}
	}
	c.mayFail = append(c.mayFail, t.Spec.MayFail...)
	return nil
}

// rest is what decides about an execution: what it is without the operations that
// may come in every state.
func (c *Checker) rest(e *history.Execution) *history.Execution {
	if len(c.mayFail) == 0 {
		return e
	}
	if resolved, err := c.resolve(e); err == nil {
		e = resolved
	}
	return c.mayFail.Without(e)
}

// relaxed is the result for an execution some operations of which may come in every
// state. In a shorter prefix they may still run, and turn out otherwise.
func (c *Checker) relaxed(ctx context.Context, e *history.Execution) (Result, error) {
	r, err := c.lean().strict(ctx, c.rest(e))
	if err == nil && r.Verdict == Violation && len(c.mayFail) > 0 && !c.options.Whole {
		r = c.shortest(ctx, e, r)
	}
	return r, err
}

// lean is the checker for what is left of executions without the operations that may come in every state: its
// theory does not have these, so that engines can use it that could not use the whole. That a running operation may
// turn out as one of these is the same as that it never takes effect.
func (c *Checker) lean() *Checker {
	if len(c.mayFail) == 0 || c.theory == nil {
		return c
	}
	lean, _ := c.leaned.get(context.Background(), func() (*Checker, error) {
		o := c.options
		o.MayFail, o.Aliases = nil, nil
		lean, err := New(c.withoutFailures(), o)
		if err == nil {
			lean.spared = c.mayFail
		}
		return lean, err
	})
	return cmp.Or(lean, c)
}

// withoutFailures is the theory without what may fail: a model is compared with that.
func (c *Checker) withoutFailures() *theory.Theory {
	if len(c.mayFail) == 0 {
		return c.theory
	}
	t := *c.theory
	t.Spec.Methods, t.Spec.MayFail = c.mayFail.Methods(t.Spec.Methods), nil
	t.Spec.Patterns = slices.DeleteFunc(slices.Clone(t.Spec.Patterns), func(p theory.Pattern) bool {
		return slices.ContainsFunc(p.History.Ops, func(o history.Op) bool { return slices.Contains(c.mayFail, o.Kind) })
	})
	return &t
}

// shortest is the violation with its shortest prefix, which is no shorter than that
// of what is left of the execution.
func (c *Checker) shortest(ctx context.Context, e *history.Execution, r Result) Result {
	if resolved, err := c.resolve(e); err == nil {
		e = resolved
	}
	return narrowed(e, c.mayFail, r, func(e *history.Execution) (Result, error) { return c.lean().strict(ctx, c.rest(e)) })
}

// narrowed is a violation with its shortest prefix, where operations of some kinds do not count once they have
// returned. In a shorter prefix they may still run, and turn out otherwise: it is decided anew.
func narrowed(e *history.Execution, ks history.Kinds, r Result, decide func(*history.Execution) (Result, error)) Result {
	if !ks.Running(e, r.Prefix) {
		return r
	}
	least, most, unsure := r.Prefix, e.Events, ""
	for r.Prefix = most; least < most; {
		n := least + (most-least)/2
		p, err := decide(e.Prefix(n))
		switch {
		case err != nil || p.Verdict == Inconclusive:
			r.Detail = joined(r.Detail, shorter)
			return r
		case p.Verdict == Violation:
			most, r = n, p
			r.Prefix, r.Events = n, e.Events
			continue
		case p.Verdict == NoViolationFound:
			unsure = shorter
		}
		least = n + 1
	}
	r.Detail = joined(r.Detail, unsure)
	return r
}
