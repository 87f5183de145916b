package matching

import (
	"errors"
	"fmt"

	"github.com/adtinfer/adtinfer/enumerate"
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// Labels is a structure of completed operations in sequence without a matching:
// what a formula over labels is evaluated on.
type Labels []*history.Label

func (l Labels) Len() int                   { return len(l) }
func (l Labels) Label(i int) *history.Label { return l[i] }
func (l Labels) Before(i, j int) bool       { return i < j }
func (l Labels) Match(int) int              { return history.Unmatched }
func (l Labels) ReadOnly(int) bool          { return false }
func (l Labels) Completed(int) bool         { return true }

// relation is what labels alone decide about two operations, or about one and
// itself: decided once for each pair of labels, and then looked up.
type relation struct {
	alphabet *enumerate.Alphabet
	decide   func(ls Labels, y int) int8 // about operations 0 and y of ls, 0 or 1; not 0

	pairs [][]int8 // by label; 0 is not known yet
	self  []int8
}

// of is the relation of two operations with labels x and y.
func (r *relation) of(x, y enumerate.Label) int8 {
	n := r.alphabet.Len()
	if len(r.pairs) < n {
		r.pairs = append(r.pairs, make([][]int8, n-len(r.pairs))...)
	}
	row := r.pairs[x]
	if len(row) < n {
		row = append(row, make([]int8, n-len(row))...)
		r.pairs[x] = row
	}
	if row[y] == 0 {
		row[y] = r.decide(Labels{r.alphabet.Text(x), r.alphabet.Text(y)}, 1)
	}
	return row[y]
}

// alone is the relation of an operation with label x to itself.
func (r *relation) alone(x enumerate.Label) int8 {
	if n := r.alphabet.Len(); len(r.self) < n {
		r.self = append(r.self, make([]int8, n-len(r.self))...)
	}
	if r.self[x] == 0 {
		r.self[x] = r.decide(Labels{r.alphabet.Text(x)}, 0)
	}
	return r.self[x]
}

// Scheme is a matching scheme <M, R> made ready for an alphabet. Each formula
// is evaluated once for each pair of labels; after that M is table look-ups.
type Scheme struct {
	pastOnly bool
	alphabet *enumerate.Alphabet
	rank     relation // of x and y: the first target formula that y satisfies for x, from 1
	readOnly relation // of x alone: yes or no
}

// none is the rank of an operation that satisfies no target formula.
const none = 127

// What a relation says that is true or false.
const yes, no = 1, -1

// newScheme prepares a matching for an alphabet. Declared predicates must be
// expanded already. A scheme is a function of labels alone: formulas that
// mention the order or quantify are refused.
func newScheme(m theory.Matching, a *enumerate.Alphabet) (*Scheme, error) {
	for i, f := range m.Target {
		if err := labelsOnly(f); err != nil {
			return nil, unsupported("target formula %d: %v", i+1, err)
		}
	}
	if err := labelsOnly(m.ReadOnly); err != nil {
		return nil, unsupported("read-only formula: %v", err)
	}
	s := &Scheme{pastOnly: m.Past, alphabet: a}
	s.rank = relation{alphabet: a, decide: func(ls Labels, y int) int8 {
		env := map[string]int{"x": 0, "y": y}
		for i, f := range m.Target {
			if formula.Eval(f, ls, env) {
				return int8(i + 1)
			}
		}
		return none
	}}
	s.readOnly = holds(m.ReadOnly, "x", "y", a)
	return s, nil
}

// holds is the relation that a formula over two labels defines.
func holds(f formula.Formula, x, y string, a *enumerate.Alphabet) relation {
	return relation{alphabet: a, decide: func(ls Labels, second int) int8 {
		if formula.Eval(f, ls, map[string]int{x: 0, y: second}) {
			return yes
		}
		return no
	}}
}

// Is is the formula "fn(v) = name", such as method(x) = add.
func Is(fn, v, name string, sort formula.Sort) formula.Formula {
	return formula.Equal{A: formula.Term{Fn: fn, Var: v, Sort: sort}, B: formula.Term{Name: name, Sort: sort}}
}

// ValueAt is the value at position p of the operation v, whose first args
// positions are its arguments.
func ValueAt(v string, args, p int) formula.Term {
	if p < args {
		return formula.Term{Fn: "arg", Var: v, Index: p + 1, Sort: formula.ValueSort}
	}
	return formula.Term{Fn: "ret", Var: v, Index: p - args + 1, Sort: formula.ValueSort}
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

// ReadOnly reports whether R holds of an operation with label x.
func (s *Scheme) ReadOnly(x enumerate.Label) bool { return s.readOnly.alone(x) == yes }

// Abstract appends to dst the history of a sequential execution: M and R of
// each operation. It costs one table look-up for each pair of operations. The
// error is a *matching.Ambiguous or a *matching.NotClosed.
func (s *Scheme) Abstract(dst enumerate.Sequence, e []enumerate.Label) (enumerate.Sequence, error) {
	for i, x := range e {
		best, target, second := s.rank.alone(x), i, -1
		last := len(e)
		if s.pastOnly {
			last = i
		}
		for j, y := range e[:last] {
			if j == i {
				continue
			}
			switch r := s.rank.of(x, y); {
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
			return dst, &Ambiguous{Execution: s.alphabet.Texts(e), Op: i, A: target, B: second}
		}
		dst = append(dst, enumerate.Op{Kind: int8(s.alphabet.KindOf(x)), Target: int8(target), ReadOnly: s.ReadOnly(x)})
	}
	for i, o := range dst {
		if o.Target >= 0 && dst[o.Target].Target != o.Target {
			return dst, &NotClosed{Execution: s.alphabet.Texts(e), Op: i, Target: int(o.Target)}
		}
	}
	return dst, nil
}

// Language decides which executions over an alphabet are considered.
type Language struct {
	alphabet *enumerate.Alphabet
	pairs    []relation // rules "for all x, y: body" whose body speaks of labels only
	others   []theory.Rule
}

// newLanguage prepares closed rules, with declared predicates expanded.
func newLanguage(rules []theory.Rule, a *enumerate.Alphabet) *Language {
	l := &Language{alphabet: a}
	for _, r := range rules {
		q, ok := r.Formula.(formula.Quantified)
		if ok && q.Forall && len(q.Vars) <= 2 && labelsOnly(q.Body) == nil {
			l.pairs = append(l.pairs, holds(q.Body, q.Vars[0], q.Vars[len(q.Vars)-1], a))
		} else {
			l.others = append(l.others, r)
		}
	}
	return l
}

// Contains reports whether the execution obeys every rule.
func (l *Language) Contains(e []enumerate.Label) bool {
	for n := range e {
		if !l.Extends(e[:n+1]) {
			return false
		}
	}
	return l.rest(e)
}

// Extends reports whether the last operation of e obeys the pair rules together
// with those before it.
func (l *Language) Extends(e []enumerate.Label) bool {
	last := e[len(e)-1]
	for i := range l.pairs {
		p := &l.pairs[i]
		if p.alone(last) == no {
			return false
		}
		for _, o := range e[:len(e)-1] {
			if p.of(o, last) == no || p.of(last, o) == no {
				return false
			}
		}
	}
	return true
}

// rest decides the rules that are not about pairs of labels.
func (l *Language) rest(e []enumerate.Label) bool {
	if len(l.others) == 0 {
		return true
	}
	ls := labelsOf(l.alphabet, e)
	for _, r := range l.others {
		if !formula.Eval(r.Formula, ls, map[string]int{}) {
			return false
		}
	}
	return true
}

func labelsOf(a *enumerate.Alphabet, e []enumerate.Label) Labels {
	ls := make(Labels, len(e))
	for i, l := range e {
		ls[i] = a.Text(l)
	}
	return ls
}
