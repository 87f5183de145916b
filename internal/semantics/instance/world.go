package instance

import (
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
)

// taking is an operation that takes effect with an outcome; with any of its
// method if it has none here.
type taking struct {
	op      int
	outcome history.Outcome
}

// world is some operations with labels that they may have. It is a
// formula.Structure without order and matching.
type world struct {
	*Log
	ops    []int
	labels []history.Label
}

func (w *world) Len() int                   { return len(w.labels) }
func (w *world) Label(i int) *history.Label { return &w.labels[i] }
func (w *world) Before(int, int) bool       { return false }
func (w *world) Match(int) int              { return history.Unmatched }
func (w *world) ReadOnly(int) bool          { return false }
func (w *world) Completed(int) bool         { return true }

// tier is the first formula of the matching that makes y a target of x, or -1.
func (w *world) tier(x, y int) int {
	env := map[string]int{"x": slices.Index(w.ops, x), "y": slices.Index(w.ops, y)}
	return slices.IndexFunc(w.targets, func(f formula.Formula) bool { return formula.Eval(f, w, env) })
}

func (w *world) reads(x int) bool {
	return formula.Eval(w.readOnly, w, map[string]int{"x": slices.Index(w.ops, x)})
}

// possible reports whether operations may take effect so that a condition holds. What
// formulas say depends on which values are equal alone: those of the operations,
// and one of its own for each value that one may return. The condition must not keep the
// world, which changes.
func (l *Log) possible(condition func(w *world) bool, takings ...taking) bool {
	var values []history.Value
	for _, t := range takings {
		o := &l.e.Ops[t.op]
		values = append(values, o.Args...)
		values = append(values, o.Rets...)
		most := 0
		for _, out := range l.outcomes[o.Method] {
			if !o.Completed() {
				most = max(most, out.Rets)
			}
		}
		for i := range most {
			values = append(values, history.Value(l.fresh+strconv.Itoa(t.op)+" "+strconv.Itoa(i)))
		}
	}
	slices.Sort(values)
	return (&world{Log: l}).extend(takings, slices.Compact(values), condition)
}

// extend tries all labels of the operations left.
func (w *world) extend(left []taking, values []history.Value, condition func(w *world) bool) bool {
	if len(left) == 0 {
		return condition(w)
	}
	t, o := left[0], &w.e.Ops[left[0].op]
	if slices.Contains(w.ops, t.op) {
		return w.extend(left[1:], values, condition)
	}
	if o.Completed() {
		return w.by(o.Label, left, values, condition)
	}
	for _, out := range w.outcomes[o.Method] {
		if t.outcome != "" && t.outcome != out.Outcome {
			continue
		}
		label := o.Label
		label.Outcome = out.Outcome
		if w.returning(label, out.Rets, left, values, condition) {
			return true
		}
	}
	return false
}

// returning tries all tuples of n more values that the label may return, which
// may be very many; it is true once the context has ended.
func (w *world) returning(label history.Label, n int, left []taking, values []history.Value, condition func(w *world) bool) bool {
	if w.ctx.Err() != nil {
		return true
	}
	if n == 0 {
		return w.with(label, left, values, condition)
	}
	last := len(label.Rets)
	label.Rets = append(slices.Clone(label.Rets), "")
	return slices.ContainsFunc(values, func(v history.Value) bool {
		label.Rets[last] = v
		return w.returning(label, n-1, left, values, condition)
	})
}

// with goes on with what the first operation left may answer, if no axiom refuses
// that. What an operation did answer is not refused: if it breaks an axiom, that
// is the violation, and no pattern is.
func (w *world) with(label history.Label, left []taking, values []history.Value, condition func(w *world) bool) bool {
	for _, a := range w.axioms {
		if !formula.Eval(a, (&world{Log: w.Log}).longer(left[0].op, label), nil) {
			return false
		}
	}
	return w.by(label, left, values, condition)
}

// by is extend with a label for the first operation left.
func (w *world) by(label history.Label, left []taking, values []history.Value, condition func(w *world) bool) bool {
	n := len(w.ops)
	w.ops, w.labels = append(w.ops, left[0].op), append(w.labels, label)
	found := w.extend(left[1:], values, condition)
	w.ops, w.labels = w.ops[:n], w.labels[:n]
	return found
}

func (w *world) longer(op int, label history.Label) *world {
	return &world{w.Log, append(slices.Clone(w.ops), op), append(slices.Clone(w.labels), label)}
}
