package learn

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/teacher"
)

// counterexample looks for a word to which the reference answers otherwise than the
// automaton, up to the first such answer; nil if none was found.
func (t *table) counterexample(ctx context.Context, a *automata.Automaton) ([]step, error) {
	registers := 0
	for _, l := range a.Locations {
		registers = max(registers, len(l.Registers))
	}
	g := &generator{t, rand.New(rand.NewPCG(13, 2)), registers}
	for i := range 40 {
		var words [][]step
		for k := range 60 {
			switch {
			case k < 50:
				words = append(words, g.random(1+k*30/50))
			case k < 58:
				words = append(words, g.power())
			default:
				words = append(words, g.phases(100*(1+i%10)))
			}
		}
		answers, err := t.ask(ctx, words)
		if err != nil {
			return nil, err
		}
		var worst []step
		for k, w := range words {
			if n := wrong(a, t.calls(w), answers[k]); n >= 0 && (worst == nil || n+1 < len(worst)) {
				worst = w[:n+1]
			}
		}
		if worst != nil {
			return worst, nil
		}
	}
	return nil, nil
}

// wrong is the first answer that the automaton does not give, -1 if it gives all.
func wrong(a *automata.Automaton, calls []teacher.Call, answers teacher.Answers) int {
	s := a.Start()
	for i := range answers.Labels {
		next, ok := a.Step(s, &answers.Labels[i])
		if !ok {
			return i
		}
		s = next
	}
	if n := len(answers.Labels); answers.Blocks {
		l := history.Label{Kind: history.Kind{Method: a.Methods[calls[n].Method].Name}, Args: calls[n].Args}
		if _, ok := a.Step(s, &l); ok {
			return n
		}
	}
	return -1
}

// generator makes words.
type generator struct {
	*table
	rnd       *rand.Rand
	registers int
}

// steps makes n calls of some letters, with values of a pool.
func (g *generator) steps(letters []int, n int, pool [][]history.Value) (w []step) {
	for range n {
		l := letters[g.rnd.IntN(len(letters))]
		args := slices.Clone(g.letters[l].fixed)
		for p := range args {
			if g.letters[l].free[p] {
				s := g.sort(l, p)
				args[p] = pool[s][g.rnd.IntN(len(pool[s]))]
			}
		}
		w = append(w, step{l, args})
	}
	return w
}

// pool are n values of each sort, some of which are known at the start.
func (g *generator) pool(n int) (all [][]history.Value) {
	for s := range g.sorts {
		var of []history.Value
		for range n {
			of = append(of, g.value(s, g.rnd.IntN(10007)))
		}
		if zero := g.sorts[s]; zero.has && g.rnd.IntN(3) == 0 {
			of = append(of, history.Value(zero.zero))
		}
		for i, v := range g.initial {
			if g.sorts0[i] == s && g.rnd.IntN(3) == 0 {
				of = append(of, v)
			}
		}
		all = append(all, of)
	}
	return all
}

func (g *generator) random(n int) []step {
	return g.steps(indices(len(g.letters)), n, g.pool(1+g.rnd.IntN(g.registers+3)))
}

// power is a word with a call again and again.
func (g *generator) power() []step {
	pool := g.pool(1 + g.rnd.IntN(g.registers+3))
	all := indices(len(g.letters))
	w := g.steps(all, g.rnd.IntN(6), pool)
	for range 1 + g.rnd.IntN(2) {
		l := []int{g.rnd.IntN(len(all))}
		w = append(w, g.steps(l, 1+g.rnd.IntN(260), pool)...)
	}
	return append(w, g.steps(all, 1+g.rnd.IntN(6), pool)...)
}

// phases is a word in which one, two or all methods are called for a while.
func (g *generator) phases(n int) (w []step) {
	pool := g.pool(250)
	for len(w) < n {
		letters := indices(len(g.letters))
		if k := g.rnd.IntN(3); k < 2 {
			g.rnd.Shuffle(len(letters), func(i, j int) { letters[i], letters[j] = letters[j], letters[i] })
			letters = letters[:min(k+1, len(letters))]
		}
		w = append(w, g.steps(letters, 1+g.rnd.IntN(32), pool)...)
	}
	return w
}
