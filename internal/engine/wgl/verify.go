package wgl

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/enumerate"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/ground"
	"github.com/adtinfer/adtinfer/theory"
)

// Mismatch is the error of a model and a theory of which one admits an
// execution and the other does not.
type Mismatch struct {
	Execution []history.Label
	Model     bool // the model admits it
}

func (e *Mismatch) Error() string {
	who := "the theory admits %s and the model does not"
	if e.Model {
		who = "the model admits %s and the theory does not"
	}
	return fmt.Sprintf(who, history.Sequential(e.Execution...))
}

// verifyLength and verifyCount bound Verify: all executions up to the
// length are compared, and those of further lengths while they are few.
const (
	verifyLength = 3
	verifyCount  = 6000
	verifyValues = 4
)

// Verify compares a model with a theory: on all sequential executions of
// the theory's language up to length 3, and longer ones as long as there are
// not more than some thousands of a length, up to renaming of values; if the
// theory compares values, with up to verifyValues values besides those that it
// names. It also
// checks that what the model calls read-only changes no state. The error is a
// *Mismatch, the context's, or about the theory.
func Verify(ctx context.Context, t *theory.Theory, m Model) error {
	if err := ground.Sequential(t, "a model"); err != nil {
		return err
	}
	v := &verifier{ctx: ctx, says: t.Formulas().Sequences(), t: t, model: m}
	if v.says.Ordered {
		v.integers = ground.FreshIntegers(v.says.Named, verifyValues)
	}
	v.reader, _ = m.(Reader)
	level := []*trial{{state: m.Init(), admitted: true}}
	for n := 1; n <= verifyLength || len(level) <= verifyCount/8; n++ {
		var next []*trial
		for _, p := range level {
			longer, err := v.extend(p)
			if err != nil {
				return err
			}
			next = append(next, longer...)
		}
		if level = next; len(level) == 0 || n >= 8 {
			return nil
		}
	}
	return nil
}

type verifier struct {
	ctx    context.Context
	says   *theory.Sequences
	t      *theory.Theory
	model  Model
	reader Reader

	integers []history.Value // that take part, if the theory compares values
}

// trial is a sequential execution, and what the model says of it.
type trial struct {
	labels   []history.Label
	state    State
	admitted bool
}

// extend compares all executions that are one operation longer and inside the
// language.
func (v *verifier) extend(p *trial) (longer []*trial, err error) {
	for l := range enumerate.Labels(v.t.Spec.Methods, p.labels, v.says.Named, v.integers) {
		q := &trial{labels: append(slices.Clip(p.labels), l)}
		if p.admitted {
			q.state, q.admitted = v.model.Step(p.state, &l)
		}
		inside, err := v.compare(q)
		if err != nil {
			return nil, err
		}
		if inside {
			longer = append(longer, q)
		}
	}
	return longer, nil
}

// compare reports whether an execution is in the language; the error is that
// theory and model disagree.
func (v *verifier) compare(q *trial) (inside bool, err error) {
	admitted, inside, err := v.says.Admits(v.ctx, q.labels)
	switch {
	case err != nil || !inside:
		return false, err
	case admitted != q.admitted:
		return false, &Mismatch{q.labels, q.admitted}
	case q.admitted && v.reader != nil:
		err = v.unchanged(q)
	}
	return err == nil, err
}

// unchanged checks that the last operation changed no state if it is read-only.
func (v *verifier) unchanged(q *trial) error {
	last := &q.labels[len(q.labels)-1]
	if !v.reader.ReadOnly(last) {
		return nil
	}
	before := v.model.Init()
	for i := range q.labels[:len(q.labels)-1] {
		before, _ = v.model.Step(before, &q.labels[i])
	}
	if !before.Equal(q.state) {
		return fmt.Errorf("the model calls %s read-only, but it changes the state after %s", last,
			strings.TrimSpace(history.Sequential(q.labels...).String()))
	}
	return nil
}
