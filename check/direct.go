package check

import (
	"cmp"
	"context"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor"
)

// minDirect is about how many operations the shortest log has that a near-linear
// procedure is offered before the log is read as a whole.
const minDirect = minMonitor

// direct decides a log in one go with reading it, if the engine would ask a
// near-linear procedure and that decides it. It is false if the log has to be read as a
// whole.
func (c *Checker) direct(ctx context.Context, log *history.Reader, r *Report) bool {
	if c.options.Witness || len(c.mayFail) > 0 {
		return false
	}
	switch c.engine.(type) {
	case autoEngine, *monitorEngine:
		return c.atOnce(ctx, log, r)
	}
	return false
}

// covering counts what its Visitor is told.
type covering struct {
	history.Visitor
	methods  []history.MethodSig
	coverage history.Coverage
}

func (c *covering) Call(method int, args []string) bool {
	c.coverage.Call()
	return c.Visitor.Call(method, args)
}

func (c *covering) Return(op, method int, outcome history.Outcome, rets []string) bool {
	c.coverage.Return(c.methods[method].Name, outcome)
	return c.Visitor.Return(op, method, outcome, rets)
}

// atOnce is direct with the procedure that there is, if there is one.
func (c *Checker) atOnce(ctx context.Context, log *history.Reader, r *Report) bool {
	least, about := cmp.Or(c.options.leastOps, minDirect), log.Estimate()
	if about < least {
		return false
	}
	m := c.firstProcedure(ctx)
	if m == nil {
		return false
	}
	d := directRun{Checker: c, ctx: ctx, log: log}
	read := func(v history.Visitor) bool {
		d.seen = covering{Visitor: v, methods: c.signature.Methods()}
		return log.Visit(c.signature, &d.seen)
	}
	sorted := log.Sort
	of, ok := m.Read(c.signature, about, read)
	if !ok && log.Sort != sorted { // times go back, as Visit has found out
		of, ok = m.Read(c.signature, about, read)
	}
	if !ok {
		return false
	}
	d.of = of
	tail := log.Tail() // before anything is read again
	ops, events := of.Size()
	again := c.model != nil // of a violation, no more than that it is one matters here
	found, ok := of.Check(ctx, c.options.Whole || again, d.fill)
	if !ok || ops < least {
		return false
	}
	res, reason := c.monitored(ctx, m, found)
	if reason != nil && (again || !d.violation(&res, reason, r) || c.options.Explain && !d.explain(res, reason, r)) {
		return false
	}
	r.Ops, r.Coverage, r.Result = ops, d.seen.coverage, res
	r.Result.Engine, r.Result.Events = monitorName, events
	if name := c.engine.name(); name != monitorName {
		r.Result.Engine = name + ": " + monitorName
	}
	r.Incomplete(tail)
	return true
}

// directRun is a log that is decided in one go with reading it.
type directRun struct {
	*Checker
	ctx  context.Context
	log  *history.Reader
	seen covering
	of   *monitor.Log
}

// fill reads operations again.
func (d *directRun) fill(ops []history.Operation) bool { return d.log.Fill(d.signature, ops) }

// violation says which patterns a violation breaks, and where. It is false if the
// log must be read as a whole, since another engine has the word.
func (d *directRun) violation(res *Result, reason *monitor.Reason, r *Report) bool {
	ops, events := d.of.Size()
	_, auto := d.engine.(autoEngine)
	run := autoRun{Checker: d.Checker, ctx: d.ctx, pairs: d.of.Pairs(), ops: ops}
	if auto && (!run.large() || run.refers(*res, reason)) {
		return false
	}
	d.whole(res, events)
	at := d.of.Last(res.Prefix)
	if !d.fill(at) {
		return false
	}
	if r.At = at[0].CallPos; at[0].Return == res.Prefix-1 {
		r.At = at[0].ReturnPos
	}
	if !auto {
		res.Patterns = d.patternsOf(d.ctx, reason)
		return true
	}
	run.name(res, reason, func() *history.Execution {
		e := &history.Execution{Ops: d.of.Prefix(res.Prefix), Events: events}
		if !d.fill(e.Ops) {
			return nil
		}
		return e
	})
	return true
}

// mostWhole is of how many operations it is asked what one of them should have answered.
const mostWhole = 50_000

// explain explains a violation by the operations that are to blame for it. It is false
// if these are many, or not enough for the theory.
func (d *directRun) explain(res Result, reason *monitor.Reason, r *Report) bool {
	e := reason.Execution
	if len(e.Ops) > maxExplain {
		return false
	}
	ctx, cancel := d.ctx, func() {}
	if t := d.options.ExplainTime; t > 0 {
		ctx, cancel = context.WithTimeout(ctx, t)
	}
	defer cancel()
	x, err := d.explained(ctx, e, Result{Verdict: Violation, Prefix: e.Events}, false, 0)
	if err != nil {
		return false
	}
	if ops, events := d.of.Size(); ops <= mostWhole { // else to read them again takes long
		whole := &history.Execution{Ops: d.of.Prefix(res.Prefix), Events: events}
		if d.fill(whole.Ops) {
			ctx, cancel := context.WithTimeout(ctx, leastTime)
			defer cancel()
			d.answers(ctx, whole.Prefix(res.Prefix), x)
		}
	}
	r.Explanation = x
	r.Explanation.Prefix = res.Prefix
	return true
}
