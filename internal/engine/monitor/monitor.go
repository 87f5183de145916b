package monitor

import (
	"context"
	"errors"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/batch"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/follow"
)

// What its users meet of the rooms below.
type (
	OutsideClass = batch.OutsideClass // error: the procedure does not decide this execution
	BadOperation = batch.BadOperation // error: the theory does not know an operation
	Stream       = follow.Stream      // follows an execution event by event
)

// Shape is the name of the shape: queue, stack, bag, register, set, lock,
// semaphore, exchanger or priority queue, or container for others of which the order of two values says all.
func (m *Procedure) Shape() string { return m.shape.Name }

// Why says in one sentence which procedure was chosen and why.
func (m *Procedure) Why() string { return m.why }

// Result is what a procedure says of an execution.
type Result struct {
	Linearizable bool

	// Prefix counts the events of the shortest prefix that is not linearizable,
	// and Reason says why it is not; 0 and nil if the execution is linearizable.
	Prefix int
	Reason *Reason

	// Shortest is false if the context ended while shorter prefixes were left
	// to decide, or the procedure does not decide some of these for what
	// pending operations may do.
	Shortest bool
}

// Check decides an execution. It takes O(n) for queues, sets, registers and
// locks, and O(n log n) for stacks, beyond what choices about pending operations
// cost; a violation costs that a few times more to find the shortest prefix.
//
// The error is an *OutsideClass if another engine must be asked, or a
// *BadOperation.
func (m *Procedure) Check(ctx context.Context, e *history.Execution) (Result, error) {
	return m.check(ctx, e, false)
}

// CheckWhole is Check without the search for the shortest prefix, where the whole
// execution shows a violation by itself: Prefix then counts all of its events,
// and Shortest is false.
func (m *Procedure) CheckWhole(ctx context.Context, e *history.Execution) (Result, error) {
	return m.check(ctx, e, true)
}

// Linearizable decides an execution without a reason; known is false if the procedure has
// no answer.
func (m *Procedure) Linearizable(ctx context.Context, e *history.Execution) (yes, known bool) {
	c, err := m.reader.Read(e)
	if err != nil {
		return false, false
	}
	if a, _ := m.algorithm(ctx).Decide(c, c.Events); a != batch.Unclear {
		return a == batch.Linearizable, true
	}
	r, err := m.Check(ctx, e) // a shorter prefix may be a violation
	return r.Linearizable, err == nil
}

func (m *Procedure) check(ctx context.Context, e *history.Execution, whole bool) (Result, error) {
	c, err := m.reader.Read(e)
	if err != nil {
		return Result{}, err
	}
	r, known := m.decide(ctx, c, whole, some(e))
	if !known {
		return Result{}, m.unclear()
	}
	return r, nil
}

// pick returns operations by their numbers, with everything that is known of them;
// false if they cannot be read.
type pick func(ops []int32) ([]history.Operation, bool)

// some picks those of an execution.
func some(e *history.Execution) pick {
	return func(ops []int32) (all []history.Operation, ok bool) {
		for _, i := range ops {
			all = append(all, e.Ops[i])
		}
		return all, true
	}
}

// algorithm is what decides; where it searches, it is Unclear once the context has ended.
func (m *Procedure) algorithm(ctx context.Context) batch.Algorithm {
	p := m.shape.New()
	if s, ok := p.(batch.Stopping); ok {
		s.StopWhen(func() bool { return ctx.Err() != nil })
	}
	return p
}

// decide decides columns; false if the procedure has no answer, or operations
// cannot be read.
func (m *Procedure) decide(ctx context.Context, c *batch.Columns, whole bool, from pick) (r Result, known bool) {
	p, n, exact := m.algorithm(ctx), c.Events, false
	a, w := p.Decide(c, n)
	if a == batch.Linearizable {
		return Result{Linearizable: true, Shortest: true}, true
	}
	if !whole || a != batch.Violating {
		n, a, w, exact = batch.Shortest(ctx, p, c, n, a, w)
	}
	if a == batch.Unclear {
		return Result{}, false
	}
	reason, known := m.reason(ctx, c, from, n, w)
	return Result{Prefix: int(n), Reason: reason, Shortest: exact}, known
}

// unclear is the error of an execution that the procedure has no answer for.
func (m *Procedure) unclear() error {
	if m.shape.Table {
		return &batch.OutsideClass{Reason: "three or more values of a container may exclude each other, or pending operations took some: this procedure does not decide it"}
	}
	return &batch.OutsideClass{Reason: "pending operations may have added a value a second time, or there are too many of them"}
}

// Log is what a procedure needs of a log that was read without an execution in between.
type Log struct {
	by      *Procedure
	columns *batch.Columns
}

// Read reads a log: visit hands out its events, about so many operations', by its
// reader. It is false if visit is, or the log has to be read as a whole.
func (m *Procedure) Read(sig history.Signature, about int, visit func(history.Visitor) bool) (*Log, bool) {
	x := batch.NewBuilder(m.reader, sig, about)
	if !visit(x) {
		return nil, false
	}
	c, ok := x.Columns()
	return &Log{m, c}, ok
}

// Size counts what was read.
func (l *Log) Size() (ops, events int) { return len(l.columns.Call), int(l.columns.Events) }

// Check is Procedure.Check, or CheckWhole, of the log; fill reads some operations
// again, of which it is told the numbers of their events. It is false if fill is, or
// if the procedure has no answer.
func (l *Log) Check(ctx context.Context, whole bool, fill func([]history.Operation) bool) (Result, bool) {
	return l.by.decide(ctx, l.columns, whole, func(ops []int32) ([]history.Operation, bool) {
		all := l.places(ops)
		return all, fill(all)
	})
}

// places are operations of which only the numbers of their events are known.
func (l *Log) places(ops []int32) []history.Operation {
	all := make([]history.Operation, len(ops))
	for k, i := range ops {
		all[k].Call, all[k].Return = int(l.columns.Call[i])-1, history.NoReturn
		if ret := l.columns.Ret[i]; ret != batch.Never {
			all[k].Return = int(ret) - 1
		}
	}
	return all
}

// Prefix has the operations of the first n events, to be filled.
func (l *Log) Prefix(n int) []history.Operation {
	ops := make([]int32, l.columns.Within(int32(n)))
	for i := range ops {
		ops[i] = int32(i)
	}
	return l.places(ops)
}

// Last has the operation of the last of the first n events, to be filled.
func (l *Log) Last(n int) []history.Operation {
	last := l.columns.Within(int32(n)) - 1
	if l.columns.Call[last] != int32(n) {
		last = slices.Index(l.columns.Ret, int32(n))
	}
	return l.places([]int32{int32(last)})
}

// Pairs counts the pairs of operations that overlap: as many as had been called and did not
// return when another one is called.
func (l *Log) Pairs() (pairs int) {
	for i, call := range l.columns.Call {
		pairs += 2*i + 1 - int(call)
	}
	return pairs
}

// Stream begins to follow an execution. The error is a *NotRecognized for a
// container of which only the table is known: stretches of which it is not clear
// whether they are linearizable would have to be kept.
func (m *Procedure) Stream() (*follow.Stream, error) {
	var f follow.Follower
	switch s := &m.shape; {
	case s.Table, s.Whole:
		return nil, &NotRecognized{Theory: m.theory, Reason: "executions of a " + s.Name + " are not followed event by event"}
	case s.Follow == nil || s.Name == "queue" && m.reader.Does(batch.Present):
		f = follow.NewSegments(s.New(), m.reader)
	default:
		f = s.Follow()
	}
	return follow.New(m.reader, f, m.unclear()), nil
}

// Linearization is an order in which the operations of an execution can have
// taken effect, one at a time.
type Linearization struct {
	// Order lists operations by their place in Execution.Ops: all that returned,
	// and of those that are pending the ones that took effect.
	Order []int32

	// Completions are the labels of the pending operations in Order, by their
	// place in Execution.Ops, with an outcome and returned values that make the
	// order one of the type. Nil if there are none.
	Completions map[int32]history.Label
}

// ErrViolation is the error of Linearize for an execution that has no
// linearization; Check says why.
var ErrViolation = errors.New("monitor: the execution has no linearization")

// Linearize finds a linearization, in about the time of Check; of a container,
// and of a stack at whose top something looked, in O(n²) at worst.
//
// The error is ErrViolation if there is none, an *OutsideClass if another engine
// must be asked, a *BadOperation, or the context's.
func (m *Procedure) Linearize(ctx context.Context, e *history.Execution) (*Linearization, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c, err := m.reader.Read(e)
	if err != nil {
		return nil, err
	}
	p := m.algorithm(ctx)
	switch a, _ := p.Decide(c, c.Events); a {
	case batch.Unclear:
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, m.unclear()
	case batch.Violating:
		return nil, ErrViolation
	}
	a := batch.NewLinearizer(c)
	if !p.Linearize(a) {
		return nil, m.unclear()
	}
	l := &Linearization{Order: a.List()}
	for _, op := range l.Order {
		if c.Ret[op] == batch.Never {
			l.complete(m, a, e, op)
		}
	}
	return l, nil
}

// complete says what a pending operation answered that took effect.
func (l *Linearization) complete(m *Procedure, a *batch.Linearizer, e *history.Execution, op int32) {
	if l.Completions == nil {
		l.Completions = map[int32]history.Label{}
	}
	o := &e.Ops[op]
	did, v := batch.Add, history.Value("")
	if a.Open[op] == batch.MaybeRemove {
		did, v = batch.Remove, e.Ops[a.Took[op]].Args[0]
	}
	label := history.Label{Kind: o.Kind, Args: o.Args}
	for _, out := range m.reader.Methods[o.Method].Outcomes {
		if out.Role != did {
			continue
		}
		label.Outcome = out.Outcome
		if out.Rets == 1 {
			label.Rets = []history.Value{v}
		}
	}
	l.Completions[op] = label
}
