package instance

import (
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/semantics"
	"github.com/adtinfer/adtinfer/theory"
)

// Outside says why the theory does not speak of the execution, or is nil: an
// operation has a label that the theory does not know, or two match targets, or
// operations break a rule of the language, or may break it with what pending ones
// answer. Whether a rule about more than labels holds may depend on the order, so
// it is taken to be broken.
func (l *Log) Outside(t *theory.Theory) error {
	places := compared(t)
	done := &world{Log: l}
	for i := range l.e.Ops {
		o := &l.e.Ops[i]
		if msg := unknown(t, o, places); msg != "" {
			return fmt.Errorf("the theory does not know %s: %s", l.draw(i), msg)
		}
		if o.Completed() {
			done.ops, done.labels = append(done.ops, i), append(done.labels, o.Label)
		}
	}
	for i := range t.Spec.Language {
		r := &t.Spec.Language[i]
		f := formula.Expand(r.Formula, t.Vocabulary())
		if !semantics.LabelsOnly(f) {
			return fmt.Errorf("the rule %s of the theory's language is not about labels alone, and evidence does not show that it is kept", r.Name)
		}
		if ops, _, broken := formula.Counterexample(f, done); broken {
			return fmt.Errorf("the log is outside the theory's language: %s break the rule %s", done.draw(ops), drawRule(r))
		}
		if p := l.openly(f); p >= 0 {
			return fmt.Errorf("%s has not returned, and may answer so that it breaks the rule %s; the theory says nothing about that", l.draw(p), drawRule(r))
		}
	}
	return l.ambiguous(done)
}

// unknown says why the theory does not know a label, or is "".
func unknown(t *theory.Theory, o *history.Operation, places []formula.Term) string {
	i := slices.IndexFunc(t.Spec.Methods, func(m history.MethodSig) bool { return m.Name == o.Method })
	if i < 0 {
		return "it has no such method"
	}
	m := &t.Spec.Methods[i]
	answers := func(out history.OutcomeSig) bool { return out.Outcome == o.Outcome && out.Rets == len(o.Rets) }
	if len(o.Args) != m.Args || o.Completed() && !slices.ContainsFunc(m.Outcomes, answers) {
		return "the method has other outcomes, or another number of values"
	}
	return semantics.Unordered(places, &o.Label)
}

// compared lists the places of labels whose values the theory compares by <.
func compared(t *theory.Theory) (places []formula.Term) {
	all := slices.Clone(t.Spec.Matching.Target)
	if f := t.Spec.Matching.ReadOnly; f != nil {
		all = append(all, f)
	}
	for _, r := range slices.Concat(t.Spec.Language, t.Spec.Axioms) {
		all = append(all, r.Formula)
	}
	for i := range t.Spec.Patterns {
		if f := t.Spec.Patterns[i].Formula; f != nil {
			all = append(all, f)
		}
	}
	for _, f := range all {
		places = append(places, semantics.Compared(formula.Expand(f, t.Vocabulary()))...)
	}
	return places
}

// openly finds a pending operation that may answer so that it breaks a rule,
// alone or together with another operation; or is -1 if there is none. What no
// admitted execution has, by what the theory says beyond its language, does not
// count, nor what concerns one match alone. Rules about more than two operations are taken to be breakable.
func (l *Log) openly(rule formula.Formula) int {
	q, ok := rule.(formula.Quantified)
	if !ok || !q.Forall || len(q.Vars) > 2 || strings.Contains(formula.String(q.Body), ":Op") {
		return slices.Max(append(l.pending, -1))
	}
	premise, _ := q.Body.(formula.Implies)
	for _, p := range l.pending {
		partners := []int{p}
		if len(q.Vars) == 2 {
			partners = l.partners(p, premise.A)
		}
		for _, other := range partners {
			breaks := func(w *world) bool { return breaks(q, w, slices.Index(w.ops, p), slices.Index(w.ops, other)) }
			y, z := taking{op: p}, taking{op: other}
			if l.possible(breaks, y, z) && !l.impossible(y, z, breaks) && !l.impossible(z, y, breaks) && !l.contained(breaks, p, other) {
				return p
			}
		}
	}
	return -1
}

// contained reports whether a rule that a pending operation may break together
// with another, or may not, is about two targets of one match, and matches are
// independent of each other: then nothing is derived about that match, where each
// of the two is in the way of the other, and all else is as if the rule was kept.
func (l *Log) contained(breaks func(w *world) bool, p, other int) bool {
	y, z := taking{op: p}, taking{op: other}
	apart := func(w *world) bool { return breaks(w) && w.tier(p, other) < 0 && w.tier(other, p) < 0 }
	return p != other && l.product() && !l.possible(apart, y, z) && l.possible(func(w *world) bool { return !breaks(w) }, y, z)
}

// product reports whether each pattern is about one match.
func (l *Log) product() bool {
	for i := range l.spec.Patterns {
		ops := l.spec.Patterns[i].History.Ops
		if slices.ContainsFunc(ops, func(o history.Op) bool { return o.Target != ops[0].Target || o.Target < 0 && len(ops) > 1 }) {
			return false
		}
	}
	return true
}

// partners lists the operations that may break a rule together with a pending
// one. Where its premise compares arguments, they share one.
func (l *Log) partners(p int, premise formula.Formula) (ops []int) {
	if compares(premise) {
		for _, v := range l.e.Ops[p].Args {
			ops = append(ops, l.byValue[v]...)
		}
		return ops
	}
	for i := range l.e.Ops {
		ops = append(ops, i)
	}
	return ops
}

// compares reports whether a premise asks for equal arguments of two operations.
func compares(premise formula.Formula) bool {
	switch f := premise.(type) {
	case formula.Equal:
		return f.A.Fn == "arg" && f.B.Fn == "arg" && f.A.Var != f.B.Var
	case formula.And:
		return slices.ContainsFunc(f, compares)
	}
	return false
}

// breaks reports whether a rule about one or two operations does not hold of x and
// y, each of which is one of them.
func breaks(q formula.Quantified, w *world, x, y int) bool {
	if len(q.Vars) == 1 {
		return x == y && !formula.Eval(q.Body, w, map[string]int{q.Vars[0]: x})
	}
	return !formula.Eval(q.Body, w, map[string]int{q.Vars[0]: x, q.Vars[1]: y}) ||
		!formula.Eval(q.Body, w, map[string]int{q.Vars[0]: y, q.Vars[1]: x})
}

// ambiguous is the error of a completed operation with two match targets.
func (l *Log) ambiguous(done *world) error {
	for _, x := range done.ops {
		var first, second, tier = -1, -1, len(l.targets)
		for _, y := range l.near(x) {
			if !l.e.Ops[y].Completed() {
				continue
			}
			w := (&world{Log: l}).longer(x, l.e.Ops[x].Label)
			if y != x {
				w = w.longer(y, l.e.Ops[y].Label)
			}
			switch k := w.tier(x, y); {
			case k < 0 || k > tier:
			case k < tier:
				first, second, tier = y, -1, k
			default:
				second = y
			}
		}
		if second >= 0 {
			return fmt.Errorf("%s has two match targets, %s and %s", l.draw(x), l.draw(first), l.draw(second))
		}
	}
	return nil
}

func drawRule(r *theory.Rule) string {
	if r.Reading == "" {
		return r.Name
	}
	return r.Name + " (" + r.Reading + ")"
}

func (l *Log) draw(op int) string { return fmt.Sprintf("[%s] %s", l.e.Ops[op].ID, l.e.Ops[op].Label) }

func (w *world) draw(ops []int) string {
	slices.Sort(ops)
	var texts []string
	for _, i := range slices.Compact(ops) {
		texts = append(texts, w.Log.draw(w.ops[i]))
	}
	return strings.Join(texts, " and ")
}
