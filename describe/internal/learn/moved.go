package learn

import (
	"context"

	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/history"
)

// findMoved finds the arguments that are only moved: if they are all different in a
// word, the answers are the same but for their names.
func (t *table) findMoved(ctx context.Context) error {
	all, err := t.fewValues()
	if err != nil {
		return err
	}
	answers, err := t.ask(ctx, all)
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
			ok, err := t.onlyMoved(ctx, all, answers)
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
func (t *table) onlyMoved(ctx context.Context, all [][]step, answers []teacher.Answers) (bool, error) {
	const part = 50
	for i := 0; i < len(all); i += part {
		end := min(i+part, len(all))
		unique := make([][]step, end-i)
		backs := make([]map[history.Value]history.Value, end-i)
		for k := range unique {
			unique[k], backs[k] = t.unique(all[i+k])
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

// fewValues are words in which values come again, zero values among them.
func (t *table) fewValues() (all [][]step, err error) {
	var zeros []history.Value
	for _, s := range t.sorts {
		if s.has {
			zeros = append(zeros, history.Value(s.zero))
		}
	}
	texts := teacher.Texts{Methods: t.methods}
	for i := range 400 {
		g := teacher.NewGenerator(t.methods, uint64(i))
		w := texts.Of(g.Random(2 + i%15))
		if i%4 == 3 {
			w = texts.Fed(w, teacher.Answers{}, zeros, g.Rand)
		}
		steps, err := t.steps(w)
		if err != nil {
			return nil, err
		}
		all = append(all, steps)
	}
	return all, nil
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
