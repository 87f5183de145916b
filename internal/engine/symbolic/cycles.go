package symbolic

// cycles lists the operations of the prefix that the model orders in a circle:
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
		case q.ops[p.b].call >= events:
		case q.s.True(p.lit):
			edges = append(edges, [2]int32{p.a, p.b})
		default:
			edges = append(edges, [2]int32{p.b, p.a})
		}
	}
	if len(edges) == 0 {
		return &digraph{first: []int32{0}}
	}
	for i := range q.ops {
		if x := &q.ops[i]; x.call < events {
			edges = append(edges, [2]int32{int32(n + x.call), int32(i)})
			if x.ret < events {
				edges = append(edges, [2]int32{int32(i), int32(n + x.ret)})
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
