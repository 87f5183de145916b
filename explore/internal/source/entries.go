package source

import (
	"go/token"
	"slices"

	"golang.org/x/tools/go/ssa"
)

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
