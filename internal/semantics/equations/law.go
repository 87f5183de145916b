package equations

import (
	"errors"
	"fmt"
	"slices"
)

// Law says what something is: the value of the first rule whose condition holds.
type Law struct {
	Rules []Rule
}

// Rule is a case of a Law. If is nil where nothing else holds: "otherwise".
type Rule struct {
	If, Then *Expr
}

// Total reports whether a law says something in all cases.
func (l *Law) Total() bool {
	return len(l.Rules) > 0 && l.Rules[len(l.Rules)-1].If == nil
}

// Cost is how much there is to read.
func (l *Law) Cost() (n int) {
	for _, r := range l.Rules {
		n += r.Then.Cost() + 1
		if r.If != nil {
			n += r.If.Cost()
		}
	}
	return n
}

// Walk visits all expressions of a law.
func (l *Law) Walk(visit func(*Expr)) {
	for _, r := range l.Rules {
		r.If.Walk(visit)
		r.Then.Walk(visit)
	}
}

// Of is the value that a law gives; Undefined: none.
func (s *Store) Of(l *Law, env *Env) (Value, error) {
	for _, r := range l.Rules {
		if r.If != nil {
			v, err := s.Eval(r.If, env)
			if err != nil {
				return Undefined, err
			}
			if v == Undefined || v != s.Truth(true) {
				continue // a condition that has no value does not hold
			}
		}
		return s.Eval(r.Then, env)
	}
	return Undefined, nil
}

// Param is a parameter with the sort of its values.
type Param struct {
	Name string `json:"name"`
	Sort Sort   `json:"sort"`
}

// Observer is something to see of a state. Either a law says what it is by other
// observers of the same state, or laws say what it is at first and after each method.
type Observer struct {
	Name   string
	Params []Param
	Sort   Sort
	How    How
	Is     Law   // in the scope of Params; no rules: it is not defined by others
	Start  Law   // in the scope of Params
	After  []Law // by method; in the scope of its parameters, its answer, and Params; no rules: nothing is known
}

// How says how an observer is seen in an object: by calls of a copy.
type How struct {
	Method string   // that answers
	Part   int      // of its answer
	Repeat string   // method that is called again and again, until nothing changes: the observer is all the answers; "": one
	Last   *int64   // the last argument, which is none of Params: 0, or as large as possible; nil: all are Params
	Least  string   // parameter of the method, which is none of Params: the observer is its least value from which on the method answers Word; "": none is
	Word   string   // "": a value, which is no word
	New    *int     // the argument, from 0, that is new, one call after the other, until nothing changes, or it is answered: the observer is the answers that are values
	Given  []string // the other arguments, if they are none of Params
	From   *int64   // the last argument, which is none of Params, is this, and so on: the observer is all the answers that are values, up to the first that is none
	First  *Call    // comes before the call that answers, which takes the first of Params; nil: none does
}

// valid is an error if no observer of a sort is seen so.
func (h *How) valid(s Sort) error {
	if h.From != nil && (h.Method == "" || h.Repeat != "" || h.Last != nil || !s.IsList()) {
		return errors.New("from is for the list of what a method answers, without repeat or last")
	}
	if h.New != nil && (h.Method == "" || h.Repeat != "" || h.Last != nil || h.From != nil || !s.IsList()) || h.New == nil && h.Given != nil {
		return errors.New("new is for the list of what a method answers, without repeat, last or from")
	}
	return nil
}

// Call is a call of a method. Each argument is a parameter of the observer, or a constant.
type Call struct {
	Method string
	Args   []*Expr
}

// String is the call as files have it: "define(flag, true)".
func (c *Call) String() string {
	e := Expr{Form: Obs, Name: c.Method, Args: c.Args}
	return e.String()
}

// Method is a method with laws about its answers.
type Method struct {
	Name    string
	Params  []Param
	Parts   []Part
	Answers []int // the observer that each part is, of Params
	Pure    bool  // it changes nothing
}

// Part is a part of what a method answers. A value that an outcome does not have is the
// word for the outcome.
type Part struct {
	Name string // "answer", "outcome", "answer1"
	Sort Sort
	Ret  int // the value, from 0; -1: the outcome
}

// Set is the laws of a data type.
type Set struct {
	Store     *Store
	Observers []Observer
	Methods   []Method
}

// Method is the number of a method, by its name; -1: there is none.
func (s *Set) Method(name string) int {
	return slices.IndexFunc(s.Methods, func(m Method) bool { return m.Name == name })
}

// Closed reports whether the laws say what each method answers, in all cases.
func (s *Set) Closed() bool {
	for o := range s.Needed() {
		if len(s.Missing(o)) > 0 {
			return false
		}
	}
	return true
}

// Missing are the laws that an observer lacks: -1 for what it is at first, and the
// methods after which nothing is known of it.
func (s *Set) Missing(observer int) (all []int) {
	o := &s.Observers[observer]
	if len(o.Is.Rules) > 0 {
		return nil
	}
	if !o.Start.Total() {
		all = append(all, -1)
	}
	for m := range s.Methods {
		if !s.Methods[m].Pure && !o.After[m].Total() {
			all = append(all, m)
		}
	}
	return all
}

// Needed are the observers that answers follow from.
func (s *Set) Needed() map[int]bool {
	all := map[int]bool{}
	var need func(int)
	need = func(n int) {
		if all[n] {
			return
		}
		all[n] = true
		o := &s.Observers[n]
		for _, l := range append([]Law{o.Is, o.Start}, o.After...) {
			l.Walk(func(e *Expr) {
				if e.Form == Obs {
					need(e.slot)
				}
			})
		}
	}
	for i := range s.Methods {
		for _, o := range s.Methods[i].Answers {
			need(o)
		}
	}
	return all
}

// ends is the error of laws that would be asked for ever: what an observer is at first
// follows from no observer, and what it is at any time not from itself.
func (s *Set) ends() error {
	var begun, done = map[int]bool{}, map[int]bool{}
	var follow func(o int) error
	follow = func(o int) (err error) {
		switch {
		case done[o]:
			return nil
		case begun[o]:
			return fmt.Errorf("observer %s: what it is follows from itself", s.Observers[o].Name)
		}
		begun[o] = true
		s.Observers[o].Is.Walk(func(e *Expr) {
			if e.Form == Obs && err == nil {
				err = follow(e.slot)
			}
		})
		s.Observers[o].Start.Walk(func(e *Expr) {
			if e.Form == Obs && err == nil {
				err = fmt.Errorf("observer %s: what it is at first follows from observer %s, which nothing was before", s.Observers[o].Name, e.Name)
			}
		})
		done[o] = true
		return err
	}
	for o := range s.Observers {
		if err := follow(o); err != nil {
			return err
		}
	}
	return nil
}

// Only is the set with some of its observers.
func (s *Set) Only(keep map[int]bool) *Set {
	t := &Set{Store: s.Store}
	to := map[int]int{}
	for n := range s.Observers {
		if keep[n] {
			to[n] = len(to)
		}
	}
	laws := func(ls []Law) []Law {
		out := make([]Law, len(ls))
		for i, l := range ls {
			for _, r := range l.Rules {
				out[i].Rules = append(out[i].Rules, Rule{r.If.renumber(to), r.Then.renumber(to)})
			}
		}
		return out
	}
	for n, o := range s.Observers {
		if keep[n] {
			both := laws([]Law{o.Is, o.Start})
			o.Is, o.Start, o.After = both[0], both[1], laws(o.After)
			t.Observers = append(t.Observers, o)
		}
	}
	for _, m := range s.Methods {
		m.Answers = slices.Clone(m.Answers)
		for i, o := range m.Answers {
			m.Answers[i] = to[o]
		}
		t.Methods = append(t.Methods, m)
	}
	return t
}

// renumber is an expression with other places of observers.
func (e *Expr) renumber(to map[int]int) *Expr {
	if e == nil {
		return nil
	}
	f := *e
	if e.Form == Obs {
		f.slot = to[e.slot]
	}
	f.Args = make([]*Expr, len(e.Args))
	for i, a := range e.Args {
		f.Args[i] = a.renumber(to)
	}
	return &f
}

// Scope are the variables of a law about what an observer is after a method: those of
// the method, then its answer, then the observer's. Names of the last are primed where
// they would come twice.
func (m *Method) Scope(o *Observer) []Param {
	scope := slices.Clone(m.Params)
	for _, p := range m.Parts {
		scope = append(scope, Param{p.Name, p.Sort})
	}
	for _, p := range o.Params {
		for slices.ContainsFunc(scope, func(q Param) bool { return q.Name == p.Name }) {
			p.Name += "'"
		}
		scope = append(scope, p)
	}
	return scope
}
