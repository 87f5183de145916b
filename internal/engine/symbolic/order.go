package symbolic

import (
	"context"
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/logs"
)

// order is the order of a linearization. Pairs of operations that do not overlap
// are constants. Of the others those that some clause speaks of have a
// variable, "the one that was called first comes first".
type order struct {
	*logs.Overlaps
	vars  [][]int   // by operation: the variables of the pairs with Earlier, or 0
	later [][]int32 // by operation: those called after it that overlap it
	pairs []pair    // those with a variable
}

// pair is two operations that overlap, in the order of their calls, with a variable.
type pair struct {
	a, b int32
	lit  int
}

// intervals takes in when operations run.
func (l *Log) intervals(ctx context.Context, e *history.Execution) (err error) {
	if l.Overlaps, err = logs.Of(ctx, e.Ops); err != nil {
		return err
	}
	n := len(e.Ops)
	l.ops, l.vars, l.later = make([]operation, n), make([][]int, n), make([][]int32, n)
	for i, s := range l.Spans {
		x := &l.ops[i]
		x.Span, x.returned = s, len(l.ends)
		x.called, _ = slices.BinarySearch(l.ends, s.Call+1)
		if s.Return != logs.Never {
			x.returned, _ = slices.BinarySearch(l.ends, s.Return+1)
		}
		for _, a := range l.Earlier[i] {
			l.later[a] = append(l.later[a], int32(i))
		}
	}
	return nil
}

// constant literals
const (
	yes = int(^uint(0) >> 1)
	no  = -yes
)

// before is the literal of "a before b", or yes or no.
func (l *Log) before(a, b int32) int {
	switch {
	case a == b:
		return no
	case a > b:
		return -l.before(b, a)
	case l.Precedes(a, b):
		return yes
	}
	i := l.Index(a, b)
	if l.vars[b] == nil {
		l.vars[b] = make([]int, len(l.Earlier[b]))
	}
	if l.vars[b][i] == 0 {
		l.vars[b][i] = l.s.NewVar()
		l.pairs = append(l.pairs, pair{a, b, l.vars[b][i]})
	}
	return l.vars[b][i]
}

// transitive adds axioms of a total order that the model breaks (package logs
// says which are enough), among the operations on cycles of the model, which on
// marks: where a cycle passes from a to c, an operation between them is on a cycle,
// too. Pairs that no clause speaks of so far count as in the order of their calls.
// The answer is how many axioms were added.
func (l *Log) transitive(cycle []int32, on []bool) (broken int) {
	for _, c := range cycle {
		for i, b := range l.Earlier[c] {
			if broken > logs.MaxBroken {
				return broken
			}
			if !on[b] {
				continue
			}
			broken += l.overlapping3(i, b, c, on)
			if l.holds(c, i) {
				continue
			}
			l.Predecessors(b, c, on, func(a int32) {
				if !l.follows(a, b) {
					l.s.Add(l.before(a, b), l.before(b, c))
					broken++
				}
			})
		}
	}
	return broken
}

// overlapping3 excludes cycles of b, c and another operation that overlap
// pairwise; b is number i of those before c.
func (l *Log) overlapping3(i int, b, c int32, on []bool) (broken int) {
	bc := l.holds(c, i)
	for k, a := range l.Earlier[c][:i] {
		if ac := l.holds(c, k); on[a] && ac != bc && l.follows(a, b) == bc {
			x, y, z := l.before(a, b), l.before(b, c), l.before(a, c)
			if bc {
				l.s.Add(-x, -y, z)
			} else {
				l.s.Add(x, y, -z)
			}
			broken++
		}
	}
	return broken
}

// holds reports whether the i-th of the operations before b comes before b in the
// model.
func (l *Log) holds(b int32, i int) bool {
	return l.vars[b] == nil || l.vars[b][i] == 0 || l.s.True(l.vars[b][i])
}

// follows reports whether b, which overlaps a, comes after a in the model.
func (l *Log) follows(a, b int32) bool {
	if a > b {
		return !l.follows(b, a)
	}
	return l.holds(b, l.Index(a, b))
}

// cycles lists the operations of the prefix that the model orders in a cycle:
// the strongly connected components, of more than one operation, of the graph
// that literals and intervals make.
//
// Intervals need few edges: moments are nodes, too, each with an edge to the
// next. An operation has an edge to the moment of its return, and one from
// that of its call.
func (q *query) cycles() (ops []int32) {
	g := q.graph()
	g.components(func(component []int32) {
		if len(component) < 2 {
			return
		}
		for _, x := range component {
			if int(x) < len(q.ops) {
				ops = append(ops, x)
			}
		}
	})
	return ops
}

// digraph is a graph with its edges by source.
type digraph struct {
	first []int32 // by node: where its edges begin
	to    []int32
}

// graph has the operations as its first nodes. Operations that the prefix does
// not have are without edges.
func (q *query) graph() *digraph {
	n, events := len(q.ops), q.ends[q.j]
	var edges [][2]int32
	for _, p := range q.pairs {
		switch {
		case q.Spans[p.b].Call >= events:
		case q.s.True(p.lit):
			edges = append(edges, [2]int32{p.a, p.b})
		default:
			edges = append(edges, [2]int32{p.b, p.a})
		}
	}
	if len(edges) == 0 {
		return &digraph{first: []int32{0}}
	}
	for i, s := range q.Spans {
		if s.Call < events {
			edges = append(edges, [2]int32{int32(n + s.Call), int32(i)})
			if s.Return < events {
				edges = append(edges, [2]int32{int32(i), int32(n + s.Return)})
			}
		}
	}
	for t := range events - 1 {
		edges = append(edges, [2]int32{int32(n + t), int32(n + t + 1)})
	}
	return newDigraph(n+events, edges)
}

func newDigraph(nodes int, edges [][2]int32) *digraph {
	g := &digraph{make([]int32, nodes+1), make([]int32, len(edges))}
	for _, e := range edges {
		g.first[e[0]+1]++
	}
	for i := range nodes {
		g.first[i+1] += g.first[i]
	}
	at := append([]int32(nil), g.first...)
	for _, e := range edges {
		g.to[at[e[0]]] = e[1]
		at[e[0]]++
	}
	return g
}

// components yields the strongly connected components (Tarjan, "Depth-first
// search and linear graph algorithms").
func (g *digraph) components(yield func(component []int32)) {
	n := len(g.first) - 1
	index, low := make([]int32, n), make([]int32, n) // from 1; index -1 when its component is known
	next := append([]int32(nil), g.first...)         // edge to follow
	var path, stack []int32
	count := int32(0)
	for root := range int32(n) {
		if index[root] != 0 {
			continue
		}
		path = append(path[:0], root)
		for len(path) > 0 {
			v := path[len(path)-1]
			if index[v] == 0 {
				count++
				index[v], low[v] = count, count
				stack = append(stack, v)
			}
			if next[v] < g.first[v+1] {
				w := g.to[next[v]]
				next[v]++
				switch {
				case index[w] == 0:
					path = append(path, w)
				case index[w] > 0:
					low[v] = min(low[v], index[w])
				}
				continue
			}
			path = path[:len(path)-1]
			if len(path) > 0 {
				p := path[len(path)-1]
				low[p] = min(low[p], low[v])
			}
			if low[v] == index[v] {
				at := len(stack) - 1
				for stack[at] != v {
					at--
				}
				yield(stack[at:])
				for _, w := range stack[at:] {
					index[w] = -1
				}
				stack = stack[:at]
			}
		}
	}
}
