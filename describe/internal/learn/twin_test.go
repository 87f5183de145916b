package learn

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// hidden is a small random machine: what a call does depends on the location, and on
// the first register that its first argument is equal to.
type hidden struct {
	registers int
	does      [][4][]effect // by location and method; the last effect is without such a register
}

// effect answers a word and a value, and goes on. Values are registers by their
// number, or arguments after them.
type effect struct {
	says   string
	value  int
	to     int
	load   []int
	ignore bool // the argument: the last effect is taken
}

// machineOf runs a hidden one; it starts with zeros in all registers.
type machineOf[T comparable] struct {
	at   int
	regs [2]T
}

type machine = machineOf[int]

var running *hidden // copies of machines need not have it

func (m *machineOf[T]) call(method int, args ...T) (string, T) {
	h := running
	all := h.does[m.at][method]
	e := &all[len(all)-1]
	for r := range h.registers {
		if len(args) > 0 && !e.ignore && m.regs[r] == args[0] {
			e = &all[r]
			break
		}
	}
	values := append(slices.Clone(m.regs[:h.registers]), args...)
	m.at = e.to
	for r, from := range e.load {
		m.regs[r] = values[from]
	}
	return e.says, values[e.value]
}

func (m *machineOf[T]) Put(x T) string       { s, _ := m.call(0, x); return s }
func (m *machineOf[T]) Get() (string, T)     { return m.call(1) }
func (m *machineOf[T]) Test(x T) (string, T) { return m.call(2, x) }
func (m *machineOf[T]) Swap(a, b T) string   { s, _ := m.call(3, a, b); return s }

var hiddenArgs = [4]int{1, 0, 1, 2}

func newHidden(r *rand.Rand) *hidden {
	h := &hidden{registers: 1 + r.IntN(2), does: make([][4][]effect, 1+r.IntN(3))}
	for l := range h.does {
		for m, args := range hiddenArgs {
			n := 1
			if args > 0 {
				n += h.registers
			}
			ignore := r.IntN(2) == 0
			for range n {
				e := effect{fmt.Sprint("s", r.IntN(2)), r.IntN(h.registers + args), r.IntN(len(h.does)), nil, ignore}
				for range h.registers {
					e.load = append(e.load, r.IntN(h.registers+args))
				}
				if r.IntN(2) == 0 { // it changes nothing
					e.to, e.load = l, nil
				}
				h.does[l][m] = append(h.does[l][m], e)
			}
		}
	}
	return h
}

// configurations are those that can be reached, once up to renaming of values.
func (h *hidden) configurations() (all []machine) {
	add := func(m machine) {
		if m = normal(m, h.registers); !slices.Contains(all, m) {
			all = append(all, m)
		}
	}
	add(machine{})
	for i := 0; i < len(all); i++ {
		for method, args := range hiddenArgs {
			for a := range 5 {
				for b := range 5 {
					m := all[i]
					m.call(method, []int{a, b}[:args]...)
					add(m)
				}
			}
		}
	}
	return all
}

// normal names the values of registers 0 and 1.
func normal(m machine, registers int) machine {
	if registers == 1 || m.regs[0] == m.regs[1] {
		m.regs = [2]int{}
	} else {
		m.regs = [2]int{0, 1}
	}
	return m
}

// pair are values of two machines that mean the same.
type pair [2]int

// same reports whether two machines answer alike for ever, given that pairs of
// values mean the same: it looks at all calls, with paired values, with values that
// only one of them holds, and with new ones.
func (h *hidden) same(a, b machine, pairs []pair, seen map[string]bool) bool {
	key := fmt.Sprint(a, b, pairs)
	if seen[key] {
		return true
	}
	seen[key] = true
	choices := slices.Clone(pairs)
	next := 10 // nobody has these
	for r := range h.registers {
		if !slices.ContainsFunc(choices, func(p pair) bool { return p[0] == a.regs[r] }) {
			choices = append(choices, pair{a.regs[r], next})
			next++
		}
		if !slices.ContainsFunc(choices, func(p pair) bool { return p[1] == b.regs[r] }) {
			choices = append(choices, pair{next, b.regs[r]})
			next++
		}
	}
	choices = append(choices, pair{next, next}, pair{next + 1, next + 1})
	for method, args := range hiddenArgs {
		for i, x := range choices {
			for j, y := range choices {
				if args < 2 && j > 0 || args < 1 && i > 0 {
					continue
				}
				of := [2][]int{{x[0], y[0]}, {x[1], y[1]}}
				m, n := a, b
				s, v := m.call(method, of[0][:args]...)
				t, w := n.call(method, of[1][:args]...)
				known := append(slices.Clone(pairs), []pair{x, y}[:args]...)
				shows := method == 1 || method == 2
				if s != t || shows && !slices.Contains(known, pair{v, w}) {
					return false
				}
				var left []pair // those that both still hold, with small names
				m2, n2 := m, n
				for _, p := range known {
					if slices.Contains(m.regs[:h.registers], p[0]) && slices.Contains(n.regs[:h.registers], p[1]) {
						left = append(left, p)
					}
				}
				left = rename(&m2, &n2, left, h.registers)
				if !h.same(m2, n2, left, seen) {
					return false
				}
			}
		}
	}
	return true
}

// rename gives values small names, in the order of registers.
func rename(a, b *machine, pairs []pair, registers int) (out []pair) {
	for side, m := range []*machine{a, b} {
		names := map[int]int{}
		for r := range registers {
			if _, ok := names[m.regs[r]]; !ok {
				names[m.regs[r]] = len(names)
			}
			m.regs[r] = names[m.regs[r]]
		}
		for i := range pairs {
			pairs[i][side] = names[pairs[i][side]]
		}
	}
	slices.SortFunc(pairs, func(p, q pair) int { return slices.Compare(p[:], q[:]) })
	return slices.Compact(pairs)
}

// classes is how many configurations differ, up to renaming of values.
func (h *hidden) classes() int {
	var all []machine
	for _, m := range h.configurations() {
		if !slices.ContainsFunc(all, func(o machine) bool { return h.alike(m, o) }) {
			all = append(all, m)
		}
	}
	return len(all)
}

// alike tries all ways to pair the values of two machines.
func (h *hidden) alike(a, b machine) bool {
	for _, pairs := range [][]pair{{}, {{0, 0}}, {{0, 1}}, {{1, 0}}, {{1, 1}}, {{0, 0}, {1, 1}}, {{0, 1}, {1, 0}}} {
		if h.same(a, b, pairs, map[string]bool{}) {
			return true
		}
	}
	return false
}

// TestHidden learns random machines. If all arguments count as compared, there are
// as many locations as configurations that differ, perhaps without the first; else
// there are no more, for registers may be equal. Automaton and machine answer alike.
func TestHidden(t *testing.T) {
	sizes := map[int]int{}
	for seed := range testsize.Samples(100) {
		r := rand.New(rand.NewPCG(seed, 5))
		running = newHidden(r)
		want := running.classes()
		sizes[want]++
		for _, moved := range []bool{false, true} {
			a := learnedOf[int](t, seed, moved)
			if n := len(a.Locations); n > want || !moved && n < want-1 {
				t.Fatalf("seed %d: %d locations, want %d (moved %t)\n%s", seed, n, want, moved, a)
			}
			answersAlike(t, seed, r, a, []int{0, 1, 2, 3})
		}
	}
	if len(sizes) < 3 {
		t.Error("locations: machines", sizes)
	}
}

// TestHiddenTexts is TestHidden where what machines say are values that calls may pass in. No
// machine compares them, so there are no more locations than with numbers.
func TestHiddenTexts(t *testing.T) {
	testsize.NeedsLong(t)
	words := 0
	for seed := range testsize.Samples(20) {
		r := rand.New(rand.NewPCG(seed, 6))
		running = newHidden(r)
		want := running.classes()
		for _, moved := range []bool{false, true} {
			a := learnedOf[string](t, seed, moved)
			if n := len(a.Locations); n > want || !moved && n < want-1 {
				t.Fatalf("seed %d: %d locations, want %d (moved %t)\n%s", seed, n, want, moved, a)
			}
			answersAlike(t, seed, r, a, []string{"", "a", "b", "s0", "s1"})
			if strings.Contains(a.String(), `"s0"`) {
				words++
			}
		}
	}
	if words == 0 {
		t.Error("no machine says anything")
	}
}

// learnedOf learns the machine that runs, as one of texts with words.
func learnedOf[T comparable](t *testing.T, seed uint64, moved bool) *automata.Automaton {
	impl, err := reference.Of(func() *machineOf[T] { return &machineOf[T]{} })
	if err != nil {
		t.Fatal(err)
	}
	table, err := newLearner(t.Context(), impl, moved)
	if err != nil {
		t.Fatal(err)
	}
	table.asWords = true
	a, err := table.learn(t.Context(), Options{Locations: 100, Words: 50, Progress: func(string) {}}, &Found{})
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	if err := a.Validate(); err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, a)
	}
	return a
}

// answersAlike runs random words on an automaton and on the machine that runs.
func answersAlike[T comparable](t *testing.T, seed uint64, r *rand.Rand, a *automata.Automaton, values []T) {
	value := func(v T) history.Value { return history.Value(fmt.Sprint(v)) }
	for range 100 {
		var labels []history.Label
		m := machineOf[T]{}
		s := a.Start()
		for range 20 {
			method := r.IntN(4)
			args := []T{values[r.IntN(len(values))], values[r.IntN(len(values))]}[:hiddenArgs[method]]
			says, answer := m.call(method, args...)
			l := history.Label{Kind: history.Kind{Method: []string{"put", "get", "test", "swap"}[method], Outcome: history.Some}, Rets: []history.Value{history.Value(says)}}
			for _, x := range args {
				l.Args = append(l.Args, value(x))
			}
			if method == 1 || method == 2 {
				l.Rets = append(l.Rets, value(answer))
			}
			labels = append(labels, l)
			next, ok := a.Step(s, &l)
			if !ok {
				t.Fatalf("seed %d: the automaton does not answer %v\n%s", seed, labels, a)
			}
			s = next
		}
	}
}
