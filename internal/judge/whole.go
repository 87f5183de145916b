package judge

import (
	"context"
	"fmt"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/words"
	"github.com/adtinfer/adtinfer/patterns"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// Whole judges a theory by its description that covers all executions, as Infer
// judges one by patterns. The error is a *Wrong or a *Blind one.
func Whole(ctx context.Context, impl reference.Implementation, info reference.Info, t *theory.Theory, o patterns.Options, j Options) error {
	o.Force = false
	wrong, err := j.judge(ctx, impl, info, o, t)
	if err == nil && wrong != nil {
		err = wrong
	}
	if err != nil {
		return err
	}
	return relax(t, impl, info, false)
}

// whole is a product, an automaton, or counters. It decides all sequences.
type whole struct{ sequences *theory.Sequences }

func wholeOf(t *theory.Theory) *whole {
	if t.Spec.Product == nil && t.Spec.Automaton == nil {
		return nil
	}
	bare := *t
	bare.Spec.Patterns, bare.Spec.Axioms, bare.Spec.Beyond, bare.Spec.Language, bare.Spec.Model = nil, nil, nil, nil, nil
	bare.Spec.Matching = theory.Matching{}
	return &whole{bare.Sequences()}
}

func (w *whole) says(ctx context.Context, labels []history.Label) (verdict, []string, error) {
	admits, covers, err := w.sequences.Admits(ctx, labels)
	switch {
	case err != nil:
		return 0, nil, err
	case !covers:
		return outside, []string{"the language of a part"}, nil
	case !admits:
		return violation, nil, nil
	}
	return admitted, nil, nil
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
func Agree(ctx context.Context, impl reference.Implementation, t *theory.Theory, j Options) error {
	w := wholeOf(t)
	bare := *t
	bare.Spec.Product, bare.Spec.Automaton, bare.Spec.Model = nil, nil, nil
	p, err := ofPatterns(&bare)
	if w == nil || err != nil {
		return err
	}
	r := &runner{newLabeler(impl.Methods(), true), impl, p}
	tried := words.Long(r.methods, 0, min(j.LongRuns, agreeingLong))
	for seed := range uint64(agreeing) {
		g := words.New(r.methods, 1<<34+seed)
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
			g := words.New(r.methods, 1<<35+uint64(len(tried)+i))
			if err := r.agree(ctx, w, &traces[i], g); err != nil {
				return err
			}
		}
		tried = tried[n:]
	}
	return nil
}

// agree compares what is said of a run, and of one with a wrong answer.
func (r *runner) agree(ctx context.Context, w *whole, t *trace, g *words.Generator) error {
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
