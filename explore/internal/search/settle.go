package search

import "slices"

// settling finds strongly connected components of states, in the order of Tarjan's algorithm.
type settling struct {
	g          *Graph
	first      int
	index, low map[int32]int
	on         map[int32]bool // the stack
	order      []int32        // the stack
	quiet      []int32
}

// settle finds the sets of states, from one on, that only calls leave, and lists the first state of each, which
// stands for it. States before that one are settled: steps from there on lead nowhere else.
func (g *Graph) settle(first int) []int32 {
	s := &settling{g: g, first: first, index: map[int32]int{}, low: map[int32]int{}, on: map[int32]bool{}}
	for n := first; n < len(g.nodes); n++ {
		if _, known := s.index[int32(n)]; !known {
			s.from(int32(n))
		}
	}
	slices.Sort(s.quiet)
	return s.quiet
}

// from visits what is reached from a state.
func (s *settling) from(root int32) {
	type frame struct {
		n    int32
		next int // of its edges
	}
	var stack []frame
	enter := func(n int32) {
		s.index[n], s.low[n], s.on[n] = len(s.index), len(s.index), true
		s.order = append(s.order, n)
		stack = append(stack, frame{n: n})
	}
	for enter(root); len(stack) > 0; {
		top := &stack[len(stack)-1]
		if edges := s.g.nodes[top.n].edges; top.next < len(edges) {
			to := edges[top.next].to
			top.next++
			if i, known := s.index[to]; s.on[to] {
				s.low[top.n] = min(s.low[top.n], i)
			} else if !known && int(to) >= s.first {
				enter(to)
			}
			continue
		}
		n := top.n
		if s.low[n] == s.index[n] {
			s.component(n)
		}
		if stack = stack[:len(stack)-1]; len(stack) > 0 {
			before := stack[len(stack)-1].n
			s.low[before] = min(s.low[before], s.low[n])
		}
	}
}

// component takes a component from the stack, down to its first state.
func (s *settling) component(n int32) {
	at := slices.Index(s.order, n)
	own := slices.Clone(s.order[at:])
	s.order = s.order[:at]
	for _, m := range own {
		s.on[m] = false
	}
	stays := !slices.ContainsFunc(own, func(m int32) bool {
		return slices.ContainsFunc(s.g.nodes[m].edges, func(e edge) bool { return !slices.Contains(own, e.to) })
	})
	name := passing
	if stays {
		name = slices.Min(own)
		s.quiet = append(s.quiet, name)
	}
	for _, m := range own {
		s.g.nodes[m].quiet = name
	}
}
