package golden

import (
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/reference"
)

// Execution makes a random execution of 2 to 12 operations by 2 to 5 processes:
// calls take effect on the reference one after the other. Arguments repeat, and
// many are answers of earlier calls. If spoil, one or two answers are then
// replaced by others.
func (r *Replayed) Execution(rnd *rand.Rand, spoil bool) (*history.Execution, error) {
	r.begin()
	d := drawing{impl: r.impl, pool: 1 + rnd.IntN(3), style: rnd.IntN(3)}
	t := historytest.Type{Model: r.model, Draw: d.call, Spoil: d.spoil, Lost: []int{0, 5}[rnd.IntN(2)]}
	e := t.Execution(rnd, 2+rnd.IntN(11), 2+rnd.IntN(4), 0)
	for range 1 + rnd.IntN(2) {
		if ops := d.answering(e); spoil && len(ops) > 0 {
			d.spoil(rnd, e, ops[rnd.IntN(len(ops))])
		}
	}
	return e, r.err
}

// answering are the operations that might have answered something else.
func (d *drawing) answering(e *history.Execution) (ops []*history.Operation) {
	for i := range e.Ops {
		o := &e.Ops[i]
		if outs := methodOf(d.impl, o.Method).Outcomes; o.Completed() && (len(outs) > 1 || outs[0].Rets > 0) {
			ops = append(ops, o)
		}
	}
	return ops
}

// drawing makes the calls of one execution, and wrong answers.
type drawing struct {
	impl  reference.Implementation
	pool  int // so many values of each type
	style int // 0: small numbers; 1: others; 2: both
}

// call is a random call.
func (d *drawing) call(r *rand.Rand, e *history.Execution) history.Label {
	m := &d.impl.Methods()[r.IntN(len(d.impl.Methods()))]
	l := history.Label{Kind: history.Kind{Method: m.Name}}
	for _, p := range m.Params {
		v, ok := d.answered(r, e, p)
		if !ok || r.IntN(2) == 0 {
			v = d.value(r, p)
		}
		l.Args = append(l.Args, v)
	}
	return l
}

// answered is a value of a type that a call answered with.
func (d *drawing) answered(r *rand.Rand, e *history.Execution, b values.Basic) (history.Value, bool) {
	var all []history.Value
	for i := range e.Ops {
		o := &e.Ops[i]
		if !o.Completed() {
			continue
		}
		for k, v := range o.Rets {
			if m := methodOf(d.impl, o.Method); k < len(m.Results) && m.Results[k].Kind == b.Kind {
				if _, fits := b.Text(string(v)); fits {
					all = append(all, v)
				}
			}
		}
	}
	if len(all) == 0 {
		return "", false
	}
	return all[r.IntN(len(all))], true
}

// value is one of the pool's values of a type.
func (d *drawing) value(r *rand.Rand, b values.Basic) history.Value {
	if b.Kind == values.KindBool {
		return history.Value(strconv.FormatBool(r.IntN(2) == 0))
	}
	style := d.style
	if style == 2 {
		style = r.IntN(2)
	}
	return history.Value(text(b, r.IntN(d.pool), style == 0))
}

// text is the kth value of a type, as a log has it.
func text(b values.Basic, k int, small bool) string {
	switch b.Kind {
	case values.KindInt, values.KindUint:
		if !small && b.Bits > 8 {
			k = 1000 + 77*k
		}
		return strconv.Itoa(k)
	case values.KindBool:
		return strconv.FormatBool(k%2 == 1)
	case values.KindAny:
		if !small {
			return strconv.Itoa(k)
		}
	case values.KindStruct:
		var fields []string
		for i, f := range b.Fields { // of the bools at most one is true
			fields = append(fields, text(f.Basic, max(0, k-i), small))
		}
		return "{" + strings.Join(fields, " ") + "}"
	case values.KindList:
		var parts []string
		for i := range k {
			parts = append(parts, text(*b.Elem, i, small))
		}
		return "[" + strings.Join(parts, " ") + "]"
	case values.KindMap:
		var entries []string
		for i := range k {
			entries = append(entries, text(*b.Key, i, small)+":"+text(*b.Elem, i, small))
		}
		return "map[" + strings.Join(entries, " ") + "]"
	}
	v := []string{"a", "b", "c"}[k]
	if _, fits := b.Text(v); !fits {
		return b.Numbered(1 + k)
	}
	return v
}

// spoil gives an operation another answer that its method may give: that of
// another call of the method, or one made of values that the execution has.
func (d *drawing) spoil(r *rand.Rand, e *history.Execution, o *history.Operation) {
	m := methodOf(d.impl, o.Method)
	var others []history.Label
	for i := range e.Ops {
		if p := &e.Ops[i]; p.Completed() && p.Method == o.Method && p.ID != o.ID {
			others = append(others, p.Label)
		}
	}
	if len(others) > 0 && r.IntN(3) == 0 {
		l := others[r.IntN(len(others))]
		o.Outcome, o.Rets = l.Outcome, l.Rets
		return
	}
	out := m.Outcomes[r.IntN(len(m.Outcomes))]
	old := o.Rets
	o.Outcome, o.Rets = out.Outcome, nil
	for k := range out.Rets {
		v, ok := d.answered(r, e, m.Results[k])
		switch {
		case k < len(old) && r.IntN(2) == 0:
			v = next(old[k], r)
		case !ok || r.IntN(2) == 0:
			v = d.value(r, m.Results[k])
		}
		o.Rets = append(o.Rets, v)
	}
}

// next is a number one more or less than another; other values are themselves.
func next(v history.Value, r *rand.Rand) history.Value {
	if n, err := strconv.Atoi(string(v)); err == nil {
		return history.Value(strconv.Itoa(n + 1 - 2*r.IntN(2)))
	}
	return v
}
