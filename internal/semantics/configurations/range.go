package configurations

import (
	"errors"
	"math"
	"math/bits"
	"strconv"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// Range bounds the numbers of a theory's automaton in an execution, whatever the order of its operations: what they
// may add to each counter, added up without signs. A number that may leave the range of 64-bit integers would wrap
// around, and the theory say nonsense, so that who asks must refuse the operation.
//
// The numbers of all keys of a counter count as one, and so do the parts of a product some operations of which belong to
// all of them.
type Range struct {
	automaton *automata.Automaton
	sums      []uint64 // by counter
	totals    []total

	product *theory.Product // instead
	whole   *Range          // of all parts
	parts   map[history.Value]*Range
	summed  bool // answers of parts are added up
	sum     uint64
}

// total is a sum somewhere in an automaton.
type total struct {
	automata.Sum
	method string
	args   uint64 // what arguments added to it, at most
}

// ErrRange is why an operation is refused.
var ErrRange = errors.New("with it, numbers that the theory counts may leave the range of 64-bit integers, and what it says of them would be wrong")

// NewRange is that of an execution without operations; nil if the theory counts nothing.
func NewRange(s *theory.Spec) *Range {
	switch {
	case s.Product != nil:
		r := &Range{product: s.Product, parts: map[history.Value]*Range{}, whole: NewRange(&s.Product.Part)}
		shared := false
		for _, k := range s.Product.Keys {
			shared, r.summed = shared || k.Role != theory.ByKey, r.summed || k.Role == theory.SumOfAll
		}
		if r.whole == nil && !r.summed {
			return nil
		}
		if shared {
			r.parts = nil
		}
		return r
	case s.Automaton == nil:
		return nil
	}
	r := &Range{automaton: s.Automaton, sums: make([]uint64, len(s.Automaton.Counters))}
	for _, l := range s.Automaton.Locations {
		for _, t := range l.Transitions {
			for _, x := range t.Terms() {
				if x.Kind == automata.Total {
					r.totals = append(r.totals, total{Sum: x.Sum, method: t.Method})
				}
			}
		}
	}
	if len(r.sums)+len(r.totals) == 0 {
		return nil
	}
	return r
}

// TakeAll is Take for an execution and its prefixes, in which an operation is pending if another returns while it
// runs: the first operation that is refused, and why, or -1.
func (r *Range) TakeAll(e *history.Execution) (int, error) {
	if r == nil {
		return -1, nil
	}
	returns := make([]int, e.Events+1) // before each event
	for i := range e.Ops {
		if o := &e.Ops[i]; o.Completed() {
			returns[o.Return+1]++
		}
	}
	for n := range e.Events {
		returns[n+1] += returns[n]
	}
	for i := range e.Ops {
		l := e.Ops[i].Label
		if o := &e.Ops[i]; o.Completed() && returns[o.Return] > returns[o.Call] {
			l.Outcome = history.Pending
		}
		if err := r.Take(&l); err != nil {
			return i, err
		}
	}
	return -1, nil
}

// Take adds an operation, which may be pending: it then counts as any answer would. The error is ErrRange.
func (r *Range) Take(l *history.Label) error {
	switch {
	case r == nil:
		return nil
	case r.product == nil:
		return r.own(l)
	}
	if r.summed {
		for _, v := range l.Args {
			r.sum = plus(r.sum, size(v))
		}
		if r.sum > math.MaxInt64 {
			return ErrRange
		}
	}
	own, key, _ := r.product.Of(l.Method).Project(*l)
	if r.parts == nil {
		return r.whole.Take(&own)
	}
	if r.parts[key] == nil {
		r.parts[key] = NewRange(&r.product.Part)
	}
	return r.parts[key].Take(&own)
}

func (r *Range) own(l *history.Label) error {
	added := make([]uint64, len(r.sums))
	for i := range r.sums {
		c := &r.automaton.Counters[i]
		n := most(c, l)
		if c.Greatest {
			r.sums[i] = max(r.sums[i], n)
		} else {
			r.sums[i], added[i] = plus(r.sums[i], n), n
		}
		if r.number(i) > math.MaxInt64 {
			return ErrRange
		}
	}
	for i := range r.totals {
		t := &r.totals[i]
		n, args, own := absolute(t.Constant), uint64(0), uint64(0)
		for _, x := range t.Terms {
			switch {
			case x.Counter >= 0:
				n = plus(n, times(absolute(x.Times), r.number(x.Counter)))
				own = plus(own, times(absolute(x.Times), added[x.Counter])) // comes after its own guard
			case t.method == l.Method && x.Arg < len(l.Args):
				args = plus(args, times(absolute(x.Times), size(l.Args[x.Arg])))
			}
		}
		if args > own {
			t.args = max(t.args, args-own)
		}
		if plus(n, t.args) > math.MaxInt64 {
			return ErrRange
		}
	}
	return nil
}

// number bounds what a counter holds.
func (r *Range) number(i int) uint64 { return plus(absolute(r.automaton.Counters[i].Start), r.sums[i]) }

// most is what an operation adds to a counter at most.
func most(c *automata.Counter, l *history.Label) (n uint64) {
	by := map[history.Outcome]uint64{}
	for _, a := range c.Adds {
		if a.Kind.Method != l.Method || l.Outcome != history.Pending && a.Kind.Outcome != l.Outcome {
			continue
		}
		x := absolute(a.Times)
		if a.Arg >= 0 && a.Arg < len(l.Args) {
			x = times(x, size(l.Args[a.Arg]))
		}
		by[a.Kind.Outcome] = plus(by[a.Kind.Outcome], x)
		n = max(n, by[a.Kind.Outcome])
	}
	return n
}

// size is the absolute value of an integer, 0 of other texts.
func size(v history.Value) uint64 {
	n, err := strconv.ParseInt(string(v), 10, 64)
	if err != nil && errors.Is(err, strconv.ErrRange) {
		return math.MaxUint64
	}
	return absolute(n)
}

func absolute(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

func plus(a, b uint64) uint64 {
	n, carry := bits.Add64(a, b, 0)
	return n | -carry
}

func times(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	if high > 0 {
		return math.MaxUint64
	}
	return low
}
