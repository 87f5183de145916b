package batch

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// ahead is an execution of a container by processes that always overlap. Operations take
// effect some time before they return. Some, one in wrong of those that remove, take any value; one in lost, or more, never returns. 0: none
// does.
func ahead(r *rand.Rand, m *model, ops, processes, wrong, lost int) *Columns {
	l := &longLog{m: m, Rand: r, Columns: &Columns{}}
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
		case lost > 0 && r.IntN(lost) == 0:
			running[p] = -1
		case !done[i] && l.Open[i] == MaybeRemove && len(l.held) > l.front && wrong > 0 && r.IntN(wrong) == 0:
			l.Role[i], l.Value[i], done[i] = Remove, l.takeAny(), true
		case !done[i]:
			l.effect(i)
			done[i] = true
		case r.IntN(3) == 0:
			l.Events++
			l.Ret[i], running[p] = l.Events, -1
		}
	}
	l.Values = l.last
	if m.priority != nil {
		for v := range l.Values {
			l.Priority = append(l.Priority, l.priorityOf(v))
		}
	}
	return l.Columns
}

// takeAny takes a value from anywhere, out of order.
func (l *longLog) takeAny() int32 {
	at := l.front + l.IntN(len(l.held)-l.front)
	if !strings.HasPrefix(l.m.name, "queue") {
		return l.take(at)
	}
	l.held[l.front], l.held[at] = l.held[at], l.held[l.front]
	l.front++
	return l.held[l.front-1]
}

// takers are the types of which it is searched which values pending removes took.
func takers() (some []*model) {
	all := allModels()
	for i := range all {
		switch all[i].name {
		case "stack", "stack with peeks", "queue with peeks", "priority", "equal priorities", "priority with peeks":
			some = append(some, &all[i])
		}
	}
	return some
}

// takingOf is what decides a prefix, if nothing is wrong with one value alone.
func takingOf(p Algorithm, c *Columns, n int32) (t *taking, bad bool) {
	switch p := p.(type) {
	case *Stack:
		_, bad = p.load(c, n)
		p.only = nil
		t = &taking{forcing: p, Container: &p.Container}
	case *Queue:
		_, bad = p.load(c, n)
		t = &taking{forcing: p, Container: &p.Container}
	case *Priority:
		p.ranked = descending(c.Priority[:c.Values])
		_, bad = p.load(c, n)
		t = &taking{forcing: p, Container: &p.Container}
	}
	return t, bad
}

// anyChoice reports whether the pending removes from the i-th on can take values, or nothing, such that all fits.
func (s *taking) anyChoice(c *Columns, i int) bool {
	if i == len(s.pending) {
		_, a := s.check(c, nil)
		return a == Linearizable
	}
	if s.anyChoice(c, i+1) {
		return true
	}
	for v := range s.values {
		m := &s.values[v]
		if !s.isLeft(m) {
			continue
		}
		m.rs = s.pending[i]
		ok := s.anyChoice(c, i+1)
		m.rs = s.n + 1
		if ok {
			return true
		}
	}
	return false
}

// TestTaken: a search for deadlines decides what pending removes can have taken as trying all choices does.
func TestTaken(t *testing.T) {
	for _, m := range takers() {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(7, 29))
			counts := map[Answer]int{}
			for k := range histories(40_000) {
				c := ahead(r, m, 10+r.IntN(60), 2+r.IntN(7), []int{0, 20, 100}[r.IntN(3)], []int{0, 40}[r.IntN(2)])
				n := 1 + r.Int32N(c.Events)
				x, bad := takingOf(m.new(), c, n)
				choices := 1
				for range x.pending {
					choices *= x.left + 1
				}
				if bad || len(x.pending) == 0 || choices > 2_000 {
					continue
				}
				if _, a := x.check(c, nil); a == Linearizable {
					continue
				}
				got, _ := m.new().Decide(c, n)
				if counts[got]++; x.anyChoice(c, 0) != (got == Linearizable) || got == Unclear {
					t.Fatalf("history %d, prefix %d of %d: %v, but trying all choices says otherwise", k, n, c.Events, got)
				}
			}
			t.Log(counts)
			if min(counts[Linearizable], counts[Violating]) < histories(40_000)/200 {
				t.Errorf("too one-sided a sample: %v", counts)
			}
		})
	}
}

// everyWay decides as search does, but goes back to the last choice each time, whatever is to blame. It is
// unclear if that takes more passes than it may.
func (s *taking) everyWay(c *Columns, passes int) Answer {
	s.begin()
	choose := func(x choice) bool {
		for len(x.others) > 0 {
			w := x.others[0]
			x.others = x.others[1:]
			if s.move(&x, w) {
				s.chosen, s.moved = append(s.chosen, x), true
				return true
			}
			s.takeBack(&x)
		}
		return false
	}
	for range passes {
		s.moved = false
		_, a := s.check(c, func(f failure) bool {
			ways, open := s.waysOf(c, f)
			return open && s.moved || choose(choice{others: ways})
		})
		if a == Unclear || a == Linearizable && !s.moved {
			return a
		}
		for again := a == Linearizable; !again; {
			if len(s.chosen) == 0 {
				return Violating
			}
			x := s.chosen[len(s.chosen)-1]
			s.chosen = s.chosen[:len(s.chosen)-1]
			s.takeBack(&x)
			again = choose(x)
		}
	}
	return Unclear
}

// TestBlamed: a search that skips choices which are not to blame decides as one that skips none.
func TestBlamed(t *testing.T) {
	for _, m := range takers() {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(3, 29))
			counts := map[Answer]int{}
			for k := range histories(40_000) {
				c := ahead(r, m, 10+r.IntN(150), 2+r.IntN(15), []int{0, 10, 30, 100}[r.IntN(4)], []int{0, 8, 15, 40}[r.IntN(4)])
				n := 1 + r.Int32N(c.Events)
				x, bad := takingOf(m.new(), c, n)
				if bad || len(x.pending) == 0 {
					continue
				}
				if _, a := x.check(c, nil); a == Linearizable || !x.alone(c) {
					continue
				}
				want := x.everyWay(c, 500)
				if counts[want]++; want == Unclear {
					continue
				}
				if got, _ := m.new().Decide(c, n); got != want {
					t.Fatalf("history %d, prefix %d of %d: %v, want %v", k, n, c.Events, got, want)
				}
			}
			t.Log(counts)
			if min(counts[Linearizable], counts[Violating]) < histories(40_000)/200 {
				t.Errorf("too one-sided a sample: %v", counts)
			}
		})
	}
}

// TestManyPending: good executions with a hundred pending removes are decided, and in the order that comes with it they are
// what the type does.
func TestManyPending(t *testing.T) {
	for _, m := range takers() {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(histories(400)) {
				r := rand.New(rand.NewPCG(seed, 5))
				c := ahead(r, m, 200+r.IntN(2000), 2+r.IntN(16), 0, 60)
				p := m.new()
				if a, w := p.Decide(c, c.Events); a != Linearizable {
					t.Fatalf("seed %d: %v, %v", seed, a, w)
				}
				if err := m.replayed(p, c); err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
			}
		})
	}
}

// replayed says what is wrong with the order that a procedure makes of an execution that it decided.
func (m *model) replayed(p Algorithm, c *Columns) error {
	a := NewLinearizer(c)
	if !p.Linearize(a) {
		return errors.New("no order")
	}
	done, latest, in := make([]bool, len(c.Call)), int32(0), []int32(nil)
	for _, i := range a.List() {
		role, v, ret := c.In(int(i), c.Events)
		switch {
		case done[i]:
			return fmt.Errorf("%d takes effect twice", i)
		case ret < latest:
			return fmt.Errorf("%d comes too late", i)
		case role == MaybeAdd:
			role, v = Add, c.Asked[i]
		case role == MaybeRemove:
			role, v = Remove, c.Asked[a.Took[i]]
		}
		done[i], latest = true, max(latest, c.Call[i])
		at := slices.Index(in, v)
		switch {
		case role == Add:
			in = append(in, v)
			continue
		case role == Empty && len(in) == 0:
			continue
		case role == Empty || at < 0 || !m.isNext(c, in, at):
			return fmt.Errorf("%d finds %d", i, v)
		case role == Remove:
			in = slices.Delete(in, at, at+1)
		}
	}
	for i := range done {
		if c.Ret[i] <= c.Events && !done[i] {
			return fmt.Errorf("%d takes no effect", i)
		}
	}
	return nil
}

// isNext reports whether the value at a place is one that is removed, or seen, next.
func (m *model) isNext(c *Columns, in []int32, at int) bool {
	switch {
	case m.priority != nil:
		return !slices.ContainsFunc(in, func(v int32) bool { return c.Priority[v] > c.Priority[in[at]] })
	case strings.HasPrefix(m.name, "queue"):
		return at == 0
	}
	return at == len(in)-1
}
