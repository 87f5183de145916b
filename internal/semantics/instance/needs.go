package instance

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
)

// pair is an operation with its match target, or Unmatched; pending ones take
// effect as given.
type pair struct{ op, target taking }

// claim is what must hold for a pair to match; an error if it does not.
type claim struct {
	needs []evidence.Fact
	err   error
}

// joining is a way in which an operation may join a match.
type joining struct {
	taking
	readOnly bool // whatever its values
}

// Needs lists the facts under which the operations show a pattern, one for each
// of its places in the drawing's order; for an axiom about one label, that an
// operation breaks, none. The error says why they do not, whatever is known.
func (l *Log) Needs(name string, ids []string) ([]evidence.Fact, error) {
	ops := make([]int, len(ids))
	for i, id := range ids {
		op, ok := l.at[id]
		if !ok || slices.Contains(ids[:i], id) {
			return nil, fmt.Errorf("[%s] is no operation, or named twice", id)
		}
		ops[i] = op
	}
	if p := l.patterns[name]; p != nil {
		return l.pattern(&p.History, ops)
	}
	a := l.axioms[name]
	if a == nil {
		return nil, fmt.Errorf("the theory has no pattern, and no axiom about one label, %q", name)
	}
	if len(ops) != 1 || !l.e.Ops[ops[0]].Completed() || formula.Eval(a, &world{l, ops, []history.Label{l.e.Ops[ops[0]].Label}}, nil) {
		return nil, fmt.Errorf("axiom %s is not broken", name)
	}
	return nil, nil
}

func (l *Log) pattern(h *history.History, ops []int) (needs []evidence.Fact, err error) {
	if len(ops) != len(h.Ops) {
		return nil, fmt.Errorf("the pattern has %d operations, not %d", len(h.Ops), len(ops))
	}
	for i := range ops {
		these, err := l.place(h, i, ops)
		if err != nil {
			return nil, err
		}
		needs = append(needs, these...)
		if h.Ops[i].Target == i {
			if these, err = l.whole(h, i, ops); err != nil {
				return nil, err
			}
			needs = append(needs, these...)
		}
		for j := range ops {
			between := func(k int) bool { return h.Before(i, k) && h.Before(k, j) }
			if h.Before(i, j) && !anyOf(len(ops), between) {
				needs = append(needs, evidence.Fact{Is: evidence.Before, A: l.id(ops[i]), B: l.id(ops[j])})
			}
		}
	}
	return needs, nil
}

func anyOf(n int, f func(int) bool) bool {
	for i := range n {
		if f(i) {
			return true
		}
	}
	return false
}

func (l *Log) id(op int) string { return l.e.Ops[op].ID }

// place is what the operation in place i needs to be of its kind and match as
// drawn.
func (l *Log) place(h *history.History, i int, ops []int) ([]evidence.Fact, error) {
	p, o := &h.Ops[i], &l.e.Ops[ops[i]]
	x, y := taking{ops[i], p.Outcome}, taking{op: history.Unmatched}
	if p.Target != history.Unmatched {
		y = taking{ops[p.Target], h.Ops[p.Target].Outcome}
	}
	if !p.Completed || o.Method != p.Method || o.Completed() && o.Outcome != p.Outcome || !o.Completed() && y.op < 0 {
		return nil, fmt.Errorf("[%s] is not of the kind of the pattern's operation %d", o.ID, i+1)
	}
	c := l.matched(x, y)
	other := func(w *world) bool { return w.reads(x.op) != p.ReadOnly && (y.op < 0 || w.tier(x.op, y.op) >= 0) }
	if c.err == nil && l.possible(other, takings(x, y)...) {
		c.err = fmt.Errorf("[%s] may be read-only where the pattern's operation %d is not, or the other way round", o.ID, i+1)
	}
	return c.needs, c.err
}

func takings(x, y taking, more ...taking) []taking {
	if y.op >= 0 {
		more = append(more, y)
	}
	return append(more, x)
}

// matched is what x needs to match y, and nothing else.
func (l *Log) matched(x, y taking) claim {
	if c, ok := l.rivals[pair{x, y}]; ok {
		return c
	}
	c := claim{}
	running := !l.e.Ops[x.op].Completed()
	if running {
		c.needs = append(c.needs, evidence.Fact{Is: evidence.Took, A: l.id(x.op), Outcome: x.outcome, B: l.id(y.op)})
	}
	if y.op >= 0 && (!running || x.op == y.op) && l.possible(func(w *world) bool { return w.tier(x.op, y.op) < 0 }, takings(x, y)...) {
		c.err = fmt.Errorf("[%s] does not match [%s]", l.id(x.op), l.id(y.op))
	}
	alike := map[string]bool{} // what rivals there can be
	shared, key := l.valuesOf(x.op, y.op), []byte(nil)
	for _, q := range l.near(x.op) {
		for _, out := range l.kinds(q) {
			z := taking{q, out}
			rival := func(w *world) bool {
				other := w.tier(x.op, q)
				return other >= 0 && (y.op < 0 || w.tier(x.op, y.op) >= other)
			}
			possible := func() bool {
				if !l.e.Ops[q].Completed() || q == x.op || q == y.op {
					return l.possible(rival, takings(x, y, z)...)
				}
				key = l.likeness(key[:0], q, shared)
				can, ok := alike[string(key)]
				if !ok {
					can = l.possible(rival, takings(x, y, z)...)
					alike[string(key)] = can
				}
				return can
			}
			if c.err != nil || q == y.op || q == x.op && out != x.outcome || !possible() ||
				y.op >= 0 && q != x.op && l.impossible(y, z, rival, x) {
				continue
			}
			if l.e.Ops[q].Completed() || q == x.op {
				c.err = fmt.Errorf("[%s] may match [%s], too", l.id(x.op), l.id(q))
			}
			c.needs = append(c.needs, evidence.Fact{Is: evidence.Never, A: l.id(q), Outcome: out, B: l.id(q)})
		}
	}
	l.rivals[pair{x, y}] = c
	return c
}

// valuesOf are the arguments and answers of some operations; one below 0 is none.
func (l *Log) valuesOf(ops ...int) (all []history.Value) {
	for _, i := range ops {
		if i >= 0 {
			all = append(append(all, l.e.Ops[i].Args...), l.e.Ops[i].Rets...)
		}
	}
	return all
}

// likeness appends what is the same for completed operations of which formulas say the same: their
// kinds are, and so is which of their values are equal, or among the others.
func (l *Log) likeness(key []byte, op int, others []history.Value) []byte {
	o := &l.e.Ops[op]
	key = append(append(append(key, o.Method...), ' '), o.Outcome...)
	own := l.valuesOf(op)
	for _, v := range own {
		key = strconv.AppendInt(append(key, ' '), int64(slices.Index(others, v)), 10)
		key = strconv.AppendInt(append(key, ' '), int64(slices.Index(own, v)), 10)
	}
	return key
}

// kinds lists the outcomes that an operation has or may have.
func (l *Log) kinds(op int) (all []history.Outcome) {
	o := &l.e.Ops[op]
	if o.Completed() {
		return append(all, o.Outcome)
	}
	for _, out := range l.outcomes[o.Method] {
		all = append(all, out.Outcome)
	}
	return all
}

// whole is what it needs that nothing belongs to the match of the target in place i
// but read-only operations and kinds that the pattern has there.
func (l *Log) whole(h *history.History, i int, ops []int) (needs []evidence.Fact, err error) {
	t := taking{ops[i], h.Ops[i].Outcome}
	for _, z := range l.joining(t) {
		o := &l.e.Ops[z.op]
		k := history.Kind{Method: o.Method, Outcome: z.outcome}
		if z.readOnly || slices.ContainsFunc(h.Ops, func(p history.Op) bool { return p.Target == i && p.Kind == k }) {
			continue
		}
		if o.Completed() {
			return nil, fmt.Errorf("[%s] belongs to the match of [%s], too", o.ID, l.id(t.op))
		}
		needs = append(needs, evidence.Fact{Is: evidence.Never, A: o.ID, Outcome: z.outcome, B: l.id(t.op)})
	}
	return needs, nil
}

// joining lists the ways in which operations may match target t.
func (l *Log) joining(t taking) []joining {
	if js, ok := l.joins[t]; ok {
		return js
	}
	js := []joining{}
	for _, q := range l.near(t.op) {
		for _, out := range l.kinds(q) {
			z := taking{q, out}
			joins := func(w *world) bool { return w.tier(q, t.op) >= 0 }
			if q != t.op && l.possible(joins, z, t) {
				writes := l.possible(func(w *world) bool { return joins(w) && !w.reads(q) }, z, t)
				js = append(js, joining{z, !writes})
			}
		}
	}
	l.joins[t] = js
	return js
}

// Joins reports whether an operation may match a target when both take effect with
// the outcomes given; whether it does may rest on more.
func (l *Log) Joins(op string, outcome history.Outcome, target string, targetOutcome history.Outcome) bool {
	x, y := taking{l.at[op], outcome}, taking{l.at[target], targetOutcome}
	return l.possible(func(w *world) bool { return w.tier(x.op, y.op) >= 0 }, x, y)
}

// Kinds lists the kinds that an operation has or may have.
func (l *Log) Kinds(op string) (all []history.Kind) {
	for _, out := range l.kinds(l.at[op]) {
		all = append(all, history.Kind{Method: l.e.Ops[l.at[op]].Method, Outcome: out})
	}
	return all
}
