package verify_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/evidence"
	"github.com/adtinfer/adtinfer/evidence/verify"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/semantics/instance"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// attempts is how much evidence a test tries to get accepted, of a share of 10,000
// under ADTINFER_LONG, and of a million under ADTINFER_NIGHTLY.
func attempts(share int) int {
	switch {
	case testsize.Nightly():
		return 100 * share
	case testsize.Long():
		return share
	}
	return share / 6
}

// TestAttackViolations: no violation of a linearizable log is accepted. The
// attacker knows what each pattern asks for on each tuple of operations, and what
// the verifier accepted so far; it goes on from that until nothing new is
// accepted, and then supposes facts.
func TestAttackViolations(t *testing.T) {
	for _, v := range victims(t) {
		if v.theory == nil {
			continue
		}
		t.Run(v.Name, func(t *testing.T) {
			left := attempts(600)
			logs, facts := 0, 0
			for seed := uint64(0); left > 0; seed++ {
				r := rand.New(rand.NewPCG(seed, 5))
				e := v.linearizable(r)
				a := newAttacker(t, v.theory, e, r)
				a.attack(60)
				left -= a.tried
				logs, facts = logs+1, facts+len(a.steps)
			}
			t.Logf("%d logs, %d facts", logs, facts)
			if facts == 0 {
				t.Error("the attack got nowhere")
			}
		})
	}
}

// linearizable is a log, or its longest prefix that is linearizable, with its
// values renamed at times.
func (v *victim) linearizable(r *rand.Rand) *history.Execution {
	e := v.execution(r, r.IntN(2)*3)
	if at := v.Model.ShortestViolation(e); at > 0 {
		e = e.Prefix(at - 1)
	}
	if r.IntN(2) == 0 {
		rename(e, r)
	}
	return e
}

// names are values that look like numbers, words, outcomes, and what the verifier
// itself may take for something else.
var names = []history.Value{"1", "2", "3", "0", "-5", "007", "alice", "bob", "1048577", "-1048577", "3000000000", "1.5", "true", "nil",
	"empty", "(1)", "\"1\"", "\x000 0", "\x001 0", "\x002 0", " "}

// rename gives all values other names, each its own.
func rename(e *history.Execution, r *rand.Rand) {
	left := slices.Clone(names)
	r.Shuffle(len(left), func(i, j int) { left[i], left[j] = left[j], left[i] })
	to := map[history.Value]history.Value{}
	for i := range e.Ops {
		for _, vs := range []*[]history.Value{&e.Ops[i].Args, &e.Ops[i].Rets} {
			*vs = slices.Clone(*vs)
			for k, v := range *vs {
				if to[v] == "" {
					to[v], left = left[0], left[1:]
				}
				(*vs)[k] = to[v]
			}
		}
	}
}

// attacker wants a violation of a log accepted.
type attacker struct {
	*rand.Rand
	t     *testing.T
	th    *theory.Theory
	e     *history.Execution
	tries []clause
	steps []evidence.Step // accepted so far
	known map[evidence.Fact]bool
	tried int
	mute  bool // the theory does not speak of the log
}

// clause is a pattern on operations, and the facts under which they show it; nil
// if they never do, as far as the verifier's own helper knows.
type clause struct {
	by    string
	ops   []string
	needs []evidence.Fact
	never bool
}

func newAttacker(t *testing.T, th *theory.Theory, e *history.Execution, r *rand.Rand) *attacker {
	a := &attacker{Rand: r, t: t, th: th, e: e, known: map[evidence.Fact]bool{}}
	l, err := instance.New(t.Context(), th, e)
	if err != nil {
		t.Fatal(err)
	}
	for i := range th.Spec.Patterns {
		p := &th.Spec.Patterns[i]
		a.tuples(p.History.Ops, nil, func(ids []string) {
			needs, err := l.Needs(p.Name, ids)
			a.tries = append(a.tries, clause{p.Name, ids, needs, err != nil})
		})
	}
	for _, x := range th.Spec.Axioms {
		for i := range e.Ops {
			a.tries = append(a.tries, clause{x.Name, []string{e.Ops[i].ID}, nil, true})
		}
	}
	r.Shuffle(len(a.tries), func(i, j int) { a.tries[i], a.tries[j] = a.tries[j], a.tries[i] })
	return a
}

// tuples yields operations with the methods of a pattern's, and their outcomes if
// they have any.
func (a *attacker) tuples(places []history.Op, ids []string, yield func([]string)) {
	if len(ids) == len(places) {
		yield(slices.Clone(ids))
		return
	}
	p := &places[len(ids)]
	for i := range a.e.Ops {
		o := &a.e.Ops[i]
		if o.Method == p.Method && (!o.Completed() || o.Outcome == p.Outcome) && !slices.Contains(ids, o.ID) {
			a.tuples(places, append(slices.Clip(ids), o.ID), yield)
		}
	}
}

// attack tries about so many steps.
func (a *attacker) attack(most int) {
	steps, _ := a.propagate(a.steps, most)
	for a.steps = steps; a.tried < most && len(a.tries) > 0 && !(a.mute && a.tried > 10); {
		c := a.tries[a.IntN(len(a.tries))]
		a.submit(a.steps, evidence.Step{By: c.by, Ops: c.ops}) // whatever it needs
		if len(c.needs) == 0 {
			continue
		}
		f := c.needs[a.IntN(len(c.needs))]
		if a.known[f] || a.known[f.Opposite()] {
			continue
		}
		suppose := evidence.Step{Suppose: true, Fact: f}
		if !a.submit(a.steps, suppose) {
			continue
		}
		outside := a.known
		a.known = map[evidence.Fact]bool{f: true}
		for g := range outside {
			a.known[g] = true
		}
		inner, refuted := a.propagate(append(slices.Clip(a.steps), suppose), most)
		a.known = outside
		if refuted {
			a.known[f.Opposite()] = true
			a.steps = inner
		}
	}
}

// propagate adds what follows until nothing new does. refuted says that the
// innermost supposition came to a contradiction.
func (a *attacker) propagate(steps []evidence.Step, most int) (longer []evidence.Step, refuted bool) {
	for again := true; again && a.tried < most && !a.mute; {
		again = false
		for _, c := range a.tries {
			var open []evidence.Fact
			for _, f := range c.needs {
				if !a.known[f] {
					open = append(open, f)
				}
			}
			if c.never && a.IntN(20) > 0 || len(open) > 2 {
				continue
			}
			end := evidence.Step{By: c.by, Ops: c.ops}
			if a.submit(steps, end) {
				return append(steps, end), true
			}
			for _, f := range open {
				s := evidence.Step{Fact: f.Opposite(), By: c.by, Ops: c.ops}
				if !a.known[s.Fact] && a.submit(steps, s) {
					steps, again = append(slices.Clip(steps), s), true
					a.known[s.Fact] = true
				}
			}
		}
	}
	return steps, false
}

// submit has the verifier look at steps and one more, and reports whether that
// one follows.
func (a *attacker) submit(steps []evidence.Step, s evidence.Step) bool {
	a.tried++
	s.Line = 1000
	ev := &evidence.Evidence{Theory: a.th.Name, Log: evidence.Digest(a.e), Violation: true, Prefix: a.e.Events, Steps: append(slices.Clip(steps), s)}
	err := verify.Check(a.t.Context(), a.th, a.e, ev, nil)
	var wrong *verify.Wrong
	if !errors.As(err, &wrong) {
		a.t.Fatalf("a violation of a linearizable log: %v\n%+v\n%s", err, ev.Steps, historytest.Text(a.e))
	}
	follows := wrong.Line == 0 && strings.HasPrefix(wrong.Msg, "the derivation does not end")
	a.mute = a.mute || wrong.Line == 0 && !follows
	return follows
}
