package search

import (
	"slices"

	"github.com/adtinfer/adtinfer/explore/internal/machine"
)

// Lost is an operation that waits, or a goroutine, and that no later calls let go on.
type Lost struct {
	Path   []machine.Move // to the state
	State  []byte
	Thread int   // its place there
	Call   int32 // that the operation runs; -1 of a goroutine
	Depth  int   // calls of the path
	Spins  bool  // the goroutines of the state have steps, which lead nowhere
	// Undecided says that later calls of which there are too many may let it go on: none of the first ones does.
	Undecided bool
	Stranded  bool // nobody reaches what it waits for
}

// First reports whether only the first calls were made: there were too many.
func (g *Graph) First() bool {
	return g.rounds <= firstCalls && slices.ContainsFunc(g.nodes, func(n quietNode) bool { return n.open })
}

// States is how many there are.
func (g *Graph) States() int { return len(g.nodes) }

// able tells for each state, as bits, which threads have a step on some way from it; if returns is set, the last one of
// the operation that they run. From open states there are ways if open says so.
func (g *Graph) able(returns, open bool) []uint64 {
	can := make([]uint64, len(g.nodes))
	for changed := true; changed; {
		changed = false
		for i := len(g.nodes) - 1; i >= 0; i-- {
			n := &g.nodes[i]
			bits := can[i]
			if open && n.open {
				bits = ^uint64(0)
			}
			for j := range n.edges {
				e := &n.edges[j]
				if e.thread >= 0 && (!returns || e.answer >= 0) {
					bits |= 1 << e.thread
				}
				for place, origin := range e.origins {
					if origin >= 0 && (can[e.to]>>place&1 != 0 || open && g.nodes[e.to].open) {
						bits |= 1 << origin
					}
				}
			}
			bits &^= n.strands
			changed = changed || bits != can[i]
			can[i] = bits
		}
	}
	return can
}

// answered tells for each state, as bits, which operations return on some way from it, if there are not too many.
func (g *Graph) answered() []uint64 {
	can := make([]uint64, len(g.nodes))
	for changed := true; changed; {
		changed = false
		for i := len(g.nodes) - 1; i >= 0; i-- {
			n := &g.nodes[i]
			bits := can[i]
			if n.open {
				bits = ^uint64(0)
			}
			for j := range n.edges {
				e := &n.edges[j]
				if bits |= can[e.to]; e.answer >= 0 {
					bits |= 1 << min(g.shared.Result(e.answer).Op, 63)
				}
			}
			changed = changed || bits != can[i]
			can[i] = bits
		}
	}
	return can
}

// further is how many more calls than lead to a state were made from it, at least, where nothing is known for certain.
const further = 2

// each yields the threads of quiescent states that have no way on.
func (g *Graph) each(returns bool, threads func(*quietNode) []int, yield func(Lost)) {
	able, certain := g.able(returns, true), g.able(returns, false)
	for i := range g.nodes {
		n := &g.nodes[i]
		if n.quiet != int32(i) || n.only || n.open || n.shed {
			continue
		}
		for _, t := range threads(n) {
			switch {
			case certain[i]>>t&1 != 0, able[i]>>t&1 != 0 && g.rounds < 2*n.depth+further:
				continue
			}
			yield(Lost{
				Path: g.path(int32(i)), State: []byte(n.form), Thread: t, Call: -1, Depth: n.depth, Undecided: able[i]>>t&1 != 0,
				Stranded: n.strands>>t&1 != 0,
				Spins:    slices.ContainsFunc(n.edges, func(e edge) bool { return e.call < 0 }),
			})
		}
	}
}

// Lost lists the operations that can return never again, in the order of how many calls lead there.
func (g *Graph) Lost() (all []Lost) {
	g.each(true, func(n *quietNode) []int { return n.running }, func(l Lost) {
		l.Call = g.callOf(g.numbers[string(l.State)], l.Thread)
		all = append(all, l)
	})
	answered := g.answered()
	for i := range g.nodes {
		n := &g.nodes[i]
		if !n.only {
			continue
		}
		call := g.callOf(int32(i), n.idler)
		if op := g.shared.Bounds().Calls[call].Op; answered[n.without]>>min(op, 63)&1 == 0 {
			all = append(all, Lost{Path: g.path(int32(i)), State: []byte(n.form), Thread: n.idler, Call: call, Depth: n.depth})
		}
	}
	return all
}

// Leaks lists the goroutines that can never go on, in states in which no operation runs.
func (g *Graph) Leaks() (all []Lost) {
	others := func(n *quietNode) (threads []int) {
		for t := g.shared.Bounds().Threads; t < n.threads && len(n.running) == 0; t++ {
			threads = append(threads, t)
		}
		return threads
	}
	g.each(false, others, func(l Lost) { all = append(all, l) })
	return append(slices.Clip(g.leaks), all...)
}

// callOf is the call that a thread of a state runs.
func (g *Graph) callOf(n int32, thread int) int32 {
	for n > 0 {
		at := &g.nodes[n]
		thread = int(at.origins[thread])
		if at.move.Thread == thread && at.move.Call >= 0 {
			return at.move.Call
		}
		n = at.parent
	}
	return -1
}

// Seen is what a call did where nothing else ran.
type Seen struct {
	Made    bool
	First   bool // it returned when it was the first one
	Returns bool
	Waits   bool // it waited for other calls
	Changes bool // a state was another one afterwards
}

// alone notes which states are reached if a call comes only when no operation runs.
func (g *Graph) alone() {
	var visit func(n int32)
	visit = func(n int32) {
		at := &g.nodes[n]
		if at.lone {
			return
		}
		at.lone = true
		for _, e := range at.edges {
			if e.call < 0 || len(at.running) == 0 {
				visit(e.to)
			}
		}
	}
	visit(0)
}

// Seen tells it of each call.
func (g *Graph) Seen() []Seen {
	g.alone()
	all := make([]Seen, len(g.shared.Bounds().Calls))
	for i := range g.nodes {
		n := &g.nodes[i]
		if !n.lone || n.quiet != int32(i) || len(n.running) > 0 {
			continue
		}
		for j := range n.edges {
			if e := &n.edges[j]; e.call >= 0 {
				g.look(n, e, &all[e.call])
			}
		}
	}
	return all
}

// look follows a call from a quiescent state to those that come next.
func (g *Graph) look(from *quietNode, call *edge, s *Seen) {
	s.Made = true
	type place struct {
		n      int32
		thread int
	}
	seen := map[place]bool{}
	var visit func(e *edge, thread int)
	visit = func(e *edge, thread int) {
		at := place{e.to, -1}
		if e.thread == thread && e.answer >= 0 {
			s.Returns, s.First = true, s.First || from.depth == 0
		} else if thread >= 0 {
			at.thread = slices.Index(e.origins, int16(thread))
		}
		if seen[at] {
			return
		}
		seen[at] = true
		n := &g.nodes[at.n]
		if n.quiet >= 0 && !n.shed {
			s.Waits = s.Waits || at.thread >= 0
			s.Changes = s.Changes || at.thread < 0 && n.quiet != from.quiet
		}
		for j := range n.edges {
			if n.edges[j].call < 0 {
				visit(&n.edges[j], at.thread)
			}
		}
	}
	visit(call, call.thread)
}

// Answers lists what operations answered.
func (g *Graph) Answers() (all []int32) {
	seen := map[int32]bool{}
	for i := range g.nodes {
		for j := range g.nodes[i].edges {
			if a := g.nodes[i].edges[j].answer; a >= 0 && !seen[a] {
				seen[a] = true
				all = append(all, a)
			}
		}
	}
	return all
}

// To is the path to the first step in which an operation answered so, with that step.
func (g *Graph) To(answer int32) []machine.Move {
	for i := range g.nodes {
		for _, e := range g.nodes[i].edges {
			if e.answer == answer {
				return append(g.path(int32(i)), machine.Move{Thread: e.thread, Call: e.call, Choices: e.choices})
			}
		}
	}
	return nil
}
