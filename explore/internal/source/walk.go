package source

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

const (
	mostDepth  = 12  // calls within calls that are followed
	mostStates = 400 // of a block in a frame: then what is known of values is forgotten
)

// node is where a path is: before an instruction.
type node struct {
	f      *frame
	block  *ssa.BasicBlock
	i      int
	s      *state
	before *node
	pos    token.Pos // a place worth telling
}

// walker follows all paths from a root.
type walker struct {
	*checker
	whole bool // the root is the operation: it has no Handle.Call
	queue []*node
	seen  map[string]bool
	count map[string]int
}

// walk follows all paths through a function, the shortest first.
func (c *checker) walk(root *ssa.Function) {
	w := &walker{checker: c, seen: map[string]bool{}, count: map[string]int{}}
	w.whole = !c.some(root, map[*ssa.Function]bool{}, func(m string) bool { return m == "Call" })
	s := &state{facts: map[string]string{}}
	if w.whole {
		s.opened, s.method = true, strings.ToLower(root.Name()[:1])+root.Name()[1:]
		w.operations[s.method] = true
	}
	f := c.frame(frameKey{fn: root})
	w.push(&node{f: f, block: root.Blocks[0], s: s, pos: root.Pos()})
	for len(w.queue) > 0 {
		n := w.queue[0]
		w.queue = w.queue[1:]
		w.run(n)
	}
}

// frame is the frame of a key.
func (c *checker) frame(k frameKey) *frame {
	f := c.frames[k]
	if f == nil {
		f = &frame{frameKey: k, id: len(c.frames)}
		if k.caller != nil {
			f.depth = k.caller.depth + 1
		}
		c.frames[k] = f
	}
	return f
}

// push goes on at a node unless a path has been there in the same state.
func (w *walker) push(n *node) {
	at := fmt.Sprint(n.f.id, " ", n.block.Index, " ", n.i)
	if w.count[at]++; w.count[at] > mostStates {
		n.s.facts = map[string]string{}
	}
	key := at + " " + n.s.key()
	if !w.seen[key] {
		w.seen[key] = true
		w.queue = append(w.queue, n)
	}
}

// run follows a path to the end of the block, or to a call that is followed.
func (w *walker) run(n *node) {
	s := n.s.copy()
	n = &node{n.f, n.block, n.i, s, n, token.NoPos}
	for ; n.i < len(n.block.Instrs); n.i++ {
		in := n.block.Instrs[n.i]
		w.define(n, in)
		switch in := in.(type) {
		case *ssa.Call:
			if w.call(n, in) {
				return
			}
		case *ssa.Defer:
			if d := (deferred{n.f, in}); !slices.Contains(s.deferred, d) {
				s.deferred = append(s.deferred, d)
			}
		case *ssa.RunDefers:
			if w.runDefers(n) {
				return
			}
		case *ssa.Return:
			w.leave(n, in)
			return
		case *ssa.If:
			w.branch(n, in)
			return
		case *ssa.Jump:
			w.edge(n, n.block.Succs[0], s)
			return
		case *ssa.Panic:
			return
		default:
			w.local(n, in)
			if f := w.view.writtenBy(in); f.of != nil {
				s.wrote(f, in.Pos())
			}
		}
	}
}

// define forgets what was known of an instruction's value when it was computed before.
func (w *walker) define(n *node, in ssa.Instruction) {
	v, ok := in.(ssa.Value)
	if _, part := in.(*ssa.Extract); !ok || part || len(n.s.facts) == 0 {
		return
	}
	n.s.forget(fmt.Sprint("f", n.f.id, ":", v.Name(), " "))
	if call, ok := in.(*ssa.Call); ok {
		for _, e := range parts(call) {
			n.s.forget(fmt.Sprint("f", n.f.id, ":", e.Name(), " "))
		}
	}
}

// parts are the single results of a call that has several.
func parts(call *ssa.Call) (list []*ssa.Extract) {
	for _, r := range *call.Referrers() {
		if e, ok := r.(*ssa.Extract); ok {
			list = append(list, e)
		}
	}
	return list
}

// local follows what is known of values through local variables: results of functions that
// defer calls are kept in some.
func (w *walker) local(n *node, in ssa.Instruction) {
	facts := n.s.facts
	switch in := in.(type) {
	case *ssa.Store:
		if a, ok := in.Addr.(*ssa.Alloc); ok && !a.Heap {
			delete(facts, w.name(n.f, a)+"*")
			if text, ok := w.constantOf(n.f, in.Val, n.s); ok {
				facts[w.name(n.f, a)+"*"] = text
			}
		}
	case *ssa.UnOp:
		if a, ok := in.X.(*ssa.Alloc); ok && in.Op == token.MUL {
			if text := facts[w.name(n.f, a)+"*"]; text != "" {
				facts[w.name(n.f, in)] = text
			}
		}
	}
}

// branch goes both ways that are possible.
func (w *walker) branch(n *node, in *ssa.If) {
	is, known := w.truth(n.f, in.Cond, n.s)
	for k, way := range []bool{true, false} {
		if known && is != way {
			continue
		}
		s := n.s.copy()
		if !known {
			w.assume(n.f, in.Cond, way, s)
		}
		w.edge(n, n.block.Succs[k], s)
	}
}

// edge goes on in another block, whose phis it evaluates.
func (w *walker) edge(n *node, to *ssa.BasicBlock, s *state) {
	from := slices.Index(to.Preds, n.block)
	next := &node{n.f, to, 0, s, n, token.NoPos}
	facts := map[string]string{}
	for _, in := range to.Instrs {
		phi, ok := in.(*ssa.Phi)
		if !ok {
			break
		}
		if text, ok := w.constantOf(n.f, phi.Edges[from], s); ok {
			facts[w.name(n.f, phi)] = text
		}
		next.i++
	}
	for _, in := range to.Instrs[:next.i] {
		s.forget(fmt.Sprint("f", n.f.id, ":", in.(*ssa.Phi).Name(), " "))
	}
	for k, text := range facts {
		s.facts[k] = text
	}
	if len(n.block.Succs) > 1 && len(to.Instrs) > next.i {
		next.pos = firstPos(to)
	}
	w.push(next)
}

// firstPos is the first place of a block that has one.
func firstPos(b *ssa.BasicBlock) token.Pos {
	for _, in := range b.Instrs {
		if _, ok := in.(*ssa.Phi); !ok && in.Pos().IsValid() {
			return in.Pos()
		}
	}
	return token.NoPos
}

// call makes a call; it reports whether the path goes on elsewhere.
func (w *walker) call(n *node, in *ssa.Call) bool {
	if m := handleMethod(&in.Call); m != "" {
		w.record(n, m, in)
		return false
	}
	switch lockMethod(&in.Call) {
	case "Lock":
		n.s.held = min(n.s.held+1, mostHeld)
		return false
	case "Unlock":
		n.s.unlock()
		return false
	case "TryLock":
		w.either(n, in, func(s *state) { s.held = min(s.held+1, mostHeld) })
		return true
	}
	if f := w.view.writtenBy(in); f.of != nil {
		if _, method := atomicField(&in.Call); method == "CompareAndSwap" {
			w.either(n, in, func(s *state) { s.wrote(f, in.Pos()) })
			return true
		}
		n.s.wrote(f, in.Pos())
		return false
	}
	return w.enter(n, n.f, in, &in.Call)
}

// either goes on after a call that does something if it returns true, and nothing if it returns false.
func (w *walker) either(n *node, in *ssa.Call, does func(s *state)) {
	for _, way := range []bool{true, false} {
		s := n.s.copy()
		s.facts[w.name(n.f, in)] = fmt.Sprint(way)
		if way {
			does(s)
		}
		w.push(&node{n.f, n.block, n.i + 1, s, n, token.NoPos})
	}
}
