package batch

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/internal/engine/monitor/columns"
)

// ahead is an execution of a stack, or of a priority queue, by processes that always overlap. Operations take
// effect some time before they return. Some, one in wrong of those that remove, take any value; 0: none does.
func ahead(r *rand.Rand, m *model, ops, processes, wrong int) *columns.Columns {
	l := &longLog{m: m, Rand: r, Columns: &columns.Columns{}}
	running, done := make([]int, processes), make([]bool, ops)
	for p := range running {
		running[p] = -1
	}
	for len(l.Call) < ops {
		p := r.IntN(processes)
		switch i := running[p]; {
		case i < 0:
			l.Events++
			running[p] = len(l.Call)
			l.Push(l.invoke())
			l.Call[running[p]] = l.Events
		case !done[i] && l.Open[i] == columns.MaybeRemove && len(l.held) > 0 && wrong > 0 && r.IntN(wrong) == 0:
			l.Role[i], l.Value[i], done[i] = columns.Remove, l.take(r.IntN(len(l.held))), true
		case !done[i]:
			l.effect(i)
			done[i] = true
		case r.IntN(3) == 0:
			l.Events++
			l.Ret[i], running[p] = l.Events, -1
		}
	}
	if m.priority != nil {
		for v := range l.Values {
			l.Priority = append(l.Priority, l.priorityOf(v))
		}
	}
	return l.Columns
}

// searching decides a prefix as taking does, without what is foretold and without a look at few
// operations first. Where values were seen it does not try one choice before all others, either.
func searching(p Algorithm, c *columns.Columns, n int32) Answer {
	var t taking
	switch p := p.(type) {
	case *Stack:
		if _, bad := p.load(c, n); bad {
			return Violating
		}
		p.only = nil
		if t = (taking{forcing: p, Container: &p.Container}); !p.peeks.any {
			t.assign = p.assign
		}
	case *Queue:
		if _, bad := p.load(c, n); bad {
			return Violating
		}
		t = taking{forcing: p, Container: &p.Container}
	case *Priority:
		p.ranked = descending(c.Priority[:c.Values])
		if _, bad := p.load(c, n); bad {
			return Violating
		}
		t = taking{forcing: p, Container: &p.Container}
	}
	f, a := t.check(c)
	if a == Linearizable || len(t.pending) == 0 {
		return a
	}
	if t.blame(c, f); !t.alone(c) {
		return Violating
	}
	if t.assign != nil && t.assign(c) {
		return Linearizable
	}
	return t.take(c, t.forced(c, f), make([]bool, len(t.pending)))
}

// TestSearched compares what a search of the choices says with all linearizations, where values were seen.
func TestSearched(t *testing.T) {
	all := allModels()
	for i := range all {
		m := &all[i]
		if !m.looks {
			continue
		}
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			r, o := rand.New(rand.NewPCG(uint64(i), 31)), &oracle{}
			counts := map[Answer]int{}
			for k := range histories(40_000) {
				as, events := small(r, m).history()
				if !oneClass(as) {
					continue
				}
				got, want := searching(m.new(), m.Columns(as, events), events), o.linearizable(m, as, events)
				if counts[got]++; got == Unclear || want != (got == Linearizable) {
					t.Fatalf("history %d: %v, but linearizable is %v\n%s", k, got, want, m.text(as, events))
				}
			}
			if min(counts[Linearizable], counts[Violating]) < histories(4_000) {
				t.Errorf("too one-sided a sample: %v", counts)
			}
		})
	}
}

// TestForetold: prefixes are decided alike with and without what is foretold and with few operations; each
// often settles it.
func TestForetold(t *testing.T) {
	all := allModels()
	for i := range all {
		m := &all[i]
		if m.name != "stack" && m.name != "priority" && m.name != "equal priorities" {
			continue
		}
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(uint64(i), 29))
			foretold, crowded, unclear := 0, 0, 0
			for k := range histories(4_000) {
				c := ahead(r, m, 20+r.IntN(200), 2+r.IntN(7), []int{0, 50, 200}[r.IntN(3)])
				n := 1 + r.Int32N(c.Events)
				got, _ := m.new().Decide(c, n)
				want := searching(m.new(), c, n)
				if want == Unclear || got == Unclear {
					unclear++
					continue
				}
				if got != want {
					t.Fatalf("history %d, prefix %d of %d: %v, a search says %v", k, n, c.Events, got, want)
				}
				fore, crowd := shortcuts(m.new(), c, n)
				if fore && want != Linearizable || crowd && want != Violating {
					t.Fatalf("history %d, prefix %d of %d: foretold %v, crowded %v, a search says %v", k, n, c.Events, fore, crowd, want)
				}
				if fore {
					foretold++
				}
				if crowd {
					crowded++
				}
			}
			t.Logf("%d foretold, %d crowded, %d unclear", foretold, crowded, unclear)
			if min(foretold, crowded) < histories(4_000)/100 || unclear > histories(4_000)/100 {
				t.Errorf("too one-sided a sample: %d foretold, %d crowded, %d unclear", foretold, crowded, unclear)
			}
		})
	}
}

// shortcuts says what foretold and crowded say of a prefix that is no execution if pending removes take
// nothing.
func shortcuts(p Algorithm, c *columns.Columns, n int32) (foretold, crowded bool) {
	p.Decide(c, n) // of a priority queue it ranks the values
	var t taking
	switch p := p.(type) {
	case *Stack:
		p.only = nil
		_, bad := p.load(c, n)
		t = taking{forcing: p, Container: &p.Container}
		if bad {
			return false, false
		}
	case *Priority:
		_, bad := p.load(c, n)
		t = taking{forcing: p, Container: &p.Container}
		if bad {
			return false, false
		}
	}
	f, a := t.check(c)
	if a == Linearizable || len(t.pending) == 0 {
		return false, false
	}
	t.blame(c, f)
	crowded = t.crowded(c, f)
	return t.foretold(c), crowded
}

// TestCrossed: the first pair of values of a stack that crossed is found as looking at all pairs finds it, and by itself it
// is a violation with all that is pending.
func TestCrossed(t *testing.T) {
	for _, m := range append(models[1:2:2], others...) {
		if strings.HasPrefix(m.name, "stack") {
			t.Run(m.name, func(t *testing.T) { testCrossed(t, &m) })
		}
	}
}

func testCrossed(t *testing.T, m *model) {
	crossings := 0
	for seed := range uint64(histories(2_000)) {
		r := rand.New(rand.NewPCG(seed, 31))
		c := ahead(r, m, 20+r.IntN(100), 2+r.IntN(7), 20)
		s := &Stack{}
		if _, bad := s.load(c, c.Events); bad {
			continue
		}
		f, a := s.check(c)
		if a != Violating || f.op >= 0 {
			continue
		}
		want := int32(0)
		for _, v := range f.values {
			for _, w := range f.values {
				x, y := &s.values[v], &s.values[w]
				taken := len(s.pending) > 0 && s.isLeft(y)
				if x.ae < y.as && y.ae < x.rs && x.re < y.rs && !taken && (want == 0 || x.re < want) {
					want = x.re
				}
			}
		}
		early, late, found := s.crossed(f.values)
		if found != (want > 0) || found && s.values[early].re != want {
			t.Fatalf("seed %d: %v, want %d", seed, found, want)
		}
		if !found {
			continue
		}
		crossings++
		w := Witness{Values: []int32{early, late}, Op: -1}
		few, _ := c.Part(w.Ops(c, c.Events), c.Events)
		if a, _ := new(Stack).Decide(few, few.Events); a != Violating {
			t.Fatalf("seed %d: values %d and %d are no violation", seed, early, late)
		}
	}
	if crossings < histories(2_000)/20 {
		t.Errorf("only %d crossings", crossings)
	}
}
