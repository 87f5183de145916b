package patterns

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/adtinfer/adtinfer/reference"
)

// asked is a reference that remembers what it answered, for executions are explored
// several times, and answers so many calls and no more.
type asked struct {
	reference.Implementation
	most, left int // 0: any number
	known      map[string][]reference.Answer
}

// mostKnown bounds the sequences that are remembered.
const mostKnown = 1 << 16

// atMost limits a reference to so many calls, unless most is 0 or the reference answers
// nothing of itself.
func atMost(impl reference.Implementation, most int) reference.Implementation {
	if _, nondeterministic := impl.(reference.Acceptor); nondeterministic {
		return impl
	}
	return &asked{impl, most, most, map[string][]reference.Answer{}}
}

func (a *asked) Replay(ctx context.Context, seqs [][]reference.Call) ([][]reference.Answer, error) {
	answers, keys := make([][]reference.Answer, len(seqs)), make([]string, len(seqs))
	var ask [][]reference.Call
	var of []int
	for i, s := range seqs {
		var known bool
		a.left -= len(s)
		keys[i] = sequenceKey(s)
		if answers[i], known = a.known[keys[i]]; !known {
			ask, of = append(ask, s), append(of, i)
		}
	}
	if a.most > 0 && a.left < 0 {
		return nil, fmt.Errorf("%w for %d calls of the reference", ErrTooMany, a.most)
	}
	if len(ask) == 0 {
		return answers, nil
	}
	got, err := a.Implementation.Replay(ctx, ask)
	if err != nil {
		return nil, err
	}
	for j, i := range of {
		if answers[i] = got[j]; len(a.known) < mostKnown {
			a.known[keys[i]] = got[j]
		}
	}
	return answers, nil
}

// sequenceKey tells sequences of calls from one another.
func sequenceKey(calls []reference.Call) string {
	var b []byte
	for _, c := range calls {
		b = append(binary.AppendUvarint(b, uint64(c.Method)), byte(len(c.Args)))
		for _, n := range c.Args {
			b = binary.AppendUvarint(b, uint64(n))
		}
		for _, v := range c.Values {
			b = append(binary.AppendUvarint(b, uint64(len(v))), v...)
		}
	}
	return string(b)
}
