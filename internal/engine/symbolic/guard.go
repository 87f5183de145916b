package symbolic

import (
	"slices"

	"github.com/adtinfer/adtinfer/internal/engine/clauses"
)

// guard is "running operation op returns as kind into match".
type guard struct {
	op    int32
	kind  int
	match int32
}

// open makes the guard of a running operation, and all clauses it is in.
//
// A guard of an operation that returns in the log is false in prefixes with the
// return, and in those without the call.
func (l *Log) open(g guard) int {
	if lit, ok := l.guards[g]; ok {
		return lit
	}
	lit := l.s.NewVar()
	l.guards[g] = lit
	x := &l.ops[g.op]
	if x.returned < len(l.ends) {
		l.s.Add(-l.within[x.returned], -lit)
	}
	l.s.Add(-lit, l.within[x.called])
	l.atMostOne(x, lit)
	t := &l.matches[g.match]
	if l.r.Kinds[g.kind].Slot == 0 {
		if at := t.first[0]; at < len(l.within) { // another one is the target by then
			l.s.Add(-lit, -l.within[at])
		}
		for _, m := range t.members {
			if m.guard != 0 && l.r.Kinds[m.kind].Slot == 0 {
				l.s.Add(-lit, -m.guard)
			}
		}
	}
	m := member{op: g.op, kind: int32(g.kind), guard: lit, at: -1}
	t.members = append(t.members, m)
	l.joined(m, g.match)
	return lit
}

// atMostOne says that the guard excludes those of x before it.
func (l *Log) atMostOne(x *operation, lit int) {
	sofar := l.s.NewVar()
	if x.sofar != 0 {
		l.s.Add(-x.sofar, -lit)
		l.s.Add(-x.sofar, sofar)
	}
	l.s.Add(-lit, sofar)
	x.sofar = sofar
}

// runs reports whether the operation is running at the end of prefix j.
func (x *operation) runs(j int) bool { return x.called <= j && x.returned > j }

// running lists the operations that are running at the end of prefix j.
func (l *Log) running(j int) (ops []int32) {
	for i := range l.ops {
		if l.ops[i].runs(j) {
			ops = append(ops, int32(i))
		}
	}
	return ops
}

// joiners opens the guards of running operations that may join a match as some
// kind.
func (l *Log) joiners(running []int32, kind int, y int32) (lits []int) {
	for _, x := range running {
		if l.mayJoin(x, kind, y) {
			lits = append(lits, l.open(guard{x, kind, y}))
		}
	}
	return lits
}

// mayJoin reports whether a running operation may join a match as some kind.
func (l *Log) mayJoin(x int32, kind int, y int32) bool {
	o := &l.ops[x]
	return l.r.Methods[o.method].Mask.Has(kind) && l.r.Kinds[kind].Joins(o.args, l.matches[y].key)
}

// someMayJoin reports whether one of several running operations may.
func (l *Log) someMayJoin(running []int32, kind int, y int32) bool {
	return slices.ContainsFunc(running, func(x int32) bool { return l.mayJoin(x, kind, y) })
}

// targets opens the guards of running operations that may be the target of a match.
func (l *Log) targets(j int, y int32) (lits []int) {
	t := &l.matches[y]
	for _, x := range t.candidates {
		if l.ops[x].runs(j) && l.mayJoin(x, t.target, y) {
			lits = append(lits, l.open(guard{x, t.target, y}))
		}
	}
	return lits
}

// mayHave reports whether a match has one of some writers in prefix j, or a running
// operation may be one.
func (l *Log) mayHave(j int, y int32, ks clauses.Kinds) bool {
	t := &l.matches[y]
	for k := range ks.All() {
		for _, m := range t.members {
			if int(m.kind) == k && m.guard == 0 && m.at <= j {
				return true
			}
		}
		if l.someMayJoin(l.running(j), k, y) {
			return true
		}
	}
	return false
}

// alternatives counts the operations that may all be targets of a match in
// prefix j. The language has no execution with two.
func (l *Log) alternatives(j int, y int32) (n int) {
	t := &l.matches[y]
	if needed := l.r.Kinds[t.target].SecondNeeds; needed != 0 && !l.mayHave(j, y, needed) {
		return 1
	}
	if t.first[0] <= j {
		n++
	}
	for _, x := range t.candidates {
		if l.ops[x].runs(j) && l.mayJoin(x, t.target, y) {
			n++
		}
	}
	return n
}
