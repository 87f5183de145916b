package judge

import (
	"context"
	"encoding/binary"

	"github.com/adtinfer/adtinfer/reference"
)

// memory is a reference that is asked no word that it has answered, nor one that others
// which are asked with it begin with. The words of mutants mostly are such words.
type memory struct {
	reference.Implementation
	key     []byte           // room for one
	numbers map[string]int32 // of calls
	next    map[longer]int32 // words with one more call
	words   []remembered     // the first is the empty one
}

// longer is a word with one more call.
type longer struct{ word, call int32 }

// remembered is a word that was asked, or that one begins with.
type remembered struct {
	before  int32 // the word without its last call
	calls   int32
	inside  bool // longer words begin with it
	asked   bool
	answers []reference.Answer // to it, or to a longer word; nil: not yet
}

// mostRemembered is how many words are remembered; then all are forgotten.
const mostRemembered = 200_000

func remember(impl reference.Implementation) *memory {
	m := &memory{Implementation: impl}
	m.forget()
	return m
}

func (m *memory) forget() {
	m.numbers, m.next = map[string]int32{}, map[longer]int32{}
	m.words = []remembered{{answers: []reference.Answer{}}}
}

// Replay answers words whose arguments are numbers.
func (m *memory) Replay(ctx context.Context, words [][]reference.Call) ([][]reference.Answer, error) {
	if len(m.words) > mostRemembered {
		m.forget()
	}
	ends := make([]int32, len(words))
	for i, w := range words {
		ends[i] = m.find(w)
	}
	var ask []word
	var asked []int32
	for i, n := range ends {
		if w := &m.words[n]; w.answers == nil && !w.inside && !w.asked {
			w.asked = true
			ask, asked = append(ask, words[i]), append(asked, n)
		}
	}
	answers, err := m.Implementation.Replay(ctx, ask)
	if brokeDown(err) {
		m.forget()
		return m.Implementation.Replay(ctx, words) // the fault is about the first of these that shows one
	}
	if err != nil {
		return nil, err
	}
	for i, n := range asked {
		for ; m.words[n].answers == nil; n = m.words[n].before {
			m.words[n].answers = answers[i]
		}
	}
	out := make([][]reference.Answer, len(words))
	for i, n := range ends {
		w := &m.words[n]
		k := min(int(w.calls), len(w.answers))
		out[i] = w.answers[:k:k]
	}
	return out, nil
}

// find is a word's place.
func (m *memory) find(calls word) (n int32) {
	for i := range calls {
		edge := longer{n, m.number(&calls[i])}
		then, ok := m.next[edge]
		if !ok {
			then = int32(len(m.words))
			m.next[edge] = then
			m.words[n].inside = true
			m.words = append(m.words, remembered{before: n, calls: int32(i + 1)})
		}
		n = then
	}
	return n
}

// number tells calls from one another.
func (m *memory) number(c *reference.Call) int32 {
	b := binary.AppendUvarint(m.key[:0], uint64(c.Method))
	for _, k := range c.Args {
		b = binary.AppendUvarint(b, uint64(k))
	}
	m.key = b
	n, ok := m.numbers[string(b)]
	if !ok {
		n = int32(len(m.numbers))
		m.numbers[string(b)] = n
	}
	return n
}
