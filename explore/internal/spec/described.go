package spec

import (
	"context"
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/semantics"
	"github.com/adtinfer/adtinfer/internal/semantics/configurations"
	"github.com/adtinfer/adtinfer/theory"
)

// Of is a theory: its product or automaton, or what its patterns say of
// sequences, until the context ends. The labels of the calls may have other names that the
// theory knows.
func Of(ctx context.Context, t *theory.Theory, list *List, a *Answers) (Spec, error) {
	who := "theory " + t.Name
	if err := exploring(t); err != nil {
		return nil, err
	}
	sig, err := t.Signature(nil)
	if err != nil {
		return nil, err
	}
	f, err := fit(list, sig, who)
	if err != nil {
		return nil, err
	}
	labels := f.labels
	f.mayPanic()
	m := configurations.Searched(&t.Spec)
	if m == nil {
		return tableOf(sequencesOf(ctx, t, list, labels), f, a), nil
	}
	for i := range labels {
		if err := m.Refuses(&labels[i]); err != nil {
			return nil, fmt.Errorf("%s: call %s: %w", who, labels[i], err)
		}
	}
	d := &described{states: newStates(m.Init()), values: labels, base: m}
	d.model = m.For(history.Sequential(labels...))
	s := tableOf(d, f, a)
	if slices.ContainsFunc(list.Methods, func(own history.MethodSig) bool {
		m, _ := sig.Method(own.Name)
		return d.model.Free(m.Name)
	}) {
		s = tableOf(openDescribed{d}, f, a)
	}
	return mayFail(s, labels, a, history.Kinds(t.Spec.MayFail), sig.Methods())
}

// exploring says why a theory is no specification of a data type for explorations.
func exploring(t *theory.Theory) error {
	if t.Spec.Width > 1 {
		return fmt.Errorf("theory %s is about operations that overlap (width %d): an exploration needs one of operations one after the other", t.Name, t.Spec.Width)
	}
	if t.Spec.Headline() == theory.ByModel {
		return fmt.Errorf("theory: %w", t.Spec.Model.NoPatterns(t.Name, "an exploration", "explore with the reference itself instead"))
	}
	return nil
}

// states numbers the states of a model; the first is number 0.
type states struct{ semantics.Numbers }

func newStates(start semantics.State) (s states) {
	s.Of(start)
	return s
}

func (*states) start() int32 { return 0 }

// described is an automaton or a product of them.
type described struct {
	states
	base   semantics.Machine
	model  semantics.Machine // with the values that it knows
	values []history.Label   // that have these values
}

func (d *described) ways(state int32, call *history.Label) (ways []way, err error) {
	from := d.All[state]
	for _, l := range d.model.Answers(from, call) {
		next, ok := d.model.Step(from, &l)
		if ok {
			ways = append(ways, way{Answer{l.Outcome, l.Rets}, d.Of(next)})
		}
	}
	if f, ok := d.model.(wgl.Failing); ok {
		err = f.Err()
	}
	return ways, err
}

func (d *described) text(state int32) string { return d.model.Text(d.All[state]) }

// openDescribed is one whose calls may answer any value.
type openDescribed struct{ *described }

func (d openDescribed) learn(v history.Value) bool {
	if slices.ContainsFunc(d.values, func(l history.Label) bool { return slices.Contains(l.Args, v) || slices.Contains(l.Rets, v) }) {
		return false
	}
	d.values = append(d.values, history.Label{Kind: d.values[0].Kind, Rets: []history.Value{v}})
	d.model = d.base.For(history.Sequential(d.values...))
	return true
}
