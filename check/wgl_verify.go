package check

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/theory"
)

// ModelMismatch is the error of a model and a theory of which one admits an
// execution and the other does not.
type ModelMismatch struct {
	Execution []history.Label
	Model     bool // the model admits it
}

func (e *ModelMismatch) Error() string {
	who := "the theory admits %s and the model does not"
	if e.Model {
		who = "the model admits %s and the theory does not"
	}
	return fmt.Sprintf(who, history.Sequential(e.Execution...))
}

// verifyLength and verifyCount bound VerifyModel: all executions up to the
// length are compared, and those of further lengths while they are few.
const (
	verifyLength = 3
	verifyCount  = 6000
	verifyValues = 4
)

// VerifyModel compares a model with a theory: on all sequential executions of
// the theory's language up to length 3, and longer ones as long as there are
// not more than some thousands of a length, up to renaming of values; if the
// theory compares values, with up to verifyValues values besides those that it
// names. It also
// checks that what the model calls read-only changes no state. The error is a
// *ModelMismatch, the context's, or about the theory.
func VerifyModel(ctx context.Context, t *theory.Theory, m wgl.Model) error {
	c, err := compile(t)
	if err != nil {
		return err
	}
	if err := c.sequential("a model"); err != nil {
		return err
	}
	v := &verifier{ctx: ctx, c: c, t: t, model: m}
	if len(c.compared) > 0 {
		v.integers = between(nil, c.named, verifyValues)
	}
	v.reader, _ = m.(wgl.Reader)
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
	c      *compiled
	t      *theory.Theory
	model  wgl.Model
	reader wgl.Reader

	integers []history.Value // that take part, if the theory compares values
}

// trial is a sequential execution, and what the model says of it.
type trial struct {
	labels   []history.Label
	values   int // different ones so far
	state    wgl.State
	admitted bool
}

// extend compares all executions that are one operation longer and inside the
// language.
func (v *verifier) extend(p *trial) (longer []*trial, err error) {
	for i := range v.t.Spec.Methods {
		m := &v.t.Spec.Methods[i]
		for _, o := range m.Outcomes {
			l := history.Label{Kind: history.Kind{Method: m.Name, Outcome: o.Outcome}}
			v.each(m.Args+o.Rets, p.values, nil, func(vs []history.Value, used int) {
				l.Args, l.Rets = vs[:m.Args:m.Args], vs[m.Args:]
				if err != nil {
					return
				}
				q := v.step(p, l, used)
				var inside bool
				if inside, err = v.compare(q); inside {
					longer = append(longer, q)
				}
			})
		}
	}
	return longer, err
}

// each yields all tuples of n values: those numbered up to used, and new ones
// in order; or of integers if the theory compares values.
func (v *verifier) each(n, used int, vs []history.Value, yield func(vs []history.Value, used int)) {
	if n == 0 {
		yield(append([]history.Value(nil), vs...), used)
		return
	}
	for _, i := range v.integers {
		v.each(n-1, used, append(vs, i), yield)
	}
	for k := 1; k <= used+1 && v.integers == nil; k++ {
		v.each(n-1, max(used, k), append(vs, history.Value(strconv.Itoa(k))), yield)
	}
}

func (v *verifier) step(p *trial, l history.Label, used int) *trial {
	q := &trial{labels: append(p.labels[:len(p.labels):len(p.labels)], l), values: used}
	if p.admitted {
		q.state, q.admitted = v.model.Step(p.state, &l)
	}
	return q
}

// compare tells whether an execution is inside the language; the error is that
// theory and model disagree.
func (v *verifier) compare(q *trial) (inside bool, err error) {
	admitted, err := v.c.admits(v.ctx, q.labels)
	if errors.As(err, new(*OutsideLanguage)) {
		return false, nil
	}
	if err == nil && admitted != q.admitted {
		err = &ModelMismatch{q.labels, q.admitted}
	}
	if err == nil && q.admitted && v.reader != nil {
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

// admits tells whether the theory admits a sequential execution of resolved
// labels.
func (c *compiled) admits(ctx context.Context, labels []history.Label) (bool, error) {
	in, err := newInstance(ctx, c, history.Sequential(labels...))
	if err != nil {
		return false, err
	}
	g := formula.NewGrounder(in, in.circuit)
	for _, x := range c.excludes {
		l, err := g.Ground(ctx, x.plan)
		if err != nil || l != formula.False {
			return false, err
		}
	}
	return true, nil
}
