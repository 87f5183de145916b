package learn

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/teacher"
)

// findMoved finds the arguments that are only moved: if they are all different in a
// word, the answers are the same but for their names.
func (t *table) findMoved(ctx context.Context) error {
	rnd := rand.New(rand.NewPCG(13, 1))
	var words [][]step
	for i := range 400 {
		words = append(words, t.random(rnd, 2+i%15))
	}
	answers, err := t.ask(ctx, words)
	if err != nil {
		return err
	}
	for l := range t.letters {
		for p, free := range t.letters[l].free {
			at := position{t.letters[l].method, p}
			if !free || t.moved[at] {
				continue
			}
			t.moved[at] = true
			ok, err := t.onlyMoved(ctx, words, answers)
			if err != nil {
				return err
			}
			if !ok {
				delete(t.moved, at)
			}
		}
	}
	return nil
}

// onlyMoved reports whether moved fits what was answered to words.
func (t *table) onlyMoved(ctx context.Context, words [][]step, answers []teacher.Answers) (bool, error) {
	const part = 50
	for i := 0; i < len(words); i += part {
		end := min(i+part, len(words))
		unique := make([][]step, end-i)
		backs := make([]map[history.Value]history.Value, end-i)
		for k := range unique {
			unique[k], backs[k] = t.unique(words[i+k])
		}
		got, err := t.ask(ctx, unique)
		if err != nil {
			return false, err
		}
		for k := range got {
			if !sameBut(answers[i+k], got[k], backs[k]) {
				return false, nil
			}
		}
	}
	return true, nil
}

// random is a word of n calls with few values, which come again.
func (t *table) random(rnd *rand.Rand, n int) (w []step) {
	pool := 1 + rnd.IntN(3)
	for range n {
		l := rnd.IntN(len(t.letters))
		args := slices.Clone(t.letters[l].fixed)
		for p := range args {
			if !t.letters[l].free[p] {
				continue
			}
			s := t.sort(l, p)
			args[p] = t.value(s, rnd.IntN(pool))
			if t.sorts[s].has && rnd.IntN(8) == 0 {
				args[p] = history.Value(t.sorts[s].zero)
			}
		}
		w = append(w, step{l, args})
	}
	return w
}

// notMoved takes positions out of moved that a word shows to be compared.
func (t *table) notMoved(ctx context.Context, w []step) (found bool, err error) {
	answers, err := t.ask(ctx, [][]step{w})
	if err != nil {
		return false, err
	}
	if ok, err := t.onlyMoved(ctx, [][]step{w}, answers); ok || err != nil {
		return false, err
	}
	all := t.moved
	t.moved = map[position]bool{}
	for m := range t.methods {
		for p := range t.methods[m].Params {
			at := position{m, p}
			if !all[at] {
				continue
			}
			t.moved[at] = true
			ok, err := t.onlyMoved(ctx, [][]step{w}, answers)
			if err != nil {
				return false, err
			}
			if !ok {
				delete(t.moved, at)
			}
		}
	}
	return true, nil
}
