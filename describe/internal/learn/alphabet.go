package learn

import (
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/reference"
)

// alphabet is what a reference can be called with. Values of the same sort can be
// equal. A letter is a method with some arguments fixed, those of which there are
// few values; the others are free: they are compared with one another, or only
// moved.
type alphabet struct {
	t       *teacher.Teacher
	methods []reference.Method
	letters []letter
	sorts   []sort
	sortOf  [][]int // by method and parameter
	result  [][]int // by method and result; -1: no parameter has values of it
	moved   map[position]bool
}

// sort is a type of values, with a parameter that has it.
type sort struct {
	position
	domain int    // how many values there are; 0: enough
	zero   string // of the type; "" unless hasZero
	has    bool   // zero
}

// position is a parameter of a method.
type position struct{ method, param int }

// letter is a method with its fixed arguments.
type letter struct {
	method int
	fixed  []history.Value // by parameter; of free ones ""
	free   []bool
}

// step is a call with a letter.
type step struct {
	letter int
	args   []history.Value
}

// few is up to how many values of a type are all tried.
const few = 4

func newAlphabet(t *teacher.Teacher) (*alphabet, error) {
	a := &alphabet{t: t, methods: t.Methods(), moved: map[position]bool{}}
	names := map[string]int{}
	for m := range a.methods {
		method := &a.methods[m]
		a.sortOf = append(a.sortOf, make([]int, len(method.Params)))
		all := []letter{{method: m, fixed: make([]history.Value, len(method.Params)), free: make([]bool, len(method.Params))}}
		for p := range method.Params {
			domain := method.ArgDomain[p]
			a.sortOf[m][p] = -1
			if 0 < domain && domain <= few {
				all = a.expand(all, position{m, p}, domain)
				continue
			}
			name := method.Params[p].Name()
			if _, ok := names[name]; !ok {
				names[name] = len(a.sorts)
				a.sorts = append(a.sorts, sortAt(method.Params[p], position{m, p}, domain))
			}
			a.sortOf[m][p] = names[name]
			for i := range all {
				all[i].free[p] = true
			}
		}
		a.letters = append(a.letters, all...)
	}
	if len(a.letters) > most {
		return nil, &unlike{fmt.Sprintf("there are %d calls with arguments of few values, more than %d", len(a.letters), most)}
	}
	for m := range a.methods {
		var of []int
		for _, r := range a.methods[m].Results {
			s, ok := names[r.Name()]
			if !ok {
				s = -1
			}
			of = append(of, s)
		}
		a.result = append(a.result, of)
	}
	return a, nil
}

// most is how many letters there may be.
const most = 64

// expand fixes an argument of letters in all ways.
func (a *alphabet) expand(letters []letter, p position, domain int) (all []letter) {
	for _, l := range letters {
		for k := 1; k <= domain; k++ {
			fixed := slices.Clone(l.fixed)
			fixed[p.param] = a.t.Value(p.method, p.param, k)
			all = append(all, letter{l.method, fixed, slices.Clone(l.free)})
		}
	}
	return all
}

func sortAt(b values.Basic, p position, domain int) sort {
	s := sort{position: p, domain: domain}
	switch b.Kind {
	case values.KindInt, values.KindUint:
		s.zero, s.has = "0", true
	case values.KindString:
		s.has = true
	}
	return s
}

// value is value number i of a sort, from 0; in the order of the numbers they are
// not in the order of the values.
func (a *alphabet) value(s, i int) history.Value {
	of := a.sorts[s]
	const prime = 10007
	k := 1 + (i*7919+4391)%prime
	if of.domain > 0 {
		k = 1 + i%of.domain
	}
	return a.t.Value(of.method, of.param, k)
}

// compared reports whether a parameter of a letter is free and compared.
func (a *alphabet) compared(l, param int) bool {
	return a.letters[l].free[param] && !a.moved[position{a.letters[l].method, param}]
}

// sortAt is the sort of a letter's parameter.
func (a *alphabet) sort(l, param int) int { return a.sortOf[a.letters[l].method][param] }

// isCompared reports whether values of a sort are compared anywhere.
func (a *alphabet) isCompared(s int) bool {
	for l := range a.letters {
		for p := range a.letters[l].free {
			if a.compared(l, p) && a.sort(l, p) == s {
				return true
			}
		}
	}
	return false
}

// steps finds the letters of calls.
func (a *alphabet) steps(calls []teacher.Call) ([]step, error) {
	steps := make([]step, len(calls))
	for i, c := range calls {
		l := slices.IndexFunc(a.letters, func(l letter) bool {
			return l.method == c.Method && !slices.ContainsFunc(indices(len(c.Args)), func(p int) bool { return !l.free[p] && l.fixed[p] != c.Args[p] })
		})
		if l < 0 {
			return nil, &unlike{fmt.Sprintf("%s has more arguments than its few values", a.methods[c.Method].Name)}
		}
		steps[i] = step{l, c.Args}
	}
	return steps, nil
}

func indices(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// call is the call of a step.
func (a *alphabet) call(s step) teacher.Call {
	return teacher.Call{Method: a.letters[s.letter].method, Args: s.args}
}

func (a *alphabet) calls(steps []step) []teacher.Call {
	all := make([]teacher.Call, len(steps))
	for i, s := range steps {
		all[i] = a.call(s)
	}
	return all
}
