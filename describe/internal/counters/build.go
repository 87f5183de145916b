package counters

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
)

// automaton has one location, registers if they may be used, and a counter for each number that forms use. Whole: no
// answer is automata.Any.
func (f *fit) automaton() (a *automata.Automaton, whole bool) {
	a = &automata.Automaton{Methods: f.signatures()}
	l, whole := automata.Location{Name: "counting"}, true
	registers := f.used()
	for i, r := range registers {
		l.Registers, a.Initial = append(l.Registers, registerName(i)), append(a.Initial, r.initial)
	}
	for m, t := range f.trees {
		f.leaves(a, t, nil, func(outcome history.Outcome, guard []automata.Condition) {
			name := f.methods[m].Name
			step := automata.Transition{Method: name, Guard: slices.Clone(guard), Outcome: outcome}
			if step.Blocks = outcome == history.Pending; step.Blocks {
				step.Outcome = history.None
			}
			for _, r := range f.rets[history.Kind{Method: name, Outcome: outcome}] {
				term := r.term
				switch {
				case r.register != nil:
					term = automata.Term{Kind: automata.Register, Index: slices.Index(registers, r.register)}
				case r.form != nil:
					term = total(a, *r.form)
				}
				step.Rets = append(step.Rets, term)
				whole = whole && term.Kind != automata.Any
			}
			if !step.Blocks {
				step.Load = f.loads(history.Kind{Method: name, Outcome: outcome})
			}
			l.Transitions = append(l.Transitions, step)
		})
	}
	a.Locations = []automata.Location{l}
	return a, whole
}

func registerName(i int) string {
	if i == 0 {
		return "r"
	}
	return "r" + strconv.Itoa(i+1)
}

// signatures are methods as automata have them, with the outcomes that were seen
// beside those that the types allow.
func (t *table) signatures() (all []history.MethodSig) {
	for _, m := range t.methods {
		s := history.MethodSig{Name: m.Name, Args: len(m.Args)}
		for _, o := range m.Outcomes {
			if !o.Unseen || slices.Contains(t.kinds, history.Kind{Method: m.Name, Outcome: o.Outcome}) {
				s.Outcomes = append(s.Outcomes, o.OutcomeSig)
			}
		}
		if slices.Contains(t.kinds, history.Kind{Method: m.Name, Outcome: history.Panic}) {
			s.Outcomes = append(s.Outcomes, history.OutcomeSig{Outcome: history.Panic})
		}
		all = append(all, s)
	}
	return all
}

// leaves visits the leaves of a tree with the conditions on the way.
func (f *fit) leaves(a *automata.Automaton, t *tree, guard []automata.Condition, visit func(history.Outcome, []automata.Condition)) {
	if t.low == nil {
		visit(t.outcome, guard)
		return
	}
	layout := layouts(a, t)[f.layouts[t]]
	if x := t.form.terms[0]; x.register != nil {
		held := automata.Term{Kind: automata.Register, Index: slices.Index(f.used(), x.register)}
		if layout.right = held; x.own {
			layout.left, layout.right = held, automata.Term{Kind: automata.Constant, Value: x.is}
		}
	}
	below, above := layout.conditions()
	f.leaves(a, t.high, append(guard, above), visit)
	f.leaves(a, t.low, append(guard, below), visit)
}

// layout is a comparison: left >= right goes high, or, if more is set, left > right, or,
// if text is, left != right.
type layout struct {
	left, right automata.Term
	more, text  bool
}

func (l layout) conditions() (low, high automata.Condition) {
	switch {
	case l.text:
		return automata.Condition{Left: l.left, Op: automata.Equal, Right: l.right}, automata.Condition{Left: l.left, Op: automata.Differs, Right: l.right}
	case l.more:
		return automata.Condition{Left: l.right, Op: automata.AtLeast, Right: l.left}, automata.Condition{Left: l.right, Op: automata.Less, Right: l.left}
	}
	return automata.Condition{Left: l.left, Op: automata.Less, Right: l.right}, automata.Condition{Left: l.left, Op: automata.AtLeast, Right: l.right}
}

// layouts are the ways to compare a tree's form with its threshold, the plainest
// first: those that subtract least. They differ where sums wrap around.
func layouts(a *automata.Automaton, t *tree) []layout {
	if x := t.form.terms[0]; x.equals != nil {
		return []layout{{left: automata.Term{Kind: automata.Argument, Index: x.arg}, right: total(a, *x.equals), text: true}}
	} else if x.text {
		return []layout{{left: automata.Term{Kind: automata.Argument, Index: x.arg}, right: automata.Term{Kind: automata.Constant, Value: x.is}, text: true}}
	}
	var counted, args form
	for _, x := range t.form.terms {
		if x.arg < 0 {
			counted.terms = append(counted.terms, x)
		} else {
			args.terms = append(args.terms, x)
		}
	}
	least := t.threshold - t.form.constant // counted + args >= least
	compare := func(left, right form) layout {
		if right.constant += least; right.constant == 1 && len(right.terms) > 0 {
			right.constant = 0
			return layout{left: total(a, left), right: total(a, right), more: true}
		}
		return layout{left: total(a, left), right: total(a, right)}
	}
	sum := form{terms: slices.Concat(counted.terms, args.terms)}
	all := []layout{compare(sum, form{}), {left: total(a, form{constant: 1 - least}), right: total(a, sum.negative()), more: true}} // -counted - args < 1 - least
	if len(counted.terms) > 0 && len(args.terms) > 0 {
		all = append(all, compare(args, counted.negative()), compare(counted, args.negative()))
	}
	slices.SortStableFunc(all, func(x, y layout) int { return cmp.Compare(x.subtracted(), y.subtracted()) })
	return all
}

// subtracted is how many counters and arguments are subtracted.
func (l layout) subtracted() (n int) {
	for _, s := range slices.Concat(l.left.Sum.Terms, l.right.Sum.Terms) {
		if s.Times < 0 {
			n++
		}
	}
	return n
}

func (f form) negative() form {
	n := form{constant: -f.constant}
	for _, x := range f.terms {
		n.terms = append(n.terms, multiple{x.term, -x.times})
	}
	return n
}

// total is a form as a term. Its counters are added to the automaton unless it has
// them.
func total(a *automata.Automaton, f form) automata.Term {
	if len(f.terms) == 0 {
		return automata.Term{Kind: automata.Constant, Value: history.Value(strconv.FormatInt(f.constant, 10))}
	}
	sum := automata.Sum{Constant: f.constant}
	var groups [][]multiple // that one counter counts
	for _, x := range f.terms {
		if x.arg >= 0 {
			continue
		}
		i := slices.IndexFunc(groups, func(g []multiple) bool {
			return (g[0].key >= 0) == (x.key >= 0) && g[0].at == x.at && g[0].reset == x.reset && !g[0].most && !x.most
		})
		if i < 0 {
			groups, i = append(groups, nil), len(groups)
		}
		groups[i] = append(groups[i], x)
	}
	for _, g := range groups {
		c, times := counterOf(a, g)
		sum.Terms = append(sum.Terms, automata.Summand{Times: times, Counter: c, Key: g[0].at})
	}
	for _, x := range f.terms {
		if x.arg >= 0 {
			sum.Terms = append(sum.Terms, automata.Summand{Times: x.times, Counter: -1, Arg: x.arg})
		}
	}
	if s := sum.Terms[0]; len(sum.Terms) == 1 && s.Counter < 0 && s.Times == 1 && sum.Constant == 0 {
		return automata.Term{Kind: automata.Argument, Index: s.Arg}
	}
	return automata.Term{Kind: automata.Total, Sum: sum}
}

// counterOf is the counter of a sum, which is so many times what it counts. What it
// counts first is added.
func counterOf(a *automata.Automaton, g []multiple) (index int, times int64) {
	g = slices.Clone(g)
	slices.SortStableFunc(g, func(x, y multiple) int {
		at := func(m multiple) int {
			return slices.IndexFunc(a.Methods, func(s history.MethodSig) bool { return s.Name == m.kind.Method })
		}
		return cmp.Or(cmp.Compare(at(x), at(y)), strings.Compare(string(x.kind.Outcome), string(y.kind.Outcome)), cmp.Compare(x.sum, y.sum), cmp.Compare(x.key, y.key), cmp.Compare(x.where, y.where))
	})
	for _, x := range g {
		times = gcd(times, x.times)
	}
	if g[0].times < 0 {
		times = -times
	}
	c := automata.Counter{Keyed: g[0].key >= 0, Greatest: g[0].most}
	for _, x := range g {
		c.Adds = append(c.Adds, automata.Add{Kind: x.kind, Times: x.times / times, Arg: x.sum, Key: max(x.key, 0), Where: x.where, Is: x.is})
	}
	if g[0].reset.Method != "" {
		c.Reset = []history.Kind{g[0].reset}
	}
	for i := range a.Counters {
		if d := a.Counters[i]; d.Keyed == c.Keyed && d.Greatest == c.Greatest && reflect.DeepEqual(d.Adds, c.Adds) && reflect.DeepEqual(d.Reset, c.Reset) {
			return i, times
		}
	}
	c.Name = "n"
	if len(a.Counters) > 0 {
		c.Name += strconv.Itoa(len(a.Counters) + 1)
	}
	a.Counters = append(a.Counters, c)
	return len(a.Counters) - 1, times
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}
