package learn

import (
	"context"
	"slices"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/history"
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
	word := t.calls(w)
	answers, err := t.again.Ask(ctx, [][]teacher.Call{word})
	if err != nil {
		return -1, err
	}
	return Differs(a, t.methods, word, &answers[0]), nil
}

// passesIn begins again with words as values that are known at the start.
func (t *table) passesIn(passed []candidate) {
	for _, c := range passed {
		t.words = slices.DeleteFunc(t.words, func(v history.Value) bool { return v == c.value })
		t.atStart(c.sort, c.value)
	}
	t.restart()
}
