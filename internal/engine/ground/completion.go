package ground

import (
	"context"
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/internal/semantics"
	"github.com/adtinfer/adtinfer/internal/solver"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
)

// completion is an operation as it may take part in a linearization: a completed
// one as it is, a pending one in one of the ways it might complete.
type completion struct {
	op    int
	label history.Label
	used  solver.Lit // True for completed operations
}

// maxCompletions bounds the ways in which one pending operation may complete.
const maxCompletions = 1 << 17

// complete lists the elements of the instance's operations, those of one
// operation in a row.
//
// A pending operation may answer every outcome of its method. Returned values
// are the values of the execution and, for each place of a pending operation
// so far, a fresh one: up to renaming there is nothing else to return. Where the
// theory compares returned values they are integers, and fresh ones lie
// everywhere between those of the execution (see freshIntegers). The answer is false if
// an operation has too many completions to list.
func (in *Instance) complete(ctx context.Context) (full bool) {
	full = true
	var values []history.Value
	ordered := slices.ContainsFunc(in.theory.compared, func(p formula.Term) bool { return p.Fn == "ret" })
	for i := range in.ops {
		if i&63 == 0 && ctx.Err() != nil {
			return false
		}
		in.first = append(in.first, len(in.elems))
		o := &in.ops[i]
		if o.Completed() {
			in.elems = append(in.elems, completion{i, o.Label, solver.True})
			continue
		}
		if values == nil {
			if values = semantics.ValuesOf(in.ops); ordered {
				values = freshIntegers(values, in.theory.named, in.openPlaces())
			}
		}
		m := in.theory.method(o.Method)
		values = fresh(values, m)
		for _, out := range m.Outcomes {
			if power(len(values), out.Rets) > maxCompletions {
				full = false
				continue
			}
			for _, rets := range tuples(values, out.Rets) {
				l := o.Label
				if l.Outcome, l.Rets = out.Outcome, rets; ordered && semantics.Unordered(in.theory.compared, &l) != "" {
					continue
				}
				in.elems = append(in.elems, completion{i, l, in.circuit.Var()})
			}
		}
	}
	in.first = append(in.first, len(in.elems))
	return full
}

// keep takes over elements of another instance of the same operations.
func (in *Instance) keep(elems []completion) {
	for _, e := range elems {
		for len(in.first) <= e.op {
			in.first = append(in.first, len(in.elems))
		}
		if e.used != solver.True {
			e.used = in.circuit.Var()
		}
		in.elems = append(in.elems, e)
	}
	for len(in.first) <= len(in.ops) {
		in.first = append(in.first, len(in.elems))
	}
}

// fresh adds as many values that no log can hold as the method may return.
func fresh(values []history.Value, m *history.MethodSig) []history.Value {
	most := 0
	for _, out := range m.Outcomes {
		most = max(most, out.Rets)
	}
	for range most {
		values = append(values, history.Value("\x00"+strconv.Itoa(len(values))))
	}
	return values
}

// tuples lists all tuples of n values.
func tuples(values []history.Value, n int) [][]history.Value {
	all := [][]history.Value{nil}
	for range n {
		var longer [][]history.Value
		for _, t := range all {
			for _, v := range values {
				longer = append(longer, append(t[:len(t):len(t)], v))
			}
		}
		all = longer
	}
	return all
}

func power(base, n int) int {
	p := 1
	for range n {
		if p *= base; p > maxCompletions {
			break
		}
	}
	return p
}
