package check

import (
	"cmp"
	"context"
	"slices"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
)

// partition is the parts of one execution.
type partition struct {
	in    *instance
	all   []part
	users [][]int // by pending operation: the parts that it may belong to
}

// part is operations that are tied to each other.
type part struct {
	number int
	elems  []int // nil: operations of several parts
	ops    []int // in order
}

// newPartition finds the parts of an execution that have a completed operation.
// The others hold whatever happens: their operations may not take effect.
func newPartition(ctx context.Context, c *compiled, e *history.Execution) (*partition, error) {
	in, err := newInstance(ctx, c, e)
	if err != nil {
		return nil, err
	}
	if in.hasMany() {
		if in, err = in.prune(ctx); err != nil {
			return nil, err
		}
	}
	f := newForest(len(in.elems))
	for x, ts := range in.targetsOf {
		for _, y := range ts {
			f.join(x, y)
		}
	}
	if err := in.joinByLanguage(ctx, f); err != nil {
		return nil, err
	}
	p := &partition{in: in, users: make([][]int, len(in.ops))}
	number := map[int]int{} // by root
	for op := range in.ops {
		if in.ops[op].Completed() {
			if root := f.root(in.first[op]); number[root] == 0 {
				p.all = append(p.all, part{number: len(p.all)})
				number[root] = len(p.all)
			}
		}
	}
	for x := range in.elems {
		n := number[f.root(x)] - 1
		if n < 0 {
			continue
		}
		op, q := in.elems[x].op, &p.all[n]
		q.elems = append(q.elems, x)
		if k := len(q.ops); k == 0 || q.ops[k-1] != op {
			q.ops = append(q.ops, op)
			p.users[op] = append(p.users[op], n)
		}
	}
	return p, nil
}

// joinByLanguage ties elements that together break a rule of the language. They
// are looked for among elements none of which is excluded yet.
func (in *instance) joinByLanguage(ctx context.Context, f *forest) error {
	all := &instance{theory: in.theory, ops: in.ops, circuit: formula.NewCircuit(), partial: true}
	var elems []element
	for _, e := range in.elems {
		if e.used == formula.False {
			e.used = formula.Lit(0) // any literal but a constant: it gets its own
		}
		elems = append(elems, e)
	}
	all.keep(elems)
	var err error
	if all.order, err = newOrder(ctx, all.ops, 1, all.circuit); err != nil {
		return err
	}
	g := formula.NewGrounder(all, all.circuit)
	for i := range in.theory.language {
		err := g.Instances(ctx, in.theory.language[i].breaks, func(tuple []int, _ formula.Lit) bool {
			for _, x := range tuple {
				f.join(x, tuple[0])
			}
			return true
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// alone is a part without the pending operations that other parts may use;
// shares tells whether there are any.
func (p *partition) alone(q part) (rest part, shares bool) {
	rest = part{number: q.number}
	for _, op := range q.ops {
		if len(p.users[op]) > 1 {
			shares = true
			continue
		}
		rest.ops = append(rest.ops, op)
	}
	return rest, shares
}

// merge joins parts that may use the same pending operation.
func (p *partition) merge(some []part) (merged []part) {
	f := newForest(len(p.all))
	chosen := make([]bool, len(p.all))
	for _, q := range some {
		chosen[q.number] = true
	}
	for _, users := range p.users {
		last := -1
		for _, u := range users {
			if chosen[u] {
				if last >= 0 {
					f.join(u, last)
				}
				last = u
			}
		}
	}
	at := map[int]int{}
	for _, q := range some {
		root := f.root(q.number)
		i, ok := at[root]
		if !ok {
			i = len(merged)
			at[root] = i
			merged = append(merged, part{number: q.number})
		}
		merged[i].ops = append(merged[i].ops, q.ops...)
	}
	for i := range merged {
		slices.Sort(merged[i].ops)
		merged[i].ops = slices.Compact(merged[i].ops)
	}
	return merged
}

// shape is the same for parts that differ in values and moments only; "" if it
// is not worth looking for another one like it.
func (p *partition) shape(q part) string {
	if len(q.elems) == 0 || len(q.elems) > maxGroup {
		return ""
	}
	return (&pruner{in: p.in}).shape(&group{elems: q.elems, ops: q.ops})
}

// execution is a part with its events numbered anew, and the events of the
// whole by their new numbers.
func (p *partition) execution(q part) (*history.Execution, []int) {
	e := &history.Execution{}
	var events []int
	for _, op := range q.ops {
		o := p.in.ops[op]
		events = append(events, o.Call)
		if o.Completed() {
			events = append(events, o.Return)
		}
		e.Ops = append(e.Ops, o)
	}
	slices.Sort(events)
	for i := range e.Ops {
		o := &e.Ops[i]
		o.Call, _ = slices.BinarySearchFunc(events, o.Call, cmp.Compare[int])
		if o.Completed() {
			o.Return, _ = slices.BinarySearchFunc(events, o.Return, cmp.Compare[int])
		}
	}
	e.Events = len(events)
	return e, events
}

// forest is disjoint sets of numbers.
type forest struct{ parent []int32 }

func newForest(n int) *forest {
	f := &forest{make([]int32, n)}
	for i := range f.parent {
		f.parent[i] = int32(i)
	}
	return f
}

func (f *forest) root(i int) int {
	for f.parent[i] != int32(i) {
		f.parent[i] = f.parent[f.parent[i]]
		i = int(f.parent[i])
	}
	return i
}

func (f *forest) join(i, j int) { f.parent[f.root(i)] = int32(f.root(j)) }
