package learn

import (
	"context"

	"github.com/adtinfer/adtinfer/describe/internal/teacher"
)

// Bounds of words.
const (
	randomCalls = 30    // of a random word, at most
	phaseCalls  = 1_000 // of a word in phases
	mostTimes   = 260   // that a call is repeated
	chunk       = 250   // random words at a time; of long ones, a tenth
	fewWords    = 16    // random words at first: most automata are refuted by one of them
)

// difference is a word with its answers, the first of which the automaton does
// not have.
type difference struct {
	word    []teacher.Call
	answers teacher.Answers
	at      int
}

// words compares n random words, and as many long ones as that is worth.
func (c *comparison) words(ctx context.Context, n int) (*difference, error) {
	registers := 0
	for _, l := range c.a.Locations {
		registers = max(registers, len(l.Registers))
	}
	generator := func(seed int) *teacher.Generator {
		g := teacher.NewGenerator(c.methods, 1<<35+uint64(seed))
		g.Registers = registers
		return g
	}
	random := func(i int) teacher.Word {
		g := generator(i)
		return g.Random(1 + g.IntN(randomCalls))
	}
	phases := func(i int) teacher.Word { return generator(-1 - i).Phases(phaseCalls) }
	powers := func(i int) teacher.Word {
		g, times := generator(1<<30+i), mostTimes
		if i/(2*len(c.methods))%2 == 1 {
			times = 1 + g.IntN(mostTimes)
		}
		return g.Powers(i%len(c.methods), times, i/len(c.methods)%2 == 1)
	}
	for _, part := range []struct {
		n, few, chunk int
		word          func(int) teacher.Word
	}{{n, fewWords, chunk, random}, {max(n/200, 2) * len(c.methods), chunk / 10, chunk / 10, powers}, {max(n/100, 2), chunk / 10, chunk / 10, phases}} {
		for from, to := 0, part.few; from < part.n; from, to = to, to+min(to, part.chunk) {
			d, err := c.batch(ctx, from, min(part.n, to), part.word)
			if d != nil || err != nil {
				return d, err
			}
		}
	}
	return nil, nil
}

// batch compares words number from to to, without it. Each second one is fed with
// answers, and each fourth has small integers, or each second if the automaton
// reckons.
func (c *comparison) batch(ctx context.Context, from, to int, word func(i int) teacher.Word) (*difference, error) {
	asked := c.teacher
	if asked == nil {
		asked = teacher.New(c.impl)
	}
	var all [][]teacher.Call
	for i := from; i < to; i++ {
		t := teacher.Texts{Methods: c.methods, Small: i/2%4 == 1 || c.sums && i/2%2 == 1}
		all = append(all, t.Of(word(i)))
	}
	t := teacher.Texts{Methods: c.methods}
	for round := 0; ; round++ {
		answers, err := asked.Ask(ctx, all)
		if err != nil {
			return nil, err
		}
		var fed [][]teacher.Call
		for i, w := range all {
			c.extent.Words++
			c.extent.Calls += len(answers[i].Labels)
			c.extent.Longest = max(c.extent.Longest, len(answers[i].Labels))
			if at := c.differs(w, &answers[i]); at >= 0 {
				return &difference{w, answers[i], at}, nil
			}
			if round == 0 && i%2 == 1 || round == 1 {
				fed = append(fed, t.Fed(w, answers[i], c.known, teacher.NewGenerator(c.methods, uint64(from+i)).Rand))
			}
		}
		if all = fed; round == 2 || len(all) == 0 {
			return nil, nil
		}
	}
}
