package matching

import (
	"github.com/adtinfer/adtinfer/enumerate"
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// Language decides which executions over an alphabet are considered.
type Language struct {
	alphabet *enumerate.Alphabet
	pairs    []pairRule
	others   []theory.Rule
}

// pairRule is a rule "for all x, y: body" whose body speaks of labels only, so
// that each pair of labels decides it once and for all.
type pairRule struct {
	rule  theory.Rule
	x, y  string
	body  formula.Formula
	holds [][]int8 // by label of x and of y, two operations; 0 not known yet
	self  []int8   // x and y the same operation
}

// NewLanguage prepares closed rules, with declared predicates expanded.
func NewLanguage(rules []theory.Rule, a *enumerate.Alphabet) *Language {
	l := &Language{alphabet: a}
	for _, r := range rules {
		q, ok := r.Formula.(formula.Quantified)
		if ok && q.Forall && len(q.Vars) <= 2 && labelsOnly(q.Body) == nil {
			l.pairs = append(l.pairs, pairRule{rule: r, x: q.Vars[0], y: q.Vars[len(q.Vars)-1], body: q.Body})
		} else {
			l.others = append(l.others, r)
		}
	}
	return l
}

// Closed tells whether a prefix outside the language has no extension inside,
// so that enumerations may prune.
func (l *Language) Closed() bool { return len(l.others) == 0 }

// Contains tells whether the execution obeys every rule.
func (l *Language) Contains(e []enumerate.Label) bool {
	for n := range e {
		if !l.Extends(e[:n+1]) {
			return false
		}
	}
	return l.rest(e)
}

// Extends tells whether the last operation of e obeys the pair rules together
// with those before it.
func (l *Language) Extends(e []enumerate.Label) bool {
	last := e[len(e)-1]
	for i := range l.pairs {
		p := &l.pairs[i]
		if !p.alone(l.alphabet, last) {
			return false
		}
		for _, o := range e[:len(e)-1] {
			if !p.both(l.alphabet, o, last) || !p.both(l.alphabet, last, o) {
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
	ls := make(Labels, len(e))
	for i, o := range e {
		ls[i] = l.alphabet.Text(o)
	}
	for _, r := range l.others {
		if !formula.Eval(r.Formula, ls, map[string]int{}) {
			return false
		}
	}
	return true
}

func (p *pairRule) both(a *enumerate.Alphabet, x, y enumerate.Label) bool {
	n := a.Len()
	if len(p.holds) < n {
		p.holds = append(p.holds, make([][]int8, n-len(p.holds))...)
	}
	if len(p.holds[x]) < n {
		p.holds[x] = grow(p.holds[x], n)
	}
	if p.holds[x][y] == 0 {
		p.holds[x][y] = p.decide([]*history.Label{a.Text(x), a.Text(y)}, 1)
	}
	return p.holds[x][y] > 0
}

func (p *pairRule) alone(a *enumerate.Alphabet, x enumerate.Label) bool {
	p.self = grow(p.self, a.Len())
	if p.self[x] == 0 {
		p.self[x] = p.decide([]*history.Label{a.Text(x)}, 0)
	}
	return p.self[x] > 0
}

func (p *pairRule) decide(ls Labels, y int) int8 {
	if formula.Eval(p.body, ls, map[string]int{p.x: 0, p.y: y}) {
		return 1
	}
	return -1
}
