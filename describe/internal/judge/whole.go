package judge

import (
	"context"
	"fmt"
	"slices"

	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/logs"
	"github.com/adtinfer/adtinfer/internal/semantics"
	"github.com/adtinfer/adtinfer/internal/semantics/configurations"
	"github.com/adtinfer/adtinfer/patterns"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// Whole judges a theory by its description that covers all executions, as Infer
// judges one by patterns. The error is a *Wrong or a *Blind one.
func Whole(ctx context.Context, impl reference.Implementation, info reference.Info, t *theory.Theory, o patterns.Options, j Options) error {
	o.Force = false
	if j.Lineup == nil {
		j.Lineup = NewLineup(impl)
	}
	wrong, err := j.judge(ctx, impl, info, o, t)
	if err == nil && wrong == nil {
		wrong, err = j.Lineup.pairs(ctx, t)
	}
	switch m := t.Status.Mutants; {
	case err != nil:
		return err
	case wrong != nil:
		return wrong
	case m != nil && m.Seen == 0:
		return &Empty{Why: "no wrong version of the reference answers otherwise than it in what was tried"}
	}
	return relax(t, impl, info, false)
}

// often is how often pairs calls a method.
const often = 300

// pairs holds a theory against the words that call one method often and then another:
// what grows without end shows in them.
func (l *Lineup) pairs(ctx context.Context, t *theory.Theory) (*Wrong, error) {
	o, err := newOracle(t)
	if err != nil {
		return nil, err
	}
	r := &runner{newLabeler(l.asked.Methods(), true), l.asked, o}
	for a := range r.methods {
		var tried []word
		for b := range r.methods {
			tried = append(tried, slices.Concat(r.repeat(a, often, false), r.repeat(b, often, false)))
		}
		traces, err := r.inside(ctx, tried)
		if err != nil {
			return nil, inLongRun(err)
		}
		for i := range traces {
			steps := stepsOf(traces[i].calls)
			if found, err := r.wrong(ctx, steps); err != nil {
				return nil, err
			} else if found != nil {
				return r.shrink(ctx, steps, found)
			}
		}
	}
	return nil, nil
}

// whole is a description beside patterns of the whole.
type whole interface {
	says(ctx context.Context, labels []history.Label) (verdict, []string, error)

	// breaches are the labels that lead outside the language of patterns.
	breaches(labels []history.Label) []int
}

// wholeOf is what a theory has beside patterns; nil if it has nothing.
func wholeOf(t *theory.Theory) (whole, error) {
	switch {
	case t.Spec.Control != nil:
		return controlledBy(t.Spec.Control, t)
	case t.Spec.Product == nil && t.Spec.Automaton == nil:
		return nil, nil
	}
	if m, err := configurations.Of(&t.Spec); err == nil {
		return &machine{Machine: m}, nil
	}
	part, err := newOracle(&theory.Theory{Name: t.Name, Spec: t.Spec.Product.Part})
	if err != nil {
		return nil, err
	}
	return &product{Product: t.Spec.Product, part: part}, nil
}

// machine is an automaton, or a product of them, of which there is one run at most. It
// remembers the last one: sequences often begin like the one before.
type machine struct {
	semantics.Machine
	labels []history.Label
	states []semantics.State // after each of the labels
}

// otherwise is the first label that the machine does not have; -1: there is none.
func (m *machine) otherwise(labels []history.Label) int {
	n := 0
	for n < min(len(labels), len(m.states)) && sameLabel(&labels[n], &m.labels[n]) {
		n++
	}
	m.labels, m.states = labels, m.states[:n]
	s := m.Init()
	if n > 0 {
		s = m.states[n-1]
	}
	for i := n; i < len(labels); i++ {
		next, ok := m.Step(s, &labels[i])
		if !ok {
			return i
		}
		s, m.states = next, append(m.states, next)
	}
	return -1
}

func sameLabel(a, b *history.Label) bool {
	return a.Kind == b.Kind && slices.Equal(a.Args, b.Args) && slices.Equal(a.Rets, b.Rets)
}

func (m *machine) says(_ context.Context, labels []history.Label) (verdict, []string, error) {
	if i := m.otherwise(labels); i >= 0 {
		return answeredOtherwise(i)
	}
	return admitted, nil, nil
}

func answeredOtherwise(i int) (verdict, []string, error) {
	return violation, []string{fmt.Sprintf("call %d is answered otherwise", i+1)}, nil
}

func (*machine) breaches([]history.Label) []int { return nil }

// controlled is patterns with a control automaton, or with guards.
type controlled struct {
	otherwise func([]history.Label) int // the first label that automaton or guards do not have; -1: there is none
	hidden    []history.Kind            // from the patterns
	patterns  *oracle
}

func controlledBy(c *theory.Control, t *theory.Theory) (*controlled, error) {
	w := &controlled{hidden: c.Hidden}
	if guards := configurations.GuardsOf(c); c.Guards && guards != nil {
		w.otherwise = func(labels []history.Label) int {
			return slices.IndexFunc(labels, func(l history.Label) bool { return !guards.Allows(&l) })
		}
	} else {
		m, err := configurations.Of(&theory.Spec{Automaton: c.Automaton})
		if err != nil {
			return nil, err
		}
		w.otherwise = (&machine{Machine: m}).otherwise
	}
	bare := *t
	bare.Spec.Control, bare.Spec.Model = nil, nil
	var err error
	w.patterns, err = ofPatterns(&bare)
	return w, err
}

func (w *controlled) says(ctx context.Context, labels []history.Label) (verdict, []string, error) {
	if i := w.otherwise(labels); i >= 0 {
		return answeredOtherwise(i)
	}
	shown, _ := w.shown(labels)
	return w.patterns.says(ctx, shown)
}

func (w *controlled) breaches(labels []history.Label) (found []int) {
	shown, at := w.shown(labels)
	for _, i := range w.patterns.breaches(shown) {
		found = append(found, at[i])
	}
	return found
}

// shown are the labels that are not hidden from patterns, and where they are.
func (w *controlled) shown(labels []history.Label) (shown []history.Label, at []int) {
	for i, l := range labels {
		if !slices.Contains(w.hidden, l.Kind) {
			shown, at = append(shown, l), append(at, i)
		}
	}
	return shown, at
}

// product has parts that are described by patterns.
type product struct {
	*theory.Product
	part *oracle         // of the operations of one key
	said map[string]said // what part says, by the text of the labels: many keys have the same operations
	free int             // bytes that said may still take
	text []byte          // room for one
}

// says is a violation if one part is, and else what the part says that is least sure.
func (w *product) says(ctx context.Context, labels []history.Label) (worst verdict, why []string, err error) {
	for _, p := range w.parts(labels) {
		v, by, err := w.ofPart(ctx, p.labels)
		if err != nil || v == violation {
			return v, by, err
		}
		if v > worst {
			worst, why = v, by
		}
	}
	return worst, why, nil
}

// said is what an oracle says.
type said struct {
	v  verdict
	by []string
}

// What is said of labels is remembered: mostSaid bytes, about, each time saidSize beside
// the text.
const mostSaid, saidSize = 32 << 20, 128

// ofPart is what the part says of the operations of a key.
func (w *product) ofPart(ctx context.Context, ofKey []history.Label) (verdict, []string, error) {
	w.text = w.text[:0]
	for i := range ofKey {
		w.text = logs.AppendKey(w.text, &ofKey[i])
	}
	if s, ok := w.said[string(w.text)]; ok {
		return s.v, s.by, nil
	}
	v, by, err := w.part.says(ctx, ofKey)
	if err != nil {
		return v, by, err
	}
	if w.free -= len(w.text) + saidSize; w.said == nil || w.free < 0 {
		w.said, w.free = map[string]said{}, mostSaid
	}
	w.said[string(w.text)] = said{v, by}
	return v, by, nil
}

func (w *product) breaches(labels []history.Label) (found []int) {
	for _, p := range w.parts(labels) {
		for _, i := range w.part.breaches(p.labels) {
			found = append(found, p.at[i])
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// A keyed is the operations of one key, and where they are in the whole.
type keyed struct {
	labels []history.Label
	at     []int
}

// parts are those of the operations, without sums.
func (w *product) parts(labels []history.Label) (all []*keyed) {
	byKey := map[history.Value]*keyed{}
	rest := &keyed{}
	for i, l := range labels {
		k := w.Of(l.Method)
		l, key, _ := k.Project(l)
		to := all
		if k.Role == theory.ByKey {
			if byKey[key] == nil {
				byKey[key] = &keyed{slices.Clone(rest.labels), slices.Clone(rest.at)}
				all = append(all, byKey[key])
			}
			to = []*keyed{byKey[key]}
		} else {
			to = append(to[:len(to):len(to)], rest)
		}
		for _, p := range to {
			p.labels, p.at = append(p.labels, l), append(p.at, i)
		}
	}
	return append(all, rest)
}

// agreeing is how many random sequences are compared by Agree, and long runs.
const (
	agreeing     = 2_000
	agreeingLong = 16
)

// Agree compares what the patterns of a theory say of random sequences, some of them
// with wrong answers, with what its other description says. The error is a *Wrong
// one if the reference shows that the patterns are wrong. If it shows that the other
// description is, or does not tell, it is another one.
func Agree(ctx context.Context, l *Lineup, t *theory.Theory) error {
	w, err := wholeOf(t)
	if w == nil || err != nil {
		return err
	}
	p, err := ofPatterns(t.Formulas())
	if err != nil {
		return err
	}
	r := &runner{newLabeler(l.asked.Methods(), true), l.asked, p}
	tried := teacher.Long(r.methods, 0, agreeingLong)
	for seed := range uint64(agreeing) {
		g := teacher.NewGenerator(r.methods, 1<<34+seed)
		tried = append(tried, g.Random(shortCalls+g.IntN(randomCalls-shortCalls+1)))
	}
	const chunk = 200
	for len(tried) > 0 {
		n := min(chunk, len(tried))
		traces, err := r.inside(ctx, tried[:n])
		if err != nil {
			return inLongRun(err)
		}
		for i := range traces {
			g := teacher.NewGenerator(r.methods, 1<<35+uint64(len(tried)+i))
			if err := r.agree(ctx, w, &traces[i], g); err != nil {
				return err
			}
		}
		tried = tried[n:]
	}
	return nil
}

// agree compares what is said of a run, and of one with a wrong answer.
func (r *runner) agree(ctx context.Context, w whole, t *trace, g *teacher.Generator) error {
	if k := r.oracle.most; len(t.calls) > k {
		t.calls, t.labels = t.calls[:k], t.labels[:k]
	}
	steps := stepsOf(t.calls)
	for _, s := range [][]step{steps, r.lying(g, t, steps)} {
		told, lie := r.told(s, t.labels[:min(len(s), len(t.labels))])
		if lie == noLie {
			continue
		}
		v, by, err := r.oracle.says(ctx, told)
		if err != nil {
			return err
		}
		u, _, err := w.says(ctx, told)
		switch {
		case err != nil:
			return err
		case v != admitted && v != violation || u == v:
		case (lie == honest) == (v == admitted):
			return fmt.Errorf("judge: the descriptions of %s contradict each other, and the reference, on %s", r.impl.Name(), Draw(told))
		case lie == honest:
			return &Wrong{Execution: told, Why: "the patterns exclude it: " + fmt.Sprint(by)}
		default:
			return &Wrong{Execution: told, Missed: true, At: lie, Instead: t.labels[lie].String()}
		}
	}
	return nil
}
