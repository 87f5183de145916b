package monitor

import (
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// needsRemove tells whether, by what a theory says of executions outside its
// language, no value is added twice with effect that is not removed: two adds
// are never admitted together with everything else that may be but its remove.
// Such a statement asks for a third operation, so that fewer do not help.
func (l *likeness) needsRemove(t *theory.Theory) bool {
	q := &sequence{}
	for _, v := range []history.Value{"1", "2"} {
		for _, m := range t.Spec.Methods {
			for _, o := range m.Outcomes {
				k := kindReader{Kind: history.Kind{Method: m.Name, Outcome: o.Outcome}, args: m.Args, rets: o.Rets}
				letter := l.cast[k.Kind]
				switch {
				case letter == adds.letter && v == "1":
					q.labels = append(q.labels, k.label(v, v), k.label(v, v))
				case letter != removes.letter || v != "1":
					q.labels = append(q.labels, k.label(v, v))
				}
			}
		}
	}
	q.target, q.readOnly = make([]int, len(q.labels)), make([]bool, len(q.labels))
	for i := range t.Spec.Beyond {
		if _, ok := t.Spec.Beyond[i].Statement(t.Vocabulary()); !ok {
			continue
		}
		f := formula.Expand(t.Spec.Beyond[i].Formula, t.Vocabulary())
		if plan, err := formula.Prepare(f); err == nil && plan.LabelsOnly() && !formula.Compile(f)(q, nil) {
			return true
		}
	}
	return false
}
