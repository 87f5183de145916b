package family

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/automata"
)

// point is where something of a transition was seen, or is asked for: in a location with
// an index, for a register that an argument equals, for one that is loaded.
type point struct {
	size, index, lo, hi int
	equal, registers    int // from 1, of so many; 0: no argument has to equal one
	load, loads         int // from 1, of so many; 0: nothing is loaded
	stride, toStride    int
}

// grain says how far from an end everything is alike: of indices, and of registers.
type grain struct{ index, register int }

// grains are tried in turn.
var grains = []grain{{1, 1}, {2, 1}, {3, 1}, {2, 2}}

// region is which end a point is near to, and whether what is loaded stands before or
// behind the register that is equal. In one region everything follows one rule.
type region [9]int

func (p *point) region(g grain) (r region) {
	near := func(n, most int) int { return min(n, most) }
	r[0], r[1] = near(p.index-p.lo, g.index), near(p.hi-p.index, g.index)
	if p.equal > 0 {
		w := max(p.stride, 1)
		r[2], r[3], r[4] = near((p.equal-1)/w, g.register), near((p.registers-p.equal)/w, g.register), (p.equal-1)%w
	}
	if p.load > 0 {
		w := max(p.toStride, 1)
		r[5], r[6], r[7] = near((p.load-1)/w, g.register), near((p.loads-p.load)/w, g.register), (p.load-1)%w
		if p.equal > 0 {
			r[8] = min(max((p.load-1)/w-(p.equal-1)/max(p.stride, 1), -1), 1)
		}
	}
	return r
}

// anywhere is a region whatever the index is: where none was seen that is like it, what
// held in all of them is taken.
func (r region) anywhere() region {
	r[0], r[1] = -1, -1
	return r
}

// rules are what a number may follow, but for a constant, the plainest first.
var rules = []func(p *point) int{
	func(p *point) int { return p.load },
	func(p *point) int { return p.equal },
	func(p *point) int { return 0 },
	func(p *point) int { return p.registers },
	func(p *point) int { return p.index },
	func(p *point) int { return p.size },
	func(p *point) int { return p.size - p.index },
	func(p *point) int { return p.registers - p.equal },
}

// slot is one thing to be known of transitions: words, and numbers that follow rules.
type slot struct {
	words   map[region]string
	numbers map[region][]seenAt
	order   []int // of rules; those that hold in most regions first
}

type seenAt struct {
	point
	value int
}

// slot is the one of a name.
func (f *family) slot(name string) *slot {
	s := f.slots[name]
	if s == nil {
		s = &slot{words: map[region]string{}, numbers: map[region][]seenAt{}}
		f.slots[name] = s
	}
	return s
}

// ambiguous is the word where there are several.
const ambiguous = "?"

// word notes a word; false: it is another one elsewhere in the region.
func (s *slot) word(r region, w string) bool {
	was, ok := s.words[r]
	s.words[r] = w
	if all := r.anywhere(); !ok {
		if other, seen := s.words[all]; seen && other != w {
			w = ambiguous
		}
		s.words[all] = w
	}
	return !ok || was == w
}

// is the word of a region; "": there is none.
func (s *slot) is(r region) string {
	w, ok := s.words[r]
	if !ok {
		w = s.words[r.anywhere()]
	}
	if w == ambiguous {
		return ""
	}
	return w
}

// offset is what a rule lacks in all points of a region; false: it does not hold there.
func offset(rule int, all []seenAt) (d int, ok bool) {
	d = all[0].value - rules[rule](&all[0].point)
	return d, !slices.ContainsFunc(all, func(x seenAt) bool { return x.value-rules[rule](&x.point) != d })
}

// number is what a rule says of a point; false: nothing like it was seen, or no rule holds.
func (s *slot) number(p *point, r region) (int, bool) {
	if s.order == nil {
		holds := make([]int, len(rules))
		for i := range rules {
			s.order = append(s.order, i)
			for _, all := range s.numbers {
				if _, ok := offset(i, all); ok {
					holds[i]++
				}
			}
		}
		slices.SortStableFunc(s.order, func(x, y int) int { return holds[y] - holds[x] })
	}
	// A rule that holds at all indices is likelier than one that holds here alone.
	for _, all := range [][]seenAt{s.numbers[r.anywhere()], s.numbers[r]} {
		for _, i := range s.order {
			if len(all) == 0 {
				break
			}
			if d, ok := offset(i, all); ok {
				return d + rules[i](p), true
			}
		}
	}
	return 0, false
}

// shapes notes which cases there are in locations of a class.
func (f *family) shapes(loc *automata.Location, c *class) (why string) {
	for i := range loc.Transitions {
		t := &loc.Transitions[i]
		for _, g := range t.Guard {
			if g.Left.Kind != automata.Argument || g.Right.Kind != automata.Register && g.Right.Kind != automata.Constant || g.Op > automata.Differs {
				return "it compares more than arguments with what is held"
			}
		}
		s, k := shapeOf(t), c.name+"\n"+t.Method
		if !slices.ContainsFunc(f.cases[k], func(o shape) bool { return o.String() == s.String() }) {
			f.cases[k] = append(f.cases[k], s)
		}
	}
	return ""
}

// equals are the registers, from 1, that a transition asks arguments to equal.
func equals(t *automata.Transition) (all []int) {
	guard := slices.Clone(t.Guard)
	slices.SortStableFunc(guard, func(x, y automata.Condition) int { return x.Left.Index - y.Left.Index })
	for _, c := range guard {
		if c.Op == automata.Equal && c.Right.Kind == automata.Register {
			all = append(all, c.Right.Index+1)
		}
	}
	return all
}

// point is a location of a class.
func (c *class) point(size, index int) point {
	return point{size: size, index: index, lo: c.lo.at(size), hi: c.hi.at(size), registers: c.registers(size, index), stride: c.stride}
}

// note takes in what the transitions of a location do.
func (f *family) note(a *automata.Automaton, size int, place []spot, l int, g grain) (why string) {
	loc, here := &a.Locations[l], place[l]
	p := here.point(size, here.index)
	there := map[string]bool{}
	for i := range loc.Transitions {
		t := &loc.Transitions[i]
		p, equal := p, equals(t)
		if len(equal) > 0 {
			p.equal = equal[0]
		}
		key := fmt.Sprint(t.Method, " ", shapeOf(t), " ", p.equal)
		if there[key] {
			return fmt.Sprintf("%s tells more cases apart than one register does", t.Method)
		}
		there[key] = true
		if !f.transition(here.class, t, p, equal, place, g) {
			return fmt.Sprintf("what %s does is not regular", t.Method)
		}
	}
	for _, m := range a.Methods {
		for _, s := range f.cases[here.name+"\n"+m.Name] {
			for _, p := range s.points(p) {
				if !f.slot(at(here.class, m.Name, s, "is")).word(p.region(g), strconv.FormatBool(there[fmt.Sprint(m.Name, " ", s, " ", p.equal)])) {
					return fmt.Sprintf("which cases %s tells apart is not regular", m.Name)
				}
			}
		}
	}
	return ""
}

// points are those of a location for each register that an argument may have to equal.
func (s shape) points(p point) (all []point) {
	if s.registers() == 0 {
		return []point{p}
	}
	for p.equal = 1; p.equal <= p.registers; p.equal++ {
		all = append(all, p)
	}
	return all
}

// transition notes what a transition does; false: it is otherwise in the same region.
func (f *family) transition(c *class, t *automata.Transition, p point, equal []int, place []spot, g grain) bool {
	in, r, s := func(what string) *slot { return f.slot(at(c, t.Method, shapeOf(t), what)) }, p.region(g), t
	for i, e := range equal {
		in("equal "+strconv.Itoa(i)).add(p, r, e)
	}
	if !in("outcome").word(r, fmt.Sprint(s.Blocks, " ", len(s.Rets), " ", s.Outcome)) || s.Blocks {
		return s.Blocks
	}
	for i, x := range s.Rets {
		if !in("answer "+strconv.Itoa(i)).term(p, r, x) {
			return false
		}
	}
	to := place[s.To]
	if !in("class").word(r, to.name) {
		return false
	}
	in("index").add(p, r, to.index)
	p.loads, p.toStride = len(s.Load), to.stride
	for i, x := range s.Load {
		p.load = i + 1
		if !in("load").term(p, p.region(g), x) {
			return false
		}
	}
	return true
}

func (s *slot) add(p point, r region, n int) {
	for _, r := range []region{r, r.anywhere()} {
		s.numbers[r] = append(s.numbers[r], seenAt{p, n})
	}
}

// term notes a term: which kind it is, and its number.
func (s *slot) term(p point, r region, x automata.Term) bool {
	n, err := strconv.Atoi(string(x.Value))
	switch {
	case x.Kind == automata.Register:
		s.add(p, r, x.Index+1)
		return s.word(r, "register")
	case x.Kind == automata.Constant && err == nil:
		s.add(p, r, n)
		return s.word(r, "integer")
	case x.Kind == automata.Total:
		return false
	}
	return s.word(r, fmt.Sprint(int(x.Kind), " ", x.Index, " ", x.Value))
}

// at names a case of a method in a class.
func at(c *class, method string, s shape, what string) string {
	return c.name + "\n" + method + "\n" + s.String() + "\n" + what
}
