// Package teacher answers words, sequences of calls with the values that logs have,
// for those who learn from a reference implementation.
//
//	t := teacher.New(impl)
//	v := t.Value(add, 0, 3) // value number 3 of the first parameter of method add
//	answers, err := t.Ask(ctx, [][]teacher.Call{{{Method: add, Args: []history.Value{v}}}})
package teacher

import (
	"context"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/reference"
)

// Teacher asks a reference, and remembers what it answered. It is not safe for
// concurrent use.
type Teacher struct {
	impl    reference.Implementation
	numbers map[string]int32 // of calls
	root    *node
	known   int // nodes
	Asked   int // words that the reference ran
}

// most is how many calls are remembered; then all are forgotten.
const most = 2_000_000

// New makes a Teacher of a reference that is no Acceptor.
func New(impl reference.Implementation) *Teacher {
	return &Teacher{impl: impl, numbers: map[string]int32{}, root: &node{}}
}

// node is a word, with the answer to its last call.
type node struct {
	answer history.Label
	waits  bool
	next   map[int32]*node
}

// Call is a call of a method, by its index in Methods.
type Call struct {
	Method int
	Args   []history.Value
}

// Answers are what a reference answers to the calls of a word: a label for each.
type Answers struct {
	Labels []history.Label
	Blocks bool // the call after the last label waits for ever
}

// Methods are the reference's.
func (t *Teacher) Methods() []reference.Method { return t.impl.Methods() }

// Value is the text of value number k > 0 of a parameter; of parameters of one type
// the same number is the same value, and two numbers, up to the parameter's ArgDomain
// if that is not 0, are two values.
func (t *Teacher) Value(method, param, k int) history.Value {
	return history.Value(t.impl.Methods()[method].Params[param].Numbered(k))
}

// Ask answers words, each on a new object.
func (t *Teacher) Ask(ctx context.Context, words [][]Call) ([]Answers, error) {
	if t.known > most {
		t.root, t.known = &node{}, 0
	}
	var ask [][]reference.Call
	var of []int
	for i, w := range words {
		if !t.knows(w) {
			calls := make([]reference.Call, len(w))
			for j, c := range w {
				calls[j] = reference.Call{Method: c.Method, Values: c.Args}
			}
			ask, of = append(ask, calls), append(of, i)
		}
	}
	if len(ask) > 0 {
		t.Asked += len(ask)
		answers, err := t.impl.Replay(ctx, ask)
		if err != nil {
			return nil, err
		}
		for i, as := range answers {
			t.learn(words[of[i]], as)
		}
	}
	out := make([]Answers, len(words))
	for i, w := range words {
		out[i] = t.recall(w)
	}
	return out, nil
}

// number tells calls from one another.
func (t *Teacher) number(c Call) int32 {
	b := binary.AppendUvarint(nil, uint64(c.Method))
	for _, v := range c.Args {
		b = append(binary.AppendUvarint(b, uint64(len(v))), v...)
	}
	n, ok := t.numbers[string(b)]
	if !ok {
		n = int32(len(t.numbers))
		t.numbers[string(b)] = n
	}
	return n
}

func (t *Teacher) knows(w []Call) bool {
	at := t.root
	for _, c := range w {
		if at = at.next[t.number(c)]; at == nil {
			return false
		}
		if at.waits {
			return true
		}
	}
	return true
}

func (t *Teacher) learn(w []Call, answers []reference.Answer) {
	at := t.root
	for i, a := range answers {
		n := t.number(w[i])
		if at.next == nil {
			at.next = map[int32]*node{}
		}
		if at.next[n] == nil {
			m := &t.impl.Methods()[w[i].Method]
			l := history.Label{Kind: history.Kind{Method: m.Name, Outcome: a.Outcome}, Args: slices.Clone(w[i].Args)}
			for _, v := range a.Rets {
				l.Rets = append(l.Rets, text(v))
			}
			at.next[n] = &node{answer: l, waits: a.Blocked}
			t.known++
		}
		at = at.next[n]
	}
}

func (t *Teacher) recall(w []Call) (a Answers) {
	at := t.root
	for _, c := range w {
		if at = at.next[t.number(c)]; at.waits {
			a.Blocks = true
			return a
		}
		a.Labels = append(a.Labels, at.answer)
	}
	return a
}

// text is a value as logs write it, which an Answer has in parentheses.
func text(v history.Value) history.Value {
	v = history.Value(strings.TrimSuffix(strings.TrimPrefix(string(v), "("), ")"))
	if s, err := strconv.Unquote(string(v)); err == nil && v[0] == '"' {
		return history.Value(s)
	}
	return v
}
