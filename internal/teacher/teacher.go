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
	key     []byte           // room for one
	path    []*node          // room for those of the words that are asked, call by call
	root    *node
	known   int // nodes
	Asked   int // words that were not remembered
}

// most is how many calls are remembered; then all are forgotten.
const most = 2_000_000

// New makes a Teacher of a reference that is no Acceptor.
func New(impl reference.Implementation) *Teacher {
	return &Teacher{impl: impl, numbers: map[string]int32{}, root: &node{known: true}}
}

// node is a word, with the answer to its last call.
type node struct {
	answer history.Label
	known  bool // otherwise it is being asked
	asked  bool // by a word that ends here
	waits  bool

	number int32 // of the last call
	first  *node // one word with one more call
	next   map[int32]*node
}

// child is the word with one more call; nil if nobody asked for it.
func (n *node) child(number int32) *node {
	if n.first != nil && n.first.number == number {
		return n.first
	}
	return n.next[number]
}

// grow adds a word with one more call.
func (n *node) grow(number int32) *node {
	c := &node{number: number}
	switch {
	case n.first == nil:
		n.first = c
	case n.next == nil:
		n.next = map[int32]*node{number: c}
	default:
		n.next[number] = c
	}
	return c
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

// Ask answers words, each on a new object. Of several that are the same only the first is
// asked.
func (t *Teacher) Ask(ctx context.Context, words [][]Call) ([]Answers, error) {
	if t.known > most {
		t.forget()
	}
	paths := make([][]*node, len(words))
	t.path = t.path[:0]
	var ask [][]reference.Call
	var of []int
	for i, w := range words {
		from := len(t.path)
		at := t.find(w)
		paths[i] = t.path[from:]
		if at.known {
			continue
		}
		if t.Asked++; at.asked {
			continue
		}
		at.asked = true
		calls := make([]reference.Call, len(w))
		for j, c := range w {
			calls[j] = reference.Call{Method: c.Method, Values: c.Args}
		}
		ask, of = append(ask, calls), append(of, i)
	}
	if len(ask) > 0 {
		answers, err := t.impl.Replay(ctx, ask)
		if err != nil {
			t.forget()
			return nil, err
		}
		for i, as := range answers {
			t.learn(words[of[i]], paths[of[i]], as)
		}
	}
	out := make([]Answers, len(words))
	for i := range words {
		out[i] = recall(paths[i])
	}
	return out, nil
}

func (t *Teacher) forget() { t.root, t.known = &node{known: true}, 0 }

// number tells calls from one another.
func (t *Teacher) number(c *Call) int32 {
	b := binary.AppendUvarint(t.key[:0], uint64(c.Method))
	for _, v := range c.Args {
		b = append(binary.AppendUvarint(b, uint64(len(v))), v...)
	}
	t.key = b
	n, ok := t.numbers[string(b)]
	if !ok {
		n = int32(len(t.numbers))
		t.numbers[string(b)] = n
	}
	return n
}

// find is the node of a word, or of its beginning that waits, and appends the nodes on the
// way there to the path. They are new if nobody asked for the word.
func (t *Teacher) find(w []Call) *node {
	at := t.root
	for i := range w {
		number := t.number(&w[i])
		next := at.child(number)
		if next == nil {
			next = at.grow(number)
		}
		at = next
		if t.path = append(t.path, at); at.waits {
			break
		}
	}
	return at
}

// learn notes the answers to a word.
func (t *Teacher) learn(w []Call, path []*node, answers []reference.Answer) {
	for i, a := range answers {
		n := path[i]
		if n.known {
			continue
		}
		m := &t.impl.Methods()[w[i].Method]
		n.answer = history.Label{Kind: history.Kind{Method: m.Name, Outcome: a.Outcome}, Args: slices.Clone(w[i].Args)}
		if len(a.Rets) > 0 {
			n.answer.Rets = make([]history.Value, len(a.Rets))
		}
		for j, v := range a.Rets {
			n.answer.Rets[j] = text(v)
		}
		n.known, n.waits = true, a.Blocked
		t.known++
	}
}

// recall are the answers on the way to a word.
func recall(path []*node) (a Answers) {
	if len(path) > 0 {
		a.Labels = make([]history.Label, 0, len(path))
	}
	for _, n := range path {
		if n.waits {
			a.Blocks = true
			break
		}
		a.Labels = append(a.Labels, n.answer)
	}
	return a
}

// text is a value as logs write it, which an Answer has in parentheses.
func text(v history.Value) history.Value {
	v = history.Value(strings.TrimSuffix(strings.TrimPrefix(string(v), "("), ")"))
	if len(v) == 0 || v[0] != '"' {
		return v
	}
	if s, err := strconv.Unquote(string(v)); err == nil {
		return history.Value(s)
	}
	return v
}
