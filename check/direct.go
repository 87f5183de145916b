package check

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/binlog"
)

// minDirect is about how many operations the shortest log has that a near-linear
// procedure is offered before the log is read with care.
const minDirect = minMonitor

// binaryBytes is about how many bytes an operation takes.
const binaryBytes = 6

// direct decides a log in one go with reading it, if the engine would ask a
// near-linear procedure and that has nothing to object to. It is false if the
// log has to be read, from the reader that it returns.
func (b *Batch) direct(ctx context.Context, engine Engine, in io.Reader, r *Report) (io.Reader, bool) {
	p, ok := engine.(prepared)
	if !ok || b.Witness || b.OldWords || p.theory != b.Theory {
		return in, false
	}
	switch p.Engine.(type) {
	case Auto, Monitor:
	default:
		return in, false
	}
	in, binary := sniff(in)
	if binary {
		return b.directBinary(ctx, p, in, r)
	}
	src, rest, ok := history.ReadText(in)
	if !ok {
		return rest, false
	}
	return strings.NewReader(src), b.accept(ctx, p, aboutOps(src), r, func(v history.Visitor) bool {
		return history.Visit(src, b.Signature, v)
	})
}

// aboutOps is about how many operations a log has, by the length of its first lines.
func aboutOps(src string) int {
	head := src[:min(len(src), 1<<16)]
	return strings.Count(head, "\n") * (len(src) / max(len(head), 1)) / 2
}

func (b *Batch) directBinary(ctx context.Context, p prepared, in io.Reader, r *Report) (io.Reader, bool) {
	data, err := io.ReadAll(in)
	if err != nil {
		return io.MultiReader(bytes.NewReader(data), failing{err}), false
	}
	tail, visited := "", false
	ok := b.accept(ctx, p, len(data)/binaryBytes, r, func(v history.Visitor) bool {
		tail, visited = binlog.Visit(bytes.NewReader(data), b.Signature, v)
		return visited
	})
	if !ok && !visited { // unusual, perhaps no more than that
		events := binlog.NewReader(bytes.NewReader(data), r.Name)
		ok = b.accept(ctx, p, len(data)/binaryBytes, r, func(v history.Visitor) bool {
			return history.VisitEvents(events, b.Signature, v)
		})
		tail = events.Tail()
	}
	if ok {
		r.incomplete(tail)
	}
	return bytes.NewReader(data), ok
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
func (b *Batch) accept(ctx context.Context, p prepared, about int, r *Report, visit func(history.Visitor) bool) bool {
	least := cmp.Or(b.leastOps, minDirect)
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
		return visit(&seen)
	})
	if !ok || ops < least {
		return false
	}
	r.Ops, r.Coverage = ops, seen.coverage
	r.Result = Result{Verdict: Linearizable, Engine: Monitor{}.Name(), Events: events, Procedure: m.Why()}
	if name := p.Engine.Name(); name != r.Result.Engine {
		r.Result.Engine = name + ": " + r.Result.Engine
	}
	return true
}
