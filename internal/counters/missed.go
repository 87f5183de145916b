package counters

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/teacher"
	"github.com/adtinfer/adtinfer/internal/words"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// How many sequences Missed looks at.
const (
	right     = 400
	wrongs    = 4 // made of each
	wordCalls = 10
)

// Missed looks for a sequence about which a theory's control and patterns together are
// wrong: the reference does not have it and they admit it, or the other way round. It
// tries short random sequences of new values, and those with something changed. Nil:
// there is none. Refused: the reference has it.
func Missed(ctx context.Context, impl reference.Implementation, t *theory.Theory) (w []history.Label, refused bool, err error) {
	f := &finder{impl: impl, teacher: teacher.New(impl), methods: impl.Methods()}
	alone := *t
	alone.Spec.Control = nil
	patterns := alone.Sequences()
	for i := range uint64(right) {
		g := words.New(f.methods, 1<<52+i)
		w, values := g.Random(1+g.IntN(wordCalls)), 0
		asked := make([]teacher.Call, len(w))
		for j, c := range w {
			asked[j].Method = c.Method
			for p := range c.Args {
				k := values
				if d := f.methods[c.Method].ArgDomain[p]; d > 0 {
					k %= d
				}
				values++
				asked[j].Args = append(asked[j].Args, f.teacher.Value(c.Method, p, k+1))
			}
		}
		runs, err := f.ask(ctx, [][]teacher.Call{asked})
		if err != nil {
			return nil, false, err
		}
		all := [][]history.Label{runs[0].labels()}
		for range wrongs * min(1, len(all[0])) {
			all = append(all, spoiled(g.Rand, t.Spec.Control.Automaton, all[0]))
		}
		for _, w := range all {
			admits, covers, err := together(ctx, t.Spec.Control, patterns, w)
			if err != nil {
				return nil, false, err
			}
			if !covers {
				continue
			}
			if has, err := f.has(ctx, w); err != nil || has != admits {
				return w, has, err
			}
		}
	}
	return nil, false, nil
}

// labels are those of the calls that returned.
func (r run) labels() (ls []history.Label) {
	for i := range r {
		if !r[i].waits() {
			ls = append(ls, r[i].label)
		}
	}
	return ls
}

// has reports whether the reference answers so.
func (f *finder) has(ctx context.Context, w []history.Label) (bool, error) {
	calls := make([]teacher.Call, len(w))
	for i, l := range w {
		calls[i] = teacher.Call{Method: slices.IndexFunc(f.methods, func(m reference.Method) bool { return m.Name == l.Method }), Args: l.Args}
	}
	answers, err := f.teacher.Ask(ctx, [][]teacher.Call{calls})
	if err != nil {
		return false, err
	}
	return !answers[0].Blocks && slices.EqualFunc(answers[0].Labels, w, func(a, b history.Label) bool {
		return a.Kind == b.Kind && slices.Equal(a.Rets, b.Rets)
	}), nil
}

// together reports what control and patterns say of a sequence; not covered: it is
// outside of the patterns' language.
func together(ctx context.Context, c *theory.Control, patterns *theory.Sequences, w []history.Label) (admits, covers bool, err error) {
	s, ok := c.Automaton.Start(), true
	var visible []history.Label
	for i := range w {
		if ok {
			s, ok = c.Automaton.Step(s, &w[i])
		}
		if !slices.Contains(c.Hidden, w[i].Kind) {
			visible = append(visible, w[i])
		}
	}
	admits, covers, err = patterns.Admits(ctx, visible)
	return admits && ok, covers, err
}

// spoiled is a sequence with something changed.
func spoiled(r *rand.Rand, a *automata.Automaton, w []history.Label) []history.Label {
	w = slices.Clone(w)
	i := r.IntN(len(w))
	switch j := r.IntN(len(w)); r.IntN(4) {
	case 0:
		return slices.Delete(w, i, i+1)
	case 1:
		w[i], w[j] = w[j], w[i]
	case 2: // two answer what the other did
		for w[j].Method != w[i].Method {
			j = (j + 1) % len(w)
		}
		w[i].Kind, w[j].Kind = w[j].Kind, w[i].Kind
		w[i].Rets, w[j].Rets = w[j].Rets, w[i].Rets
	default:
		m := a.Methods[slices.IndexFunc(a.Methods, func(m history.MethodSig) bool { return m.Name == w[i].Method })]
		o := m.Outcomes[r.IntN(len(m.Outcomes))]
		w[i].Outcome, w[i].Rets = o.Outcome, nil
		for range o.Rets {
			v := history.Value("new")
			if from := w[r.IntN(len(w))]; len(from.Args) > 0 {
				v = from.Args[0]
			}
			w[i].Rets = append(w[i].Rets, v)
		}
	}
	return w
}
