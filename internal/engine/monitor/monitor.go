package monitor

import (
	"context"
	"errors"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/batch"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/columns"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/follow"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/recognize"
	"github.com/adtinfer/adtinfer/theory"
)

// What its users meet of the rooms below.
type (
	NotRecognized = recognize.NotRecognized // error: no procedure for the theory
	OutsideClass  = columns.OutsideClass    // error: the procedure does not decide this execution
	BadOperation  = columns.BadOperation    // error: the theory does not know an operation
	PriorityQueue = recognize.PriorityQueue // says that a type is one, since theories do not
	Judge         = recognize.Judge         // decides small executions for the self-check
	Stream        = follow.Stream           // follows an execution event by event
)

// A Procedure decides the executions of the type that a theory was recognized
// as. It is safe for concurrent use.
type Procedure struct{ of *recognize.Type }

// Select recognizes the shape of a theory, whatever its methods are called, and
// compares the procedure for that shape with the theory on small executions
// before it is trusted; judge decides the concurrent ones of these. If there is no
// such procedure the error is a *NotRecognized; the only others are the context's.
//
// It takes some ten milliseconds and two hundred calls of judge, on up to six
// operations each.
func Select(ctx context.Context, t *theory.Theory, judge recognize.Judge) (*Procedure, error) {
	x, err := recognize.Select(ctx, t, judge)
	if err != nil {
		return nil, err
	}
	return &Procedure{x}, nil
}

// ForPriorityQueue returns the procedure for a type that is said to be a priority
// queue. Executions with a value that has no priority are an *OutsideClass; those
// with peeks and pending removes may be.
func ForPriorityQueue(p recognize.PriorityQueue) *Procedure { return &Procedure{p.AsType()} }

// Shape is the name of the shape: queue, stack, bag, register, set, lock,
// semaphore or priority queue, or container for others of which the order of two values says all.
func (m *Procedure) Shape() string { return m.of.Shape.Name }

// Why says in one sentence which procedure was chosen and why.
func (m *Procedure) Why() string { return m.of.Why }

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

func (m *Procedure) check(ctx context.Context, e *history.Execution, whole bool) (Result, error) {
	c, err := m.of.Reader.Read(e)
	if err != nil {
		return Result{}, err
	}
	p, n, exact := m.of.Shape.New(), c.Events, false
	a, w := p.Decide(c, n)
	if a == batch.Linearizable {
		return Result{Linearizable: true, Shortest: true}, nil
	}
	if !whole || a != batch.Violating {
		n, a, w, exact = batch.Shortest(ctx, p, c, n, a, w)
	}
	if a == batch.Unclear {
		return Result{}, m.unclear()
	}
	return Result{Prefix: int(n), Reason: m.reason(c, e, n, w), Shortest: exact}, nil
}

// unclear is the error of an execution that the procedure has no answer for.
func (m *Procedure) unclear() error {
	if m.of.Shape.Table {
		return &columns.OutsideClass{Reason: "three or more values of a container may exclude each other, or pending operations took some: this procedure does not decide it"}
	}
	return &columns.OutsideClass{Reason: "pending operations may have added a value a second time, or there are too many of them"}
}

// Accepts reports whether a log is that of a linearizable execution, deciding it
// without an execution in between: visit hands out its events, about so many
// operations', by its reader. It says no as well if visit does, and if the
// log has to be read as a whole. Ops and events
// count what was read.
func (m *Procedure) Accepts(sig history.Signature, about int, visit func(history.Visitor) bool) (ops, events int, ok bool) {
	x := columns.NewBuilder(m.of.Reader, sig, about)
	if !visit(x) {
		return 0, 0, false
	}
	c, ok := x.Columns()
	if !ok {
		return 0, 0, false
	}
	a, _ := m.of.Shape.New().Decide(c, c.Events)
	return len(c.Call), int(c.Events), a == batch.Linearizable
}

// Stream begins to follow an execution. The error is a *NotRecognized for a
// container of which only the table is known: stretches of which it is not clear
// whether they are linearizable would have to be kept.
func (m *Procedure) Stream() (*follow.Stream, error) {
	var f follow.Follower
	switch s := &m.of.Shape; {
	case s.Table:
		return nil, &recognize.NotRecognized{Theory: m.of.Theory, Reason: "executions of a " + s.Name + " are not followed event by event"}
	case s.Follow == nil || s.Name == "queue" && m.of.Reader.Does(columns.Present):
		f = follow.NewSegments(s.New(), m.of.Reader)
	default:
		f = s.Follow()
	}
	return follow.New(m.of.Reader, f, m.unclear()), nil
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
	c, err := m.of.Reader.Read(e)
	if err != nil {
		return nil, err
	}
	p := m.of.Shape.New()
	switch a, _ := p.Decide(c, c.Events); a {
	case batch.Unclear:
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
		if c.Ret[op] == columns.Never {
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
	did, v := columns.Add, history.Value("")
	if a.Open[op] == columns.MaybeRemove {
		did, v = columns.Remove, e.Ops[a.Took[op]].Args[0]
	}
	label := history.Label{Kind: o.Kind, Args: o.Args}
	for _, out := range m.of.Reader.Methods[o.Method].Outcomes {
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
