package theories_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// sequence is a sequence of completed operations as a structure.
type sequence struct {
	labels   []history.Label
	match    []int // by operation
	readOnly []bool
}

func (s *sequence) Len() int                   { return len(s.labels) }
func (s *sequence) Label(i int) *history.Label { return &s.labels[i] }
func (s *sequence) Before(i, j int) bool       { return i < j }
func (s *sequence) Completed(i int) bool       { return true }
func (s *sequence) Match(i int) int            { return s.match[i] }
func (s *sequence) ReadOnly(i int) bool        { return s.readOnly[i] }

type test func(s formula.Structure, ops []int) bool

// evaluator evaluates a theory's formulas over sequences, by definition.
type evaluator struct {
	target   []test
	readOnly test
	axioms   map[string]test
}

func evaluate(t *theory.Theory) *evaluator {
	v := t.Vocabulary()
	prepare := func(f formula.Formula, free ...string) test { return formula.Compile(formula.Expand(f, v), free...) }
	ev := &evaluator{readOnly: prepare(t.Spec.Matching.ReadOnly, "x"), axioms: map[string]test{}}
	for _, f := range t.Spec.Matching.Target {
		ev.target = append(ev.target, prepare(f, "x", "y"))
	}
	for _, r := range t.Spec.Axioms {
		ev.axioms[r.Name] = prepare(r.Formula)
	}
	for i := range t.Spec.Patterns {
		p := &t.Spec.Patterns[i]
		ev.axioms[p.Name] = prepare(formula.Not{F: p.Formula})
	}
	return ev
}

// of is the sequence with the matching of the theory's scheme.
func (ev *evaluator) of(labels []history.Label) *sequence {
	s := &sequence{labels: labels}
	for x := range labels {
		s.readOnly = append(s.readOnly, ev.readOnly(s, []int{x}))
		s.match = append(s.match, ev.targetOf(s, x))
	}
	return s
}

func (ev *evaluator) targetOf(s *sequence, x int) int {
	for _, f := range ev.target {
		for y := range s.labels {
			if f(s, []int{x, y}) {
				return y
			}
		}
	}
	return history.Unmatched
}

func holds(s formula.Structure, tests map[string]test) bool {
	for _, f := range tests {
		if !f(s, nil) {
			return false
		}
	}
	return true
}

// labels parses labels: "add(1)", "remove => 1", "remove => nil". Outcomes are
// told from values by their length.
func labels(texts string) []history.Label {
	var ls []history.Label
	for _, text := range strings.Fields(texts) {
		var l history.Label
		call, result, _ := strings.Cut(text, "=>")
		l.Method, call, _ = strings.Cut(call, "(")
		if arg := strings.TrimSuffix(call, ")"); arg != "" {
			l.Args = []history.Value{history.Value(arg)}
		}
		switch {
		case result == "":
			l.Outcome = history.None
		case len(result) == 1:
			l.Outcome, l.Rets = history.Some, []history.Value{history.Value(result)}
		default:
			l.Outcome = history.Outcome(result)
		}
		ls = append(ls, l)
	}
	return ls
}

// each calls visit for all sequences of up to n labels, the empty one included.
// Where visit returns false, no longer ones follow.
func each(alphabet []history.Label, n int, visit func([]history.Label) bool) {
	seq := make([]history.Label, 0, n)
	var extend func()
	extend = func() {
		if !visit(seq) || len(seq) == n {
			return
		}
		for _, l := range alphabet {
			seq = append(seq, l)
			extend()
			seq = seq[:len(seq)-1]
		}
	}
	extend()
}

// counts of a comparison of a theory with a model.
type counts struct{ histories, admitted, tooMany, tooFew int }

func (c *counts) add(theory, model bool) {
	c.histories++
	switch {
	case theory && model:
		c.admitted++
	case theory:
		c.tooMany++
	case model:
		c.tooFew++
	}
}

func (c counts) String() string {
	return fmt.Sprintf("%d histories, %d admitted by both, %d by the theory alone, %d by the model alone",
		c.histories, c.admitted, c.tooMany, c.tooFew)
}

const (
	containerLabels = "add(1) add(2) add(3) remove=>1 remove=>2 remove=>3 remove=>nil"
	registerLabels  = "write(1) write(2) write(3) read=>1 read=>2 read=>3 read=>nil"
	setLabels       = "insert(1)=>nil insert(1)=>1 remove(1)=>nil remove(1)=>1 contains(1)=>nil contains(1)=>1 contains(1)=>2 " +
		"insert(2)=>nil insert(2)=>2 remove(2)=>nil remove(2)=>2 contains(2)=>nil contains(2)=>2"
	plainSetLabels = "add(1) remove(1) contains(1)=>true contains(1)=>false add(2) remove(2) contains(2)=>true contains(2)=>false"
	lockLabels     = "lock(1)=>nil lock(1)=>1 lock(1)=>2 lock(1)=>3 lock(2)=>nil lock(2)=>1 lock(2)=>2 lock(2)=>3 " +
		"lock(3)=>nil lock(3)=>1 lock(3)=>2 lock(3)=>3 unlock=>1 unlock=>2 unlock=>3 unlock=>nil"
	semaphoreLabels = "acquire(1) acquire(2) acquire(3) acquire(4) release(1) release(2) release(3) release(4)"
)

// container is a type under another name.
func container(name string, of historytest.Type) historytest.Type {
	of.Name = name
	return of
}

// TestSequences: each theory admits a sequence of its language exactly if the
// executable model does.
func TestSequences(t *testing.T) {
	for _, c := range []struct {
		of       historytest.Type
		alphabet string
		length   int
		want     counts
	}{
		{historytest.Lock(), lockLabels, 4, counts{21089, 125, 0, 0}},
		{historytest.Queue(), containerLabels, 5, counts{11700, 261, 0, 0}},
		{historytest.Queue(), containerLabels, 6, counts{64948, 490, 0, 0}},
		{historytest.Stack(), containerLabels, 5, counts{11700, 261, 0, 0}},
		{historytest.Stack(), containerLabels, 6, counts{64948, 490, 0, 0}},
		{container("priorityqueue", historytest.PriorityQueue()), containerLabels, 5, counts{11700, 261, 0, 0}},
		{container("priorityqueue", historytest.PriorityQueue()), containerLabels, 6, counts{64948, 490, 0, 0}},
		{container("bag", historytest.Bag()), containerLabels, 5, counts{11700, 393, 0, 0}},
		{container("bag", historytest.Bag()), containerLabels, 6, counts{64948, 796, 0, 0}},
		{historytest.Register(), registerLabels, 5, counts{11700, 261, 0, 0}},
		{historytest.Register(), registerLabels, 6, counts{64948, 490, 0, 0}},
		{historytest.Set(), setLabels, 4, counts{29045, 1511, 0, 0}},
		{historytest.PlainSet(), plainSetLabels, 5, counts{37449, 9331, 0, 0}},
		{historytest.Lock(), lockLabels, 5, counts{160353, 261, 0, 0}},
		{historytest.Semaphore(), semaphoreLabels, 5, counts{21477, 381, 0, 0}},
		{historytest.Semaphore(), semaphoreLabels, 6, counts{132709, 813, 0, 0}},
	} {
		t.Run(fmt.Sprint(c.of.Name, c.length), func(t *testing.T) {
			if c.length > 5 || c.of.Name == "lock" && c.length > 4 {
				testsize.NeedsLong(t)
			}
			t.Parallel()
			says, got := load(t, c.of.Name).Sequences(), counts{}
			each(labels(c.alphabet), c.length, func(ls []history.Label) bool {
				theory, inside, err := says.Admits(t.Context(), ls)
				if err != nil {
					t.Fatal(err)
				}
				if !inside { // the rules forbid things, so longer ones break them, too
					return false
				}
				model := c.of.Model.AdmitsAll(ls)
				if theory != model && got.tooFew+got.tooMany < 3 {
					t.Errorf("%v: theory %v, model %v", ls, theory, model)
				}
				got.add(theory, model)
				return true
			})
			t.Log("to length", c.length, got)
			if got != c.want {
				t.Errorf("got %#v", got)
			}
		})
	}
}

// TestBeyond: what a theory says beyond its language holds of all that the type
// admits, and is not empty: some of that is outside the language.
func TestBeyond(t *testing.T) {
	statements := 0
	for _, s := range types() {
		th := load(t, s.Name)
		outside := 0
		for seed := range uint64(1_000) {
			e := s.Execution(rand.New(rand.NewPCG(seed, 1)), 20, 1, 0)
			seq := &sequence{readOnly: make([]bool, len(e.Ops))}
			for i := range e.Ops {
				if e.Ops[i].Completed() {
					seq.labels, seq.match = append(seq.labels, e.Ops[i].Label), append(seq.match, history.Unmatched)
				}
			}
			for _, r := range th.Spec.Beyond {
				statements++
				if !formula.Eval(r.Formula, seq, map[string]int{}) {
					t.Fatalf("%s: not %s, seed %d:\n%s", s.Name, r.Reading, seed, historytest.Text(e))
				}
			}
			for _, r := range th.Spec.Language {
				if !formula.Eval(r.Formula, seq, map[string]int{}) {
					outside++
				}
			}
		}
		if len(th.Spec.Beyond) > 0 && outside < 100 {
			t.Errorf("%s: only %d sequences are outside the language", s.Name, outside)
		}
	}
	if statements == 0 {
		t.Error("no theory says anything beyond its language")
	}
}
