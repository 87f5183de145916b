package judge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/matching"
	"github.com/adtinfer/adtinfer/patterns"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// Options steer a judgement.
type Options struct {
	LongRuns int      // random sequences; none: no long runs
	Words    int      // without a difference a mutant is equivalent; default DefaultWords
	Skipped  []string // methods that are no operations, and why; sentences
	Lineup   *Lineup  // the reference's mutants, if they were made for another description; nil: they are made

	// Told are executions that told other descriptions from the reference; only their
	// calls matter.
	Told [][]history.Label
}

// Defaults of Options. Infer takes no default for LongRuns.
const (
	DefaultLongRuns = 64
	DefaultWords    = 20_000
)

// immediate is within how many calls a mutant differs that users would expect a
// theory to see.
const immediate = 5

// Infer infers the theory of a reference, as patterns.Infer does, and judges it.
// The theory's status says how.
//
// A theory that is wrong in longer runs makes the inference look further, and is
// a *Wrong error if that does not help. Mutants that differ within a few calls
// and are never rejected are a *Blind error, and a theory that says nothing is an
// *Empty one. If the inference is forced they are in the status instead.
//
// A nondeterministic reference (reference.Acceptor) cannot be replayed, and a
// theory whose matching looks at the past cannot be checked: such theories are
// not judged.
func Infer(ctx context.Context, impl reference.Implementation, info reference.Info, o patterns.Options, j Options) (*theory.Theory, error) {
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	best, wrong, err := j.inferOnce(ctx, impl, info, o)
	for try := 0; wrong != nil && try < 2; try++ {
		deeper, ok := deepened(o, impl, best, wrong)
		if !ok {
			break
		}
		t, w, failed := j.inferOnce(ctx, impl, info, deeper)
		if ctx.Err() != nil {
			return nil, failed
		}
		if failed != nil && !isBlind(failed) {
			break // the difference says more
		}
		best, wrong, err, o = t, w, failed, deeper
	}
	switch {
	case err != nil:
		return nil, err
	case wrong != nil && !o.Force:
		return nil, wrong
	}
	if err := relax(best, impl, info, o.Force); err != nil {
		return nil, err
	}
	return best, nil
}

// relax has the theory say what may fail, now that it was judged by what the
// reference does.
func relax(t *theory.Theory, impl reference.Implementation, info reference.Info, force bool) error {
	declared, err := patterns.Declare(impl, info)
	if err == nil {
		err = Relax(t, declared.Spec.Methods, info.MayFail)
	}
	var says *Empty
	if force && errors.As(err, &says) {
		return nil
	}
	return err
}

// inferOnce infers a theory and judges it; wrong is what long runs found out.
func (j Options) inferOnce(ctx context.Context, impl reference.Implementation, info reference.Info,
	o patterns.Options) (t *theory.Theory, wrong *Wrong, err error) {
	if t, err = patterns.Infer(ctx, impl, info, o); err != nil {
		return nil, nil, err
	}
	if wrong, err = j.judge(ctx, impl, info, o, t); err != nil && !isBlind(err) {
		t = nil
	}
	return t, wrong, err
}

func isBlind(err error) bool {
	var blind *Blind
	return errors.As(err, &blind)
}

// Stands reports whether Infer would let a theory that patterns.Infer made of the
// reference stand. False may also mean that the context ended.
func Stands(ctx context.Context, impl reference.Implementation, info reference.Info, t *theory.Theory, j Options) bool {
	wrong, err := j.judge(ctx, impl, info, patterns.Options{Progress: func(string) {}}, t)
	return wrong == nil && err == nil
}

// judge judges a theory and writes into its status how it does; wrong is what long
// runs found out.
func (j Options) judge(ctx context.Context, impl reference.Implementation, info reference.Info,
	o patterns.Options, t *theory.Theory) (wrong *Wrong, err error) {
	s := &t.Status
	for _, m := range j.Skipped {
		s.NotCovered = append(s.NotCovered, line(m))
	}
	if err := empty(t); err != nil {
		if s.Forced = true; !o.Force {
			return nil, err
		}
	}
	if why := notJudged(impl, t); why != "" {
		s.NotCovered = append(s.NotCovered, why)
		return nil, nil
	}
	oracle, err := newOracle(t)
	if err != nil {
		return nil, err
	}
	if j.Lineup == nil {
		j.Lineup = NewLineup(impl)
	}
	r := &runner{newLabeler(impl.Methods(), oracle.whole != nil), j.Lineup.asked, oracle}
	if wrong, err = j.longRuns(ctx, r, s, o); err != nil || wrong != nil && !o.Force {
		return wrong, err
	}
	if err := j.telling(ctx, r, s, o); err != nil {
		return nil, err
	}
	declared, err := patterns.Declare(impl, info)
	if err != nil {
		return nil, err
	}
	s.NotCovered = append(s.NotCovered, neverCame(declared.Spec.Methods, t.Spec.Methods)...)
	return wrong, j.mutants(ctx, r, t, o)
}

// notJudged says why a theory cannot be judged; empty if it can.
func notJudged(impl reference.Implementation, t *theory.Theory) string {
	switch _, nondeterministic := impl.(reference.Acceptor); {
	case nondeterministic:
		return "long runs and wrong versions were not tried: the reference is nondeterministic, so it cannot be replayed"
	case t.Spec.Matching.Past:
		return "long runs and wrong versions were not tried: a theory whose matching looks at the past cannot be checked"
	}
	return ""
}

// longRuns writes into the status how the theory does in long runs. Wrong is the
// difference, if there is one.
func (j Options) longRuns(ctx context.Context, r *runner, s *theory.Status, o patterns.Options) (wrong *Wrong, err error) {
	if j.LongRuns == 0 {
		return nil, nil
	}
	o.Progress(fmt.Sprintf("checking the specification on %d long runs", j.LongRuns))
	s.LongRuns, wrong, err = r.longRuns(ctx, j.LongRuns)
	if wrong == nil && err == nil {
		wrong, err = r.falsified(ctx, j.Told)
	}
	switch {
	case o.Force && brokeDown(err):
		s.Forced, s.LongRuns = true, &theory.LongRuns{Sequences: j.LongRuns, Witness: line(err.Error())}
		return nil, nil
	case wrong != nil:
		s.Forced, s.LongRuns.Witness = true, line(wrong.describe())
	}
	return wrong, err
}

// telling is an error if the theory is wrong where values mean something: to look further
// with values that do not would not help. If the theory is forced its status says so.
func (j Options) telling(ctx context.Context, r *runner, s *theory.Status, o patterns.Options) error {
	if j.LongRuns == 0 {
		return nil
	}
	wrong, err := r.telling(ctx, j.Lineup.ask)
	switch {
	case brokeDown(err):
		s.NotCovered = append(s.NotCovered, "values that the reference may look into were not tried: "+line(err.Error()))
		return nil
	case wrong != nil && o.Force:
		s.Forced, s.NotCovered = true, append(s.NotCovered, "what the reference does where it looks into values: "+line(wrong.describe()))
		return nil
	case wrong != nil:
		return wrong
	}
	return err
}

// brokeDown reports whether an error is what the reference itself did.
func brokeDown(err error) bool {
	var fault *reference.Fault
	return errors.As(err, &fault)
}

// mutants writes into the status how the theory does on mutants. Unless forced,
// those that it should see and does not are a *Blind error.
func (j Options) mutants(ctx context.Context, r *runner, t *theory.Theory, o patterns.Options) (err error) {
	o.Progress("checking the specification against mutants of the reference")
	s := &t.Status
	if s.Mutants, err = r.mutants(ctx, j.Lineup, cmp.Or(j.Words, DefaultWords)); o.Force && brokeDown(err) {
		s.Forced, s.NotCovered = true, append(s.NotCovered, "wrong versions were not tried: "+line(err.Error()))
		return nil
	}
	if err != nil {
		return err
	}
	blind := &Blind{Language: t.Spec.Language}
	for _, u := range s.Mutants.Unseen {
		if u.Calls <= immediate {
			blind.Unseen = append(blind.Unseen, u)
		}
	}
	if len(blind.Unseen) == 0 {
		return nil
	}
	if s.Forced = true; o.Force {
		return nil
	}
	return blind
}

// deepened are options with which an inference looks as far as a difference is
// long, if that is affordable.
func deepened(o patterns.Options, impl reference.Implementation, t *theory.Theory, w *Wrong) (patterns.Options, bool) {
	n := len(w.Execution)
	if o.Depth >= n || n > shortCalls+1 || !teacher.Affordable(impl.Methods(), n) {
		return o, false
	}
	if o.Checks == (matching.Budget{}) {
		o.Checks = matching.DefaultBudget
	}
	o.Depth = n
	o.Checks.MaxLength = max(o.Checks.MaxLength, n)
	o.Checks.Executions *= 4
	if w.Missed {
		o.MinWeight = max(o.MinWeight, len(t.Status.Weights)+1)
	}
	return o, true
}

// neverCame says which outcomes the signatures allow and no execution had.
func neverCame(declared, observed []history.MethodSig) []string {
	var missing []string
	for _, d := range declared {
		known := map[string]bool{}
		for _, m := range observed {
			for _, x := range m.Outcomes {
				if m.Name == d.Name {
					known[string(x.Outcome)] = true
				}
			}
		}
		if len(known) == 0 {
			missing = append(missing, d.Name+" never returned")
			continue
		}
		for _, x := range d.Outcomes {
			if !known[string(x.Outcome)] && x.Error == "" && (x.Outcome != history.Error || !slices.ContainsFunc(slices.Collect(maps.Keys(known)), wording.IsError)) {
				missing = append(missing, fmt.Sprintf("%s never answered %s: is there a capacity, or another state that no run reached?", d.Name, x.Outcome))
			}
		}
	}
	return missing
}
