package learn

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/reference"
)

// table is what the learner knows: for words, what the reference answers to shapes
// after them.
type table struct {
	*alphabet
	impl    reference.Implementation
	again   *teacher.Teacher // of words that one automaton after the other is compared on
	shapes  []shape
	known   map[string]bool // shapes
	initial []history.Value // values known at the start, in the order in which they were found
	sorts0  []int           // their sorts
	root    *node

	asWords bool            // values that nobody passed in are words that only answers have, until one is passed in
	words   []history.Value // these
	makesUp bool            // there are values that nobody passed in, beside zero values

	generates map[position]bool // results that the reference makes up
	rows      int               // entries asked for
}

// node is a word, a leaf or inner node of the tree of all words looked at.
type node struct {
	steps    []step
	next     map[string]*node
	values   map[history.Value]bool // of the word, and known at the start
	answer   history.Label          // to the last call
	waits    bool                   // the last call
	before   *node
	rows     map[string]entry // by shape and values
	filled   int              // shapes of which rows has all
	filledBy string           // with these values

	// What follows from rows.
	compared []candidate     // values that a later call can be compared with
	memory   []history.Value // that matter to later answers, in canonical order
	text     string          // canonical row
}

// candidate is a value that was a compared argument, or known at the start.
type candidate struct {
	value history.Value
	sort  int
}

// clear forgets all words.
func (t *table) clear() {
	t.root = &node{next: map[string]*node{}, values: map[history.Value]bool{}, rows: map[string]entry{}}
	for _, v := range t.initial {
		t.root.values[v] = true
	}
}

// add reports whether a shape is new.
func (t *table) add(s shape) bool {
	k := s.key()
	if t.known[k] {
		return false
	}
	t.known[k] = true
	t.shapes = append(t.shapes, s)
	return true
}

// child is a word and one more step.
func (t *table) child(n *node, s step) *node {
	k := strconv.Itoa(s.letter)
	for _, v := range s.args {
		k += "\x00" + string(v)
	}
	c := n.next[k]
	if c == nil {
		c = &node{steps: append(slices.Clone(n.steps), s), next: map[string]*node{}, values: maps.Clone(n.values), before: n, rows: map[string]entry{}}
		for p, v := range s.args {
			if t.letters[s.letter].free[p] {
				c.values[v] = true
			}
		}
		n.next[k] = c
	}
	return c
}

// foreign is a value that nobody passed in.
type foreign struct {
	at    position // of the result
	sort  int
	value history.Value
}

// findings are what rows show beside their entries.
type findings struct {
	shapes  []shape // that tell words apart which look alike
	foreign *foreign
}

var errTooMany = errors.New("too many entries")

// fill asks for the rows of nodes.
func (t *table) fill(ctx context.Context, nodes []*node, f *findings) error {
	type question struct {
		n     *node
		shape int
		of    []history.Value
		steps []step
		key   string
	}
	var asked []question
	var words [][]step
	for _, n := range nodes {
		t.candidates(n)
		by := fmt.Sprint(n.compared)
		if n.filledBy != by {
			n.filled, n.filledBy = 0, by
		}
		for i := n.filled; i < len(t.shapes) && t.rows <= mostRows; i++ {
			t.assign(n, i, func(of []history.Value) {
				k := rowKey(i, of)
				if _, ok := n.rows[k]; ok || t.rows > mostRows {
					return
				}
				q := question{n: n, shape: i, of: slices.Clone(of), key: k}
				fresh := t.fresh(n.values)
				full := slices.Clone(of)
				for c := range full {
					if made := t.shapes[i].made[c]; made[0] >= 0 {
						full[c] = symbol(len(n.steps)+made[0], made[1])
					} else if full[c] == isNew {
						full[c] = fresh.next(t.shapes[i].sorts[c])
					}
				}
				q.steps = t.concrete(&t.shapes[i], full, fresh)
				asked = append(asked, q)
				t.rows++
				words = append(words, append(n.steps[:len(n.steps):len(n.steps)], q.steps...))
			})
		}
		if t.rows > mostRows {
			return errTooMany
		}
		n.filled = len(t.shapes)
	}
	answers, err := t.ask(ctx, words)
	if err != nil {
		return err
	}
	for i, q := range asked {
		q.n.rows[q.key] = t.entry(q.n, q.steps, &answers[i], f)
	}
	return nil
}

// isNew stands for a value that is fresh.
const isNew history.Value = "\x00"

// rowKey names an entry.
func rowKey(shape int, of []history.Value) string {
	var b strings.Builder
	b.WriteString(strconv.Itoa(shape))
	for _, v := range of {
		b.WriteByte(' ')
		b.WriteString(strconv.Itoa(len(v)))
		b.WriteByte(':')
		b.WriteString(string(v))
	}
	return b.String()
}

// candidates finds the values with which a call after n can be compared: what the
// word before it remembers, and arguments and answer of its last call.
func (t *table) candidates(n *node) {
	n.compared = nil
	if n.before == nil {
		for i, v := range t.initial {
			if t.isCompared(t.sorts0[i]) {
				n.compared = append(n.compared, candidate{v, t.sorts0[i]})
			}
		}
		return
	}
	for _, c := range n.before.compared {
		if slices.Contains(n.before.memory, c.value) {
			n.compared = append(n.compared, c)
		}
	}
	for _, c := range t.made(n) {
		if t.isCompared(c.sort) {
			n.compared = append(n.compared, c)
		}
	}
	last := n.steps[len(n.steps)-1]
	for p, v := range last.args {
		c := candidate{v, t.sort(last.letter, p)}
		if t.compared(last.letter, p) && !slices.Contains(n.compared, c) {
			n.compared = append(n.compared, c)
		}
	}
}

// assign calls use for all ways to give different values to the classes of a shape:
// candidates, or isNew for a fresh value.
func (t *table) assign(n *node, shape int, use func(of []history.Value)) {
	sorts, made := t.shapes[shape].sorts, t.shapes[shape].made
	of := make([]history.Value, len(sorts))
	var next func(c int)
	next = func(c int) {
		if c == len(of) {
			use(of)
			return
		}
		of[c] = isNew
		next(c + 1)
		for _, x := range n.compared {
			if made[c][0] < 0 && x.sort == sorts[c] && !slices.Contains(of[:c], x.value) {
				of[c] = x.value
				next(c + 1)
			}
		}
		of[c] = isNew
	}
	next(0)
}

// entry reads the answers to the steps of a shape after n.
func (t *table) entry(n *node, steps []step, a *teacher.Answers, f *findings) entry {
	own := map[history.Value]string{}
	class := t.shapeOf(steps, len(n.steps))
	for i, s := range steps {
		for p, v := range s.args {
			switch {
			case class.classes[i][p] >= 0:
				own[v] = fmt.Sprint("#", class.classes[i][p])
			case t.letters[s.letter].free[p]:
				own[v] = fmt.Sprint("#", i, ".", p)
			}
		}
	}
	var e entry
	for i := range steps {
		at := len(n.steps) + i
		if at >= len(a.Labels) {
			e = append(e, token{text: "waits"})
			break
		}
		l := &a.Labels[at]
		e = append(e, token{text: string(l.Outcome)})
		for r, v := range l.Rets {
			if at, _ := place(v); at == len(n.steps)+i && own[v] == "" {
				own[v] = fmt.Sprint("#", i, ":", r)
			}
			switch mine, ok := own[v]; {
			case ok:
				e = append(e, token{text: mine})
			case n.values[v]:
				e = append(e, token{true, string(v)})
				if n.before != nil && !t.passes(n, v) {
					// The word before knew v, and did not look so.
					f.shapes = append(f.shapes, t.shapeOf(append([]step{n.steps[len(n.steps)-1]}, steps[:i+1]...), len(n.steps)-1))
				}
			default:
				t.strange(n, steps[i], r, v, at == 0, f)
				e = append(e, token{text: "=" + string(v)})
			}
		}
	}
	return e
}

// passes reports whether n can know a value: the word before it remembers it, or it
// is an argument or the answer of its last call.
func (t *table) passes(n *node, v history.Value) bool {
	return slices.Contains(n.before.memory, v) || slices.Contains(n.steps[len(n.steps)-1].args, v) || slices.Contains(n.answer.Rets, v)
}

// strange takes down a value that nobody passed in, if it could be passed in later
// and compared, or is there from the start.
func (t *table) strange(n *node, s step, result int, v history.Value, first bool, f *findings) {
	method := t.letters[s.letter].method
	of := t.result[method]
	if result >= len(of) || of[result] < 0 {
		return
	}
	sort := of[result]
	if string(v) != t.sorts[sort].zero {
		t.makesUp = true
		switch {
		case !t.asWords:
		case slices.Contains(t.words, v):
			return
		case len(t.words) < mostWords:
			t.words = append(t.words, v)
			return
		}
	}
	if f.foreign == nil && (first || t.isCompared(sort)) {
		f.foreign = &foreign{position{method, result}, sort, v}
	}
}

// mostWords is how many words answers have.
const mostWords = 16
