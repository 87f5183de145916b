package search

import (
	"context"
	"errors"
	"slices"

	"github.com/adtinfer/adtinfer/explore/internal/machine"
)

// mostThreads is how many threads there may be in a state: a bit for each.
const mostThreads = 64

// mostWork bounds the instructions of all steps: about a second. mostForms bounds the bytes of all states.
const (
	mostWork  = 1 << 26
	mostForms = 1 << 24
)

// Graph is the states that were found, by number, in order of the calls that lead to them; 0 is the first one.
type Graph struct {
	shared *machine.Shared
	m      *machine.Machine
	most   int

	nodes   []quietNode
	numbers map[string]int32
	waits   bool // an operation or a goroutine waits in one of them
	leaks   []Lost
	rounds  int // of calls, all of which were made
	bytes   int // of states

	// Fault is the first fault that is not for others to find, or nil; Path leads to it.
	Fault *machine.Fault
	Path  []machine.Move

	// Uncovered is by call what cannot be explored, and is reached when it is one of the first calls;
	// by -1, what is reached without any.
	Uncovered map[int32]*machine.Fault
}

// quietNode is a state.
type quietNode struct {
	form   string
	edges  []edge
	parent int32
	move   machine.Move // from parent

	origins []int16 // of that move, see machine.Origins
	running []int   // the threads that run an operation
	threads int     // and others
	depth   int     // calls that lead to it
	quiet   int32   // the quiescent state that stands for it, or unsettled or passing
	called  bool    // its calls were made
	lone    bool    // it is reached without a call while another operation runs
	shed    bool    // goroutines leaked; another state is without them
	strands uint64  // operations that wait for what nobody reaches, as bits
	only    bool    // they need not be made: the operation of thread idler does nothing but wait
	idler   int
	without int32 // the state that is the same without it
	open    bool
}

const (
	unsettled int32 = -1 - iota
	passing         // steps lead out of it, and not back
)

// edge is a step.
type edge struct {
	to           int32
	thread       int // -1 if goroutines are left out
	call, answer int32
	choices      []int32
	origins      []int16 // see machine.Origins
}

// Explore makes the graph of a program, of at most so many states; of a third, if nothing ever waits. The bounds of shared are any number of operations.
func Explore(ctx context.Context, shared *machine.Shared, most int) (*Graph, error) {
	for {
		g := &Graph{shared: shared, m: shared.Machine(), most: most, numbers: map[string]int32{}}
		err := g.explore(ctx)
		if !errors.Is(err, machine.ErrAgain) {
			return g, err
		}
		shared.Again()
	}
}

func (g *Graph) explore(ctx context.Context) error {
	g.add(string(g.shared.Start()), -1, machine.Move{Call: -1}, nil)
	for first := 0; g.Fault == nil; g.rounds++ {
		for i := first; i < len(g.nodes) && g.Fault == nil; i++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			if len(g.nodes) > g.most || len(g.nodes) > g.most/3 && !g.waits || g.tired() {
				g.cut(first)
				return nil
			}
			status := g.m.Status([]byte(g.nodes[i].form))
			n := &g.nodes[i]
			n.running, n.threads = status.Running, len(status.Left)+status.Others
			if n.open = n.threads > mostThreads; n.open {
				continue
			}
			if err := g.m.Inner([]byte(g.nodes[i].form), func(s *machine.Step) error { return g.step(int32(i), s) }); err != nil {
				return err
			}
		}
		quiet := g.settle(first)
		if first = len(g.nodes); len(quiet) == 0 {
			return nil // all states were found
		}
		for _, n := range quiet {
			if g.tired() {
				g.cut(first)
				return ctx.Err()
			}
			g.waits = g.waits || g.nodes[n].threads > g.shared.Bounds().Threads || len(g.nodes[n].running) > 0
			if err := g.calls(n); err != nil {
				return err
			}
		}
	}
	g.cut(0)
	return nil
}

// tired reports whether there is more than mostWork or mostForms. Each call was made, and those after it.
func (g *Graph) tired() bool {
	return g.rounds > 1 && (g.m.Work() > mostWork || g.bytes > mostForms)
}

// cut leaves everything open that was found from a state on.
func (g *Graph) cut(first int) {
	for i := range g.nodes {
		n := &g.nodes[i]
		n.open = n.open || i >= first || n.quiet == int32(i) && !n.called && !n.only
	}
}

// add is the number of a state.
func (g *Graph) add(form string, parent int32, move machine.Move, origins []int16) int32 {
	n, known := g.numbers[form]
	if known {
		return n
	}
	n = int32(len(g.nodes))
	g.numbers[form] = n
	g.bytes += len(form)
	own := quietNode{form: form, parent: parent, move: move, origins: origins, quiet: unsettled}
	if parent >= 0 {
		own.depth = g.nodes[parent].depth
	}
	if move.Call >= 0 {
		own.depth++
	}
	g.nodes = append(g.nodes, own)
	return n
}

// step takes in a step from a state.
func (g *Graph) step(from int32, s *machine.Step) error {
	move := machine.Move{Thread: s.Thread, Call: s.Call, Choices: slices.Clone(s.Choices)}
	switch {
	case s.Fault == nil:
	case s.Fault.Kind == machine.Misuse || s.Fault.Kind == machine.Crash:
		if g.Fault == nil {
			f := *s.Fault
			f.Threads = slices.Clone(f.Threads)
			g.Fault, g.Path = &f, append(g.path(from), move)
		}
		return nil
	default:
		g.uncovered(from, &move, s.Fault)
		g.nodes[from].open = true
		return nil
	}
	e := edge{thread: s.Thread, call: s.Call, answer: s.Answer, choices: move.Choices, origins: g.m.Origins()}
	e.to = g.add(string(s.Next), from, move, e.origins)
	g.nodes[from].edges = append(g.nodes[from].edges, e)
	return nil
}

// firstCalls is how many calls lead to what Graph.Uncovered has, at most.
const firstCalls = 2

// uncovered notes what cannot be explored, for the call that a move from a state begins or goes on with; what a
// goroutine of the object does belongs to the last call.
func (g *Graph) uncovered(from int32, move *machine.Move, f *machine.Fault) {
	call, depth := move.Call, g.nodes[from].depth
	switch {
	case f.Kind != machine.NotCovered || f.Limit:
		return
	case call >= 0:
		depth++
	case move.Thread < g.shared.Bounds().Threads:
		call = g.callOf(from, move.Thread)
	default:
		for n := from; n > 0 && call < 0; n = g.nodes[n].parent {
			call = g.nodes[n].move.Call
		}
	}
	if depth <= firstCalls && g.Uncovered[call] == nil {
		if g.Uncovered == nil {
			g.Uncovered = map[int32]*machine.Fault{}
		}
		own := *f
		g.Uncovered[call] = &own
	}
}

// path leads to a state.
func (g *Graph) path(n int32) (moves []machine.Move) {
	for ; n > 0; n = g.nodes[n].parent {
		moves = append(moves, g.nodes[n].move)
	}
	slices.Reverse(moves)
	return moves
}

// calls makes the calls of a quiescent state, unless one of the operations that wait there does nothing else.
func (g *Graph) calls(n int32) error {
	at := &g.nodes[n]
	if at.open {
		return nil
	}
	if len(at.edges) == 0 && g.sheds(n) {
		return nil
	}
	at = &g.nodes[n]
	if len(at.running) > 1 {
		for _, t := range at.running {
			if w, known := g.numbers[string(g.m.Without([]byte(at.form), t))]; known && g.nodes[w].quiet >= 0 && g.nodes[w].depth < at.depth {
				at.only, at.idler, at.without = true, t, w
				return nil
			}
		}
	}
	if at.called = true; len(at.running) == g.shared.Bounds().Threads {
		at.open = true
		return nil
	}
	return g.m.Calls([]byte(at.form), func(s *machine.Step) error { return g.step(n, s) })
}

// sheds reports whether goroutines have leaked in a state, which another one is without.
func (g *Graph) sheds(n int32) bool {
	next, leaked, stranded := g.m.Collect([]byte(g.nodes[n].form))
	for _, t := range stranded {
		g.nodes[n].strands |= 1 << t
	}
	if len(leaked) == 0 {
		return false
	}
	at := &g.nodes[n]
	at.shed = true
	for _, t := range leaked {
		g.leaks = append(g.leaks, Lost{Path: g.path(n), State: []byte(at.form), Thread: t, Call: -1, Depth: at.depth})
	}
	e := edge{thread: -1, call: -1, answer: -1, origins: g.m.Origins()}
	e.to = g.add(string(next), n, machine.Move{Thread: machine.Collects, Call: -1}, e.origins)
	g.nodes[n].edges = append(g.nodes[n].edges, e)
	return true
}
