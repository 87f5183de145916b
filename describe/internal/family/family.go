package family

import (
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
)

// A family is what automata of one type have in common that differ in a size, such as
// the capacity of a ring: their locations are classes with an index, and what a
// transition does in one follows from the index and the size. It is found from small
// sizes, says what the automaton of a large one would be, and proves nothing: that
// automaton has to be compared with the reference.
type family struct {
	methods []history.MethodSig
	main    string // the letter that leads from index to index
	start   string // class of the first location
	initial []history.Value
	classes map[string]*class
	slots   map[string]*slot
	cases   map[string][]shape // of transitions, by class and method
}

// class is of locations that are reached by words which differ in how often one letter
// stands in them; that is the index.
type class struct {
	name   string
	lo, hi bound
	of     map[int]map[int]int // location by size and index
	holds  bound               // registers, but for stride for each step of the index
	stride int
}

// bound is a number, or one that grows as the size does.
type bound struct{ constant, times int }

func (b bound) at(size int) int { return b.constant + b.times*size }

func (c *class) registers(size, index int) int { return c.holds.at(size) + c.stride*index }

// Of is the automaton of a size that continues those of small ones, which are one
// apart; if there is none, why says what is not regular.
func Of(small map[int]*automata.Automaton, size int) (a *automata.Automaton, why string) {
	for _, g := range grains {
		f, problem := newFamily(small, g)
		if problem == "" {
			if a, problem = f.at(size, g); problem == "" {
				return a, ""
			}
		}
		if why == "" {
			why = problem
		}
	}
	return nil, why
}

// newFamily sorts locations into classes, and notes all transitions.
func newFamily(small map[int]*automata.Automaton, g grain) (*family, string) {
	f := &family{classes: map[string]*class{}, slots: map[string]*slot{}, cases: map[string][]shape{}}
	var sizes []int
	words := map[int][][]string{}
	for s, a := range small {
		if len(a.Counters) > 0 {
			return nil, "there are counters in it"
		}
		sizes, words[s] = append(sizes, s), access(a)
	}
	slices.Sort(sizes)
	first, last := sizes[0], sizes[len(sizes)-1]
	f.methods, f.initial = small[last].Methods, small[last].Initial
	if f.main = growing(words[first], words[last]); f.main == "" {
		return nil, "its automata do not grow with the size"
	}
	place := map[int][]spot{}
	for _, s := range sizes {
		if !slices.Equal(small[s].Initial, f.initial) {
			return nil, "what registers hold at first depends on the size"
		}
		for l, w := range words[s] {
			name, index := f.split(w)
			c := f.classes[name]
			if c == nil {
				c = &class{name: name, of: map[int]map[int]int{}}
				f.classes[name] = c
			}
			if c.of[s] == nil {
				c.of[s] = map[int]int{}
			}
			c.of[s][index] = l
			if place[s] = append(place[s], spot{c, index}); l == 0 {
				f.start = name
			}
		}
	}
	for _, c := range f.classes {
		if !c.measure(small, sizes) {
			return nil, "which locations there are at small sizes follows no rule"
		}
	}
	for _, s := range sizes {
		for l := range small[s].Locations {
			if why := f.shapes(&small[s].Locations[l], place[s][l].class); why != "" {
				return nil, why
			}
		}
	}
	for _, s := range sizes {
		for l := range small[s].Locations {
			if why := f.note(small[s], s, place[s], l, g); why != "" {
				return nil, why
			}
		}
	}
	return f, ""
}

// spot is a location by its class and index.
type spot struct {
	*class
	index int
}

// access are the shortest words that lead to locations.
func access(a *automata.Automaton) [][]string {
	words := make([][]string, len(a.Locations))
	seen := map[int]bool{0: true}
	for next := []int{0}; len(next) > 0; next = next[1:] {
		for _, t := range a.Locations[next[0]].Transitions {
			if t.Blocks || seen[t.To] {
				continue
			}
			seen[t.To] = true
			words[t.To] = append(slices.Clone(words[next[0]]), t.Method+" "+shapeOf(&t).String())
			next = append(next, t.To)
		}
	}
	return words
}

// A shape is which arguments a transition asks to be equal to some register, or to which
// constants: guards without terms for registers.
type shape []automata.Condition

func shapeOf(t *automata.Transition) (all shape) {
	for _, c := range t.Guard {
		if c.Op == automata.Equal {
			if c.Right.Kind == automata.Register {
				c.Right.Index = 0
			}
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, func(x, y automata.Condition) int { return x.Left.Index - y.Left.Index })
	return all
}

func (s shape) String() string {
	var all []string
	for _, c := range s {
		text := strconv.Itoa(c.Left.Index) + "=" + string(c.Right.Value)
		if c.Right.Kind == automata.Register {
			text += "register"
		}
		all = append(all, text)
	}
	return strings.Join(all, "&")
}

// registers is how many registers a shape has.
func (s shape) registers() (n int) {
	for _, c := range s {
		if c.Right.Kind == automata.Register {
			n++
		}
	}
	return n
}

// growing is the letter that is repeated more often in the larger automaton.
func growing(small, large [][]string) (letter string) {
	runs := func(words [][]string) map[string]int {
		most := map[string]int{}
		for _, w := range words {
			n := 0
			for i, l := range w {
				if n++; i == 0 || w[i-1] != l {
					n = 1
				}
				most[l] = max(most[l], n)
			}
		}
		return most
	}
	was, best := runs(small), 0
	for l, n := range runs(large) {
		if d := n - was[l]; d > best || d == best && d > 0 && l < letter {
			letter, best = l, d
		}
	}
	return letter
}

// split is the class of a word, and how often the main letter is in its longest run.
func (f *family) split(w []string) (name string, index int) {
	at := len(w)
	if i := slices.Index(w, f.main); i >= 0 {
		for n := 0; i < len(w); i++ {
			if w[i] != f.main {
				n = 0
				continue
			}
			if n++; n > index {
				index, at = n, i-n+1
			}
		}
	}
	if index == 0 {
		at = 0
	}
	return strings.Join(w[:at], ";") + "*" + strings.Join(w[at+index:], ";"), index
}

// measure finds the bounds of a class's index, and how many registers there are.
func (c *class) measure(small map[int]*automata.Automaton, sizes []int) bool {
	var lo, hi []int
	for _, s := range sizes {
		l, h := -1, -1
		for i := range c.of[s] {
			if l < 0 || i < l {
				l = i
			}
			h = max(h, i)
		}
		if l < 0 || len(c.of[s]) != h-l+1 {
			return false
		}
		lo, hi = append(lo, l), append(hi, h)
	}
	ok, found := false, false
	if c.lo, ok = bounded(sizes, lo); ok {
		c.hi, ok = bounded(sizes, hi)
	}
	if !ok {
		return false
	}
	for c.stride = range 5 {
		var least []int
		found = true
		for _, s := range sizes {
			n := -1
			for i, l := range c.of[s] {
				m := len(small[s].Locations[l].Registers) - c.stride*i
				found = found && (n == -1 || n == m)
				n = m
			}
			least = append(least, n)
		}
		if c.holds, ok = bounded(sizes, least); ok && found {
			return true
		}
	}
	return false
}

// bounded is the bound that has these values at these sizes.
func bounded(sizes, values []int) (bound, bool) {
	for times := range 3 {
		b := bound{values[0] - times*sizes[0], times}
		if !slices.ContainsFunc(sizes, func(s int) bool { return b.at(s) != values[slices.Index(sizes, s)] }) {
			return b, true
		}
	}
	return bound{}, false
}
