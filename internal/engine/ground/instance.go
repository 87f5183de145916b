package ground

import (
	"context"
	"slices"

	"github.com/adtinfer/adtinfer/internal/solver"

	"github.com/adtinfer/adtinfer/history"
)

// Instance is an execution as a partial structure over a circuit: what a
// linearization may still choose (order, presence and results of pending
// operations) is open. It is a Timed and an Exclusive.
type Instance struct {
	theory  *Theory
	ops     []history.Operation
	circuit *solver.Circuit
	order   *order
	elems   []completion
	first   []int // by operation: where its elements begin

	targets   [][]edge // by element, in order of element
	members   [][]int
	targetsOf [][]int // targets without literals
	unmatched []solver.Lit
	readOnly  []bool

	facts []solver.Lit // hold of every linearization the theory speaks of

	// impossible literals hold of no admitted execution, in the language or not.
	impossible map[solver.Lit]bool

	// partial: some completions of pending operations are not among elems.
	partial bool

	// excluded says why some completion was left out that the theory does not
	// speak of, or is empty. Then unsatisfiable does not mean violation.
	excluded string
}

// edge says that an element's match target is another element, where lit holds.
type edge struct {
	elem int
	lit  solver.Lit
}

// newInstance is the instance of an execution with all completions of pending
// operations.
func newInstance(ctx context.Context, c *Theory, e *history.Execution) (*Instance, error) {
	in := &Instance{theory: c, ops: e.Ops, circuit: solver.NewCircuit()}
	if full := in.complete(ctx); !full {
		in.excluded = "a pending operation may complete in too many ways"
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return in, in.build(ctx)
}

// manyCompletions is how many completions of pending operations are worth
// looking for fewer.
const manyCompletions = 12

func (in *Instance) hasMany() bool { return len(in.elems)-len(in.ops) >= manyCompletions }

// with is the instance with some of its elements only.
func (in *Instance) with(ctx context.Context, elems []completion) (*Instance, error) {
	fewer := &Instance{theory: in.theory, ops: in.ops, circuit: solver.NewCircuit(), excluded: in.excluded, partial: true}
	fewer.keep(elems)
	return fewer, fewer.build(ctx)
}

// needed lists the elements without the completions that no completed
// operation maps to. Where the others are left out there may be fewer
// linearizations, never more.
func (in *Instance) needed() (kept []completion) {
	for i, e := range in.elems {
		if e.used == solver.True || slices.ContainsFunc(in.members[i], func(x int) bool { return in.elems[x].used == solver.True }) {
			kept = append(kept, e)
		}
	}
	return kept
}

// build computes what follows from the elements: order, language, matching.
func (in *Instance) build(ctx context.Context) error {
	var err error
	if in.order, err = newOrder(ctx, in.ops, in.theory.source.Spec.Width, in.circuit); err != nil {
		return err
	}
	n := len(in.elems)
	in.targets, in.members, in.targetsOf = make([][]edge, n), make([][]int, n), make([][]int, n)
	in.unmatched, in.readOnly = make([]solver.Lit, n), make([]bool, n)
	g := NewGrounder(in, in.circuit)
	if err := in.lookBeyond(ctx, g); err != nil {
		return err
	}
	if err := in.restrict(ctx, g, true); err != nil {
		return err
	}
	if err := in.match(ctx, g); err != nil {
		return err
	}
	return in.restrict(ctx, g, false)
}

// Circuit is what the literals are about.
func (in *Instance) Circuit() *solver.Circuit { return in.circuit }

// Operations are those of the execution.
func (in *Instance) Operations() []history.Operation { return in.ops }

// Operation is the number of the operation that an element belongs to.
func (in *Instance) Operation(elem int) int { return in.elems[elem].op }

// Facts hold of every linearization that the theory speaks of.
func (in *Instance) Facts() []solver.Lit { return in.facts }

func (in *Instance) Len() int                   { return len(in.elems) }
func (in *Instance) Label(i int) *history.Label { return &in.elems[i].label }
func (in *Instance) ReadOnly(i int) bool        { return in.readOnly[i] }
func (in *Instance) Used(i int) solver.Lit      { return in.elems[i].used }
func (in *Instance) Unmatched(i int) solver.Lit { return in.unmatched[i] }
func (in *Instance) Members(j int) []int        { return in.members[j] }
func (in *Instance) Targets(i int) []int        { return in.targetsOf[i] }
func (in *Instance) Before(i, j int) solver.Lit {
	return in.order.before(in.elems[i].op, in.elems[j].op)
}
func (in *Instance) Match(i, j int) solver.Lit {
	for _, e := range in.targets[i] {
		if e.elem == j {
			return e.lit
		}
	}
	return solver.False
}

// Between lists the elements of operations that were called before the upper
// bound returned and had not returned when the lower bound was called: those
// running then, and those called later.
func (in *Instance) Between(dst []int, after, before int) []int {
	from, last := 0, history.Never
	if before >= 0 && in.ops[in.elems[before].op].Completed() {
		last = in.ops[in.elems[before].op].Return
	}
	if after >= 0 {
		a := in.elems[after].op
		for _, op := range in.order.Earlier[a] {
			if in.ops[op].Call < last {
				dst = in.appendElems(dst, int(op))
			}
		}
		from = a + 1
	}
	for op := from; op < len(in.ops) && in.ops[op].Call < last; op++ {
		dst = in.appendElems(dst, op)
	}
	return dst
}

func (in *Instance) appendElems(dst []int, op int) []int {
	for i := in.first[op]; i < in.first[op+1]; i++ {
		dst = append(dst, i)
	}
	return dst
}

// clauses asserts everything but the patterns and the order: at most one
// completion of each pending operation, and the facts.
func (in *Instance) clauses(cnf *solver.CNF) {
	for op := range in.ops {
		if !in.ops[op].Completed() {
			in.atMostOne(cnf, in.elems[in.first[op]:in.first[op+1]])
		}
	}
	for _, l := range in.facts {
		cnf.Assert(l)
	}
}

// atMostOne says so of the guards, with a chain of variables "one of those so
// far": linear in their number.
func (in *Instance) atMostOne(cnf *solver.CNF, elems []completion) {
	earlier := solver.False
	for i := range elems {
		used := elems[i].used
		if used == solver.False {
			continue
		}
		cnf.Assert(-earlier, -used)
		sofar := in.circuit.Var()
		cnf.Assert(-earlier, sofar)
		cnf.Assert(-used, sofar)
		earlier = sofar
	}
}

// Apart reports whether two elements are different completions of one operation. It
// makes the instance a formula.Exclusive.
func (in *Instance) Apart(i, j int) bool { return i != j && in.sameOp(i, j) }

// sameOp reports whether two elements are completions of one operation.
func (in *Instance) sameOp(i, j int) bool { return in.elems[i].op == in.elems[j].op }

func (in *Instance) operation(elem int) *history.Operation { return &in.ops[in.elems[elem].op] }

// open lists the distinct elements of a tuple that belong to pending operations.
func (in *Instance) open(tuple []int) []int {
	var open []int
	for _, e := range tuple {
		if in.elems[e].used != solver.True && !slices.Contains(open, e) {
			open = append(open, e)
		}
	}
	return open
}
