package check

import (
	"cmp"
	"context"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/coverage"
)

// minDirect is about how many operations the shortest log has that a near-linear
// procedure is offered before the log is read as a whole.
const minDirect = minMonitor

// direct decides a log in one go with reading it, if the engine would ask a
// near-linear procedure and that has nothing to object to. It is false if the
// log has to be read as a whole.
func (c *Checker) direct(ctx context.Context, log *history.Reader, r *Report) bool {
	if c.options.Witness || log.OldWords || len(c.mayFail) > 0 {
		return false
	}
	switch c.engine.(type) {
	case autoEngine, *monitorEngine:
		return c.accept(ctx, log, r)
	}
	return false
}

// covering counts what its Visitor is told.
type covering struct {
	history.Visitor
	methods  []history.MethodSig
	ops      []uint16 // methods
	coverage coverage.Coverage
}

func (c *covering) Call(method int, args []string) bool {
	c.ops = append(c.ops, uint16(method))
	c.coverage.Call()
	return c.Visitor.Call(method, args)
}

func (c *covering) Return(op int, outcome history.Outcome, rets []string) bool {
	c.coverage.Return(c.methods[c.ops[op]].Name, outcome)
	return c.Visitor.Return(op, outcome, rets)
}

// accept reports that a log is linearizable, if the procedure says so.
func (c *Checker) accept(ctx context.Context, log *history.Reader, r *Report) bool {
	least, about := cmp.Or(c.options.leastOps, minDirect), log.Estimate()
	if about < least {
		return false
	}
	m := c.firstProcedure(ctx)
	if m == nil {
		return false
	}
	var seen covering
	read := func(v history.Visitor) bool {
		seen = covering{Visitor: v, methods: c.signature.Methods()}
		return log.Visit(c.signature, &seen)
	}
	sorted := log.Sort
	ops, events, ok := m.Accepts(c.signature, about, read)
	if !ok && log.Sort != sorted { // times go back, as Visit has found out
		ops, events, ok = m.Accepts(c.signature, about, read)
	}
	if !ok || ops < least {
		return false
	}
	r.Ops, r.Coverage = ops, seen.coverage
	r.Result = Result{Verdict: Linearizable, Engine: monitorName, Events: events, Procedure: m.Why()}
	if name := c.engine.name(); name != r.Result.Engine {
		r.Result.Engine = name + ": " + r.Result.Engine
	}
	r.incomplete(log.Tail())
	return true
}
