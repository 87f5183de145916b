package monitor

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/monitor/batch"
	"github.com/adtinfer/adtinfer/internal/semantics/axioms"
	"github.com/adtinfer/adtinfer/theory"
)

// Judge decides an execution by the definition of a theory, or by a procedure
// that is as good; known is false if it does not decide this one, or the context
// ended. The error is that of an execution that the theory does not speak of.
type Judge func(ctx context.Context, e *history.Execution) (linearizable, known bool, err error)

const (
	sequences  = 4000 // sequential executions that the self-check looks at, at least up to length 3
	concurrent = 100  // concurrent ones, of each verdict
)

// checked returns what was recognized if the self-check agrees.
func (m *Procedure) checked(ctx context.Context, t *theory.Theory, s *axioms.Semantics, judge Judge) (*Procedure, error) {
	err := m.selfCheck(ctx, t, s, judge)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, &NotRecognized{t.Name, err.Error()}
	}
	return m, nil
}

// selfCheck compares the procedure with the theory: with its definition on all
// sequential executions up to a length, of which values that have no priority may
// be exchanged, and with a judge on random concurrent
// ones. The error names an execution on which they differ. An
// execution that the theory does not speak of must be one that the procedure
// does not decide.
func (m *Procedure) selfCheck(ctx context.Context, t *theory.Theory, s *axioms.Semantics, judge Judge) error {
	labels, p := m.labels(t, 2), m.shape.New()
	for n, total := 1, len(labels); n <= 3 || total <= sequences; n, total = n+1, total*len(labels) {
		if err := m.checkSequences(s, p, labels, history.Sequential(make([]history.Label, n)...), make([]history.Label, 0, n)); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return m.concurrently(ctx, p, rand.New(rand.NewPCG(1, uint64(len(labels)))), m.labels(t, 3), judge)
}

// concurrently compares the procedure with a judge on random executions.
func (m *Procedure) concurrently(ctx context.Context, p batch.Algorithm, r *rand.Rand, labels []history.Label, judge Judge) error {
	var decided [batch.Unclear + 1]int
	x := &drawer{r: r, labels: labels}
	for try := 0; try < 100*concurrent && min(decided[batch.Linearizable], decided[batch.Violating]) < concurrent; try++ {
		e := x.execution(2 + r.IntN(5))
		a, err := m.answer(p, e)
		if err != nil || a == batch.Unclear || decided[a] == concurrent {
			continue // another engine decides it, or there were enough
		}
		decided[a]++
		if err := checkConcurrent(ctx, judge, e, a); err != nil {
			return err
		}
	}
	return nil
}

// labels lists the labels of completed operations over some values.
func (m *Procedure) labels(t *theory.Theory, values int) (ls []history.Label) {
	for i := range t.Spec.Methods {
		x := &t.Spec.Methods[i]
		for _, o := range x.Outcomes {
			k := kindReader{Kind: history.Kind{Method: x.Name, Outcome: o.Outcome}, args: x.Args, rets: o.Rets}
			for v := range values * values {
				arg, ret := v/values, v%values
				if x.Args == 0 && arg > 0 || o.Rets == 0 && ret > 0 {
					continue
				}
				ls = append(ls, k.label(value(arg), value(ret)))
			}
		}
	}
	return ls
}

func value(n int) history.Value { return history.Value(strconv.Itoa(n + 1)) }

// checkSequences compares all sequences as long as e that begin with a prefix.
func (m *Procedure) checkSequences(s *axioms.Semantics, p batch.Algorithm, labels []history.Label, e *history.Execution, prefix []history.Label) error {
	if len(prefix) == len(e.Ops) {
		got, err := m.answer(p, e)
		if errors.As(err, new(*batch.OutsideClass)) || err == nil && got == batch.Unclear {
			return nil
		}
		if want, ok := s.Verdict(prefix); err == nil && ok && want == (got == batch.Linearizable) {
			return nil
		}
		return fmt.Errorf("the procedure and the theory differ on %s", e)
	}
	for _, l := range labels {
		all := append(prefix, l)
		if m.reader.Priority == nil && firstValue(all) > value(0) {
			continue // with its values exchanged it is another of the sequences
		}
		e.Ops[len(prefix)].Label = l
		if err := m.checkSequences(s, p, labels, e, all); err != nil {
			return err
		}
	}
	return nil
}

// firstValue is the first value of a sequence; empty if it has none.
func firstValue(labels []history.Label) history.Value {
	for _, l := range labels {
		for _, v := range slices.Concat(l.Args, l.Rets) {
			return v
		}
	}
	return ""
}

func checkConcurrent(ctx context.Context, judge Judge, e *history.Execution, got batch.Answer) error {
	want, known, err := judge(ctx, e)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil || known && want != (got == batch.Linearizable) {
		return fmt.Errorf("the procedure and the theory differ on the overlapping operations %s", e)
	}
	return nil
}

// answer decides an execution by the procedure.
func (m *Procedure) answer(p batch.Algorithm, e *history.Execution) (batch.Answer, error) {
	c, err := m.reader.Read(e)
	if err != nil {
		return batch.Unclear, err
	}
	a, _ := p.Decide(c, c.Events)
	return a, nil
}

// drawer draws random executions of operations with the labels. Each is valid until
// the next one.
type drawer struct {
	r       *rand.Rand
	labels  []history.Label
	e       history.Execution
	running []int
}

// execution has n operations, two or more, some of which overlap or are pending: sequences
// were looked at before.
func (d *drawer) execution(n int) *history.Execution {
	for !d.draw(n) {
	}
	return &d.e
}

// draw draws an execution, and reports whether it is no sequence.
func (d *drawer) draw(n int) (concurrent bool) {
	d.e.Ops, d.e.Events, d.running = d.e.Ops[:0], 0, d.running[:0]
	for len(d.e.Ops) < n || len(d.running) > 0 && d.r.IntN(4) > 0 {
		if len(d.e.Ops) < n && (len(d.running) == 0 || d.r.IntN(2) == 0) {
			d.running = append(d.running, len(d.e.Ops))
			d.e.Ops = append(d.e.Ops, history.Operation{ID: strconv.Itoa(len(d.e.Ops) + 1), Label: d.labels[d.r.IntN(len(d.labels))], Call: d.e.Events, Return: history.NoReturn})
			concurrent = concurrent || len(d.running) > 1
		} else {
			k := d.r.IntN(len(d.running))
			d.e.Ops[d.running[k]].Return = d.e.Events
			d.running = append(d.running[:k], d.running[k+1:]...)
		}
		d.e.Events++
	}
	for _, i := range d.running {
		d.e.Ops[i].Outcome, d.e.Ops[i].Rets = history.Pending, nil
	}
	return concurrent || len(d.running) > 0
}
