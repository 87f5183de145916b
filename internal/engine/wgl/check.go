package wgl

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/adtinfer/adtinfer/history"
)

// Options bound and divide a search.
type Options struct {
	// LRU is how many configurations the cache holds; 0 is no limit.
	LRU int

	// Partition checks the keys of a Keyed model apart, some at a time.
	Partition bool

	// Memory is how many bytes the search may take, states of the model
	// included; 0 is DefaultMemory.
	Memory int
}

// DefaultMemory is how many bytes a search may take unless Options say otherwise.
const DefaultMemory = 1<<31 - 1

// ErrMemory is the error of a search that holds as much as its memory allows.
var ErrMemory = errors.New("the search needs more memory than it may take")

// Result is the answer of a search.
type Result struct {
	Linearizable bool
	Prefix       int // events of the shortest prefix that is not linearizable; 0 if all are
	Parts        int // keys that were checked apart; 0 if the whole was checked

	// Upper says that the search ended before it was known whether a prefix
	// shorter than Prefix is a violation, too. Ended says why it did.
	Upper bool
	Ended error

	// Order is a linearization of the execution or, if it is a violation, of the
	// prefix one event shorter than Prefix: numbers of operations, pending ones
	// only if they take effect. It is nil if Upper.
	Order []int32

	// State is the state after Order, if the whole was checked; otherwise that of
	// the key which violates, or nil if none does.
	State State
}

// Check decides whether an execution is linearizable with respect to a model,
// and if not finds the shortest prefix that is not. Calls that did not return
// may have taken effect or not.
//
// The error says why the search ended before a violation was found: it is the
// context's, the model's if it is Failing, or ErrMemory. The time is exponential in
// the number of operations that run at a time at worst; the memory is proportional
// to the configurations cached.
func Check(ctx context.Context, m Model, e *history.Execution, o Options) (Result, error) {
	r := run{e: e, model: m, limit: o.LRU, most: o.Memory}
	if r.most == 0 {
		r.most = DefaultMemory
	}
	r.ended = endOf(ctx, m)
	r.halt = r.bounded
	keyed, ok := m.(Keyed)
	if !o.Partition || !ok {
		p := &part{ops: everything(e)}
		r.memory = newMemory(m, newLabeling(m, newLabels(m, e, nil), p.ops))
		prefix, err := r.shortest(p, e.Events)
		return result([]*part{p}, 0, prefix, err, e)
	}
	parts := split(keyed, e)
	if d, ok := m.(Divided); ok {
		r.model = d.Part()
		r.labels = newLabels(r.model, e, d.Project)
	} else {
		r.labels = newLabels(m, e, nil)
	}
	prefix, err := checkParts(r, parts)
	return result(parts, len(parts), prefix, err, e)
}

// endOf says why no search with a model can go on.
func endOf(ctx context.Context, m Model) func() error {
	f, ok := m.(Failing)
	if !ok {
		return ctx.Err
	}
	return func() error { return cmp.Or(ctx.Err(), f.Err()) }
}

// bounded says why a search that takes so many bytes must end, if it must.
func (r run) bounded(bytes int) error {
	if bytes > r.most {
		return ErrMemory
	}
	return r.ended()
}

// result is the answer where a violating prefix was found, or none, before the
// error came up.
func result(parts []*part, number, prefix int, err error, e *history.Execution) (Result, error) {
	r := Result{Linearizable: prefix == 0 && err == nil, Prefix: prefix, Parts: number}
	switch {
	case prefix > 0 && err != nil:
		r.Upper, r.Ended = true, err
		return r, nil
	case err != nil:
		return r, err
	case prefix == 0:
		prefix = e.Events + 1
	}
	r.Order = merge(parts, e, prefix-1)
	for _, p := range parts {
		if number == 0 || p.prefix == r.Prefix && p.prefix > 0 {
			r.State = p.state
		}
	}
	return r, nil
}

// part is the operations of a key, or all, and what is known of them.
type part struct {
	ops     []int32
	labels  *labeling // if it is checked apart
	prefix  int       // events of the shortest violating prefix, if it is known
	refuter *refuter

	events int     // of the longest prefix of which a linearization is known
	order  []int32 // which it is
	state  State   // after it
}

// split lists the operations of each key.
func split(m Keyed, e *history.Execution) (parts []*part) {
	number := map[history.Value]int{}
	for i := range e.Ops {
		k := m.Key(&e.Ops[i].Label)
		n, ok := number[k]
		if !ok {
			n = len(parts)
			number[k] = n
			parts = append(parts, &part{})
		}
		parts[n].ops = append(parts[n].ops, int32(i))
	}
	return parts
}

// run is a check of operations of one execution.
type run struct {
	e      *history.Execution
	model  Model
	labels *labels // of parts
	memory *memory
	limit  int
	most   int                   // bytes that a search may take
	ended  func() error          // says why no search can go on
	halt   func(bytes int) error // says why a search must end, if it must
}

// decide searches the prefix of n events. lower is 0 if it is linearizable;
// otherwise no prefix of fewer events than lower violates, and if exact is true that of
// lower events does.
func (r run) decide(p *part, n int) (lower int, exact bool, err error) {
	t, k := newTimeline(r.e, p.ops, n, nil), newMachine(r.memory, r.e, p.ops, n)
	f := r.refuterOf(p, t)
	way, err := search(func(bytes, reach int) error {
		if err := r.halt(bytes); err != nil {
			return err
		}
		return f.look(reach)
	}, t, k, r.limit)
	if exact = err == errRefuted; exact {
		err = nil
	}
	if err == nil && !way.found {
		err = r.ended() // what a model that failed does not allow it may have allowed
	}
	if err != nil {
		return 0, false, err
	}
	if !way.found {
		lower, n = t.ends[way.reach], t.ends[way.reach]-1
	}
	if n > p.events || p.state == nil {
		p.events, p.state, p.order = n, k.states[way.state], make([]int32, len(way.order))
		for i, op := range way.order {
			p.order[i] = p.ops[op]
		}
	}
	return lower, exact, nil
}

// shortest finds the shortest violating prefix of at most n events, or 0. With
// an error, what it returns is a violating prefix, or 0 if none was found.
//
// The search of a violating prefix says where it got stuck, and mostly that is
// where the shortest one ends. But what it could not complete there had the
// answers that came later; with other answers it may go on. So the end is
// searched, too, and if that is linearizable, the ends after it.
func (r run) shortest(p *part, n int) (int, error) {
	low, exact, err := r.decide(p, n)
	if low == 0 || exact || err != nil {
		return low, err
	}
	ends := r.returns(p.ops, n)
	for step := 1; ; step *= 2 {
		i, _ := slices.BinarySearch(ends, low)
		i = min(i+step-1, len(ends)-1)
		if ends[i] == n || i == len(ends)-1 {
			return r.bisect(p, ends, low, i)
		}
		lower, exact, err := r.decide(p, ends[i])
		switch {
		case err != nil:
			return n, err
		case exact:
			return lower, nil
		case lower > 0:
			return r.bisect(p, ends, max(low, lower), i)
		}
		low = ends[i] + 1
	}
}

// bisect finds the shortest violating prefix among ends, of which ends[last] is
// one and none before low is.
func (r run) bisect(p *part, ends []int, low, last int) (int, error) {
	first, _ := slices.BinarySearch(ends, low)
	for first < last {
		middle := (first + last) / 2
		lower, exact, err := r.decide(p, ends[middle])
		if err != nil {
			return ends[last], err
		}
		if exact {
			return lower, nil
		}
		if lower > 0 {
			last = middle
		} else {
			first = middle + 1
		}
	}
	return ends[last], nil
}

// returns lists the prefixes of at most n events that end with a return.
func (r run) returns(ops []int32, n int) []int {
	var ends []int
	for _, op := range ops {
		if o := &r.e.Ops[op]; completedIn(o, n) {
			ends = append(ends, o.Return+1)
		}
	}
	slices.Sort(ends)
	return ends
}
