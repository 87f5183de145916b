package explore_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/explore"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

const (
	counter   = "policies/counter"
	stack     = "policies/stack"
	register  = "policies/register"
	combining = "policies/combining"
)

// directive is a package whose directives or code are changed, what comes out, and what the text
// has.
type directive struct {
	of    string
	name  string
	edits []string
	at    explore.Bounds
	want  explore.Verdict
	text  []string
}

const right = "; the algorithm is right (in "

var directiveTable = []directive{
	{counter, "as it is", nil, bounds(2, 2, 1), explore.Holds, []string{"linearizable by its linearization policy in every interleaving of 2"}},
	{counter, "three goroutines", nil, bounds(3, 1, 1), explore.Holds, nil},
	{stack, "as it is", nil, bounds(2, 2, 2), explore.Holds, nil},
	{register, "as it is", nil, bounds(2, 2, 2), explore.Holds, nil},
	{combining, "as it is", nil, bounds(2, 2, 1), explore.Holds, nil},
	{combining, "three goroutines", nil, bounds(3, 1, 1), explore.Holds, nil},
	{counter, "said before, and said again", []string{"n := c.n.Load()\n", "n := c.n.Load()\n\t//lin: get() = int(n)\n\tn = c.n.Load()\n"}, bounds(2, 2, 1), explore.Holds, nil},
	{register, "a goroutine that runs something else is not meant", []string{"r.mu.Unlock()", "r.mu.Unlock()\n\t//lin: read() = 7"}, bounds(2, 2, 2), explore.Holds, nil},

	{stack, "a panic takes effect when it comes", []string{"\t\t//lin: pop() = 0, false\n\t\treturn 0, false\n", "\t\tpanic(\"empty\")\n"}, bounds(2, 2, 2), explore.Holds, nil},
	{register, "a panic where it does not fit", []string{"\tv := int(", "\tif r.value.Load() == 1 && r.value.Load() == 0 {\n\t\tpanic(\"changed\")\n\t}\n\tv := int("}, bounds(2, 2, 2), explore.Violated, []string{"read => panic of goroutine", "fits no order"}},

	{counter, "no announcement", []string{"\t//lin: inc() = int(n)\n", ""}, bounds(2, 2, 1), explore.WrongPolicy,
		[]string{"the policy is wrong: inc => 1 of goroutine 1 returns, but was never announced" + right}},
	{counter, "twice", []string{"//lin: inc() = int(n)\n", "//lin: inc() = int(n)\n\t//lin: inc() = int(n)\n"}, bounds(2, 2, 1), explore.WrongPolicy,
		[]string{"inc => 1 of goroutine 1 is announced at counter.go:14, but inc => 1 took effect when it was announced at counter.go:13" + right}},
	{counter, "a wrong answer", []string{"get() = int(n)", "get() = int(n) + 1"}, bounds(2, 2, 1), explore.WrongPolicy,
		[]string{"get => 1 of goroutine 1 is announced at counter.go:19, where it cannot take effect" + right, "counter.go:19  (*Counter).Get  announces get => 1   <- get => 0 would fit"}},
	{counter, "another answer is returned", []string{"get() = int(n)\n", "get() = int(n)\n\tn = c.n.Load()\n"}, bounds(2, 1, 1), explore.WrongPolicy,
		[]string{"get => 1 of goroutine 1 returns, but get => 0 was announced at counter.go:19" + right, "get => 1   <- get => 0 was announced"}},
	{register, "too early", []string{"r.mu.Lock()\n", "r.mu.Lock() //lin: write(v)\n", "r.value.Store(int64(v)) //lin: write(v)", "r.value.Store(int64(v))"}, bounds(2, 1, 2), explore.WrongPolicy,
		[]string{"read => 0 of goroutine", "cannot take effect" + right, "announces write(1)"}},
	{register, "too late", []string{" //lin: write(v)\n\tr.mu.Unlock()", "\n\tr.mu.Unlock() //lin: write(v)"}, bounds(2, 1, 2), explore.WrongPolicy,
		[]string{"read => 0 would fit"}},
	{stack, "another's arguments", []string{"push(v)\n", "push(v + 1)\n"}, bounds(2, 1, 1), explore.WrongPolicy,
		[]string{"the policy is wrong: push is announced with other arguments than those it was called with, at stack.go:21" + right}},
	{combining, "nobody owns it", []string{"\t//lin: own r\n", ""}, bounds(2, 2, 1), explore.WrongPolicy,
		[]string{"an operation is announced for the owner of what nobody owns, at combining.go:34" + right}},
	{combining, "a wrong answer of a partner", []string{"c.n for o", "c.n + 1 for o"}, bounds(2, 2, 1), explore.WrongPolicy,
		[]string{"announces inc => 3 for goroutine 1   <- inc => 2 would fit"}},
	{combining, "the wrong partner", []string{"for o\n", "for r\n"}, bounds(2, 2, 1), explore.WrongPolicy,
		[]string{"is announced at combining.go:35, but inc => 1 took effect when it was announced at combining.go:29"}},
	{counter, "an invariant that does not hold", []string{"c.n.Load() >= 0", "c.n.Load() < 2"}, bounds(2, 1, 1), explore.WrongPolicy,
		[]string{"the policy is wrong: the invariant c.n.Load() < 2 does not hold, at counter.go:6" + right}},

	{counter, "the algorithm is wrong, and this run shows it", []string{"n := c.n.Add(1)", "n := c.n.Load() + 1\n\tc.n.Store(n)"}, bounds(2, 1, 1), explore.Violated,
		[]string{"not linearizable: inc => 1 of goroutine", "announces inc => 1", "history:"}},
	{counter, "the algorithm is wrong, and another run shows it", []string{"n := c.n.Add(1)", "n := c.n.Load() + 1\n\tc.n.Store(n)", "\treturn int(n)\n}\n\nfunc (c *Counter) Get", "\tc.n.Load()\n\treturn int(n)\n}\n\nfunc (c *Counter) Get"},
		bounds(2, 1, 1), explore.Violated, []string{"not linearizable: inc => 1 of goroutine"}},
	{stack, "a race", []string{"func (s *Stack) Pop() (int, bool) {\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n", "func (s *Stack) Pop() (int, bool) {\n"}, bounds(2, 1, 1), explore.Racy, []string{"data race"}},
	{register, "a deadlock", []string{"mu    sync", "other, mu sync", "r.mu.Lock()\n", "r.mu.Lock()\n\tr.other.Lock()\n\tdefer r.other.Unlock()\n", "\tv :=", "\tr.other.Lock()\n\tdefer r.other.Unlock()\n\tr.mu.Lock()\n\tdefer r.mu.Unlock()\n\tv :="}, bounds(2, 1, 1), explore.Deadlocked, []string{"waits forever for a lock"}},
}

// TestDirectives sees to it that what is right holds, and that what is wrong is told to be a fault of
// the policy or of the algorithm, with the place.
func TestDirectives(t *testing.T) {
	testsize.NeedsLong(t)
	t.Parallel()
	for _, d := range directiveTable {
		t.Run(filepath.Base(d.of)+" "+d.name, func(t *testing.T) {
			t.Parallel()
			dir := mutant{of: d.of, name: d.name, edits: d.edits}.write(t)
			o := explore.Options{Dir: dir, Bounds: d.at, Policy: true, Workers: 1}
			r := run(t, o, d.want, "")
			for _, text := range d.text {
				if !strings.Contains(r.Text(), text) {
					t.Errorf("the text has no %q:\n%s", text, r.Text())
				}
			}
			if c := r.Counterexample; c != nil {
				again, err := explore.Replay(t.Context(), o, c.Replay)
				if err != nil {
					t.Fatal(err)
				}
				if again.Verdict != r.Verdict || again.Counterexample.Text() != c.Text() {
					t.Errorf("%s repeats something else:\n%s", r.Text(), again.Text())
				}
			}
			o.Policy = false
			if plain, err := explore.Run(t.Context(), o); err != nil || (plain.Verdict == explore.Holds) != (d.want == explore.Holds || d.want == explore.WrongPolicy) {
				t.Errorf("without a policy: %v, %v", plain, err)
			}
		})
	}
}

// TestPolicyStates compares the states with a policy with those without one, and with those without a
// specification. It makes no difference whether directives are comments before a package is compiled or
// after that.
func TestPolicyStates(t *testing.T) {
	testsize.NeedsLong(t)
	t.Parallel()
	for _, of := range []string{counter, stack, register, combining, lazySet, flaggedCell} {
		o := explore.Options{Dir: folder(of), Bounds: bounds(2, 2, 2), Workers: 1}
		if of == flaggedCell {
			o.New = "New(1)"
		}
		plain, err := explore.PlainStates(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		sets := run(t, o, explore.Holds, "")
		after, err := explore.WithoutPolicy(t.Context(), o)
		if err != nil || after.Verdict != explore.Holds || after.States != sets.States || after.Steps != sets.Steps {
			t.Errorf("%s: %v, %v, but %d states when the directives are comments", of, after, err, sets.States)
		}
		o.Policy = true
		with := run(t, o, explore.Holds, "")
		t.Logf("%s: %d states, %d with sets of configurations, %d with a policy", of, plain, sets.States, with.States)
		if int64(plain) > min(sets.States, with.States) || with.States > 4*int64(plain) {
			t.Errorf("%s: %d states, %d with sets of configurations, %d with a policy", of, plain, sets.States, with.States)
		}
	}
}

// TestNoDirectives refuses a package that has none, and tells of those that are not looked at.
func TestNoDirectives(t *testing.T) {
	t.Parallel()
	_, err := explore.Run(t.Context(), explore.Options{Dir: folder("counter"), Policy: true})
	var refused *explore.Refused
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), "has no directives (//lin:)") {
		t.Error(err)
	}
	r := run(t, explore.Options{Dir: folder(counter), Bounds: bounds(2, 1, 1)}, explore.Holds, "")
	if !strings.Contains(strings.Join(r.Notes, "\n"), "--policy checks it") {
		t.Errorf("notes: %q", r.Notes)
	}
	r = run(t, explore.Options{Dir: folder("counter"), Bounds: bounds(2, 1, 1)}, explore.Holds, "")
	if strings.Contains(strings.Join(r.Notes, "\n"), "--policy") {
		t.Errorf("notes: %q", r.Notes)
	}
}

// TestPolicyMutantsOfMistakes makes mistakes in the code and in the directives.
func TestPolicyMutantsOfMistakes(t *testing.T) {
	t.Parallel()
	r, all, err := explore.Mutants(t.Context(), explore.Options{Dir: folder(combining), Bounds: bounds(2, 2, 1), Policy: true, Workers: 1})
	if err != nil || r.Verdict != explore.Holds {
		t.Fatal(r, err)
	}
	verdicts := map[explore.Verdict]int{}
	for _, m := range all {
		verdicts[m.Verdict]++
	}
	if verdicts[explore.WrongPolicy] < 3 || verdicts[explore.Violated] < 2 || verdicts[explore.Racy] == 0 {
		t.Errorf("%v of %d mutants", verdicts, len(all))
	}
}

// TestTheorem follows all runs that a policy accepts by sets of configurations, too: of packages, and of
// wrong versions of them.
func TestTheorem(t *testing.T) {
	testsize.NeedsLong(t)
	t.Parallel()
	for _, d := range directiveTable {
		o := explore.Options{Dir: mutant{of: d.of, name: d.name, edits: d.edits}.write(t), Bounds: d.at, Policy: true, Workers: 1}
		if ok, err := explore.Theorem(t.Context(), o); err != nil || ok != (d.want == explore.Holds) {
			t.Errorf("%s, %s: %v, %v", d.of, d.name, ok, err)
		}
	}
	for _, of := range []string{lazySet, treiberStack, combining, michaelScott, flaggedCell} {
		o := explore.Options{Dir: folder(of), Bounds: bounds(2, 2, 1), Policy: true, Workers: 1}
		if o.Type, o.New = constructor(of); of == flaggedCell {
			o.New = "New(1)"
		}
		all, hold, err := explore.TheoremMutants(t.Context(), o)
		if err != nil || all < 10 || hold > all/2 {
			t.Errorf("%s: %d mutants, of which %d hold, %v", of, all, hold, err)
		}
		t.Logf("%s: %d mutants, of which %d hold", of, all, hold)
	}
}
