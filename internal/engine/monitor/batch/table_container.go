package batch

import (
	"slices"
	"sort"

	"github.com/adtinfer/adtinfer/internal/engine/monitor/lives"
)

// TableContainer decides containers of any table. It cuts an execution in two at gaps
// in no core, and leaves the parts to package lives, which says why.
type TableContainer struct {
	Container
	*lives.Table
	class []int
	steps []int32 // a linearization: value*2 for an add, one more for a remove
}

// Decide implements Algorithm.
func (d *TableContainer) Decide(c *Columns, n int32) (Answer, Witness) {
	if w, bad := d.load(c, n); bad {
		return Violating, w
	}
	d.classify(c)
	d.covering()
	parts := d.components(d.sorted())
	if op, ok := d.uncovered(c, nil); !ok {
		if d.left == 0 || len(d.pending) == 0 {
			return Violating, d.coveredBy(c, op)
		}
		parts = [][]int32{append(d.sorted(), d.covered(c)...)}
	}
	result := Linearizable
	d.steps = d.steps[:0]
	for i, part := range parts {
		switch a, w := d.part(c, part, i == len(parts)-1); a {
		case Violating:
			return a, w
		case Unclear:
			result = a
		}
	}
	return result, Witness{Op: -1}
}

// classify computes the classes of the values.
func (d *TableContainer) classify(c *Columns) {
	d.class = zeroed(d.class, len(d.values))
	for v := range d.values {
		if m := &d.values[v]; m.as != 0 {
			d.class[v] = d.classOf(c, m)
		}
	}
}

func (d *TableContainer) classOf(c *Columns, m *match) int {
	remover := d.Removers
	if m.rs <= d.n {
		remover = kindAt(c, m.rs)
	}
	return d.Class(kindAt(c, m.as), remover)
}

// kindAt is the kind of the operation called at a position.
func kindAt(c *Columns, call int32) int { return int(c.Kind[c.Within(call)-1]) }

// covered lists the complements of the operations that find nothing, and have no gap in no core, given
// what uncovered computes. Some of the values that are left must have been taken before them.
func (d *TableContainer) covered(c *Columns) (ops []int32) {
	for _, e := range d.empties {
		if d.last[c.Ret[e]-1] < c.Call[e] {
			ops = append(ops, ^e)
		}
	}
	return ops
}

// sorted lists the values in the order of their sides.
func (d *TableContainer) sorted() []int32 {
	all := make([]int32, 0, len(d.values))
	for v := range d.values {
		if d.values[v].as != 0 {
			all = append(all, int32(v))
		}
	}
	sort.Slice(all, func(i, j int) bool { return d.values[all[i]].Side() < d.values[all[j]].Side() })
	return all
}

// components cuts values at the gaps in no core. Where a value may go to either
// side it goes to the right, as linearize does it. Values that are left are in the last
// part, as their cores reach to the end.
func (d *TableContainer) components(vs []int32) (parts [][]int32) {
	cores := make([]*match, 0, len(vs))
	for _, v := range vs {
		if m := &d.values[v]; m.ae < m.rs {
			cores = append(cores, m)
		}
	}
	slices.SortFunc(cores, func(x, y *match) int { return int(x.ae - y.ae) })
	from, high, k := 0, int32(0), 0
	for i, v := range vs {
		side := d.values[v].Side()
		// A gap before side, and not before that of the value before, is in no
		// core: then the values from this one on are on the right of it.
		for k < len(cores) && cores[k].ae < side {
			high = max(high, cores[k].rs)
			k++
		}
		if i > from && high < side {
			parts = append(parts, vs[from:i])
			from = i
		}
	}
	return append(parts, vs[from:])
}

// part decides a part. Of the last one pending removes may take values that are left, and
// complements of operations stand for those that must find nothing.
func (d *TableContainer) part(c *Columns, vs []int32, last bool) (Answer, Witness) {
	if len(vs) == 1 && vs[0] >= 0 {
		d.steps = append(d.steps, vs[0]*2, vs[0]*2+1)
		return Linearizable, Witness{}
	}
	p := d.problem(c, vs, last)
	r := lives.Decide(p)
	switch r.Answer {
	case lives.Unclear:
		return Unclear, Witness{}
	case lives.Violating:
		return Violating, d.blamed(c, vs, r.Blame)
	}
	used := make([]int, d.Removers)
	for _, x := range r.Steps {
		v := vs[x.Value]
		switch {
		case v < 0:
		case !x.Leaves:
			d.steps = append(d.steps, v*2)
		default:
			d.steps = append(d.steps, v*2+1)
			if ways := p.Values[x.Value].Ways; len(ways) > 1 { // a pending remove took it
				kind := ways[x.Way].Class % (d.Removers + 1)
				d.values[v].rs = nth(p.Tokens, kind, used[kind])
				used[kind]++
			}
		}
	}
	return Linearizable, Witness{}
}

// nth is the call of the nth pending remove of a kind.
func nth(tokens []lives.Token, kind, n int) int32 {
	for _, t := range tokens {
		if t.Kind == kind {
			if n == 0 {
				return t.Call
			}
			n--
		}
	}
	panic("batch: more pending removes are used than there are")
}

// problem is a part for package lives. An operation that finds nothing is a value of its own
// class, which may not be in with any other.
func (d *TableContainer) problem(c *Columns, vs []int32, last bool) lives.Problem {
	p := lives.Problem{Table: d.Table, Stop: d.stop}
	if slices.ContainsFunc(vs, func(v int32) bool { return v < 0 }) {
		p.Table = d.withAlone()
	}
	first := make([]int32, d.Removers)
	if last {
		for _, call := range d.pending {
			k := kindAt(c, call)
			p.Tokens = append(p.Tokens, lives.Token{Kind: k, Call: call})
			if first[k] == 0 {
				first[k] = call
			}
		}
	}
	ways := make([]lives.Way, 0, len(vs)+d.left*d.Removers)
	for _, v := range vs {
		from := len(ways)
		if v < 0 {
			op := lives.Span{S: c.Call[^v], E: c.Ret[^v]}
			ways = append(ways, lives.Way{Class: p.Class(d.Adders, 0), Out: op})
			p.Values = append(p.Values, lives.Value{In: op, Ways: ways[from:]})
			continue
		}
		m := &d.values[v]
		ways = append(ways, lives.Way{Class: d.class[v], Out: lives.Span{S: m.rs, E: m.re}})
		for k, call := range first {
			if call != 0 && d.isLeft(m) {
				ways = append(ways, lives.Way{Class: d.class[v] - d.Removers + k, Out: lives.Span{S: max(call, m.as), E: d.n + 1}})
			}
		}
		p.Values = append(p.Values, lives.Value{In: lives.Span{S: m.as, E: m.ae}, Ways: ways[from:len(ways):len(ways)]})
	}
	return p
}

// withAlone is the table with one more kind of adds, of values that may not be in with others.
func (d *TableContainer) withAlone() *lives.Table {
	t := &lives.Table{Adders: d.Adders + 1, Removers: d.Removers}
	n, old := t.Classes(), d.Classes()
	t.Encloses, t.Overtaken = make([]bool, n*n), make([]bool, n*n)
	for v := range old {
		for w := range old {
			t.Encloses[t.At(v, w)], t.Overtaken[t.At(v, w)] = d.Encloses[d.At(v, w)], d.Overtaken[d.At(v, w)]
		}
	}
	return t
}

// blamed is the witness of values of a part.
func (d *TableContainer) blamed(c *Columns, vs, blame []int32) Witness {
	w := Witness{Rule: clash, Op: -1, guess: 1}
	for _, i := range blame {
		if v := vs[i]; v < 0 {
			w.Rule, w.Op, w.guess = Covered, int(^v), max(w.guess, c.Ret[^v])
			continue
		}
		m := &d.values[vs[i]]
		w.Values = append(w.Values, vs[i])
		for _, e := range []int32{m.ae, m.re} {
			if e <= d.n {
				w.guess = max(w.guess, e)
			}
		}
	}
	return w
}

// Linearize makes a linearization of the steps that were found.
func (d *TableContainer) Linearize(a *Linearizer) bool {
	d.covering() // once pending removes took values
	d.uncovered(a.Columns, nil)
	d.linearize(a, slices.Clone(d.steps))
	return true
}
