package clauses_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/clauses"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// TestSequences reads clauses word by word on random sequences, and compares with
// the data type: what shows a clause is no sequence of it, whether the clause is a
// pattern's or follows from others, and all others are.
func TestSequences(t *testing.T) {
	n := testsize.Samples(2_000)
	for _, s := range historytest.Subjects() {
		t.Run(s.Path, func(t *testing.T) {
			rules, err := clauses.Compile(s.Theory(t))
			if err != nil {
				t.Fatal(err)
			}
			wrong, right := 0, 0
			for seed := range n {
				r := rand.New(rand.NewPCG(seed, 41))
				e := s.Random(r, 7)
				labels := sequence(e, r)
				if rules.Validate(history.Sequential(labels...)) != nil {
					continue
				}
				want := s.Model.AdmitsAll(labels)
				if want {
					right++
				} else {
					wrong++
				}
				if by, shown := broken(rules, labels); shown == want {
					historytest.Fatal(t, history.Sequential(labels...), "seed %d: the model says %v, and the clauses %q", seed, want, by)
				}
			}
			if wrong < int(n)/20 || right < int(n)/20 {
				t.Errorf("too one-sided a sample: %d right, %d wrong", right, wrong)
			}
		})
	}
}

// sequence is the labels of the completed operations of an execution, as they take
// effect or in any order.
func sequence(e *history.Execution, r *rand.Rand) (labels []history.Label) {
	for i := range e.Ops {
		if e.Ops[i].Completed() {
			labels = append(labels, e.Ops[i].Label)
		}
	}
	if r.IntN(4) == 0 {
		r.Shuffle(len(labels), func(i, j int) { labels[i], labels[j] = labels[j], labels[i] })
	}
	return labels
}

// group is a match: the places of its operations in a sequence.
type group struct {
	key  string
	kind map[int][]int
	ops  []int
}

// broken names what a sequence of labels shows: an axiom about one label, a
// pattern of an operation without its target, or a clause.
func broken(r *clauses.Rules, labels []history.Label) (by []string, shown bool) {
	matches := map[string]*group{} // by target and key
	kinds := make([]*clauses.Kind, len(labels))
	for i := range labels {
		l := &labels[i]
		m, _ := r.Method(l.Method, l.Args)
		kinds[i], _ = r.Kind(m, l.Outcome, l.Rets)
		k := kinds[i]
		for _, c := range k.Claims {
			if !c.Holds.Of(l.Args, l.Rets) {
				return []string{r.Axioms[c.Axiom]}, true
			}
		}
		name := k.Kind.String()
		key := clauses.KeyOf(k.Key, l.Args, l.Rets)
		switch {
		case k.Role == clauses.Unmatched || k.Role == clauses.Self && k.Joiners == 0:
			key = string(rune('0' + i))
		case k.Role != clauses.Self:
			name = r.Kinds[k.Target].Kind.String()
		}
		name += " " + key
		if matches[name] == nil {
			matches[name] = &group{key: key, kind: map[int][]int{}}
		}
		g := matches[name]
		g.ops, g.kind[k.Index] = append(g.ops, i), append(g.kind[k.Index], i)
	}
	for _, g := range matches {
		for k := range g.kind {
			if kd := &r.Kinds[k]; kd.Role == clauses.Other && len(g.kind[kd.Target]) == 0 {
				return []string{r.Names[kd.WithoutTarget]}, true
			}
		}
	}
	for c := range r.Clauses {
		for _, a := range matches {
			for _, b := range matches {
				if shows(r, &r.Clauses[c], []*group{a, b}) {
					return r.PatternsOf(int32(c)), true
				}
			}
		}
	}
	return nil, false
}

// shows reports whether matches show a clause: they have its shapes, and some
// operations stand in its positions.
func shows(r *clauses.Rules, cl *clauses.Clause, groups []*group) bool {
	if len(cl.Shapes) == 2 && (groups[0] == groups[1] || !cl.Applies(groups[0].key, groups[1].key)) {
		return false
	}
	for g, s := range cl.Shapes {
		var writers clauses.Kinds
		for k := range groups[g].kind {
			if !r.Kinds[k].ReadOnly && k != r.Shapes[s].Target {
				writers |= 1 << k
			}
		}
		if len(groups[g].kind[r.Shapes[s].Target]) == 0 || writers != r.Shapes[s].Writers {
			return false
		}
	}
	var fill func(ops []int) bool
	fill = func(ops []int) bool {
		if len(ops) == len(cl.Positions) {
			return true
		}
		p := cl.Positions[len(ops)]
		return slices.ContainsFunc(groups[p.Group].kind[p.Kind], func(o int) bool {
			return !slices.ContainsFunc(p.After, func(i int) bool { return ops[i] >= o }) && fill(append(ops[:len(ops):len(ops)], o))
		})
	}
	return fill(nil)
}

// TestUnsupported: theories outside the fragment are refused, with the reason.
func TestUnsupported(t *testing.T) {
	for path, want := range map[string]string{
		"theories/plainset":       "axiom include: it says more than labels do, nor about the order of operations of one or two matches",
		"theories/semaphore":      "axiom limit: it is not about the label of one operation, nor about the order",
		"theories/exchanger":      "its width: it is 2",
		"check/testdata/hashmap":  "operations match loadOrStore => nil by different arguments",
		"check/testdata/presence": "online => false has several ways to match, or no value that tells how",
	} {
		_, err := clauses.Compile(historytest.Theory(t, path+".theory.yaml"))
		if !errors.As(err, new(*clauses.Unsupported)) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
	th := historytest.Theory(t, "theories/set.theory.yaml")
	odd, err := formula.Parse("forall c:Op. method(c) = contains & outcome(c) = nil -> exists a:Op. match(c) = a & before(a, c)", th.Vocabulary())
	if err != nil {
		t.Fatal(err)
	}
	th.Spec.Axioms = append(th.Spec.Axioms, theory.Rule{Name: "odd", Formula: odd})
	if _, err := clauses.Compile(th); err == nil || !strings.Contains(err.Error(), "whether contains => nil has another match target depends on what is to come") {
		t.Errorf("an axiom about operations without a target: %v", err)
	}
}

// TestSameAs: the names of patterns make no difference, anything else does.
func TestSameAs(t *testing.T) {
	of := func(name string, change func(*theory.Theory)) *clauses.Rules {
		th := historytest.Example(t, name)
		change(th)
		r, err := clauses.OfPatterns(th)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	queue := of("queue", func(*theory.Theory) {})
	if !queue.SameAs(of("queue", func(th *theory.Theory) { th.Spec.Patterns[0].Name = "another" })) {
		t.Error("the name of a pattern makes a difference")
	}
	if queue.SameAs(of("stack", func(*theory.Theory) {})) {
		t.Error("a queue is taken for a stack")
	}
	twice := of("queue", func(th *theory.Theory) { th.Spec.Patterns = append(th.Spec.Patterns, th.Spec.Patterns[0]) })
	if !queue.SameAs(twice) || !twice.SameAs(queue) {
		t.Error("a pattern that is there twice makes a difference")
	}
}

// TestBreaches: without the operations that Breaches lists an execution is in the
// language, with any one of them again it is not.
func TestBreaches(t *testing.T) {
	rules, err := clauses.Compile(historytest.Example(t, "queue"))
	if err != nil {
		t.Fatal(err)
	}
	reusing, found := historytest.Queue().Reusing(3), 0
	for seed := range uint64(200) {
		e := reusing.Execution(rand.New(rand.NewPCG(seed, 43)), 8, 3, 0)
		breaches, err := rules.Breaches(e)
		if err != nil {
			t.Fatal(err)
		}
		found += len(breaches)
		var outside *clauses.LanguageError
		if err := rules.Validate(e); errors.As(err, &outside) != (len(breaches) > 0) || outside != nil && outside.B != breaches[0] {
			historytest.Fatal(t, e, "%v, and breaches %v", err, breaches)
		}
		less := *e
		less.Ops = nil
		for i := range e.Ops {
			if !slices.Contains(breaches, i) {
				less.Ops = append(less.Ops, e.Ops[i])
			}
		}
		if err := rules.Validate(&less); err != nil {
			historytest.Fatal(t, e, "without %v: %v", breaches, err)
		}
	}
	if found == 0 {
		t.Error("no values were used again")
	}
	e := history.Sequential(history.Label{Kind: history.Kind{Method: "ad", Outcome: history.None}})
	var label *clauses.LabelError
	if _, err := rules.Breaches(e); !errors.As(err, &label) || label.Op != 0 {
		t.Errorf("an unknown method: %v", err)
	}
}
