package reasons

import (
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// patternPage asks a theory what its patterns say together. Adders bring a value, takers
// answer one, and lookers say that there is none. What is claimed of two values holds of all
// executions in the language: a pattern speaks of the operations of few values, whatever
// else happens.
type patternPage struct {
	spec    *theory.Spec
	decides *theory.Sequences
	names   naming
	drawn   [][]history.Label // of each pattern

	adders, takers, lookers []history.Kind
	removes                 map[history.Kind]bool
	values                  []history.Value

	ordered      map[history.Kind][]bool // taker: of each adder, whether it takes the newest of its values
	origin, once bool
	empty        []history.Kind // lookers that speak only while there is nothing
	unnamed      int            // reasons without words of their own
	most         int            // values that can be there at once; 0: any number
	ends         []finisher
	free         []history.Kind // takers that answer any value that is left
}

func newPatternPage(s *theory.Spec) *patternPage {
	t := theory.Theory{Spec: *s}
	p := &patternPage{spec: s, decides: t.Sequences(), names: naming{methods: s.Methods}, removes: map[history.Kind]bool{}, ordered: map[history.Kind][]bool{}}
	for i := range s.Patterns {
		_, labels, err := history.ParseDrawing(s.Patterns[i].Drawing)
		if err != nil || len(labels) != len(s.Patterns[i].History.Ops) || !sequential(&s.Patterns[i].History) {
			labels = nil
		}
		p.drawn = append(p.drawn, labels)
	}
	p.names.learn(p.drawn)
	p.roles()
	if len(p.adders) > 0 && len(p.takers) > 0 {
		p.claims()
	}
	return p
}

func sequential(h *history.History) bool {
	for i := range h.Ops {
		if !h.Ops[i].Completed || i > 0 && !h.Before(i-1, i) {
			return false
		}
	}
	return true
}

// roles finds adders, takers and lookers.
func (p *patternPage) roles() {
	note := func(ks *[]history.Kind, k history.Kind) {
		if !slices.Contains(*ks, k) {
			*ks = append(*ks, k)
		}
	}
	for i, labels := range p.drawn {
		for j, l := range labels {
			if p.place(l.Kind) < 0 {
				continue
			}
			switch o := &p.spec.Patterns[i].History.Ops[j]; {
			case o.Target == j && !o.ReadOnly && len(l.Args) == 1 && len(l.Rets) == 0:
				note(&p.adders, l.Kind)
			case len(l.Args) == 0 && len(l.Rets) == 1 && o.Target != j:
				note(&p.takers, l.Kind)
				p.removes[l.Kind] = !o.ReadOnly
			case len(l.Args) == 0 && len(l.Rets) == 0 && o.ReadOnly && o.Target == j:
				note(&p.lookers, l.Kind)
			}
		}
	}
	declared := func(a, b history.Kind) int { return p.place(a) - p.place(b) }
	for _, ks := range [][]history.Kind{p.adders, p.takers, p.lookers} {
		slices.SortStableFunc(ks, declared)
	}
	if len(p.adders) > 0 {
		m := &p.spec.Methods[p.place(p.adders[0])]
		p.values = pool(m, false, 0, 3, false)
	}
}

func (p *patternPage) place(k history.Kind) int {
	return slices.IndexFunc(p.spec.Methods, func(m history.MethodSig) bool { return m.Name == k.Method })
}

// rows are what the patterns say, and in a few words the kind of order.
func (p *patternPage) rows() (rows []Row, shape string) {
	rows, shape = p.orders()
	if c := p.spec.Control; c != nil {
		size := p.size()
		more, limit := methodRows(c.Automaton, p.spec.Methods, size, nil)
		rows = append(rows, slices.DeleteFunc(more, func(r Row) bool { // rows below say it
			return slices.ContainsFunc(p.empty, func(k history.Kind) bool { return k.Method == r.about }) && p.outcomes(r.about) == 2
		})...)
		if limit != "" {
			shape = strings.TrimPrefix(shape+", "+limit, ", ")
		}
	}
	if p.most > 0 {
		var run []history.Label
		for _, v := range pool(&p.spec.Methods[p.place(p.adders[0])], false, 0, p.most+1, false) {
			run = append(run, add(p.adders[0], v))
		}
		limit := "at most " + strconv.Itoa(p.most)
		shape = strings.TrimPrefix(shape+", "+limit, ", ")
		rows = append(rows, Row{Says: limit + ": no more values can be left at a time", Never: true, Example: steps(run)})
	}
	if len(p.free) > 0 {
		x := p.adders[0]
		rows = append(rows, Row{Says: "in any order: " + methodsText(p.free) + verb(p.free, " answers", " answer") + " some value that is left",
			Example: steps([]history.Label{add(x, p.values[0]), add(x, p.values[1]), take(p.free[0], p.values[1])})})
	}
	if len(p.spec.MayFail) > 0 {
		rows = append(rows, Row{Says: kindsText(p.spec.MayFail) + " at any time, which changes nothing"})
	}
	if len(p.empty) > 0 {
		rows = append(rows, Row{Says: kindsText(p.empty) + " only while " + p.nothing() + " left", Never: true,
			Example: steps([]history.Label{add(p.adders[0], p.values[0]), {Kind: p.empty[0]}})})
	}
	if p.origin {
		rows = append(rows, Row{Says: methodsText(p.takers) + " only what " + methodsText(p.adders, "or") + " brought before", Never: true,
			Example: steps([]history.Label{take(p.takers[0], p.values[0])})})
		rows[len(rows)-1].Says = methodsText(p.takers) + verb(p.takers, " answers", " answer") + " only what " + methodsText(p.adders, "or") + " brought before"
	}
	if p.once {
		gone := slices.DeleteFunc(slices.Clone(p.takers), func(k history.Kind) bool { return !p.removes[k] })
		if len(gone) > 0 {
			rows = append(rows, Row{Says: "what " + methodsText(gone, "or") + " answered is gone: nothing answers it again", Never: true,
				Example: steps([]history.Label{add(p.adders[0], p.values[0]), take(gone[0], p.values[0]), take(gone[0], p.values[0])})})
		}
	}
	rows = append(rows, p.finished()...)
	return append(rows, p.others()...), shape
}

func (p *patternPage) outcomes(method string) int {
	return len(p.spec.Methods[p.place(history.Kind{Method: method})].Outcomes)
}

func (p *patternPage) nothing() string {
	if len(p.adders) > 1 {
		return "nothing is"
	}
	return "nothing of " + p.adders[0].Method + " is"
}

// size is the counter of what is there, if the control counts it: -1 if not.
func (p *patternPage) size() int {
	for i, c := range p.spec.Control.Automaton.Counters {
		if c.Keyed || c.Greatest || c.Start != 0 || len(c.Reset) > 0 || len(p.adders) == 0 {
			continue
		}
		n := 0
		for _, x := range c.Adds {
			switch {
			case x.Arg >= 0 || x.Where > 0:
			case x.Times == 1 && slices.Contains(p.adders, x.Kind), x.Times == -1 && slices.Contains(p.takers, x.Kind) && p.removes[x.Kind]:
				n++
			}
		}
		gone := 0
		for _, k := range p.takers {
			if p.removes[k] {
				gone++
			}
		}
		if n == len(c.Adds) && n == len(p.adders)+gone {
			return i
		}
	}
	return -1
}

// orders are the rows about order: takers that take alike are together.
func (p *patternPage) orders() (rows []Row, shape string) {
	var alike [][]history.Kind
	for _, k := range p.takers {
		sides, ok := p.ordered[k]
		i := slices.IndexFunc(alike, func(ks []history.Kind) bool { return slices.Equal(p.ordered[ks[0]], sides) })
		switch {
		case !ok:
		case i >= 0:
			alike[i] = append(alike[i], k)
		default:
			alike = append(alike, []history.Kind{k})
		}
	}
	var shapes []string
	a, b := p.values[:min(1, len(p.values))], p.values[min(1, len(p.values)):]
	for _, ks := range alike {
		sides, x := p.ordered[ks[0]], p.adders[0]
		wrong := take(ks[0], b[0])
		if sides[0] {
			wrong = take(ks[0], a[0])
		}
		name, says := p.ordering(ks, sides)
		if len(alike) > 1 {
			name += " for " + methodsText(ks)
		}
		shapes = append(shapes, name)
		rows = append(rows, Row{Says: says, Never: true, Example: steps([]history.Label{add(x, a[0]), add(x, b[0]), wrong})})
	}
	if len(p.adders) == 2 && len(alike) == 2 && p.mixed(alike[0][0]) && p.mixed(alike[1][0]) {
		return rows, "a deque"
	}
	return rows, strings.Join(shapes, ", ")
}

// removing reports whether some taker takes values away.
func (p *patternPage) removing() bool {
	return slices.ContainsFunc(p.takers, func(k history.Kind) bool { return p.removes[k] })
}

// mixed reports whether a taker takes the newest of one adder and the oldest of another.
func (p *patternPage) mixed(k history.Kind) bool { return p.ordered[k][0] != p.ordered[k][1] }

// ordering says in which order takers take.
func (p *patternPage) ordering(ks []history.Kind, newest []bool) (name, says string) {
	var own, other []history.Kind
	for i, k := range p.adders {
		if newest[i] {
			own = append(own, k)
		} else {
			other = append(other, k)
		}
	}
	who := methodsText(ks) + verb(ks, " answers", " answer")
	switch {
	case len(own) == 0 && !p.removing():
		return "the first value stays", who + " the first value of " + methodsText(p.adders, "or")
	case len(other) == 0 && !p.removing():
		return "the last value", who + " the last value of " + methodsText(p.adders, "or")
	case len(own) == 0:
		return "FIFO", "FIFO: " + who + " the oldest value that is left"
	case len(other) == 0:
		return "LIFO", "LIFO: " + who + " the newest value that is left"
	}
	return "ordered", who + " the newest value of " + methodsText(own) + " that is left, or else the oldest of " + methodsText(other)
}

// others are the groups of patterns that no row above is about, each with the smallest.
func (p *patternPage) others() (rows []Row) {
	var groups []string
	for i := range p.spec.Patterns {
		q := &p.spec.Patterns[i]
		if p.explained(i) || q.Group != "" && slices.Contains(groups, q.Group) {
			continue
		}
		groups = append(groups, q.Group)
		row := Row{Says: "never: " + q.Reading, Never: true}
		if labels := p.drawn[i]; labels != nil {
			row.Example = steps(p.names.rename(labels))
		}
		rows = append(rows, row)
	}
	p.unnamed = len(rows)
	return rows
}

// explained reports whether a row above is what a pattern breaks first.
func (p *patternPage) explained(i int) bool {
	added, gone, finished := map[history.Value]bool{}, map[history.Value]bool{}, map[history.Value]bool{}
	var left []history.Label
	for _, l := range p.drawn[i] {
		switch {
		case slices.Contains(p.adders, l.Kind):
			added[l.Args[0]] = true
			if left = append(left, l); p.most > 0 && len(left) > p.most {
				return true
			}
		case slices.Contains(p.takers, l.Kind):
			v := l.Rets[0]
			switch {
			case !added[v]:
				return p.origin
			case gone[v]:
				return p.once
			}
			if sides, ok := p.ordered[l.Kind]; ok && p.first(left, sides) != v {
				return true
			}
			if p.removes[l.Kind] {
				gone[v] = true
				left = slices.DeleteFunc(left, func(x history.Label) bool { return x.Args[0] == v })
			}
		case slices.Contains(p.lookers, l.Kind) && len(left) > 0:
			return slices.Contains(p.empty, l.Kind)
		default:
			breaks, claimed := false, len(l.Args) == 1
			if claimed {
				breaks, claimed = p.ended(l, gone[l.Args[0]], finished[l.Args[0]])
				finished[l.Args[0]] = finished[l.Args[0]] || gone[l.Args[0]]
			}
			if breaks || !claimed {
				return breaks
			}
		}
	}
	return false
}

// first is what a taker answers: the newest of what is added at its end, or the oldest of
// the rest.
func (p *patternPage) first(left []history.Label, newest []bool) history.Value {
	for i := len(left) - 1; i >= 0; i-- {
		if newest[slices.Index(p.adders, left[i].Kind)] {
			return left[i].Args[0]
		}
	}
	return left[0].Args[0]
}

// methodsText names the methods of kinds.
func methodsText(ks []history.Kind, and ...string) string {
	var names []string
	for _, k := range ks {
		if !slices.Contains(names, k.Method) {
			names = append(names, k.Method)
		}
	}
	return listed(names, append(and, "and")[0])
}

// kindsText is "take and steal answer nil".
func kindsText(ks []history.Kind) string {
	var outcomes []string
	for _, k := range ks {
		if !slices.Contains(outcomes, string(k.Outcome)) {
			outcomes = append(outcomes, string(k.Outcome))
		}
	}
	return methodsText(ks) + verb(ks, " answers ", " answer ") + listed(outcomes, "or")
}

func verb(ks []history.Kind, one, many string) string {
	for _, k := range ks {
		if k.Method != ks[0].Method {
			return many
		}
	}
	return one
}
