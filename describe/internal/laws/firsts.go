package laws

import (
	"slices"

	"github.com/adtinfer/adtinfer/internal/driver/values"
	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
)

// Two states can answer all calls alike and differ after one more, as those of an automaton
// do that a suffix tells apart (Myhill and Nerode; L* of Angluin finds such suffixes). So an
// observer may be what a method answers if another call came first. There are many of them:
// those are offered that tell apart states which are alike to all others.

// earlier is a call before the one that answers.
type earlier struct {
	id     int // its observer among all of these, from 1
	method int
	args   []operand
}

// operand is a parameter of an observer, or a value.
type operand struct {
	param int // -1: it is value
	value eq.Value
}

// Bounds of the observers that are offered, and of those that are tried.
const (
	mostFirsts = 6
	mostTried  = 160
)

// came is what the method of an observer answers after the earlier call.
func (w *world) came(state int32, o *observer, args []eq.Value) (eq.Value, bool) {
	before := make([]eq.Value, len(o.first.args))
	for i, a := range o.first.args {
		if before[i] = a.value; a.param >= 0 {
			before[i] = args[a.param]
		}
	}
	s, made, known := w.made(state, o.first.method, before)
	if made && known {
		s, made, known = w.made(s.next, o.method, args[:len(w.methods[o.method].Params)])
	}
	if !made || !known {
		return eq.Undefined, known
	}
	return w.answer(o.method, s.answer)[o.part], true
}

// candidates are all that withEarlier gives, made once: they are known by their numbers.
func (l *learner) candidates() []*observer {
	if l.earliers == nil {
		l.earliers = l.withEarlier()
	}
	return l.earliers
}

// withEarlier are observers with an earlier call, those that are simplest to speak of first.
func (l *learner) withEarlier() []*observer {
	type rated struct {
		*observer
		price []int
	}
	var all []rated
	none := !slices.Contains(l.pure, true)
	for f := range l.w.methods {
		if !l.pure[f] && !none {
			continue
		}
		for m := range l.w.methods {
			for k, part := range l.w.parts[f] {
				if l.pure[m] || len(l.params[f]) > mostParams {
					continue
				}
				name := nameOf(l.w.methods[f].Name, part, len(l.w.parts[f]), len(l.params[f])) + "_if_" + l.w.methods[m].Name
				o := &observer{name: name, params: l.params[f], sort: part.Sort, method: f, part: k, repeat: -1, first: &earlier{method: m}}
				l.operands(o, 0, func(o *observer, constants int) {
					simple := slices.Index([]eq.Sort{eq.Words, eq.Ints, eq.Texts}, part.Sort)
					if simple < 0 {
						simple = 3
					}
					all = append(all, rated{o, []int{len(o.params) - len(l.params[f]), simple, len(o.params), constants}})
				})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b rated) int { return slices.Compare(a.price, b.price) })
	out := make([]*observer, min(len(all), mostTried))
	for i := range out {
		out[i] = all[i].observer
		out[i].first.id = i + 1
	}
	return out
}

// operands fills in the arguments of an observer's earlier call: its parameter of the same
// name and sort, or else those of the same sort, constants, and a new parameter.
func (l *learner) operands(o *observer, constants int, give func(o *observer, constants int)) {
	m, own := o.first.method, len(l.params[o.method])
	at := len(o.first.args)
	if at == len(l.params[m]) {
		give(o, constants)
		return
	}
	with := func(a operand, name string, more *eq.Param, constant int) {
		next := *o
		next.name += name
		next.first = &earlier{method: m, args: append(slices.Clone(o.first.args), a)}
		if more != nil {
			next.params = append(slices.Clone(o.params), *more)
		}
		l.operands(&next, constants+constant, give)
	}
	p := l.params[m][at]
	if i := slices.IndexFunc(o.params[:own], func(q eq.Param) bool { return q == p }); i >= 0 {
		with(operand{param: i}, "", nil, 0)
		return
	}
	for i, q := range o.params[:own] {
		if q.Sort == p.Sort {
			with(operand{param: i}, "", nil, 1)
		}
	}
	for i, v := range l.constantsOf(m, at) {
		with(operand{-1, v}, "_"+l.w.store.Text(v), nil, i)
	}
	if len(o.params) < mostParams {
		for slices.ContainsFunc(o.params, func(q eq.Param) bool { return q.Name == p.Name }) {
			p.Name += "'"
		}
		with(operand{param: len(o.params)}, "", &p, 0)
	}
}

// constantsOf are the values of a parameter that an earlier call may have.
func (l *learner) constantsOf(m, at int) (all []eq.Value) {
	b := &l.w.methods[m].Params[at]
	switch sort := l.params[m][at].Sort; {
	case sort == eq.Ints && b.Kind == values.KindInt:
		return []eq.Value{eq.IntOf(large), eq.IntOf(1)}
	case b.Kind == values.KindBool:
		return []eq.Value{l.w.store.Truth(true), l.w.store.Truth(false)}
	case sort == eq.Words:
		for _, n := range b.Names[:min(len(b.Names), 4)] {
			all = append(all, l.w.value(b, n.Text))
		}
	}
	return all
}

// beyond reports whether a number comes from a large one of an earlier call. Laws with one
// are for numbers that do not add up to it; see equations.Model.
func (l *learner) beyond(n int64) bool {
	return max(n, -n) > large/2 && slices.ContainsFunc(l.all, func(o *observer) bool {
		return o.first != nil && slices.ContainsFunc(o.first.args, func(a operand) bool { return a.param < 0 && a.value == eq.IntOf(large) })
	})
}

// more adds what the observer of the law that was missing would be after the method of that
// law: then the law itself is plain, and others have what it hides. False: there is none.
func (l *learner) more() bool {
	o, some := l.missing.observer, false
	if o == nil {
		return false
	}
	for _, c := range l.candidates() {
		if c.method != o.method || c.part != o.part || c.first.method != l.missing.method || slices.Contains(l.listed, c) || len(l.listed) == 2*mostFirsts ||
			!l.plain(c) {
			continue
		}
		l.listed, l.kept[c.name], some = append(l.listed, c), true, true
	}
	return some
}

// plain reports whether an earlier call takes each word as a constant, and integers as
// parameters.
func (l *learner) plain(o *observer) bool {
	for i, a := range o.first.args {
		if a.param < 0 == (l.params[o.first.method][i].Sort != eq.Words) {
			return false
		}
	}
	return true
}

// firstOf is the earlier call of an observer as documents have it.
func (l *learner) firstOf(o *observer) *eq.Call {
	c := &eq.Call{Method: l.w.methods[o.first.method].Name}
	for _, a := range o.first.args {
		e := l.w.store.NewConst(a.value)
		if a.param >= 0 {
			e = eq.NewVar(o.params[a.param].Name, a.param)
		}
		c.Args = append(c.Args, e)
	}
	return c
}
