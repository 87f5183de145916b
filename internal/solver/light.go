package solver

import "context"

// What light decides by itself. Beyond that gini is faster, though it takes 40 KB and
// some 20 µs before it looks at a clause.
const (
	maxLiterals = 2048    // of all clauses
	maxVisits   = 1 << 16 // literals that a search looks at
	maxReasons  = 64      // assumptions, and decisions at a time
)

// New returns the default backend. It decides small formulas by unit propagation and
// backjumping, and gives others to gini, which is pure Go and incremental, too.
func New() Solver { return &light{} }

// light searches its clauses, until they are too many or too hard.
type light struct {
	vars     int
	literals []int // of all clauses, one after the other
	ends     []int // where each ends
	gini     *giniSolver

	value  []int8   // by variable: 1 true, -1 false, 0 open
	why    []uint64 // by variable: the assumptions and decisions that its value rests on
	set    []int    // the variables that are not open, in order
	visits int
	core   []int
}

func (s *light) NewVar() int {
	s.vars++
	if s.gini != nil {
		s.gini.NewVar()
	}
	return s.vars
}

func (s *light) Add(clause ...int) {
	if s.gini != nil {
		s.gini.Add(clause...)
		return
	}
	s.literals = append(s.literals, clause...)
	s.ends = append(s.ends, len(s.literals))
}

func (s *light) Solve(ctx context.Context, assumptions ...int) (Result, error) {
	if err := ctx.Err(); err != nil {
		return Unknown, err
	}
	if s.gini == nil {
		if r := s.search(assumptions); r != Unknown {
			return r, nil
		}
		s.handOver()
	}
	return s.gini.Solve(ctx, assumptions...)
}

// handOver gives all clauses to gini.
func (s *light) handOver() {
	s.gini = newGini()
	for range s.vars {
		s.gini.NewVar()
	}
	from := 0
	for _, end := range s.ends {
		s.gini.Add(s.literals[from:end]...)
		from = end
	}
	s.literals, s.ends, s.value, s.why = nil, nil, nil, nil
}

// search decides the clauses; Unknown if that takes too much.
func (s *light) search(assumptions []int) Result {
	if len(s.literals) > maxLiterals || len(assumptions) > maxReasons {
		return Unknown
	}
	for len(s.value) <= s.vars {
		s.value, s.why = append(s.value, 0), append(s.why, 0)
	}
	s.undo(0)
	s.visits, s.core = 0, s.core[:0]
	for i, l := range assumptions {
		switch s.of(l) {
		case 0:
			s.make(l, 1<<i)
		case -1:
			s.blame(assumptions, s.why[max(l, -l)]|1<<i)
			return Unsat
		}
	}
	why, r := s.decide(len(assumptions))
	if r == Unsat {
		s.blame(assumptions, why)
	}
	return r
}

// blame makes a contradiction's assumptions the core.
func (s *light) blame(assumptions []int, why uint64) {
	for i, l := range assumptions {
		if why>>i&1 == 1 {
			s.core = append(s.core, l)
		}
	}
}

// decide searches on from depth assumptions and decisions. If there is no model, why
// says which of these exclude it.
func (s *light) decide(depth int) (why uint64, r Result) {
	for {
		open, why, ok := s.propagate()
		switch {
		case !ok:
			return why, Unsat
		case open == 0:
			return 0, Sat
		case depth == maxReasons || s.visits > maxVisits:
			return 0, Unknown
		}
		before := len(s.set)
		s.make(open, 1<<depth)
		if why, r = s.decide(depth + 1); r != Unsat || why>>depth&1 == 0 {
			return why, r // whatever was decided here
		}
		s.undo(before)
		s.make(-open, why&^(1<<depth))
	}
}

// propagate makes true what each clause leaves. It returns an open literal of a clause
// that is not true yet, or 0; or, if a clause is false, what that rests on.
func (s *light) propagate() (open int, why uint64, ok bool) {
	for changed := true; changed; {
		changed, open = false, 0
		from := 0
		for _, end := range s.ends {
			left, n, why := s.left(s.literals[from:end])
			s.visits += end - from
			from = end
			switch {
			case n == 0:
				return 0, why, false
			case n == 1:
				s.make(left, why)
				changed = true
			case n > 1 && open == 0:
				open = left
			}
		}
	}
	return open, 0, true
}

// left is the first open literal of a clause, and how many there are, or -1 if the
// clause is true; why is what the other literals are false for.
func (s *light) left(clause []int) (first, n int, why uint64) {
	for _, l := range clause {
		switch s.of(l) {
		case 1:
			return 0, -1, 0
		case -1:
			why |= s.why[max(l, -l)]
		default:
			if n == 0 {
				first = l
			}
			if n == 0 || l != first {
				n++
			}
		}
	}
	return first, n, why
}

// of is the value of a literal.
func (s *light) of(l int) int8 {
	if l < 0 {
		return -s.value[-l]
	}
	return s.value[l]
}

// make makes an open literal true.
func (s *light) make(l int, why uint64) {
	v := max(l, -l)
	s.value[v], s.why[v] = 1, why
	if l < 0 {
		s.value[v] = -1
	}
	s.set = append(s.set, v)
}

// undo leaves the first n variables that were set.
func (s *light) undo(n int) {
	for _, v := range s.set[n:] {
		s.value[v] = 0
	}
	s.set = s.set[:n]
}

func (s *light) True(lit int) bool {
	if s.gini != nil {
		return s.gini.True(lit)
	}
	v := max(lit, -lit)
	return v < len(s.value) && (s.value[v] == 1) == (lit > 0)
}

func (s *light) Core() []int {
	if s.gini != nil {
		return s.gini.Core()
	}
	return append([]int(nil), s.core...)
}
