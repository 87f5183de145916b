package learn

import (
	"context"
	"slices"

	"github.com/adtinfer/adtinfer/history"
)

// hypothesis is an automaton with an edge for each letter and each way in which its
// compared arguments can be equal to registers and to one another.
type hypothesis struct {
	locations []*location
}

type location struct {
	node  *node
	edges [][]edge // by letter
}

// edge is a call in a location, with arguments of a pattern.
type edge struct {
	pattern []int // by parameter: a register, fresh, or -2 - an earlier parameter
	waits   bool
	answer  history.Label
	rets    []term
	to      int
	load    []term // by register of to
}

// fresh in a pattern is an argument that differs from all registers and earlier
// arguments.
const fresh = -1

// term is a register, an argument, a result that is made up, or a text.
type term struct {
	register, argument int // -1: no
	made               int // result, from 1; 0: no
	text               history.Value
}

// close finds the locations: words of which each has a row of its own, and so that
// each word with one more call has the row of one of them.
func (t *table) close(ctx context.Context, most func(*hypothesis) int, f *findings) (*hypothesis, error) {
	h := &hypothesis{}
	byText := map[string]int{}
	visit := func(n *node) (at int, isNew bool) {
		t.digest(n)
		at, ok := byText[n.text]
		if !ok {
			at = len(h.locations)
			byText[n.text] = at
			h.locations = append(h.locations, &location{node: n})
		}
		return at, !ok
	}
	if err := t.fill(ctx, []*node{t.root}, f); err != nil {
		return nil, err
	}
	visit(t.root)
	for i := 0; i < len(h.locations) && len(h.locations) <= most(h) && h.compared() <= mostCompared; i++ {
		if f.foreign != nil {
			return h, nil
		}
		l := h.locations[i]
		children, err := t.edges(ctx, l, f)
		if err != nil {
			return nil, err
		}
		var rows []*node
		for _, c := range children {
			if !c.waits {
				rows = append(rows, c)
			}
		}
		if err := t.fill(ctx, rows, f); err != nil {
			return h, err
		}
		next := 0
		for letter := range l.edges {
			for k := range l.edges[letter] {
				c, e := children[next], &l.edges[letter][k]
				next++
				if c.waits {
					e.waits = true
					continue
				}
				e.to, _ = visit(c)
				e.answer = c.answer
				for _, v := range c.answer.Rets {
					e.rets = append(e.rets, t.term(l.node, c, v))
				}
				for _, v := range c.memory {
					e.load = append(e.load, t.term(l.node, c, v))
				}
			}
		}
	}
	return h, nil
}

// compared is how many registers of the last location arguments are compared with.
func (h *hypothesis) compared() (n int) {
	last := h.locations[len(h.locations)-1].node
	for _, c := range last.compared {
		if slices.Contains(last.memory, c.value) {
			n++
		}
	}
	return n
}

// edges makes the edges of a location, and their words, which have been asked.
func (t *table) edges(ctx context.Context, l *location, f *findings) (children []*node, err error) {
	l.edges = make([][]edge, len(t.letters))
	for letter := range t.letters {
		t.patterns(l.node, letter, func(pattern []int, args []history.Value) {
			l.edges[letter] = append(l.edges[letter], edge{pattern: pattern})
			children = append(children, t.child(l.node, step{letter, args}))
		})
	}
	var words []*node
	for _, c := range children {
		if c.answer.Method == "" && !c.waits {
			words = append(words, c)
		}
	}
	asked := make([][]step, len(words))
	for i, c := range words {
		asked[i] = c.steps
	}
	answers, err := t.ask(ctx, asked)
	if err != nil {
		return nil, err
	}
	for i, c := range words {
		if c.waits = answers[i].Blocks; !c.waits {
			c.answer = answers[i].Labels[len(c.steps)-1]
			for _, x := range t.made(c) {
				c.values[x.value] = true
			}
		}
	}
	return children, nil
}

// patterns calls use for all ways to give arguments to a letter after a word.
func (t *table) patterns(n *node, letter int, use func(pattern []int, args []history.Value)) {
	l := &t.letters[letter]
	pattern, args := make([]int, len(l.free)), slices.Clone(l.fixed)
	values := t.fresh(n.values)
	unused := make([]history.Value, len(l.free))
	for p := range unused {
		if l.free[p] {
			unused[p] = values.next(t.sort(letter, p))
		}
	}
	var next func(p int)
	next = func(p int) {
		if p == len(pattern) {
			use(slices.Clone(pattern), slices.Clone(args))
			return
		}
		pattern[p] = fresh
		if l.free[p] {
			args[p] = unused[p]
		}
		next(p + 1)
		if !t.compared(letter, p) {
			return
		}
		for _, c := range n.compared {
			if r := slices.Index(n.memory, c.value); r >= 0 && c.sort == t.sort(letter, p) && !slices.Contains(pattern[:p], r) {
				pattern[p], args[p] = r, c.value
				next(p + 1)
			}
		}
		for q := range p {
			if t.compared(letter, q) && t.sort(letter, q) == t.sort(letter, p) && slices.Index(args[:p], args[q]) == q {
				pattern[p], args[p] = -2-q, args[q]
				next(p + 1)
			}
		}
		pattern[p] = fresh
	}
	next(0)
}

// term says where a value comes from after one more call.
func (t *table) term(n, child *node, v history.Value) term {
	if r := slices.Index(n.memory, v); r >= 0 {
		return term{register: r, argument: -1}
	}
	last := child.steps[len(child.steps)-1]
	if p := slices.Index(last.args, v); p >= 0 && t.letters[last.letter].free[p] {
		return term{register: -1, argument: p}
	}
	if at, r := place(v); at == len(child.steps)-1 {
		return term{register: -1, argument: -1, made: r + 1}
	}
	return term{register: -1, argument: -1, text: v}
}

// configuration is where a hypothesis is.
type configuration struct {
	at        int
	registers []history.Value
}

func (h *hypothesis) start() configuration {
	return configuration{0, h.locations[0].node.memory}
}

// edge is the one for a call.
func (t *table) edge(h *hypothesis, c configuration, s step) *edge {
	l := h.locations[c.at]
	pattern := make([]int, len(s.args))
	for p, v := range s.args {
		pattern[p] = fresh
		if !t.compared(s.letter, p) {
			continue
		}
		for q := p - 1; q >= 0; q-- {
			if s.args[q] == v && t.compared(s.letter, q) && t.sort(s.letter, q) == t.sort(s.letter, p) {
				pattern[p] = -2 - q
			}
		}
		for _, x := range l.node.compared {
			if r := slices.Index(l.node.memory, x.value); pattern[p] == fresh && r >= 0 && x.sort == t.sort(s.letter, p) && c.registers[r] == v {
				pattern[p] = r
			}
		}
	}
	for i := range l.edges[s.letter] {
		if e := &l.edges[s.letter][i]; slices.Equal(e.pattern, pattern) {
			return e
		}
	}
	return nil
}

// follow is the configuration after a call.
func (e *edge) follow(c configuration, s step, answer *history.Label) configuration {
	next := configuration{at: e.to}
	for _, x := range e.load {
		next.registers = append(next.registers, x.value(c, s, answer))
	}
	return next
}

func (x term) value(c configuration, s step, answer *history.Label) history.Value {
	switch {
	case x.register >= 0:
		return c.registers[x.register]
	case x.argument >= 0:
		return s.args[x.argument]
	case x.made > 0:
		return answer.Rets[x.made-1]
	}
	return x.text
}
