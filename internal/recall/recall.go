// Package recall remembers what a reference implementation answered.
//
//	m := recall.New(impl, 100_000)
//	answers, err := m.Replay(ctx, words)
//
// The reference is asked no word that it has answered, and none that a longer one, which
// is asked with it, begins with.
package recall

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
	most    int              // words that are remembered
	key     []byte           // room for one
	last    word             // that was looked for
	path    []int32          // places on the way to it
	calls   map[string]int32 // numbers of calls
	longer  map[edge]int32   // words with one more call
	words   []asked          // the first is the empty one
	numbers map[string]int32 // of answers
	answers []reference.Answer
}

type word = []reference.Call

// edge leads from a word to one with one more call.
type edge struct{ word, call int32 }

// asked is a word that was asked, or that one begins with.
type asked struct {
	before int32 // the word without the last call
	answer int32 // to the last call: a number, or one of those below
	begins bool  // a longer word
}

// What is known of words that have no answer.
const (
	unknown = -1
	asking  = -2
	never   = -3 // a call before the last one waits for ever
)

// none is the place of words that are not remembered, for want of room.
const none = -1

// New makes a Memory of a deterministic reference, for so many words and their beginnings.
func New(impl reference.Implementation, most int) *Memory {
	m := &Memory{Implementation: impl, most: most}
	m.forget()
	return m
}

func (m *Memory) forget() {
	m.calls, m.longer, m.words = map[string]int32{}, map[edge]int32{}, []asked{{}}
	m.numbers, m.answers = map[string]int32{}, nil
}

// Replay runs words, as far as their answers are not known; see reference.Implementation.
func (m *Memory) Replay(ctx context.Context, words [][]reference.Call) ([][]reference.Answer, error) {
	places := make([]int32, len(words))
	m.path = m.path[:0]
	for i, w := range words {
		places[i] = m.find(w)
	}
	var ask []word
	var which []int
	for i, p := range places {
		if p != none {
			if w := &m.words[p]; w.answer != unknown || w.begins {
				continue
			}
			m.words[p].answer = asking
		}
		ask, which = append(ask, words[i]), append(which, i)
	}
	answers, err := m.Implementation.Replay(ctx, ask)
	if err != nil {
		return nil, m.failed(ctx, words, err)
	}
	out := make([][]reference.Answer, len(words))
	for j, i := range which {
		if out[i] = answers[j]; places[i] != none {
			m.learn(places[i], len(words[i]), answers[j])
		}
	}
	for i, p := range places {
		if out[i] == nil {
			out[i] = m.recall(p, len(words[i]))
		}
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

// find is the place of a word, which is new if there is room for all of it. Words often
// begin like the ones before them.
func (m *Memory) find(w word) (at int32) {
	full, same := len(m.words)+len(w) > m.most, 0
	for same < min(len(w), len(m.path)) && equal(&w[same], &m.last[same]) {
		at = m.path[same]
		same++
	}
	m.last, m.path = w, m.path[:same]
	for i := same; i < len(w); i++ {
		e := edge{at, m.number(&w[i])}
		next, ok := m.longer[e]
		if !ok {
			if full {
				return none
			}
			next = int32(len(m.words))
			m.longer[e] = next
			m.words[at].begins = true
			m.words = append(m.words, asked{before: at, answer: unknown})
		}
		at = next
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
	return numberOf(m.calls, b)
}

func numberOf(numbers map[string]int32, key []byte) int32 {
	n, ok := numbers[string(key)]
	if !ok {
		n = int32(len(numbers))
		numbers[string(key)] = n
	}
	return n
}

// learn notes the answers to a word of n calls.
func (m *Memory) learn(at int32, n int, answers []reference.Answer) {
	for ; n > 0 && m.words[at].answer < 0; n-- {
		m.words[at].answer = never
		if n <= len(answers) {
			m.words[at].answer = m.numberAnswer(&answers[n-1])
		}
		at = m.words[at].before
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

// recall is the answers to a word of n calls.
func (m *Memory) recall(at int32, n int) []reference.Answer {
	for m.words[at].answer == never {
		at, n = m.words[at].before, n-1
	}
	answers := make([]reference.Answer, n)
	for ; n > 0; n-- {
		answers[n-1] = m.answers[m.words[at].answer]
		at = m.words[at].before
	}
	return answers
}
