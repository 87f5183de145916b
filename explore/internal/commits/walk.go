package commits

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

// enter goes on in a function that matters and is called by an instruction of frame f; it reports whether
// it is one.
func (w *walker) enter(n *node, f *frame, site ssa.Instruction, call *ssa.CallCommon) bool {
	if call.IsInvoke() {
		return false
	}
	k := frameKey{caller: f, site: site}
	g, v := resolve(f, call.Value)
	switch x := v.(type) {
	case *ssa.Function:
		k.fn = x
	case *ssa.MakeClosure:
		k.fn, k.closure, k.made = x.Fn.(*ssa.Function), g, x
	}
	if k.fn == nil || !w.relevant[k.fn] {
		return false
	}
	deep := f.depth >= mostDepth
	for up := f; up != nil; up = up.caller {
		deep = deep || up.fn == k.fn
	}
	if deep {
		w.abandon(n, k.fn, site.Pos())
		return false
	}
	w.push(&node{w.frame(k), k.fn.Blocks[0], 0, n.s, n, site.Pos()})
	return true
}

// abandon meets a call that is not followed: of a function that calls itself, or too deep. What it
// records is not known, so nothing is said of the rest of the operation.
func (w *walker) abandon(n *node, fn *ssa.Function, pos token.Pos) {
	if s := n.s; s.opened && w.records(fn, map[*ssa.Function]bool{}) {
		w.report(pos, n, "%s records, and is called within itself or too deep to be followed: paths of %s through here are not looked at", fn.Name(), s.method)
		*s = state{held: s.held, facts: s.facts, deferred: s.deferred}
	}
}

// runDefers makes the last deferred call of the frame; it reports whether the path goes on elsewhere,
// and comes back then.
func (w *walker) runDefers(n *node) bool {
	for i := len(n.s.deferred) - 1; i >= 0; i-- {
		d := n.s.deferred[i]
		if d.in != n.f {
			continue
		}
		n.s.deferred = slices.Delete(n.s.deferred, i, i+1)
		call := &d.d.Call
		switch m := handleMethod(call); {
		case m != "":
			w.record(n, m, d.d)
		case lockMethod(call) == "Unlock":
			n.s.unlock()
		case w.enter(n, n.f, d.d, call):
			return true
		}
	}
	return false
}

// leave goes back to the caller.
func (w *walker) leave(n *node, in *ssa.Return) {
	f := n.f
	if f.caller == nil {
		if w.whole && n.s.opened {
			pos := in.Pos()
			if !pos.IsValid() && f.fn.Syntax() != nil {
				pos = f.fn.Syntax().End() - 1 // the brace
			}
			w.end(n, pos)
		}
		return
	}
	s := n.s
	results := map[string]string{}
	if site, ok := f.site.(*ssa.Call); ok {
		for i, r := range in.Results {
			text, known := w.constantOf(f, r, s)
			if !known {
				continue
			}
			if len(in.Results) == 1 {
				results[w.name(f.caller, site)] = text
				continue
			}
			for _, e := range parts(site) {
				if e.Index == i {
					results[w.name(f.caller, e)] = text
				}
			}
		}
	}
	s.forget(fmt.Sprint("f", f.id, ":"))
	for k, text := range results {
		s.facts[k] = text
	}
	block, i := f.site.Block(), 0
	if _, ok := f.site.(*ssa.Defer); ok { // goes on with the deferred calls that are left
		block, i = deferredAt(n)
	} else {
		i = slices.Index(block.Instrs, f.site) + 1
	}
	w.push(&node{f.caller, block, i, s, n, token.NoPos})
}

// deferredAt is where the caller's deferred calls are made.
func deferredAt(n *node) (*ssa.BasicBlock, int) {
	for m := n; m != nil; m = m.before {
		if m.f == n.f.caller && m.i < len(m.block.Instrs) {
			if _, ok := m.block.Instrs[m.i].(*ssa.RunDefers); ok {
				return m.block, m.i
			}
		}
	}
	panic("a deferred call returns to where nobody made it")
}

// record is a call of a method of record.Handle.
func (w *walker) record(n *node, method string, in ssa.CallInstruction) {
	s := n.s
	n.pos = in.Pos()
	switch method {
	case "Call":
		if s.opened && !w.whole {
			w.report(in.Pos(), n, "%s is called here and has not returned: %s", w.methodName(in.Common().Args[1], n.f.fn), w.at(s.open.Pos()))
		}
		*s = state{open: in, opened: true, method: w.methodName(in.Common().Args[1], n.f.fn), held: s.held, facts: s.facts, deferred: s.deferred}
		w.operations[s.method] = true
	case "Return":
		if s.opened {
			w.end(n, in.Pos())
		}
		*s = state{held: s.held, facts: s.facts, deferred: s.deferred}
	case "Commit":
		if s.commits++; s.opened && s.commits > 1 {
			w.report(in.Pos(), n, "%s commits a second time here: every path from its call to its return passes exactly one Commit", s.method)
		}
		s.commits = min(s.commits, 2)
		w.unrecorded(n, "it commits")
		s.dirty = nil
	case "Write", "WriteBlock":
		w.written(n, method, in)
	}
}

// wrote notes a write to the view. Once the operation has taken effect, what it does is no
// part of its step.
func (s *state) wrote(f field, pos token.Pos) {
	if s.opened && s.commits == 0 && !slices.ContainsFunc(s.dirty, func(d dirty) bool { return d.f == f && d.pos == pos }) {
		s.dirty = append(s.dirty, dirty{f: f, pos: pos})
	}
}

// written is an entry about the view.
func (w *walker) written(n *node, method string, in ssa.CallInstruction) {
	s := n.s
	fields, known := w.view.sites[in]
	if method == "WriteBlock" {
		if s.held == 0 {
			w.report(in.Pos(), n, "the block entry is recorded without a lock: others may write to the same variables in between; record each write by itself, or hold the lock")
		}
		for _, d := range s.dirty {
			if d.released && (!known || fields[d.f]) {
				w.report(in.Pos(), n, "the block entry has the write to %s at %s, and no lock was held in between: the code has no exclusive access to all that the entry has", d.f, w.at(d.pos))
			}
		}
	}
	s.dirty = slices.DeleteFunc(s.dirty, func(d dirty) bool { return !known || fields[d.f] })
}

// unrecorded reports writes that are not recorded.
func (w *walker) unrecorded(n *node, when string) {
	for _, d := range n.s.dirty {
		w.report(d.pos, n, "%s writes to %s, which the view has, and the write is not recorded before %s", n.s.method, d.f, when)
	}
}

// end is the return of an operation.
func (w *walker) end(n *node, pos token.Pos) {
	s := n.s
	if s.commits == 0 {
		w.unrecorded(n, "it returns")
		if !w.observers[s.method] {
			w.report(pos, n, "%s returns here without a commit: every path from its call to its return passes exactly one Commit; if it only observes, list it in refine.Options.Observers", s.method)
		}
	}
}

// path lists the places that led to a node, from the operation's call on.
func (c *checker) path(n *node, last string) (places []string) {
	for m := n; m != nil; m = m.before {
		if m.pos.IsValid() {
			if at := c.at(m.pos); len(places) == 0 || places[len(places)-1] != at {
				places = append(places, at)
			}
		}
		if m.before != nil && m.s.opened && !m.before.s.opened {
			break
		}
	}
	slices.Reverse(places)
	if len(places) > 0 && places[len(places)-1] == last {
		places = places[:len(places)-1]
	}
	return places
}
