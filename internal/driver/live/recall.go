package live

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/adtinfer/adtinfer/reference"
)

// Memory is a reference with what it answered. It is not safe for concurrent use.
type Memory struct {
	reference.Implementation
	Asked   int              // words that were not remembered
	most    int              // words that are remembered; with more, all are forgotten
	key     []byte           // room for one
	last    word             // that was looked for
	path    []Node           // on the way to it
	tree    *Tree            // of the words
	words   []asked          // by node
	numbers map[string]int32 // of answers
	answers []reference.Answer
}

type word = []reference.Call

// asked is what is known of a word.
type asked struct {
	answer int32 // to the last call: a number, or one of those below
	waits  bool  // the answer is that the call waits for ever
	begins bool  // a longer word
}

// What is known of words that have no answer.
const (
	unknown = -1
	asking  = -2
	never   = -3 // a call before the last one waits for ever
)

// NewMemory makes a Memory of a deterministic reference, for so many words and their beginnings.
func NewMemory(impl reference.Implementation, most int) *Memory {
	m := &Memory{Implementation: impl, most: most}
	m.forget()
	return m
}

func (m *Memory) forget() {
	m.tree, m.words, m.path = NewTree(), make([]asked, 1), nil
	m.numbers, m.answers = map[string]int32{}, nil
}

// Replay runs words, as far as their answers are not known; see reference.Implementation.
func (m *Memory) Replay(ctx context.Context, words [][]reference.Call) ([][]reference.Answer, error) {
	if m.tree.Len() > m.most {
		m.forget()
	}
	m.path = m.path[:0]
	nodes := make([]Node, len(words))
	for i, w := range words {
		if nodes[i] = m.find(w); m.words[nodes[i]].answer == unknown {
			m.Asked++
		}
	}
	var ask []word
	var of []Node
	for i, n := range nodes {
		if w := &m.words[n]; w.answer == unknown && !w.begins {
			w.answer = asking
			ask, of = append(ask, words[i]), append(of, n)
		}
	}
	if len(ask) > 0 {
		answers, err := m.Implementation.Replay(ctx, ask)
		if err != nil {
			return nil, m.failed(ctx, words, err)
		}
		for i, n := range of {
			m.learn(n, len(ask[i]), answers[i])
		}
	}
	out := make([][]reference.Answer, len(words))
	for i, n := range nodes {
		out[i] = m.recall(n, len(words[i]))
	}
	return out, nil
}

// failed is the error that the reference gives of all the words.
func (m *Memory) failed(ctx context.Context, words []word, err error) error {
	m.forget()
	var fault *reference.Fault
	if errors.As(err, &fault) {
		if _, first := m.Implementation.Replay(ctx, words); first != nil {
			return first
		}
	}
	return err
}

// find is the node of a word, or of its beginning that waits. Words often begin like the
// ones before them.
func (m *Memory) find(w word) (at Node) {
	same := 0
	for same < min(len(w), len(m.path)) && equal(&w[same], &m.last[same]) {
		at = m.path[same]
		same++
	}
	m.last, m.path = w, m.path[:same]
	for i := same; i < len(w) && !m.words[at].waits; i++ {
		at = m.tree.Then(at, m.number(&w[i]))
		if int(at) == len(m.words) {
			m.words[m.tree.Before(at)].begins = true
			m.words = append(m.words, asked{answer: unknown})
		}
		m.path = append(m.path, at)
	}
	return at
}

func equal(c, d *reference.Call) bool {
	return c.Method == d.Method && slices.Equal(c.Args, d.Args) && slices.Equal(c.Values, d.Values)
}

// number tells calls from one another.
func (m *Memory) number(c *reference.Call) int32 {
	b := append(binary.AppendUvarint(m.key[:0], uint64(c.Method)), byte(len(c.Args)))
	for _, k := range c.Args {
		b = binary.AppendUvarint(b, uint64(k))
	}
	for _, v := range c.Values {
		b = append(binary.AppendUvarint(b, uint64(len(v))), v...)
	}
	m.key = b
	return m.tree.Number(b)
}

// learn notes the answers to a word of n calls.
func (m *Memory) learn(at Node, n int, answers []reference.Answer) {
	for ; n > 0 && m.words[at].answer < 0; n-- {
		m.words[at].answer = never
		if n <= len(answers) {
			m.words[at].answer, m.words[at].waits = m.numberAnswer(&answers[n-1]), answers[n-1].Blocked
		}
		at = m.tree.Before(at)
	}
}

func (m *Memory) numberAnswer(a *reference.Answer) int32 {
	b := append(m.key[:0], a.Outcome...)
	if a.Blocked {
		b = append(b, 0)
	}
	for _, v := range a.Rets {
		b = append(binary.AppendUvarint(append(b, 1), uint64(len(v))), v...)
	}
	m.key = b
	n := numberOf(m.numbers, b)
	if int(n) == len(m.answers) {
		m.answers = append(m.answers, *a)
	}
	return n
}

// recall is the answers on the way to a node, of at most n calls.
func (m *Memory) recall(at Node, n int) []reference.Answer {
	answers := make([]reference.Answer, n)
	first := n
	for ; at != Root; at = m.tree.Before(at) {
		if known := m.words[at].answer; known != never {
			first--
			answers[first] = m.answers[known]
		}
	}
	return answers[first:]
}
