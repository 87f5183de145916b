package learn

import (
	"context"
	"slices"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/teacher"
)

// Values that a reference makes up, such as "held" and -1, may be those that it
// holds at the start or words that only answers have. An automaton has a location more
// for each word that a register may hold, if words count as values: what answers say
// tells it from other values. So they are learned as words, of which calls pass in others,
// until the reference turns out to treat one in another way.

// withoutWords is a word with fresh values in place of the words that it passes in.
func (t *table) withoutWords(w []step) (other []step, passed []candidate) {
	fresh, to := t.freshBeside(w), map[history.Value]history.Value{}
	for _, s := range w {
		args := slices.Clone(s.args)
		for p, v := range args {
			if !t.letters[s.letter].free[p] || !slices.Contains(t.words, v) {
				continue
			}
			if _, ok := to[v]; !ok {
				to[v] = fresh.next(t.sort(s.letter, p))
				passed = append(passed, candidate{v, t.sort(s.letter, p)})
			}
			args[p] = to[v]
		}
		other = append(other, step{s.letter, args})
	}
	return other, passed
}

// differs is where an automaton answers a word otherwise than the reference, or -1.
func (t *table) differs(ctx context.Context, a *automata.Automaton, w []step) (int, error) {
	answers, err := t.again.Ask(ctx, [][]teacher.Call{t.calls(w)})
	if err != nil {
		return -1, err
	}
	s := a.Start()
	for i := range answers[0].Labels {
		next, ok := a.Step(s, &answers[0].Labels[i])
		if !ok {
			return i, nil
		}
		s = next
	}
	if n := len(answers[0].Labels); answers[0].Blocks {
		l := &history.Label{Kind: history.Kind{Method: t.methods[t.letters[w[n].letter].method].Name, Outcome: history.Pending}, Args: w[n].args}
		if _, ok := a.Step(s, l); ok {
			return n, nil
		}
	}
	return -1, nil
}

// passesIn begins again with words as values that are known at the start.
func (t *table) passesIn(passed []candidate) {
	for _, c := range passed {
		t.words = slices.DeleteFunc(t.words, func(v history.Value) bool { return v == c.value })
		t.atStart(c.sort, c.value)
	}
	t.restart()
}
