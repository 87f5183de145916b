package corpus

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/evidence/verify"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/checktest"
	"github.com/adtinfer/adtinfer/theory"
)

// This file is all that knows how engines, explanations, evidence and readers are
// called.

// engine is a way to decide an execution.
type engine struct {
	name  string
	most  int // operations of the executions that it is asked about; a longer one would take it too long
	check func(context.Context, *history.Execution) (check.Result, error)
}

// answerer answers for one theory. Its methods are safe for concurrent use.
type answerer struct {
	theory    *theory.Theory
	spec      func(context.Context, []history.Label) (int, error)
	signature history.Signature
	auto      *check.Checker
	engines   []engine
	about     []named // what the engines say of the theory alone
	fast      bool    // there is a near-linear procedure
}

type named struct {
	engine string
	Answer
}

// newAnswerer prepares a theory. The model is the name of the built-in one that should
// agree with it, or ""; spec is what linearizations are compared with.
func newAnswerer(ctx context.Context, path, model string, spec func(context.Context, []history.Label) (int, error)) (*answerer, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	a := &answerer{spec: spec}
	if a.theory, err = theory.Read(f, path); err != nil {
		return nil, err
	}
	if a.signature, err = a.theory.Signature(nil); err != nil {
		return nil, err
	}
	if a.auto, err = check.New(a.theory, check.Options{}); err != nil {
		return nil, err
	}
	for _, x := range []struct {
		name    string
		most    int
		options check.Options
	}{
		{"auto", 1 << 30, check.Options{}},
		{"auto whole", 1 << 30, check.Options{Whole: true}},
		{"saturate", 20_000, check.Options{Engine: "saturate"}},
		{"saturate keep", 500, check.Options{Engine: "saturate", KeepMatches: true}},
		{"saturate probe", 500, check.Options{Engine: "saturate", Probe: true}},
		{"symbolic", 500, check.Options{Engine: "symbolic"}},
	} {
		c, err := check.New(a.theory, x.options)
		if err != nil {
			return nil, err
		}
		a.engines = append(a.engines, engine{x.name, x.most, c.Check})
	}
	return a, errors.Join(a.oracles(), a.monitor(ctx), a.wgl(ctx, model))
}

// oracles uses the engines of tests and experiments.
func (a *answerer) oracles() error {
	if a.theory.Spec.Width > 1 {
		return nil // they look for sequences
	}
	k, err := checktest.NewCounting(a.theory, 2)
	if err != nil {
		return err
	}
	n, err := checktest.NewEnumerate(a.theory)
	if err != nil {
		return err
	}
	a.engines = append(a.engines, engine{"counting", 9, k.Check}, engine{"enumerate", 7, func(ctx context.Context, e *history.Execution) (check.Result, error) {
		r, err := n.Check(ctx, e)
		if err != nil {
			return check.Result{}, err
		}
		res := check.Result{Verdict: check.Inconclusive, Prefix: r.Violation, Detail: r.Detail}
		switch {
		case r.Linearizable:
			res.Verdict = check.Linearizable
		case r.Violation > 0:
			res.Verdict = check.Violation
			res.Patterns, _ = n.Core(ctx, e.Prefix(r.Violation))
		}
		return res, nil
	}})
	return nil
}

// monitor uses the near-linear procedure, if there is one for the theory.
func (a *answerer) monitor(ctx context.Context) error {
	c, err := check.New(a.theory, check.Options{Engine: "monitor"})
	if err != nil {
		return err
	}
	r, err := c.Check(ctx, &history.Execution{})
	if err != nil {
		a.about = append(a.about, named{"monitor", Answer{Error: err.Error()}})
		return ctx.Err()
	}
	a.fast = true
	a.about = append(a.about, named{"monitor", Answer{Procedure: r.Procedure}})
	a.engines = append(a.engines, engine{"monitor", 1 << 30, c.Check})
	return nil
}

// wgl uses the search over a built-in model, if there is one that agrees with the theory.
func (a *answerer) wgl(ctx context.Context, model string) error {
	if model == "" {
		return nil
	}
	c, err := check.New(a.theory, check.Options{Engine: "wgl", Model: model})
	if err == nil {
		err = c.Prepare(ctx)
	}
	if err != nil {
		a.about = append(a.about, named{"wgl", Answer{Error: err.Error()}})
		return ctx.Err()
	}
	a.about = append(a.about, named{"wgl", Answer{}})
	a.engines = append(a.engines, engine{"wgl", 60, c.Check})
	return nil
}

// read is the execution of a log in any format.
func (a *answerer) read(log []byte, name string) (*history.Execution, error) {
	return history.ReadLog(bytes.NewReader(log), name, a.signature)
}

// way reads and checks a log as the command does, or follows it.
func (a *answerer) way(ctx context.Context, log []byte, name string, follow bool) (r Answer) {
	b := &check.Batch{Checker: a.auto, Parallel: 1}
	source := check.Source{Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(log)), nil }}
	each := func(report check.Report) {
		if r = result(report.Result, nil); report.Err != nil {
			r.Error = report.Err.Error()
		}
	}
	if follow {
		each(a.auto.Follow(ctx, source, &check.Progress{}))
		return r
	}
	if err := b.Run(ctx, slices.Values([]check.Source{source}), each); err != nil {
		r.Error = err.Error()
	}
	return r
}

var formats = map[string]history.Format{"text": history.Text, "json": history.JSON, "binary": history.Binary}

// convert copies a log to another format: text, json or binary.
func convert(ctx context.Context, log []byte, name, format string) ([]byte, error) {
	var out bytes.Buffer
	err := history.NewReader(bytes.NewReader(log), name).Convert(ctx, &out, formats[format])
	return out.Bytes(), err
}

// coverage is what a log could have shown of the theory.
func (a *answerer) coverage(e *history.Execution) Answer {
	c := history.Of(e)
	return Answer{Coverage: c.Text(a.theory.Kinds())}
}

// maxExplained bounds the operations of executions whose verdicts are explained and proved.
const maxExplained = 20_000

// prove explains a violation, makes the evidence for a verdict, and verifies it.
func (a *answerer) prove(ctx context.Context, e *history.Execution, r check.Result) (all []named) {
	if len(e.Ops) > maxExplained {
		return nil
	}
	if r.Verdict == check.Violation {
		all = append(all, named{"explain", a.explain(ctx, e, r)})
	}
	ev, err := a.auto.Witness(ctx, e, r)
	x := Answer{Evidence: "accepted"}
	switch {
	case err != nil:
		x = Answer{Evidence: "none", Error: class(err.Error())}
	default:
		if err := verify.Check(ctx, a.theory, e, ev, a.spec); err != nil {
			x = Answer{Evidence: "rejected", Error: class(err.Error())}
		}
	}
	if err == nil {
		x.Prefix, x.Steps = ev.Prefix, len(ev.Steps)
	}
	return append(all, named{"witness", x})
}

func (a *answerer) explain(ctx context.Context, e *history.Execution, r check.Result) (x Answer) {
	found, err := a.auto.Explain(ctx, e, r)
	if err != nil {
		return Answer{Error: class(err.Error())}
	}
	for _, o := range found.Execution.Ops {
		x.Ops = append(x.Ops, o.ID)
	}
	for _, reason := range found.Reasons {
		x.Patterns = append(x.Patterns, reason.Name)
	}
	x.Prefix, x.Steps = found.Prefix, len(found.Steps)
	x.Detail = strings.Trim(class(found.Detail)+"; "+class(found.Underived), "; ")
	return x
}

// result is what an engine answered.
func result(r check.Result, err error) Answer {
	x := Answer{Verdict: string(r.Verdict), Prefix: r.Prefix, Patterns: r.Patterns, Detail: class(r.Detail)}
	if by, ok := strings.CutPrefix(r.Engine, "auto: "); ok {
		x.By = by
	}
	if err != nil {
		x.Error = class(err.Error())
	}
	return x
}

var number = regexp.MustCompile(`\d+`)

// class is a sentence without its numbers.
func class(s string) string { return number.ReplaceAllString(s, "N") }
