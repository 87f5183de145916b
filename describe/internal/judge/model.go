package judge

import (
	"context"
	"slices"

	"github.com/adtinfer/adtinfer/describe/internal/refusal"
	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/origin"
	"github.com/adtinfer/adtinfer/internal/driver/states"
	"github.com/adtinfer/adtinfer/patterns"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// Bounds of what Model tries and shows.
const (
	modelRandom   = 500 // random sequences, and as many with telling values
	modelExamples = 3
	exampleCalls  = 12 // of an example
)

// Model is the theory that is the reference itself, with what calls of it show:
// all short sequences, random ones and long runs. Why says why there are no
// patterns. It is the reference's error if a short sequence breaks it; what breaks
// it later is said in the status.
func Model(ctx context.Context, impl reference.Implementation, info reference.Info, m origin.Model, why string, o Options) (*theory.Theory, error) {
	t, err := patterns.Declare(impl, info)
	if err != nil {
		return nil, err
	}
	_, nondeterministic := impl.(reference.Acceptor)
	trial := &origin.Trial{Why: line(why), Deterministic: !nondeterministic}
	t.Spec.Model, t.Spec.Language, t.Spec.Predicates, t.Spec.Matching = &m, nil, nil, theory.Matching{}
	t.Status = theory.Status{Trial: trial}
	for _, s := range o.Skipped {
		t.Status.NotCovered = append(t.Status.NotCovered, line(s))
	}
	if k, ok := impl.(states.Keeper); ok {
		if trial.States, err = kept(ctx, k); err != nil {
			return nil, err
		}
	}
	if nondeterministic {
		return t, nil // it answers nothing of itself
	}
	a := &attempts{runner: runner{newLabeler(impl.Methods(), false), impl, nil}, trial: trial, shortest: map[history.Kind]word{}}
	if err := a.short(ctx); err != nil {
		return nil, err
	}
	for _, try := range []func(context.Context) error{a.telling, func(ctx context.Context) error { return a.long(ctx, o.LongRuns) }} {
		switch err := try(ctx); {
		case brokeDown(err):
			t.Status.NotCovered = append(t.Status.NotCovered, line(err.Error()))
		case err != nil:
			return nil, err
		}
	}
	if err := a.show(ctx); err != nil {
		return nil, err
	}
	seen := a.seen()
	t.Status.NotCovered = append(t.Status.NotCovered, neverCame(t.Spec.Methods, seen)...)
	for i := range t.Spec.Methods {
		m := &t.Spec.Methods[i]
		m.Outcomes = slices.DeleteFunc(m.Outcomes, func(o history.OutcomeSig) bool {
			return slices.ContainsFunc(a.methods[i].Outcomes, func(r reference.OutcomeArity) bool { return r.Unseen && r.Outcome == o.Outcome }) &&
				!slices.ContainsFunc(seen[i].Outcomes, func(s history.OutcomeSig) bool { return s.Outcome == o.Outcome })
		})
	}
	for i, m := range seen { // signatures do not say which methods panic
		if n := len(m.Outcomes); n > 0 && m.Outcomes[n-1].Outcome == history.Panic {
			t.Spec.Methods[i].Outcomes = append(t.Spec.Methods[i].Outcomes, m.Outcomes[n-1])
		}
	}
	return t, nil
}

// kept says how a search keeps the states of a reference.
func kept(ctx context.Context, k states.Keeper) (*states.Kept, error) {
	space, err := k.States(ctx)
	if err != nil {
		return nil, err
	}
	defer space.Close()
	found := space.Kept()
	return &found, nil
}

// attempts are the sequences that were tried of a reference.
type attempts struct {
	runner
	trial    *origin.Trial
	shortest map[history.Kind]word // by the kind of its last call
	examples []shown               // the best first
}

// shown is a sequence that may be worth showing.
type shown struct {
	calls word
	kinds int // that it shows
}

// run runs words and remembers what they show.
func (a *attempts) run(ctx context.Context, words []word) error {
	traces, err := a.runner.run(ctx, words)
	if err != nil {
		return err
	}
	a.trial.Sequences += len(words)
	for _, t := range traces {
		a.trial.Calls += len(t.calls)
		kinds := map[history.Kind]bool{}
		for i, l := range t.labels {
			if was, ok := a.shortest[l.Kind]; !ok || i+1 < len(was) {
				a.shortest[l.Kind] = t.calls[:i+1]
			}
			kinds[l.Kind] = true
		}
		if n := len(t.calls); n > shortCalls && n <= exampleCalls {
			a.examples = append(a.examples, shown{t.calls, len(kinds)})
		}
	}
	return nil
}

// short tries all short words, and random ones.
func (a *attempts) short(ctx context.Context) error {
	for n := 1; n <= shortCalls; n++ {
		if err := a.run(ctx, teacher.Short(a.methods, n)); err != nil {
			return err
		}
	}
	random := make([]word, modelRandom)
	for i := range random {
		random[i] = teacher.NewGenerator(a.methods, 1<<33+uint64(i)).Random(exampleCalls)
	}
	return a.run(ctx, random)
}

// telling tries words with values that mean something to a reference that looks into them.
func (a *attempts) telling(ctx context.Context) error {
	all := make([]word, modelRandom)
	for i := range all {
		for _, c := range teacher.Telling(a.methods, i) {
			all[i] = append(all[i], reference.Call{Method: c.Method, Values: c.Args})
		}
	}
	return a.run(ctx, all)
}

// long tries long runs, and shortens what shows a kind for the first time.
func (a *attempts) long(ctx context.Context, n int) error {
	const chunk = 8
	for from := 0; from < n; from += chunk {
		if err := a.run(ctx, teacher.Long(a.methods, from, min(n, from+chunk))); err != nil {
			return inLongRun(err)
		}
	}
	for kind, w := range a.shortest {
		for size := len(w) / 2; size > 0 && len(w) > shortCalls; size /= 2 {
			for at := 0; at+size < len(w); {
				less := slices.Concat(w[:at], w[at+size:])
				switch traces, err := a.runner.run(ctx, []word{less}); {
				case err != nil:
					return inLongRun(err)
				case len(traces[0].labels) == len(less) && traces[0].labels[len(less)-1].Kind == kind:
					w = less
				default:
					at += size
				}
			}
		}
		a.shortest[kind] = w
	}
	return nil
}

// seen are the methods with the outcomes that came.
func (a *attempts) seen() (methods []history.MethodSig) {
	for i := range a.methods {
		m := history.MethodSig{Name: a.methods[i].Name}
		for _, o := range append(slices.Clip(a.methods[i].Outcomes), reference.OutcomeArity{OutcomeSig: history.OutcomeSig{Outcome: history.Panic}}) {
			if _, ok := a.shortest[history.Kind{Method: m.Name, Outcome: o.Outcome}]; ok {
				m.Outcomes = append(m.Outcomes, o.OutcomeSig)
			}
		}
		methods = append(methods, m)
	}
	return methods
}

// show writes the kinds and the examples into the status.
func (a *attempts) show(ctx context.Context) error {
	var words []word
	for _, m := range a.seen() {
		for _, o := range m.Outcomes {
			words = append(words, a.shortest[history.Kind{Method: m.Name, Outcome: o.Outcome}])
		}
	}
	kinds := len(words)
	slices.SortStableFunc(a.examples, func(x, y shown) int { return y.kinds - x.kinds })
	for _, e := range a.examples {
		words = append(words, e.calls)
	}
	answers, err := a.impl.Replay(ctx, words)
	if err != nil {
		return err
	}
	a.trial.Kinds, a.trial.Examples = []string{}, []string{}
	for i, w := range words {
		text := line(abridged(a.labels(w, answers[i]), func(k int) string { return refusal.DrawCall(a.methods, w[k], answers[i][k]) }))
		switch {
		case i < kinds:
			a.trial.Kinds = append(a.trial.Kinds, text)
		case len(a.trial.Examples) < modelExamples && !slices.Contains(a.trial.Examples, text):
			a.trial.Examples = append(a.trial.Examples, text)
		}
	}
	return nil
}
