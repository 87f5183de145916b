package history

import (
	"cmp"
	"slices"
	"strings"
)

// mark is a place in a log of lines in memory before which so many events are, and
// that nothing but the order of the lines leads to.
type mark struct{ events, offset int }

// markEvery is about how many events there are between two marks.
const markEvery = 1 << 12

// mark notes the place before event n, if reading can go on from there.
func (w *walk) mark(n int) {
	if t, ok := w.log.(*timeOrder); ok && t.in == nil && t.waiting == 0 && !t.over {
		w.marks = append(w.marks, mark{n, t.rest})
	}
}

// Fill reads some operations of a log that Visit has read, given the numbers of
// their events: it sets everything else of them. Of a log of lines it reads only what
// is near these, of others all up to the last one. It is false if that is not there.
func (r *Reader) Fill(sig Signature, ops []Operation) bool {
	if !r.loaded || r.ordered() != nil {
		return false
	}
	type wanted struct{ event, op int }
	var all []wanted
	for i := range ops {
		if all = append(all, wanted{ops[i].Call, i}); ops[i].Return != NoReturn {
			all = append(all, wanted{ops[i].Return, i})
		}
	}
	slices.SortFunc(all, func(a, b wanted) int { return a.event - b.event })
	res, methods := resolver{sig: sig}, make([]int, len(ops))
	at, e := 0, (*event)(nil)
	for _, x := range all {
		k, _ := slices.BinarySearchFunc(r.marks, x.event+1, func(m mark, n int) int { return m.events - n })
		for at <= x.event {
			if k > 0 && at > 0 && r.marks[k-1].events > at { // what is said of the log comes before its first event
				at = r.jump(r.marks[k-1], at)
			}
			var err error
			if e, err = r.events.next(); err != nil {
				return false
			}
			at++
		}
		if !res.fill(&ops[x.op], &methods[x.op], e, ops[x.op].Call == x.event) {
			return false
		}
	}
	return true
}

// jump moves to a mark, and returns how many events are before the place.
func (r *Reader) jump(m mark, at int) int {
	t, ok := r.events.(*timeOrder)
	if !ok || m.offset < t.rest {
		return at
	}
	t.no += strings.Count(t.src[t.rest:m.offset], "\n")
	t.rest, t.waiting, t.out, t.over, t.last = m.offset, 0, 0, false, stamp{}
	return m.events
}

// fill sets what an event says of an operation; false if it is another one's.
func (r *resolver) fill(op *Operation, method *int, e *event, call bool) bool {
	if e.call != call || !call && e.id() != op.ID {
		return false
	}
	if call {
		m, args, err := r.called(e)
		if err != nil {
			return false
		}
		*method = m
		op.ID, op.Process, op.CallPos = strings.Clone(e.id()), strings.Clone(e.process), e.pos
		op.Method, op.Args = r.sig.methods[m].Name, valuesOf(args)
		return true
	}
	o, rets, err := r.returned(e, *method, op.Process)
	if err != nil {
		return false
	}
	op.Outcome, op.Rets, op.ReturnPos = o, valuesOf(rets), e.pos
	op.Process = cmp.Or(op.Process, e.process)
	return true
}

func valuesOf(texts []string) []Value {
	var vs []Value
	for _, s := range texts {
		vs = append(vs, Value(s))
	}
	return vs
}
