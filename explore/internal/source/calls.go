package source

import (
	"fmt"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

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
