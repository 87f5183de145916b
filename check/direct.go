package check

import (
	"cmp"
	"context"

	"github.com/adtinfer/adtinfer/history"
)

// minDirect is about how many operations the shortest log has that a near-linear
// procedure is offered before the log is read as a whole.
const minDirect = minMonitor

// direct decides a log in one go with reading it, if the engine would ask a
// near-linear procedure and that has nothing to object to. It is false if the
// log has to be read as a whole.
func (b *Batch) direct(ctx context.Context, engine Engine, log *history.Reader, r *Report) bool {
	p, ok := engine.(prepared)
	if !ok || b.Witness || b.OldWords || p.theory != b.Theory {
		return false
	}
	switch p.Engine.(type) {
	case Auto, Monitor:
		return b.accept(ctx, p, log, r)
	}
	return false
}

// covering counts what its Visitor is told.
type covering struct {
	history.Visitor
	methods  []history.MethodSig
	ops      []uint16 // methods
	coverage history.Coverage
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
func (b *Batch) accept(ctx context.Context, p prepared, log *history.Reader, r *Report) bool {
	least, about := cmp.Or(b.leastOps, minDirect), log.Estimate()
	if about < least {
		return false
	}
	m := procedureFor(ctx, p.Engine, p.compiled)
	if m == nil {
		return false
	}
	seen := covering{methods: b.Signature.Methods()}
	ops, events, ok := m.Accepts(b.Signature, about, func(v history.Visitor) bool {
		seen.Visitor = v
		return log.Visit(b.Signature, &seen)
	})
	if !ok || ops < least {
		return false
	}
	r.Ops, r.Coverage = ops, seen.coverage
	r.Result = Result{Verdict: Linearizable, Engine: Monitor{}.Name(), Events: events, Procedure: m.Why()}
	if name := p.Engine.Name(); name != r.Result.Engine {
		r.Result.Engine = name + ": " + r.Result.Engine
	}
	r.incomplete(log.Tail())
	return true
}
