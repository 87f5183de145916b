package describe_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/describe"
	"github.com/adtinfer/adtinfer/describe/internal/judge"
	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver"
	"github.com/adtinfer/adtinfer/internal/testing/golden"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/matching"
	"github.com/adtinfer/adtinfer/patterns"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// TestLoop infers theories of random small types that deviate from what they look like,
// and compares what is said of right and wrong logs by them with what the types do.
func TestLoop(t *testing.T) { loops(t, 1001, 5, 40, 10_000, sizes) }

// TestLoopLarge is TestLoop for types with a size that no search for small automata reaches:
// they are told from small ones.
func TestLoopLarge(t *testing.T) { loops(t, 1, 1, 10, 2_000, largeSizes) }

// loops looks at few types in plain runs; each takes seconds.
func loops(t *testing.T, first, few, n, nightly uint64, sizes []int) {
	n = max(few, testsize.Samples(n))
	if testsize.Nightly() {
		n = nightly
	}
	from, to, _ := shared(t, first, n)
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	var all tally
	for seed := from; seed < to; seed++ {
		all.add(t, loop(t, seed, sizes))
	}
	t.Logf("%d types: %s", to-from, &all)
}

// TestLoopAgain runs types on which the loop failed once: parts that were right and a whole that was not, an
// answer never seen while other calls had not returned, and an error that no refusal had a word for.
func TestLoopAgain(t *testing.T) {
	if !testsize.Long() {
		t.Skip("takes seconds")
	}
	for _, seed := range []uint64{9356, 9450, 9765} {
		loop(t, seed, sizes)
	}
	for _, seed := range []uint64{187, 227} { // where a call leads follows no rule; the first call waits
		loop(t, seed, largeSizes)
	}
}

// shared are the seeds that a test looks at: so many from one on, or FROM-TO of ADTINFER_LOOP, to repeat or
// share the work.
func shared(t *testing.T, first, n uint64) (from, to uint64, given bool) {
	s, given := os.LookupEnv("ADTINFER_LOOP")
	if !given {
		return first, first + n, false
	}
	a, b, _ := strings.Cut(s, "-")
	from, err := strconv.ParseUint(a, 10, 64)
	to, bad := strconv.ParseUint(b, 10, 64)
	if err := errors.Join(err, bad); err != nil {
		t.Fatal(err)
	}
	return from, to, true
}

// tally counts logs, and types by what describes them.
type tally struct {
	logs, violations, undecided, refused int
	by                                   map[string]int
}

func (a *tally) add(_ *testing.T, b tally) {
	a.logs, a.violations, a.undecided, a.refused = a.logs+b.logs, a.violations+b.violations, a.undecided+b.undecided, a.refused+b.refused
	if a.by == nil {
		a.by = map[string]int{}
	}
	for k, n := range b.by {
		a.by[k] += n
	}
}

func (a *tally) String() string {
	return fmt.Sprintf("%d logs, %d violations, %d undecided; %d refused; %v", a.logs, a.violations, a.undecided, a.refused, a.by)
}

// The loop looks for small descriptions with little effort: whatever is found must be right.
const fewLocations, fewCalls = 12, 300_000

// asked are the descriptions that are looked for, in turn: all, which costs as much as the
// others together, or one.
var asked = []theory.Description{"", theory.ByProduct, theory.ByAutomaton, theory.ByCounters, theory.ByPatterns}

// loop is the loop for one type of one of the sizes.
func loop(t *testing.T, seed uint64, sizes []int) (sum tally) {
	r := rand.New(rand.NewPCG(seed, 40))
	shapes := shapes
	if sizes[0] == largeSizes[0] {
		shapes = slices.DeleteFunc(slices.Clone(shapes), func(s shape) bool { return !slices.Contains(sizedShapes, s.name) })
	}
	s := shapes[r.IntN(len(shapes))]
	size := sizes[r.IntN(len(sizes))]
	ds := drawn(r, len(s.spec(size, nil).Operations))
	spec := s.spec(size, ds)
	fail := func(format string, args ...any) {
		t.Errorf("seed %d: %s of size %d, %v: %s", seed, s.name, size, ds, fmt.Sprintf(format, args...))
	}
	impl, err := reference.New(spec)
	if err != nil {
		fail("%v", err)
		return sum
	}
	defer impl.Close()
	start := time.Now()
	progress := func(string) {}
	if os.Getenv("ADTINFER_LOOP_TRACE") != "" {
		progress = func(doing string) { fmt.Println("   ", time.Since(start).Round(time.Millisecond), doing) }
	}
	if os.Getenv("ADTINFER_LOOP") != "" {
		fmt.Printf("seed %d: %s %d %v\n", seed, s.name, size, ds)
	}
	o := describe.Options{Patterns: patterns.Options{Progress: progress, Calls: fewCalls}, Locations: fewLocations, Judge: &judge.Options{LongRuns: 16, Words: 2_000}}
	if size >= largeSizes[0] {
		o.Sizes, o.Sized = []int{size}, func(_ context.Context, _, n int) (reference.Implementation, error) {
			return reference.New(s.spec(n, ds))
		}
	}
	if o.As = asked[seed%uint64(len(asked))]; o.As == "" {
		o.Model = itself
	}
	th, err := describe.Infer(t.Context(), impl, reference.Info{Name: s.name}, o)
	if err != nil {
		if !isRefusal(err) {
			fail("%v", err)
		}
		sum.refused++
		if os.Getenv("ADTINFER_LOOP") != "" {
			t.Logf("seed %d: %s %d %v refused: %v", seed, s.name, size, ds, err)
		}
		return sum
	}
	took := time.Since(start)
	l := &closedLoop{T: t, impl: impl, fail: fail, theory: th, large: size >= largeSizes[0]}
	if l.checker, err = check.New(th, check.Options{Reference: impl}); err != nil {
		fail("%v", err)
		return sum
	}
	bare := *th
	bare.Spec.Model = nil
	if th.Spec.Headline() != theory.ByModel {
		if l.alone, err = check.New(&bare, check.Options{}); err != nil {
			fail("alone: %v", err)
			return sum
		}
	}
	l.sequences(r)
	l.concurrent(r, spec)
	l.by = map[string]int{descriptions(th): 1}
	if os.Getenv("ADTINFER_LOOP") != "" {
		t.Logf("seed %d: %s %d %v: %s, %v", seed, s.name, size, ds, descriptions(th), took.Round(10*time.Millisecond))
	}
	if l.violations == 0 {
		fail("no violation in %d logs", l.logs)
	}
	return l.tally
}

// isRefusal reports whether an error says that nothing describes a type, that an operation of
// it always waits, or that what stands beside false or an error shows too late in it.
func isRefusal(err error) bool {
	var unfit *describe.Unfit
	var fault *reference.Fault
	var unsupported *matching.Unsupported
	var late *matching.Late
	return errors.As(err, &unsupported) || errors.As(err, &late) || describe.Fails(err) || errors.As(err, &unfit) || errors.As(err, &fault) && fault.Reason == driver.Drops
}

// descriptions are what a theory has.
func descriptions(th *theory.Theory) string {
	var all []string
	for by, has := range map[string]bool{"patterns": len(th.Spec.Patterns) > 0, "product": th.Spec.Product != nil, "automaton": th.Spec.Automaton != nil && len(th.Spec.Automaton.Counters) == 0,
		"counters": th.Spec.Automaton != nil && len(th.Spec.Automaton.Counters) > 0, "control": th.Spec.Control != nil} {
		if has {
			all = append(all, by)
		}
	}
	slices.Sort(all)
	if len(all) == 0 {
		return "model"
	}
	return strings.Join(all, "+")
}

// closedLoop compares a theory with the type that it was inferred of.
type closedLoop struct {
	*testing.T
	tally
	impl           reference.Implementation
	theory         *theory.Theory
	checker, alone *check.Checker // alone: without the reference, if there is a description
	fail           func(format string, args ...any)
	large          bool // its size takes longer sequences
}

// sequences are logs of one process, right ones and with one answer that is another.
func (l *closedLoop) sequences(r *rand.Rand) {
	texts := teacher.Texts{Methods: l.impl.Methods(), Small: r.IntN(2) == 0}
	var all [][]teacher.Call
	for range 40 {
		g := teacher.NewGenerator(l.impl.Methods(), r.Uint64())
		w := g.Random(2 + g.IntN(40))
		if g.IntN(2) == 0 {
			w = g.Phases(2 + g.IntN(70))
		}
		if methods := l.impl.Methods(); l.large && g.IntN(3) == 0 {
			w = g.Powers(g.IntN(len(methods)), 10+g.IntN(40), g.IntN(2) == 0)
		} else if l.large && g.IntN(3) == 0 {
			w = g.Phases(2 + g.IntN(400))
		}
		all = append(all, texts.Of(w))
	}
	all = append(all, l.otherwise(r)...)
	ask := teacher.New(l.impl)
	answers, err := ask.Ask(l.Context(), all)
	if err == nil {
		for i, w := range all {
			all[i] = texts.Fed(w, answers[i], nil, r)
		}
		answers, err = ask.Ask(l.Context(), all)
	}
	if err != nil {
		l.fail("%v", err)
		return
	}
	for _, a := range answers {
		l.decided(history.Sequential(a.Labels...), 0)
		for range 3 {
			if wrong, at := l.lie(r, a.Labels); at > 0 {
				l.decided(history.Sequential(wrong...), at)
			}
		}
	}
}

// otherwise are words with nil, and with values of several parts, as far as the theory
// speaks of them.
func (l *closedLoop) otherwise(r *rand.Rand) (all [][]teacher.Call) {
	methods := l.impl.Methods()
	nilable := func(m, p int) bool { text, ok := methods[m].Params[p].Nilable(); return ok && text != "" }
	for range 10 {
		all = append(all, teacher.Nil(methods, r.IntN(1000), nilable))
		if w := teacher.Shaped(methods, r.IntN(1000)); w != nil {
			all = append(all, w)
		}
	}
	return slices.DeleteFunc(all, func(w []teacher.Call) bool {
		return slices.ContainsFunc(w, func(c teacher.Call) bool { return refusesNil(l.theory, methods[c.Method].Name, c.Args) })
	})
}

// lie is a sequence with another answer in it, which is call number at.
func (l *closedLoop) lie(r *rand.Rand, right []history.Label) (wrong []history.Label, at int) {
	if len(right) == 0 {
		return nil, 0
	}
	i := r.IntN(len(right))
	wrong = slices.Clone(right[:i+1])
	m := l.impl.Methods()[slices.IndexFunc(l.impl.Methods(), func(m reference.Method) bool { return m.Name == right[i].Method })]
	var like []history.Label
	for _, x := range right[:i] {
		if x.Method == m.Name {
			like = append(like, x)
		}
	}
	switch o := m.Outcomes[r.IntN(len(m.Outcomes))]; {
	case len(like) > 0 && r.IntN(2) == 0:
		x := like[r.IntN(len(like))]
		wrong[i].Outcome, wrong[i].Rets = x.Outcome, x.Rets
	case o.Rets == 0:
		wrong[i].Outcome, wrong[i].Rets = o.Outcome, nil
	}
	if wrong[i].Outcome == right[i].Outcome && slices.Equal(wrong[i].Rets, right[i].Rets) {
		return nil, 0
	}
	return wrong, i + 1
}

// decided holds that an execution is decided, and a violation if call at is wrong.
func (l *closedLoop) decided(e *history.Execution, at int) {
	l.logs++
	for _, c := range []*check.Checker{l.checker, l.alone} {
		if c == nil {
			continue
		}
		ctx, cancel := context.WithTimeout(l.Context(), 10*time.Second)
		got, err := c.Check(ctx, e)
		cancel()
		alone := c == l.alone
		switch {
		case err != nil && (alone || at > 0) && refuses(err):
		case err != nil:
			l.fail("alone %t: %v\n%s", alone, err, historytest.Text(e))
		case got.Verdict == check.Inconclusive:
			l.undecided++
		case (got.Verdict == check.Violation) != (at > 0):
			l.fail("by %s, alone %t: %v, want violation %t\n%s", descriptions(l.theory), alone, got.Verdict, at > 0, historytest.Text(e))
		case got.Verdict == check.Violation && !alone:
			l.violations++
		}
	}
}

// refuses reports whether a description does not cover a log.
func refuses(err error) bool {
	var language *check.OutsideLanguage
	var label *check.UnknownLabel
	return errors.As(err, &language) || errors.As(err, &label)
}

// concurrent are logs of processes that overlap.
func (l *closedLoop) concurrent(r *rand.Rand, spec reference.Spec) {
	replayed, err := golden.Inside(l.Context(), spec)
	if err != nil {
		l.fail("%v", err)
		return
	}
	for i := range 40 {
		e, err := replayed.Execution(r, i%2 == 0)
		if err != nil {
			l.fail("%v", err)
			return
		}
		at, err := replayed.ShortestViolation(e)
		switch {
		case errors.Is(err, golden.ErrTooMany):
		case err != nil:
			l.fail("%v", err)
		default:
			l.decided(e, at)
		}
	}
}
