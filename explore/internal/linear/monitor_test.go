package linear

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/explore/internal/machine"
	"github.com/adtinfer/adtinfer/explore/internal/spec"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// twin is the monitor as the paper has it: rules M1 to M8 for one event after the other. Its
// observer is all states to which the operations that were announced may lead.
type twin struct {
	d       *datatype
	states  []string
	threads []runningMonitor
}

type runningMonitor struct {
	runs bool
	call int32
	lin  int
	rv   int32
}

func newTwin(d *datatype, threads int) *twin {
	return &twin{d, []string{""}, make([]runningMonitor, threads)}
}

// after lists the states after an operation.
func (w *twin) after(call, answer int32) (all []string) {
	for _, s := range w.states {
		for _, m := range w.d.moves(s, call) {
			if m.answer == answer && !slices.Contains(all, m.next) {
				all = append(all, m.next)
			}
		}
	}
	slices.Sort(all)
	return all
}

func (w *twin) call(t int, call int32) { w.threads[t] = runningMonitor{runs: true, call: call} }

func (w *twin) announce(t int, answer int32) (Rule, bool) {
	o := &w.threads[t]
	if !o.runs {
		return Idle, false
	}
	if o.lin == 2 {
		return Again, false
	}
	next := w.after(o.call, answer)
	if len(next) == 0 {
		return Misplaced, false
	}
	o.rv = answer
	if slices.Equal(next, w.states) {
		o.lin = 1
	} else {
		o.lin = 2
	}
	w.states = next
	return 0, true
}

func (w *twin) returns(t int, answer int32) (Rule, bool) {
	o := &w.threads[t]
	if o.lin == 0 {
		return Unannounced, false
	}
	if o.rv != answer {
		return Otherwise, false
	}
	*o = runningMonitor{}
	return 0, true
}

func (w *twin) mayWait(threads []int) bool {
	for _, t := range threads {
		o := w.threads[t]
		if !o.runs || o.lin != 0 {
			return false
		}
		if !slices.ContainsFunc(w.states, func(s string) bool { return len(w.d.moves(s, o.call)) == 0 }) {
			return false
		}
	}
	return true
}

// permute renames threads.
func (w *twin) permute(perm []uint8) {
	was := slices.Clone(w.threads)
	for i, t := range perm {
		w.threads[i] = was[t]
	}
}

// TestTwin makes random events, of which many are refused, and compares.
func TestTwin(t *testing.T) {
	refused := map[Rule]int{}
	for seed := range uint64(testsize.Samples(20000)) {
		r := rand.New(rand.NewPCG(seed, 1))
		d := types(r)
		threads := 1 + r.IntN(3)
		s, w := NewMonitor(OfSpec(d), threads), newTwin(d, threads)
		set := s.Start()
		for event := range 25 {
			th := r.IntN(threads)
			answer := r.Int32N(d.answers)
			o := w.threads[th]
			if answers, _ := s.observer.(*Specification).Answers(s.of(set)[0], o.call); r.IntN(10) > 0 && len(answers) > 0 {
				answer = answers[r.IntN(len(answers))]
			}
			var next int32
			var err error
			rule, ok := Rule(0), true
			switch {
			case !o.runs && r.IntN(20) > 0:
				call := r.Int32N(d.calls)
				next, err = s.Call(set, th, call)
				w.call(th, call)
			case !o.runs || r.IntN(3) > 0:
				next, err = s.Announce(set, th, answer)
				rule, ok = w.announce(th, answer)
			default:
				if o.lin > 0 && r.IntN(10) > 0 {
					answer = o.rv
				}
				next, err = s.Return(set, th, answer)
				rule, ok = w.returns(th, answer)
			}
			if err != nil || (next != NoState) != ok {
				t.Fatalf("seed %d, event %d: %d, %v, but the twin says %v", seed, event, next, err, ok)
			}
			if !ok {
				why := s.Refusal()
				if why.Rule != rule || why.Thread != th || why.Answer != answer {
					t.Fatalf("seed %d, event %d: refused by %v, not by rule %d", seed, event, why, rule)
				}
				refused[rule]++
				break
			}
			set = next
			perm := permutation(r, threads)
			set = s.Permute(set, perm)
			w.permute(perm)
			waiting := r.Perm(threads)[:r.IntN(threads+1)]
			if may, err := s.MayWait(set, waiting); err != nil || may != w.mayWait(waiting) {
				t.Fatalf("seed %d, event %d: %v may wait: %v, %v", seed, event, waiting, may, err)
			}
		}
	}
	for rule := Misplaced; rule <= Otherwise; rule++ {
		if refused[rule] == 0 {
			t.Errorf("rule %d refused nothing", rule)
		}
	}
}

func permutation(r *rand.Rand, n int) (perm []uint8) {
	for _, i := range r.Perm(n) {
		perm = append(perm, uint8(i))
	}
	return perm
}

// TestTheorem holds runs that the monitor accepts against sets of configurations: their histories are
// linearizable.
func TestTheorem(t *testing.T) {
	returned := 0
	for seed := range uint64(testsize.Samples(20000)) {
		r := rand.New(rand.NewPCG(seed, 2))
		d := types(r)
		threads := 1 + r.IntN(3)
		s, l := NewMonitor(OfSpec(d), threads), New(d, threads)
		set, history := s.Start(), l.Start()
		for range 25 {
			th := r.IntN(threads)
			own := s.of(set)[1+perThread*th:]
			announced, _ := answerOf(own[1])
			var next int32
			switch {
			case own[0] == 0:
				call := r.Int32N(d.calls)
				next, _ = s.Call(set, th, call)
				history, _ = l.Call(history, th, call)
			case r.IntN(2) == 0:
				next, _ = s.Announce(set, th, r.Int32N(d.answers))
			default:
				answer := r.Int32N(d.answers)
				if announced >= 0 && r.IntN(4) > 0 {
					answer = announced
				}
				if next, _ = s.Return(set, th, answer); next == NoState {
					break
				}
				returned++
				if history, _ = l.Return(history, th, answer); history == None {
					t.Fatalf("seed %d: the monitor accepts a run that is not linearizable", seed)
				}
			}
			if next != NoState {
				set = next
			}
		}
	}
	if returned < 1000 {
		t.Errorf("only %d operations returned", returned)
	}
}

// TestMonitorKeep saves and loads states, which have the same numbers then.
func TestMonitorKeep(t *testing.T) {
	for seed := range uint64(testsize.Samples(500)) {
		r := rand.New(rand.NewPCG(seed, 3))
		d := types(r)
		s := NewMonitor(OfSpec(d), 2)
		walk(s, d, rand.New(rand.NewPCG(seed, 4)))
		var b bytes.Buffer
		if err := s.Save(&b); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		again := NewMonitor(OfSpec(d), 2)
		if err := again.Load(&b); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if again.Count() != s.Count() || s.Bytes() == 0 {
			t.Fatalf("seed %d: %d states, not %d", seed, again.Count(), s.Count())
		}
		if a, b := walk(s, d, rand.New(rand.NewPCG(seed, 5))), walk(again, d, rand.New(rand.NewPCG(seed, 5))); !slices.Equal(a, b) {
			t.Fatalf("seed %d: %v, not %v", seed, b, a)
		}
		if err := NewMonitor(OfSpec(d), 2).Load(strings.NewReader(text[:len(text)-1])); err == nil {
			t.Fatalf("seed %d: what is cut off is loaded", seed)
		}
	}
}

// walk makes random events, and lists the states.
func walk(s *Monitor, d *datatype, r *rand.Rand) (sets []int32) {
	set := s.Start()
	for range 50 {
		th := r.IntN(2)
		var next int32
		switch r.IntN(3) {
		case 0:
			next, _ = s.Call(set, th, r.Int32N(d.calls))
		case 1:
			next, _ = s.Announce(set, th, r.Int32N(d.answers))
		default:
			next, _ = s.Return(set, th, r.Int32N(d.answers))
		}
		if sets = append(sets, next); next != NoState {
			set = next
		}
	}
	return sets
}

// learningMonitor is a data type that knows no answer.
type learningMonitor struct {
	*datatype
	known map[int32]bool
}

func (l *learningMonitor) Moves(state, call int32) (moves []spec.Move, err error) {
	all, err := l.datatype.Moves(state, call)
	for _, m := range all {
		if l.known[m.Answer] {
			moves = append(moves, m)
		}
	}
	return moves, err
}

func (l *learningMonitor) Learn(answer int32) bool {
	was := l.known[answer]
	l.known[answer] = true
	return !was
}

// TestMonitorLearn has a specification learn what is announced: then the exploration begins again, and what
// was refused is not any more.
func TestMonitorLearn(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	d := types(r)
	for d.answers != values+2 {
		d = types(r)
	}
	s := NewMonitor(OfSpec(&learningMonitor{d, map[int32]bool{}}), 1)
	begun, _ := s.Call(s.Start(), 0, 2)
	if _, err := s.Announce(begun, 0, empty); !errors.Is(err, machine.ErrAgain) {
		t.Fatalf("nothing is learned: %v", err)
	}
	if next, err := s.Announce(begun, 0, empty); err != nil || next == NoState {
		t.Fatalf("%d, %v", next, err)
	}
}

// TestMerging doubles the states of data types, at random, and holds the merging observer against that of
// the type as it is: both accept the same.
func TestMerging(t *testing.T) {
	merged := 0
	for seed := range uint64(testsize.Samples(300)) {
		r := rand.New(rand.NewPCG(seed, 6))
		d := types(r)
		plain := *d
		plain.numbers, plain.states = map[string]int32{}, nil
		moves := d.moves
		d.moves = func(state string, call int32) (all []move) { // a state ends with ' or not
			for _, m := range moves(strings.TrimSuffix(state, "'"), call) {
				if (len(state)+len(m.next)+int(call)+int(m.answer))%2 == 0 {
					m.next += "'"
				}
				all = append(all, m)
			}
			return all
		}
		const most = 5
		o, s := NewMonitor(OfSpec(d).Merging(d.calls, most), 2), NewMonitor(OfSpec(&plain), 2)
		if d.random {
			s.observer.(*Specification).Merging(d.calls, most) // some of its own states are the same
		}
		own, set := o.Start(), s.Start()
		for called := 0; ; {
			th, answer := r.IntN(2), r.Int32N(d.answers)
			var a, b int32
			var err error
			switch state := s.of(set)[1+perThread*th:]; {
			case state[0] == 0 && called == most:
			case state[0] == 0:
				called++
				call := r.Int32N(d.calls)
				a, _ = s.Call(set, th, call)
				b, err = o.Call(own, th, call)
			case r.IntN(3) > 0:
				a, _ = s.Announce(set, th, answer)
				b, err = o.Announce(own, th, answer)
			default:
				a, _ = s.Return(set, th, answer)
				b, err = o.Return(own, th, answer)
			}
			if err != nil || (a == NoState) != (b == NoState) {
				t.Fatalf("seed %d: %d, and %d of the doubled type, %v", seed, a, b, err)
			}
			if a == NoState && r.IntN(20) == 0 {
				break
			}
			if a != NoState {
				set, own = a, b
			}
		}
		if len(o.observer.(*Specification).states) > len(s.observer.(*Specification).states) {
			merged++
		}
	}
	if merged == 0 {
		t.Error("no states were doubled")
	}
}
