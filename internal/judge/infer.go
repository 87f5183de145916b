package judge

import (
	"context"
	"fmt"
	"strings"

	"github.com/adtinfer/adtinfer/matching"
	"github.com/adtinfer/adtinfer/patterns"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// Options steer a judgement.
type Options struct {
	LongRuns int      // random sequences; none: no long runs
	Words    int      // without a difference a mutant is equivalent; default DefaultWords
	Notes    []string // what the reference's loader left out, and why
}

// Defaults of Options. Infer takes no default for LongRuns.
const (
	DefaultLongRuns = 64
	DefaultWords    = 100_000
)

// Infer infers the theory of a reference, as patterns.Infer does, and judges it.
// The theory's status says how.
//
// A theory that is wrong in longer runs makes the inference look further, and is
// a *Wrong error if that does not help. Mutants that differ within a few calls
// and are never rejected are a *Blind error, and a theory that says nothing is an
// *Empty one. If the inference is forced they are in the status instead.
func Infer(ctx context.Context, impl reference.Implementation, info reference.Info, o patterns.Options, j Options) (*theory.Theory, error) {
	var before *Wrong
	for try := 0; ; try++ {
		t, err := patterns.Infer(ctx, impl, info, o)
		if err != nil && before != nil && ctx.Err() == nil {
			return nil, before
		}
		if err != nil {
			return nil, err
		}
		wrong, err := j.judge(ctx, impl, info, t, o)
		if err != nil {
			return nil, err
		}
		if wrong == nil {
			return t, nil
		}
		if deeper, ok := deepened(o, impl, wrong); ok && try < 2 {
			before, o = wrong, deeper
			continue
		}
		if !o.Force {
			return nil, wrong
		}
		return t, nil
	}
}

// judge fills in the theory's status. Wrong is what long runs found out.
func (j Options) judge(ctx context.Context, impl reference.Implementation, info reference.Info, t *theory.Theory, o patterns.Options) (*Wrong, error) {
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	s := &t.Status
	s.NotCovered = append([]string{}, j.Notes...)
	if err := empty(t); err != nil && !o.Force {
		return nil, err
	} else if err != nil {
		s.Forced = true
	}
	if _, nondeterministic := impl.(reference.Acceptor); nondeterministic || t.Spec.Matching.Mode == theory.Past {
		return nil, nil
	}
	oracle, err := newOracle(t)
	if err != nil {
		return nil, err
	}
	r := &runner{newAlphabet(impl.Methods()), impl, oracle}
	if j.LongRuns > 0 {
		o.Progress(fmt.Sprintf("making %d long runs", j.LongRuns))
		var wrong *Wrong
		if s.LongRuns, wrong, err = r.longRuns(ctx, j.LongRuns); err != nil {
			return nil, err
		}
		if wrong != nil {
			s.Forced = true
			s.LongRuns.Witness = oneLine(wrong)
			return wrong, nil
		}
	}
	declared, err := patterns.Declare(impl, info)
	if err != nil {
		return nil, err
	}
	s.NotCovered = append(s.NotCovered, neverCame(declared.Spec.Methods, t.Spec.Methods)...)
	return nil, j.mutants(ctx, r, t, o)
}

func (j Options) mutants(ctx context.Context, r *runner, t *theory.Theory, o patterns.Options) (err error) {
	o.Progress("judging the specification by mutants of the reference")
	if j.Words == 0 {
		j.Words = DefaultWords
	}
	s := &t.Status
	if s.Mutants, err = r.mutants(ctx, j.Words); err != nil {
		return err
	}
	blind := &Blind{}
	for _, u := range s.Mutants.Unseen {
		if u.Immediate() {
			blind.Unseen = append(blind.Unseen, u)
		}
	}
	if len(blind.Unseen) == 0 {
		return nil
	}
	s.Forced = true
	if o.Force {
		return nil
	}
	return blind
}

// Blind is the error of a theory that does not see wrong versions of its
// reference that differ within a few calls.
type Blind struct{ Unseen []theory.Unseen }

func (b *Blind) Error() string {
	var s strings.Builder
	s.WriteString("this specification does not see that:")
	for _, u := range b.Unseen {
		fmt.Fprintf(&s, "\n  %s: %s", u.Name, u.Shows)
	}
	return s.String()
}

// Empty is the error of a theory that says nothing.
type Empty struct{ Why string }

func (e *Empty) Error() string { return "the specification says nothing: " + e.Why }

// empty is the error of a theory that says nothing, or nil.
func empty(t *theory.Theory) error {
	if len(t.Spec.Patterns) == 0 {
		return &Empty{"no execution is wrong that the language lets through"}
	}
	for i := range t.Spec.Patterns {
		for _, o := range t.Spec.Patterns[i].History.Ops {
			if !o.ReadOnly {
				return nil
			}
		}
	}
	return &Empty{"no operation changes what others answer"}
}

// deepened are options with which an inference looks as far as a difference is
// long, if that is affordable.
func deepened(o patterns.Options, impl reference.Implementation, w *Wrong) (patterns.Options, bool) {
	n := len(w.Execution)
	if o.Depth >= n || n > shortCalls+1 || shortOf(impl.Methods(), n) == nil {
		return o, false
	}
	if o.Checks == (matching.Budget{}) {
		o.Checks = matching.DefaultBudget
	}
	o.Depth = n
	o.Checks.MinLength = max(o.Checks.MinLength, n)
	o.Checks.MaxLength = max(o.Checks.MaxLength, n)
	return o, true
}

// neverCame says which outcomes the signatures allow and no execution had.
func neverCame(declared, observed []theory.Method) []string {
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
			if !known[string(x.Outcome)] {
				missing = append(missing, fmt.Sprintf("%s never answered %s: does it take a capacity or a state that no run reached?", d.Name, x.Outcome))
			}
		}
	}
	return missing
}

func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }
