package matching

import (
	"errors"
	"fmt"

	"github.com/adtinfer/adtinfer/enumerate"
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// Scheme is a matching scheme <M, R> made ready for an alphabet. Each formula
// is evaluated once for each pair of labels; after that M is table look-ups.
type Scheme struct {
	pastOnly bool
	target   []formula.Formula
	readOnly formula.Formula
	alphabet *enumerate.Alphabet

	// rank[x][y] is the first target formula that y satisfies for x, plus one,
	// for two operations with these labels; 0 is not known yet.
	rank [][]int8
	self []int8 // the same for y = x
	ro   []int8 // 1 yes, -1 no, 0 not known yet
}

// none is the rank of an operation that satisfies no target formula.
const none = 127

// NewScheme prepares a matching for an alphabet. Declared predicates must be
// expanded already. A scheme is a function of labels alone: formulas that
// mention the order or quantify are refused.
func NewScheme(m theory.Matching, a *enumerate.Alphabet) (*Scheme, error) {
	for i, f := range m.Target {
		if err := labelsOnly(f); err != nil {
			return nil, unsupported("target formula %d: %v", i+1, err)
		}
	}
	if err := labelsOnly(m.ReadOnly); err != nil {
		return nil, unsupported("read-only formula: %v", err)
	}
	return &Scheme{pastOnly: m.Mode == theory.Past, target: m.Target, readOnly: m.ReadOnly, alphabet: a}, nil
}

// labelsOnly says why a formula depends on more than the labels of its free
// variables, if it does.
func labelsOnly(f formula.Formula) (err error) {
	formula.Walk(f, func(f formula.Formula) bool {
		if err != nil {
			return false
		}
		switch f := f.(type) {
		case formula.Quantified:
			err = errors.New("it quantifies, but a matching is a function of two labels alone")
		case formula.Atom:
			if f.Name != "completed" {
				err = fmt.Errorf("it mentions %s, but a matching is a function of labels alone", f.Name)
			}
		case formula.Equal:
			if f.A.Fn == "match" || f.B.Fn == "match" {
				err = errors.New("it mentions match, which it is to define")
			}
		case formula.Less:
			err = errOrdered
		}
		return err == nil
	})
	return err
}

// errOrdered: here values are only names, and one execution stands for all that
// come from it by renaming them.
var errOrdered = errors.New("it compares values by their order, but inference looks at executions up to renaming of values")

// Rank is the index of the first target formula that an operation with label y
// satisfies as the target of another operation with label x, or ok = false.
func (s *Scheme) Rank(x, y enumerate.Label) (rank int, ok bool) {
	r := s.pair(x, y)
	return int(r), r != none
}

// SelfRank is Rank for an operation as its own target.
func (s *Scheme) SelfRank(x enumerate.Label) (rank int, ok bool) {
	r := s.alone(x)
	return int(r), r != none
}

// ReadOnly is R for an operation with label x.
func (s *Scheme) ReadOnly(x enumerate.Label) bool {
	s.ro = grow(s.ro, s.alphabet.Len())
	if s.ro[x] == 0 {
		s.ro[x] = -1
		if formula.Eval(s.readOnly, Labels{s.alphabet.Text(x)}, map[string]int{"x": 0}) {
			s.ro[x] = 1
		}
	}
	return s.ro[x] > 0
}

func (s *Scheme) pair(x, y enumerate.Label) int8 {
	n := s.alphabet.Len()
	if len(s.rank) < n {
		s.rank = append(s.rank, make([][]int8, n-len(s.rank))...)
	}
	row := s.rank[x]
	if len(row) < n {
		row = grow(row, n)
		s.rank[x] = row
	}
	if row[y] == 0 {
		row[y] = s.first(Labels{s.alphabet.Text(x), s.alphabet.Text(y)}, 1)
	}
	return row[y]
}

func (s *Scheme) alone(x enumerate.Label) int8 {
	s.self = grow(s.self, s.alphabet.Len())
	if s.self[x] == 0 {
		s.self[x] = s.first(Labels{s.alphabet.Text(x)}, 0)
	}
	return s.self[x]
}

// first is the rank of operation y as target of operation 0.
func (s *Scheme) first(ls Labels, y int) int8 {
	env := map[string]int{"x": 0, "y": y}
	for i, f := range s.target {
		if formula.Eval(f, ls, env) {
			return int8(i + 1)
		}
	}
	return none
}

func grow(s []int8, n int) []int8 {
	if len(s) < n {
		s = append(s, make([]int8, n-len(s))...)
	}
	return s
}

// Ambiguous is the error of an execution in which an operation has two match
// targets: the scheme defines no matching function there.
type Ambiguous struct {
	Execution []history.Label
	Op        int // the operation
	A, B      int // its targets
}

func (e *Ambiguous) Error() string {
	return fmt.Sprintf("matching: in %s, operation %d (%s) has two match targets, operations %d (%s) and %d (%s)",
		render(e.Execution), e.Op+1, e.Execution[e.Op], e.A+1, e.Execution[e.A], e.B+1, e.Execution[e.B])
}

// Abstract appends to dst the history of a sequential execution: M and R of
// each operation. It costs one table look-up for each pair of operations.
func (s *Scheme) Abstract(dst enumerate.Sequence, e []enumerate.Label) (enumerate.Sequence, error) {
	for i, x := range e {
		best, target, second := s.alone(x), i, -1
		last := len(e)
		if s.pastOnly {
			last = i
		}
		for j, y := range e[:last] {
			if j == i {
				continue
			}
			switch r := s.pair(x, y); {
			case r < best:
				best, target, second = r, j, -1
			case r == best && r != none:
				second = j
			}
		}
		if best == none {
			target, second = enumerate.Free, -1
		}
		if second >= 0 {
			return dst, &Ambiguous{s.alphabet.Texts(e), i, target, second}
		}
		dst = append(dst, enumerate.Op{Kind: int8(s.alphabet.KindOf(x)), Target: int8(target), ReadOnly: s.ReadOnly(x)})
	}
	for i, o := range dst {
		if o.Target >= 0 && dst[o.Target].Target != o.Target {
			return dst, &NotClosed{s.alphabet.Texts(e), i, int(o.Target)}
		}
	}
	return dst, nil
}

// NotClosed is the error of an execution in which a match target does not map
// to itself.
type NotClosed struct {
	Execution  []history.Label
	Op, Target int
}

func (e *NotClosed) Error() string {
	return fmt.Sprintf("matching: in %s, operation %d (%s) is the match target of operation %d (%s) but not of itself",
		render(e.Execution), e.Target+1, e.Execution[e.Target], e.Op+1, e.Execution[e.Op])
}

// Labels is a structure of completed operations in sequence without a matching:
// what a formula over labels is evaluated on.
type Labels []*history.Label

func (l Labels) Len() int                   { return len(l) }
func (l Labels) Label(i int) *history.Label { return l[i] }
func (l Labels) Before(i, j int) bool       { return i < j }
func (l Labels) Match(int) int              { return history.Unmatched }
func (l Labels) ReadOnly(int) bool          { return false }
func (l Labels) Completed(int) bool         { return true }

func render(ls []history.Label) string {
	return history.Sequential(ls...).String()
}
