package learn

import (
	"slices"

	"github.com/adtinfer/adtinfer/automata"
)

// way is an edge whose arguments are classes: values that are equal have the same.
type way struct {
	*edge
	args []class
}

// class is what a value is in a way: a register, the first argument that has it, or
// a text.
type class = term

// test is a condition that ways fulfil or not.
type test struct{ left, right term }

// transitions merges edges: as few tests as tell apart what answers or goes on
// differently, each of them on both sides.
func (t *table) transitions(l *location) (all []automata.Transition) {
	for m := range t.methods {
		var ways []way
		for letter := range t.letters {
			if t.letters[letter].method != m {
				continue
			}
			for i := range l.edges[letter] {
				ways = append(ways, t.way(letter, &l.edges[letter][i]))
			}
		}
		s := &splitter{method: t.methods[m].Name, tests: tests(ways), all: ways}
		s.split(ways, nil)
		all = append(all, s.out...)
	}
	return all
}

// way finds the classes of an edge's arguments.
func (t *table) way(letter int, e *edge) way {
	w := way{edge: e}
	for p, x := range e.pattern {
		switch {
		case !t.letters[letter].free[p]:
			w.args = append(w.args, class{register: -1, argument: -1, text: t.letters[letter].fixed[p]})
		case x >= 0:
			w.args = append(w.args, class{register: x, argument: -1})
		case x == fresh:
			w.args = append(w.args, class{register: -1, argument: p})
		default:
			w.args = append(w.args, w.args[-2-x])
		}
	}
	return w
}

// class is what a term of a way is.
func (w *way) class(x term) class {
	if x.argument >= 0 {
		return w.args[x.argument]
	}
	return x
}

func (w *way) holds(x test) bool { return w.class(x.left) == w.class(x.right) }

// tests are those that can tell ways apart: arguments against texts, registers and
// earlier arguments, in this order.
func tests(all []way) (ts []test) {
	if len(all) == 0 {
		return nil
	}
	for p := range all[0].args {
		x := term{register: -1, argument: p}
		var of []test
		for _, w := range all {
			c := w.args[p]
			if c.argument == p {
				continue
			}
			if y := (test{x, c}); !slices.Contains(of, y) {
				of = append(of, y)
			}
			for q := range p {
				if y := (test{x, term{register: -1, argument: q}}); w.holds(y) && !slices.Contains(of, y) {
					of = append(of, y)
				}
			}
		}
		ts = append(ts, of...)
	}
	return ts
}

// splitter finds the smallest tree of tests.
type splitter struct {
	method string
	tests  []test
	all    []way
	out    []automata.Transition
}

// condition is a test that holds, or does not.
type condition struct {
	test
	holds bool
}

func (s *splitter) split(some []way, guard []condition) {
	if len(some) == 0 {
		return
	}
	if tr, ok := common(some); ok {
		tr.Method = s.method
		for _, c := range s.shorten(len(some), guard) {
			op := automata.Differs
			if c.holds {
				op = automata.Equal
			}
			tr.Guard = append(tr.Guard, automata.Condition{Left: c.left.term(), Op: op, Right: c.right.term()})
		}
		s.out = append(s.out, tr)
		return
	}
	x := s.best(some)
	yes, no := divide(some, x)
	guard = guard[:len(guard):len(guard)]
	s.split(yes, append(guard, condition{x, true}))
	s.split(no, append(guard, condition{x, false}))
}

// shorten leaves conditions out as long as no more than n ways fulfil the rest.
func (s *splitter) shorten(n int, guard []condition) []condition {
	for i := 0; i < len(guard); {
		rest := slices.Delete(slices.Clone(guard), i, i+1)
		fulfil := 0
		for _, w := range s.all {
			if !slices.ContainsFunc(rest, func(c condition) bool { return w.holds(c.test) != c.holds }) {
				fulfil++
			}
		}
		if fulfil == n {
			guard = rest
		} else {
			i++
		}
	}
	return guard
}

func divide(all []way, x test) (yes, no []way) {
	for _, w := range all {
		if w.holds(x) {
			yes = append(yes, w)
		} else {
			no = append(no, w)
		}
	}
	return yes, no
}

// best is the test after which the fewest leaves remain: looking one test ahead.
func (s *splitter) best(all []way) (best test) {
	least := -1
	for _, x := range s.tests {
		yes, no := divide(all, x)
		if len(yes) == 0 || len(no) == 0 {
			continue
		}
		if n := kinds(yes) + kinds(no); least < 0 || n < least {
			best, least = x, n
		}
	}
	return best
}

// kinds is how many transitions ways need at least, found greedily.
func kinds(all []way) (n int) {
	var groups [][]way
	for _, w := range all {
		done := false
		for i := range groups {
			g := append(slices.Clone(groups[i]), w)
			if _, ok := common(g); ok {
				groups[i], done = g, true
				break
			}
		}
		if !done {
			groups = append(groups, []way{w})
		}
	}
	return len(groups)
}

// common is the transition that does what all of these ways do, if there is one.
func common(all []way) (tr automata.Transition, ok bool) {
	first := all[0]
	for _, w := range all {
		if w.waits != first.waits || !w.waits && (w.to != first.to || w.answer.Kind != first.answer.Kind || len(w.rets) != len(first.rets)) {
			return tr, false
		}
	}
	if tr.Blocks = first.waits; first.waits {
		return tr, true
	}
	tr.Outcome, tr.To = first.answer.Outcome, first.to
	for i := range first.rets {
		x, ok := agree(all, func(w *way) term { return w.rets[i] })
		if !ok {
			return tr, false
		}
		if x.made > 0 {
			tr.Rets = append(tr.Rets, automata.Term{Kind: automata.Fresh})
			continue
		}
		tr.Rets = append(tr.Rets, x.term())
	}
	for i := range first.load {
		x, ok := agree(all, func(w *way) term { return w.load[i] })
		if !ok {
			return tr, false
		}
		tr.Load = append(tr.Load, x.term())
	}
	return tr, true
}

// agree is a term that is what get says, in all ways: the register or text if it is
// the same one, or else an argument.
func agree(all []way, get func(w *way) term) (term, bool) {
	is := func(x term) bool {
		for i := range all {
			if all[i].class(x) != all[i].class(get(&all[i])) {
				return false
			}
		}
		return true
	}
	if c := all[0].class(get(&all[0])); c.argument < 0 && is(c) {
		return c, true
	}
	for p := range all[0].args {
		if x := (term{register: -1, argument: p}); is(x) {
			return x, true
		}
	}
	return term{}, false
}

// term is it as automata have it.
func (x term) term() automata.Term {
	switch {
	case x.register >= 0:
		return automata.Term{Kind: automata.Register, Index: x.register}
	case x.argument >= 0:
		return automata.Term{Kind: automata.Argument, Index: x.argument}
	}
	if x.made > 0 {
		return automata.Term{Kind: automata.Answer, Index: x.made - 1}
	}
	return automata.Term{Kind: automata.Constant, Value: x.text}
}
