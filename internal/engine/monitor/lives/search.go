package lives

import "slices"

// Span is an operation, from call to return: it takes effect in one of the gaps S..E-1.
type Span struct{ S, E int32 }

// Way is a way in which a value may leave: its class then, and what removes it.
type Way struct {
	Class int
	Out   Span
}

// A Value comes, and leaves in one of several ways. One that a pending remove may take has
// first the way of staying, then one for each kind of pending removes.
type Value struct {
	In   Span
	Ways []Way
}

// Token is a pending remove.
type Token struct {
	Kind int
	Call int32
}

// Problem is what is to be decided: values, and pending removes in the order of their calls.
type Problem struct {
	*Table
	Values []Value
	Tokens []Token
	Stop   func() bool // looked at now and then; when it says so, the answer is Unclear
}

// Step is that a value comes, or leaves in some way.
type Step struct {
	Value  int32
	Leaves bool
	Way    int
}

// Answer is what is found out.
type Answer uint8

const (
	Linearizable Answer = iota
	Violating
	Unclear
)

// Result is an answer, with an order of all operations or values that are a violation by
// themselves.
type Result struct {
	Answer
	Steps []Step
	Blame []int32
}

// search has what is known of the values, and what was supposed.
type search struct {
	*Problem
	allowed []Orders // by classes

	in    []Span
	from  []int32 // by value: its first way
	class []int32 // by way
	out   []Span
	never []bool // ruled out

	near    [][]int32
	queue   []int32
	queued  []bool
	decided []decision
	about   [][]int32 // by value: those of these that it is in

	trail []change
	why   [][]reason // by value: what narrowed it
	roots []int32    // values that exclude each other
	left  []int32    // values that tokens may take
	calls [][]int32  // of tokens, by set of kinds

	events []event // as the last sweep had them
	sorted []op    // as the last time

	checkpoints []*sweep // of the last sweep, and
	dirty       int32    // since then, nothing was changed of values that come before

	tries, work, looked int
	steps               []Step
}

// decision is a set of orders that is supposed of two values.
type decision struct {
	v, w   int32
	orders Orders
}

// maxTries bounds what is supposed, and maxWork how often two values are looked at.
const (
	maxTries = 2_000
	maxWork  = 100_000_000
)

// Decide decides a problem. It takes time in proportion to the pairs of operations that
// overlap, as long as few things must be supposed.
func Decide(p Problem) Result {
	s := newSearch(&p)
	switch a := s.decide(); a {
	case Linearizable:
		return Result{Answer: a, Steps: s.steps}
	case Violating:
		s.explain(0)
		return Result{Answer: a, Blame: s.roots}
	}
	return Result{Answer: Unclear}
}

func newSearch(p *Problem) *search {
	k := len(p.Values)
	s := &search{Problem: p, allowed: p.allowed(), in: make([]Span, k), from: make([]int32, k+1), queued: make([]bool, k), about: make([][]int32, k), why: make([][]reason, k)}
	for v := range p.Values {
		x := &p.Values[v]
		s.in[v] = x.In
		end := int32(0)
		for _, w := range x.Ways {
			end = max(end, w.Out.E)
			w.Out.S = max(w.Out.S, x.In.S)
			s.class, s.out = append(s.class, int32(w.Class)), append(s.out, w.Out)
		}
		s.in[v].E = min(x.In.E, end) // it comes before it leaves
		s.from[v+1] = int32(len(s.out))
		if len(x.Ways) > 1 {
			s.left = append(s.left, int32(v))
		}
		s.queue, s.queued[v] = append(s.queue, int32(v)), true
	}
	s.never = make([]bool, len(s.out))
	s.calls = make([][]int32, 1<<p.Removers)
	for set := range s.calls {
		for _, t := range p.Tokens {
			if set>>t.Kind&1 == 1 {
				s.calls[set] = append(s.calls[set], t.Call)
			}
		}
	}
	s.neighbours()
	return s
}

// over reports whether nothing more is tried.
func (s *search) over() bool {
	if s.looked++; s.looked&1023 == 0 && s.Stop != nil && s.Stop() {
		s.tries = maxTries + 1
	}
	return s.tries > maxTries || s.work > maxWork
}

// decide narrows, puts in order, and where that fails supposes something about what is in the
// way, and then the contrary. If the answer is Violating, roots exclude each other.
func (s *search) decide() Answer {
	s.roots = nil
	for {
		s.tries++
		s.work += len(s.in)
		ok := s.propagate()
		switch {
		case !ok:
			return Violating
		case s.over():
			return Unclear
		}
		order := newSweep(s)
		if order.run() && s.replays(order.steps) {
			s.steps = order.steps
			return Linearizable
		}
		ops, ok := s.inOrder()
		if !ok || s.clash(order.inTheWay) {
			return Violating
		}
		if s.acquaint(order.inTheWay) {
			continue
		}
		if half := s.divide(order.inTheWay); half != nil {
			return s.either(half)
		}
		if s.settled(ops) {
			return Linearizable
		}
		if !s.acquaint(s.strangers()) {
			return Unclear
		}
	}
}

// either tries both halves of what is possible. Where one is a violation, whichever half was supposed, the other is
// one, too, for the same reason.
func (s *search) either(half *halves) Answer {
	mark, decided := len(s.trail), len(s.decided)
	var why []int32
	result := Violating
	for _, suppose := range []func(){half.suppose, half.contrary} {
		suppose()
		switch a := s.decide(); a {
		case Linearizable:
			return a
		case Unclear:
			result = a
			s.restore(mark, decided)
			continue
		}
		s.explain(mark)
		s.restore(mark, decided)
		if !slices.Contains(s.roots, half.v) || half.w >= 0 && !slices.Contains(s.roots, half.w) {
			return Violating
		}
		why = append(why, s.roots...)
	}
	s.roots = why
	return result
}

// clash reports whether two values that are in the way of each other have no order left.
func (s *search) clash(pairs []tried) bool {
	for _, p := range pairs {
		if p.w >= 0 && s.orders(p.v, p.w) == 0 {
			s.roots = append(s.roots, p.v, p.w)
			return true
		}
	}
	return false
}

// acquaint has values meet that are in the way of each other; false if all have met.
func (s *search) acquaint(pairs []tried) (any bool) {
	for _, p := range pairs {
		if p.w < 0 {
			continue
		}
		if _, met := slices.BinarySearch(s.near[p.v], p.w); met {
			continue
		}
		s.meet(p.v, p.w)
		for _, v := range []int32{p.v, p.w} {
			slices.Sort(s.near[v])
			s.touch(v)
			s.enqueue(v)
		}
		any = true
	}
	return any
}

// settled reports whether the operations are in an order that is allowed, where all orders of values
// are known.
func (s *search) settled(ops []op) bool {
	var steps []Step
	for _, o := range ops {
		way := 0
		if o.leaves {
			way = slices.Index(s.never[s.from[o.value]:], false)
		}
		steps = append(steps, Step{o.value, o.leaves, way})
	}
	s.steps = steps
	return s.replays(steps)
}

// maxStrangers bounds the values that are left of which all pairs are looked at in the end.
const maxStrangers = 1_000_000

// strangers are all pairs with a value that a token may take.
func (s *search) strangers() (pairs []tried) {
	if len(s.left)*len(s.in) > maxStrangers {
		return nil
	}
	for _, v := range s.left {
		for w := range int32(len(s.in)) {
			if v != w {
				pairs = append(pairs, tried{v, w, 0})
			}
		}
	}
	return pairs
}

// kind is which kind of remove a way is.
func (s *search) kind(way int32) int { return int(s.class[way]) % (s.Removers + 1) }
