package check

import (
	"encoding/binary"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
)

// residue is a grounded theory as a wgl.System. A partial linearization decides
// literals: which operations took effect, in which of their ways, and before
// which others. Gates of the circuit follow as soon as their inputs decide
// them, and a clause without a literal left means that no way of going on
// satisfies the theory.
//
// What is left of the theory depends on the literals not decided, which the
// operations that took effect determine, on the clauses not satisfied, and on
// the gates that are decided. Those clauses and gates are the state; two
// partial linearizations of the same operations with the same state can be
// completed in the same ways.
type residue struct {
	in  *instance
	cnf *formula.CNF

	clauses [][]int
	open    []int32 // by clause: literals not decided
	met     []int32 // by clause: literals that hold
	occurs  [][]int32
	value   []int8 // by variable of the clauses: 1, -1, or 0 for open
	choice  []bool // by variable: it is decided by the linearization, not by a gate
	used    []int  // by element: its literal, 0 if it is constant
	pairs   [][]pairLit

	trail  []int // literals decided, in order
	marks  []int // length of the trail before each step
	taken  []bool
	key    []byte
	states map[string]int32
	failed bool
}

// pairLit is the literal of "this operation before that one".
type pairLit struct {
	op  int
	lit int
}

func newResidue(in *instance) *residue {
	s := &residue{in: in, states: map[string]int32{}, taken: make([]bool, len(in.ops))}
	s.value, s.occurs, s.choice = make([]int8, 1), make([][]int32, 2), make([]bool, 1)
	s.cnf = formula.NewCNF(in.circuit, s.newVar, s.add)
	return s
}

func (s *residue) newVar() int {
	s.value = append(s.value, 0)
	s.choice = append(s.choice, false)
	s.occurs = append(s.occurs, nil, nil)
	return len(s.value) - 1
}

// place is the index of a literal's clauses.
func place(lit int) int {
	if lit < 0 {
		return -2*lit + 1
	}
	return 2 * lit
}

func (s *residue) add(clause ...int) {
	n := int32(len(s.clauses))
	if len(clause) == 0 {
		s.failed = true
	}
	s.clauses = append(s.clauses, append([]int(nil), clause...))
	s.open = append(s.open, int32(len(clause)))
	s.met = append(s.met, 0)
	for _, l := range clause {
		s.occurs[place(l)] = append(s.occurs[place(l)], n)
	}
}

// begin finds the literals that steps decide, once all is asserted; false if
// the theory cannot be satisfied at all.
func (s *residue) begin() bool {
	s.used = make([]int, len(s.in.elems))
	for i := range s.in.elems {
		if u := s.in.elems[i].used; u != formula.True && u != formula.False {
			s.used[i] = s.decidable(u)
		}
	}
	s.pairs = make([][]pairLit, len(s.in.ops))
	for b, earlier := range s.in.order.overlaps {
		for i, a := range earlier {
			l := s.decidable(s.in.order.first[b] + formula.Lit(i))
			s.pairs[a] = append(s.pairs[a], pairLit{b, l})
			s.pairs[b] = append(s.pairs[b], pairLit{int(a), -l})
		}
	}
	for n, c := range s.clauses { // gates that are constant by their definition
		if len(c) == 1 && !s.choice[max(c[0], -c[0])] && s.met[n] == 0 && !s.decide(c[0]) {
			s.failed = true
		}
	}
	s.marks = append(s.marks[:0], len(s.trail))
	return !s.failed
}

func (s *residue) decidable(l formula.Lit) int {
	lit := s.cnf.Lit(l)
	s.choice[max(lit, -lit)] = true
	return lit
}

// decide makes a literal hold, and gates that follow; false if a clause fails.
func (s *residue) decide(lit int) bool {
	v := max(lit, -lit)
	if s.value[v] != 0 {
		return (s.value[v] > 0) == (lit > 0)
	}
	ok := true
	for todo := []int{lit}; len(todo) > 0; {
		l := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		v := max(l, -l)
		if s.value[v] != 0 {
			ok = ok && (s.value[v] > 0) == (l > 0)
			continue
		}
		s.value[v] = 1
		if l < 0 {
			s.value[v] = -1
		}
		s.trail = append(s.trail, l)
		for _, c := range s.occurs[place(l)] {
			s.met[c]++
			s.open[c]--
		}
		for _, c := range s.occurs[place(-l)] {
			s.open[c]--
			if s.met[c] > 0 || s.open[c] > 1 {
				continue
			}
			if s.open[c] == 0 {
				ok = false
			} else if g := s.last(c); !s.choice[max(g, -g)] {
				todo = append(todo, g)
			}
		}
	}
	return ok
}

// last is the literal of a clause that is open.
func (s *residue) last(c int32) int {
	for _, l := range s.clauses[c] {
		if s.value[max(l, -l)] == 0 {
			return l
		}
	}
	panic("check: a clause counts an open literal that it does not have")
}

// undo opens the literals again that were decided since the trail had n.
func (s *residue) undo(n int) {
	for _, l := range s.trail[n:] {
		s.value[max(l, -l)] = 0
		for _, c := range s.occurs[place(l)] {
			s.met[c]--
			s.open[c]++
		}
		for _, c := range s.occurs[place(-l)] {
			s.open[c]++
		}
	}
	s.trail = s.trail[:n]
}

func (s *residue) Start() int32           { return s.state() }
func (s *residue) ReadOnly(op int32) bool { return false }
func (s *residue) Class(op int32) int32   { return -1 }

// Take lets an operation take effect as its k-th element.
func (s *residue) Take(op int32, k int) (int32, wgl.Step) {
	in := s.in
	elem := in.first[op] + k
	if elem >= in.first[op+1] {
		return 0, wgl.NoWay
	}
	if in.elems[elem].used == formula.False {
		return 0, wgl.Refused
	}
	n := len(s.trail)
	if !s.effect(int(op), elem) {
		s.undo(n)
		return 0, wgl.Refused
	}
	s.taken[op] = true
	s.marks = append(s.marks, int(op), n)
	return s.state(), wgl.Taken
}

// effect decides what follows when an element takes effect now.
func (s *residue) effect(op, elem int) bool {
	for e := s.in.first[op]; e < s.in.first[op+1]; e++ {
		l := s.used[e]
		if l == 0 {
			continue
		}
		if e != elem {
			l = -l
		}
		if !s.decide(l) {
			return false
		}
	}
	for _, p := range s.pairs[op] {
		if !s.taken[p.op] && !s.decide(p.lit) {
			return false
		}
	}
	return true
}

// Undo takes the last step back.
func (s *residue) Undo() {
	n := len(s.marks)
	s.undo(s.marks[n-1])
	s.taken[s.marks[n-2]] = false
	s.marks = s.marks[:n-2]
}

// Accepts tells whether the theory holds when nothing else takes effect.
func (s *residue) Accepts() bool {
	n := len(s.trail)
	defer func() { s.undo(n) }()
	for e, l := range s.used {
		if l != 0 && !s.taken[s.in.elems[e].op] && !s.decide(-l) {
			return false
		}
	}
	for op, ps := range s.pairs { // the order of what never takes effect does not matter
		for _, p := range ps {
			if !s.taken[op] && !s.taken[p.op] && op < p.op && !s.decide(p.lit) {
				return false
			}
		}
	}
	return true
}

// state numbers the clauses that are not satisfied and the gates decided.
func (s *residue) state() int32 {
	b := s.key[:0]
	word, bits := uint64(0), 0
	bit := func(on bool) {
		if on {
			word |= 1 << bits
		}
		if bits++; bits == 64 {
			b = binary.LittleEndian.AppendUint64(b, word)
			word, bits = 0, 0
		}
	}
	for _, m := range s.met {
		bit(m > 0)
	}
	for v, choice := range s.choice {
		if !choice {
			bit(s.value[v] != 0)
		}
	}
	b = binary.LittleEndian.AppendUint64(b, word)
	s.key = b
	n, ok := s.states[string(b)]
	if !ok {
		n = int32(len(s.states))
		s.states[string(b)] = n
	}
	return n
}
