//go:build go1.21

package driver

import (
	"fmt"
	"reflect"
	"strconv"

	"github.com/adtinfer/adtinfer/internal/driver/values"
)

// accept asks an acceptor about sequences of labels. A label is a method, an
// outcome (an index into the method's) and the values of arguments and results.
type accept struct {
	r      *runner
	labels []label
	starts []int
	values values.Sequence
}

type label struct {
	method, outcome int
	claim           Claim
	values          []values.Argument // arguments and results
	absurd          bool              // a value is no value of its type: never allowed
	fresh           bool              // a sequence gets values of its own
}

// prepare reads a request; values become concrete here, once.
func (p *accept) prepare(in *Reader) (count int, err error) {
	p.labels, p.starts = p.labels[:0], p.starts[:0]
	count = in.Count()
	for i := 0; i < count && in.Err == nil; i++ {
		p.starts = append(p.starts, len(p.labels))
		for n := in.Count(); n > 0 && in.Err == nil; n-- {
			l, err := p.readLabel(in)
			if err != nil {
				return 0, err
			}
			p.labels = append(p.labels, l)
		}
	}
	p.starts = append(p.starts, len(p.labels))
	return count, in.Err
}

func (p *accept) readLabel(in *Reader) (label, error) {
	l := label{method: in.Number(), outcome: in.Number()}
	if l.method >= len(p.r.m.ops) || l.outcome >= len(p.r.m.ops[l.method].outcomes) {
		return l, fmt.Errorf("there is no method %d with outcome %d", l.method, l.outcome)
	}
	o := &p.r.m.ops[l.method]
	l.claim.Method = p.r.m.Methods[l.method].Name
	l.claim.Outcome = o.outcomes[l.outcome].Name
	outs := o.outcomes[l.outcome].Rets
	for _, t := range append(o.params[:len(o.params):len(o.params)], o.rets[:outs]...) {
		l.read(in, t, p.r.m.types)
	}
	if !l.absurd {
		l.claim.Args, l.claim.Rets = make([]interface{}, len(o.params)), make([]interface{}, outs)
		l.fill(&p.values)
	}
	return l, nil
}

// read reads a value as one of type t.
func (l *label) read(in *Reader, t reflect.Type, ts values.Types) {
	k, text := in.Value()
	d, ok := ts.DomainOf(t), true
	var a values.Argument
	switch {
	case k == 0:
		a, ok = ts.Parse(t, text)
	case k <= values.MaxNumber && (d == 0 || k <= d):
		a = ts.Argument(t, k)
	default:
		ok = false
	}
	l.values = append(l.values, a)
	l.absurd = l.absurd || !ok
	l.fresh = l.fresh || a.Fresh
}

// fill makes the values of the claim, those of a new sequence.
func (l *label) fill(s *values.Sequence) {
	for i := range l.values {
		v := s.Pass(&l.values[i]).Interface()
		if n := len(l.claim.Args); i < n {
			l.claim.Args[i] = v
		} else {
			l.claim.Rets[i-n] = v
		}
	}
}

// sequence appends how many of sequence i's labels are allowed in turn.
func (p *accept) sequence(i int) {
	r := p.r
	object, err := r.m.construct(r)
	if err != nil {
		r.fault = &Fault{Reason: NewFails, Seq: i, At: -1, Detail: shorten(err.Error())}
		return
	}
	labels := p.labels[p.starts[i]:p.starts[i+1]]
	p.values.Reset()
	n := 0
	for n < len(labels) && !labels[n].absurd {
		if labels[n].fresh {
			labels[n].fill(&p.values)
		}
		r.calling(n)
		if !r.m.accept(object.Interface(), labels[n].claim) {
			if r.m.accept(object.Interface(), labels[n].claim) {
				r.fault = &Fault{Reason: Differs, Seq: i, At: n, Detail: "first refused, then, on the same object, allowed; a claim that is refused must leave the state as it is"}
			}
			break
		}
		n++
	}
	r.out = AppendNumber(r.out, n)
}

// describe says in words where a sequence ends: one word a call, the last one
// the refused.
func (p *accept) describe(_ int, answers []byte) []string {
	n := NewReader(answers).Number()
	words := make([]string, 0, n+1)
	for i := 0; i < n; i++ {
		words = append(words, "allowed")
	}
	return append(words, "refused (call "+strconv.Itoa(n+1)+")")
}
