package matching_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/examples/lock"
	"github.com/adtinfer/adtinfer/examples/queue"
	"github.com/adtinfer/adtinfer/examples/register"
	"github.com/adtinfer/adtinfer/examples/set"
	"github.com/adtinfer/adtinfer/examples/stack"
	"github.com/adtinfer/adtinfer/examples/worksteal"
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/internal/solver"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/matching"
	"github.com/adtinfer/adtinfer/patterns"
	"github.com/adtinfer/adtinfer/reference"
)

var specs = []reference.Spec{register.Spec, queue.Spec, stack.Spec, set.Spec, lock.Spec, worksteal.Spec}

// some leaves out the slower types unless tests may take long.
func some(specs []reference.Spec) []reference.Spec {
	if testsize.Long() {
		return specs
	}
	return specs[:3]
}

// With every annotation removed the examples come out with the same patterns.
func TestExamplesWithoutAnnotation(t *testing.T) {
	counts := map[string]int{"register": 4, "queue": 7, "stack": 7, "lock": 14, "worksteal": 24, "set": 15}
	for _, spec := range some(specs) {
		t.Run(spec.Name, func(t *testing.T) {
			drawings := func(info reference.Info) []string {
				impl, err := reference.Of(spec.New)
				if err != nil {
					t.Fatal(err)
				}
				defer impl.Close()
				th, err := patterns.Infer(context.Background(), impl, info, patterns.Options{CrossLength: 3})
				if err != nil {
					t.Fatal(err)
				}
				var ds []string
				for _, p := range th.Spec.Patterns {
					ds = append(ds, p.Drawing)
				}
				return ds
			}
			with, without := drawings(spec.Info()), drawings(reference.Info{Name: spec.Name})
			if diff := cmp.Diff(with, without); diff != "" || len(without) != counts[spec.Name] {
				t.Errorf("%d patterns, want %d (-with +without annotation):\n%s", len(without), counts[spec.Name], diff)
			}
		})
	}
}

// The scheme found is the one a person writes.
func TestSchemesRead(t *testing.T) {
	r, err := synthesize(t, queue.Spec.New, matching.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := []string{formula.String(r.Language[0].Formula), formula.String(r.Matching.ReadOnly)}
	for _, f := range r.Matching.Target {
		got = append(got, formula.String(f))
	}
	want := []string{
		"forall x:Op, y:Op. method(x) = add & method(y) = add & arg(x) = arg(y) -> x = y",
		"outcome(x) = nil",
		"method(y) = add & arg(y) = ret(x)",
		"x = y & (method(x) = add | outcome(x) = nil)",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// liar is a solver that says satisfiable whatever it is asked, with a model in
// which everything is true, or nothing.
type liar struct {
	vars  int
	truth bool
}

func (l *liar) NewVar() int       { l.vars++; return l.vars }
func (l *liar) Add(...int)        {}
func (l *liar) True(lit int) bool { return (lit > 0) == l.truth }
func (l *liar) Core() []int       { return nil }
func (l *liar) Solve(ctx context.Context, _ ...int) (solver.Result, error) {
	return solver.Sat, ctx.Err()
}

// Verification does not take a solver's word: a scheme that is no scheme is
// refused, however satisfied the constraints are said to be.
func TestVerificationCatchesALyingSolver(t *testing.T) {
	for _, truth := range []bool{false, true} {
		_, err := synthesize(t, queue.Spec.New, matching.Options{Solver: func() solver.Solver { return &liar{truth: truth} }})
		var none *matching.None
		if !errors.As(err, &none) || none.Failure.Err == nil {
			t.Errorf("truth %v: %v, want a refusal by verification", truth, err)
		}
	}
}

// A reference that compares values, and one that makes them up, are refused
// with the reason and without a search.
func TestReasonsAreShortAndTrue(t *testing.T) {
	for _, c := range []struct {
		new  any
		want string
	}{
		{func() *counter { return &counter{} }, "get returns a value that no operation passed in"},
		{func() *adder { return &adder{} }, "fetchAdd returns a value that no operation passed in"},
		{func() *sizedSet { return &sizedSet{} }, "size returns a value that no operation passed in"},
		{func() *priority { return &priority{} }, "add(1); add(2); min => 1 is admitted and add(2); add(1); min => 2 is not"},
	} {
		_, err := synthesize(t, c.new, matching.Options{})
		var none *matching.None
		if err == nil || !strings.Contains(err.Error(), c.want) || errors.As(err, &none) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

func TestSynthesisObeysTheContext(t *testing.T) {
	impl, err := reference.Of(func() *cas { return &cas{} })
	if err != nil {
		t.Fatal(err)
	}
	defer impl.Close()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var steps []string
	_, err = matching.Synthesize(ctx, impl, matching.Options{Progress: func(doing string) {
		if steps = append(steps, doing); len(steps) == 3 {
			cancel() // in the middle of the second language
		}
	}})
	if !errors.Is(err, context.Canceled) || len(steps) != 3 {
		t.Errorf("%v after %q", err, steps)
	}
}

// Synthesized schemes are verified to length 4 at least.
func TestVerifiedToLengthFour(t *testing.T) {
	for _, spec := range some(specs) {
		r, err := synthesize(t, spec.New, matching.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Stats.Faithful.Length < 4 || r.Stats.Normal.Length < 4 {
			t.Errorf("%s: %+v", spec.Name, r.Stats)
		}
	}
	if matching.DefaultBudget.MinLength < 4 {
		t.Error("the default budget checks less than length 4")
	}
}

// BenchmarkMatch synthesizes the scheme of each example: pairs a second.
func BenchmarkMatch(b *testing.B) {
	for _, spec := range specs {
		b.Run(spec.Name, func(b *testing.B) {
			var pairs int
			for b.Loop() {
				r, err := synthesize(b, spec.New, matching.Options{})
				if err != nil {
					b.Fatal(err)
				}
				pairs += r.Stats.Pairs
			}
			b.ReportMetric(float64(pairs)/b.Elapsed().Seconds(), "pairs/s")
		})
	}
}
