package reasons

import (
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
)

// A list is an automaton whose registers are values that some calls add and others take.
// It is known which register holds the oldest of them, so that what is said of their order
// holds for runs of all lengths.
type list struct {
	a            *automata.Automaton
	added, taken []history.Kind
	oldest       map[history.Kind]bool // takers, and those that only look: whether it was always the oldest
	newest       map[history.Kind]bool
	most         int
	refused      []transitionAt
}

type transitionAt struct {
	t      *automata.Transition
	length int
}

// listRows are the rows of a list; nil: the automaton is none.
func listRows(a *automata.Automaton, methods []history.MethodSig) (rows []Row, shape string) {
	l := &list{a: a, oldest: map[history.Kind]bool{}, newest: map[history.Kind]bool{}}
	if len(a.Initial) > 0 || len(a.Counters) > 0 || !l.walk() || len(l.added) == 0 || len(l.taken) == 0 || l.most < 2 {
		return nil, ""
	}
	fifo, lifo := l.takers(l.oldest), l.takers(l.newest)
	if len(fifo)+len(lifo) < len(l.oldest) {
		return nil, ""
	}
	vs := pool(l.method(methods, l.added[0]), false, 0, 2, false)
	for _, order := range []struct {
		name, which string
		ks          []history.Kind
		right       history.Value
	}{{"FIFO", "oldest", fifo, vs[0]}, {"LIFO", "newest", lifo, vs[1]}} {
		if len(order.ks) == 0 {
			continue
		}
		name := order.name
		if len(fifo) > 0 && len(lifo) > 0 {
			name += " for " + methodsText(order.ks)
		}
		shape += map[bool]string{true: ", "}[shape != ""] + name
		last := history.Label{Kind: order.ks[0], Rets: []history.Value{order.right}}
		rows = append(rows, Row{Says: order.name + ": " + methodsText(order.ks) + verb(order.ks, " answers", " answer") + " the " + order.which + " value that is left",
			Example: steps([]history.Label{l.add(vs[0]), l.add(vs[1]), last})})
	}
	shape += ", at most " + strconv.Itoa(l.most)
	return append(rows, l.edges(methods, vs)...), shape
}

func (l *list) method(methods []history.MethodSig, k history.Kind) *history.MethodSig {
	return &methods[slices.IndexFunc(methods, func(m history.MethodSig) bool { return m.Name == k.Method })]
}

func (l *list) add(v history.Value) history.Label {
	return history.Label{Kind: l.added[0], Args: []history.Value{v}}
}

func (l *list) takers(which map[history.Kind]bool) (ks []history.Kind) {
	for _, m := range l.a.Methods {
		for _, o := range m.Outcomes {
			if k := (history.Kind{Method: m.Name, Outcome: o.Outcome}); which[k] {
				ks = append(ks, k)
			}
		}
	}
	return ks
}

// walk follows all orders in which registers can hold what was added; false if a call does
// something else.
func (l *list) walk() bool {
	type node struct {
		location int
		order    []int // registers, the oldest value first
	}
	key := func(n node) string {
		text := strconv.Itoa(n.location)
		for _, r := range n.order {
			text += " " + strconv.Itoa(r)
		}
		return text
	}
	queue, seen := []node{{}}, map[string]bool{key(node{}): true}
	for i := 0; i < len(queue); i++ {
		n := queue[i]
		l.most = max(l.most, len(n.order))
		for j := range l.a.Locations[n.location].Transitions {
			t := &l.a.Locations[n.location].Transitions[j]
			if len(t.Guard) > 0 {
				return false
			}
			order, ok := l.next(t, n.order)
			if !ok {
				return false
			}
			if to := (node{t.To, order}); !t.Blocks && !seen[key(to)] {
				seen[key(to)] = true
				queue = append(queue, to)
			}
		}
	}
	return true
}

// next is the order after a transition.
func (l *list) next(t *automata.Transition, order []int) (after []int, ok bool) {
	k := history.Kind{Method: t.Method, Outcome: t.Outcome}
	if t.Blocks {
		l.refused = append(l.refused, transitionAt{t, len(order)})
		return order, true
	}
	for _, r := range order { // what stays
		if i := slices.IndexFunc(t.Load, func(x automata.Term) bool { return x.Kind == automata.Register && x.Index == r }); i >= 0 {
			after = append(after, i)
		}
	}
	fresh := slices.IndexFunc(t.Load, func(x automata.Term) bool { return x.Kind == automata.Argument })
	if fresh >= 0 {
		after = append(after, fresh)
		if len(after) == len(order)+1 && len(t.Rets) == 0 {
			l.note(&l.added, k)
		}
	}
	if len(after) != len(t.Load) {
		return nil, false
	}
	switch {
	case fresh >= 0:
		return after, len(after) == len(order)+1 && len(t.Rets) == 0
	case len(t.Rets) == 1 && t.Rets[0].Kind == automata.Register:
		which := t.Rets[0].Index
		gone := len(order) - len(after)
		if gone > 1 || gone == 1 && slices.ContainsFunc(t.Load, func(x automata.Term) bool { return x.Index == which }) {
			return nil, false
		}
		if gone == 1 {
			l.note(&l.taken, k)
		}
		_, known := l.oldest[k]
		l.oldest[k] = (l.oldest[k] || !known) && order[0] == which
		l.newest[k] = (l.newest[k] || !known) && order[len(order)-1] == which
		return after, true
	case len(after) == len(order) && len(t.Rets) == 0:
		l.refused = append(l.refused, transitionAt{t, len(order)})
		return after, true
	}
	return nil, false
}

func (l *list) note(ks *[]history.Kind, k history.Kind) {
	if !slices.Contains(*ks, k) {
		*ks = append(*ks, k)
	}
}

// edges are the rows about what is answered at the ends: full and empty.
func (l *list) edges(methods []history.MethodSig, vs []history.Value) (rows []Row) {
	w := newWords(l.a, methods, -1)
	for i := range methods {
		m := &methods[i]
		lengths := map[int]*automata.Transition{}
		for _, x := range l.refused {
			if x.t.Method == m.Name {
				lengths[x.length] = x.t
			}
		}
		if len(lengths) != 1 {
			continue
		}
		for n, t := range lengths {
			answer := w.answer(t, parameters(m.Args))
			row := Row{}
			switch {
			case n == l.most && m.Args == 1:
				row.Says = "at most " + strconv.Itoa(n) + ": " + m.Name + answer + " while " + strconv.Itoa(n) + " values are left"
				row.Example = append(row.Example, Step{n, l.add(vs[0]), false})
			case n == 0 && m.Args == 0:
				row.Says = m.Name + answer + " while nothing is left"
			default:
				continue
			}
			if !t.Blocks {
				last := history.Label{Kind: history.Kind{Method: t.Method, Outcome: t.Outcome}}
				for range m.Args {
					last.Args = append(last.Args, vs[0])
				}
				row.Example = append(row.Example, Step{1, last, false})
			}
			rows = append(rows, row)
		}
	}
	return rows
}
