package saturate

import (
	"slices"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/clauses"
)

// match is a match target with all operations that map to it, as far as they
// are known: those that returned, and running ones that must end up in it.
type match struct {
	shape    int32 // -1 without the target
	stamp    int32
	saved    int32 // the probing that keeps a copy
	live     bool
	simple   bool // no two members besides read-only ones are of one kind
	settled  bool // it is closed, and no running operation overlaps it
	queued   bool // among those that are closed
	open     bool // among those that wait to be overwritten
	writes   bool // among those that overwrite others, with this shape
	orphaned bool // some member needs the target
	second   bool // another operation returned as the target, too

	slots      [1 + clauses.MaxWriters]int32 // members by slot of their kind, the last of each
	members    []int32
	blocked    []int32 // matches with which it violates unless a running operation joins it
	candidates []int32 // running operations that may become the target, or a second one
	rivals     int     // how many of these, and one more if it has a second target

	key      string
	target   int32         // the target's kind
	promised int32         // running members: they must return like this
	kinds    clauses.Kinds // of its members
	last     int           // the latest return of a member
}

// pair is two matches to be looked at again; the second may be -1.
type pair [2]int32

// active reports whether clauses apply: the target is there, and no other
// operation may become a second one. The language has no execution with two,
// but the reference may; until it is clear nothing is concluded.
func (s *Saturation) active(y int32) bool {
	t := &s.matches[y]
	return t.shape >= 0 && (t.rivals == 0 || s.certain(y))
}

// certain reports whether a match with rivals has one target all the same. It is
// asked rarely, so that active is no call.
//
//go:noinline
func (s *Saturation) certain(y int32) bool { return !s.matches[y].second && !s.mayHaveSecond(y) }

// mayHaveSecond reports whether the reference may admit a second target of match y: what
// that needs is there, or may be what some running operation does.
func (s *Saturation) mayHaveSecond(y int32) bool {
	t := &s.matches[y]
	needs := s.r.Kinds[t.target].SecondNeeds
	if needs == 0 || t.kinds&needs != 0 {
		return true
	}
	return slices.ContainsFunc(s.pending, func(x int32) bool { return s.mayBe(x, needs, y) })
}

// mayBe reports whether a running operation that is not forced may return
// as one of some kinds into match y.
func (s *Saturation) mayBe(x int32, kinds clauses.Kinds, y int32) bool {
	kinds &= s.r.Methods[s.ops[x].method].Mask
	if kinds == 0 || s.ops[x].forced {
		return false
	}
	for k := range kinds.All() {
		if s.keyMatches(x, &s.r.Kinds[k], y) {
			return true
		}
	}
	return false
}

func (s *Saturation) newMatch(target int32, key string) int32 {
	var x int32
	if n := len(s.spareMatches); n > 0 {
		x = s.spareMatches[n-1]
		s.spareMatches = s.spareMatches[:n-1]
	} else {
		x = int32(len(s.matches))
		s.matches = append(s.matches, match{})
	}
	t := &s.matches[x]
	*t = match{key: key, target: target, shape: -1, live: true, simple: true, members: t.members[:0], blocked: t.blocked[:0], candidates: t.candidates[:0]}
	return x
}

// matchOf is the match with a target's kind and key.
func (s *Saturation) matchOf(target int, key string) int32 {
	x, ok := s.byKey[target][key]
	if !ok {
		x = s.newMatch(int32(target), key)
		s.byKey[target][key] = x
	}
	return x
}

// without notes that x is no candidate any more.
func (t *match) without(x int32) {
	n := len(t.candidates)
	t.candidates = slices.DeleteFunc(t.candidates, func(c int32) bool { return c == x })
	t.rivals -= n - len(t.candidates)
}

// candidate notes which match a running operation may become the target of.
func (s *Saturation) candidate(x int32) {
	o := &s.ops[x]
	mt := &s.r.Methods[o.method]
	if len(mt.Targets) == 0 {
		return
	}
	k := &s.r.Kinds[mt.Targets[0]]
	o.candidate = s.matchOf(k.Index, clauses.KeyOf(k.Key, o.args, nil))
	t := &s.matches[o.candidate]
	t.candidates = append(t.candidates, x)
	t.rivals++
	t.settled = t.settled && t.shape >= 0
	if t.orphaned {
		s.needTarget(o.candidate)
	}
}

// join adds an operation that returned to its match.
func (s *Saturation) join(x int32, k *clauses.Kind) {
	o := &s.ops[x]
	o.kind = int32(k.Index)
	own := o.candidate
	if own >= 0 && k.Joiners == 0 {
		s.noCandidate(x, own)
	}
	switch {
	case k.Role == clauses.Self && k.Joiners != 0:
		s.become(x, own)
	case k.Role == clauses.Self || k.Role == clauses.Unmatched:
		y := s.newMatch(o.kind, "")
		s.matches[y].shape = int32(s.r.ShapeOf[clauses.Shape{Target: k.Index, Writers: 0}])
		s.add(x, y)
	default:
		s.add(x, s.matchOf(k.Target, clauses.KeyOf(k.Key, o.args, o.rets)))
	}
}

// become makes candidate x the target of its match.
func (s *Saturation) become(x, y int32) {
	s.save(y)
	o, t := &s.ops[x], &s.matches[y]
	o.candidate = -1
	t.without(x)
	t.orphaned = false
	if t.shape >= 0 && !t.second {
		t.second = true
		t.rivals++
	}
	s.add(x, y)
	s.onlyOneTarget(y)
}

// onlyOneTarget is a contradiction if match y has two targets, but not what is beside
// them whenever there are two.
func (s *Saturation) onlyOneTarget(y int32) {
	if s.matches[y].second && !s.mayHaveSecond(y) {
		s.conflict(verdict{rule: twoTargets})
	}
}

// add makes x, whose kind is known, a member of match y.
func (s *Saturation) add(x, y int32) {
	s.save(y)
	o, t := &s.ops[x], &s.matches[y]
	k := &s.r.Kinds[o.kind]
	o.match = y
	t.members = append(t.members, x)
	if k.Slot >= 0 {
		t.slots[k.Slot] = x
		t.simple = t.simple && !t.kinds.Has(k.Index)
	}
	t.kinds |= 1 << o.kind
	if o.ret != never {
		t.last = max(t.last, o.ret)
	} else {
		t.promised++
	}
	s.reshape(y)
	s.closed(y)
	switch {
	case t.shape >= 0:
		s.joined = append(s.joined, x)
	case k.Role == clauses.Other:
		t.orphaned = true
		s.needTarget(y)
	}
}

// reshape computes the shape of match y anew.
func (s *Saturation) reshape(y int32) {
	t := &s.matches[y]
	if !t.kinds.Has(int(t.target)) {
		return
	}
	shape := int32(s.r.ShapeOf[clauses.Shape{Target: int(t.target), Writers: t.kinds & s.r.Kinds[t.target].Writers}])
	if shape == t.shape && len(t.members) > 1 {
		s.list(t.members[len(t.members)-1])
		return
	}
	t.shape, t.writes = shape, false
	if s.probing.on {
		return
	}
	for _, x := range t.members {
		s.unlist(x)
		s.list(x)
	}
}

// needTarget looks for the target that a member of match y needs among the
// candidates.
func (s *Saturation) needTarget(y int32) {
	t := &s.matches[y]
	switch len(t.candidates) {
	case 0:
		for _, x := range t.members {
			if k := &s.r.Kinds[s.ops[x].kind]; k.Role == clauses.Other {
				s.conflict(verdict{pattern: k.WithoutTarget + 1, a: x})
				return
			}
		}
	case 1:
		x := t.candidates[0]
		s.force(x, s.r.Methods[s.ops[x].method].Targets[0], y, needed)
	}
}

// noCandidate notes that x is not, and will not be, the target of match y.
func (s *Saturation) noCandidate(x, y int32) {
	s.save(y)
	t := &s.matches[y]
	s.ops[x].candidate = -1
	t.without(x)
	switch {
	case t.orphaned:
		s.needTarget(y)
	case t.shape >= 0 && len(t.candidates) == 0:
		s.closed(y)
		s.wake(y)
	case len(t.members) > 0 && len(t.candidates) == 0:
		s.closed(y)
	case len(t.members) == 0 && len(t.candidates) == 0 && !s.probing.on:
		s.drop(y)
	}
}

// wake looks at everything about match y, which was not active for a while.
func (s *Saturation) wake(y int32) {
	s.recheck = append(s.recheck, pair{y, -1})
	for z := range s.matches {
		t, u := &s.matches[y], &s.matches[z]
		if s.active(int32(z)) && len(s.r.Two[int(t.shape)*len(s.r.Shapes)+int(u.shape)]) > 0 {
			s.recheck = append(s.recheck, pair{y, int32(z)})
		}
	}
}

// leavesSecond wakes the matches that could have a second target as long as operation
// x was running.
func (s *Saturation) leavesSecond(x int32) {
	o := &s.ops[x]
	for k := range (s.r.Methods[o.method].Mask & s.secondNeeds).All() {
		z := &s.r.Kinds[k]
		if !slices.ContainsFunc(z.Key, func(p clauses.Place) bool { return p.Ret }) {
			if y, ok := s.byKey[z.Target][clauses.KeyOf(z.Key, o.args, nil)]; ok {
				s.wakeIfCertain(y)
			}
			continue
		}
		for y := range s.matches {
			if int(s.matches[y].target) == z.Target {
				s.wakeIfCertain(int32(y))
			}
		}
	}
}

func (s *Saturation) wakeIfCertain(y int32) {
	s.onlyOneTarget(y)
	if len(s.matches[y].candidates) > 0 && s.active(y) {
		s.wake(y)
	}
}

// drop forgets a match without members.
func (s *Saturation) drop(y int32) {
	t := &s.matches[y]
	if s.r.Kinds[t.target].Joiners != 0 {
		delete(s.byKey[t.target], t.key)
	}
	t.live, t.shape, t.key = false, -1, ""
	s.spareMatches = append(s.spareMatches, y)
}

// force notes that running operation x must return as kind k in match y, because
// of a clause, or probing, or because something needs it as its target.
func (s *Saturation) force(x int32, k int, y int32, rule int32) {
	s.saveOp(x)
	o := &s.ops[x]
	o.forced, o.kind = true, int32(k)
	o.why = rule
	own := o.candidate
	if own == y && s.r.Kinds[k].Role == clauses.Self {
		s.become(x, y)
	} else {
		if own >= 0 {
			s.noCandidate(x, own)
		}
		s.add(x, y)
	}
	s.left(x)
}

// confirm handles the return of an operation that had to return somehow.
func (s *Saturation) confirm(x int32, k *clauses.Kind) {
	o := &s.ops[x]
	t := &s.matches[o.match]
	if int(o.kind) != k.Index || k.Role != clauses.Self && clauses.KeyOf(k.Key, o.args, o.rets) != t.key {
		s.conflict(verdict{mismatch: true, a: x})
		return
	}
	t.promised--
	t.last = max(t.last, o.ret)
	s.closed(o.match)
}

// left looks again at what operation x was a way out of, and no longer is.
func (s *Saturation) left(x int32) {
	s.leavesSecond(x)
	o := &s.ops[x]
	s.recheck = append(s.recheck, o.watches...)
	if !s.probing.on {
		o.watches = o.watches[:0]
	}
}

// watch asks for another look at a pair when x is no way out any more.
func (s *Saturation) watch(x int32, p pair) {
	if s.probing.on {
		return
	}
	o := &s.ops[x]
	if n := len(o.watches); n > 0 && slices.Contains(o.watches[max(0, n-8):], p) {
		return
	}
	if len(o.watches) == cap(o.watches) {
		o.watches = slices.DeleteFunc(o.watches, func(p pair) bool {
			return !s.matches[p[0]].live || p[1] >= 0 && !s.matches[p[1]].live
		})
	}
	o.watches = append(o.watches, p)
}

// keyMatches reports whether running operation x of kind k may have match y.
func (s *Saturation) keyMatches(x int32, k *clauses.Kind, y int32) bool {
	if len(k.Key) == 1 {
		p := k.Key[0]
		return p.Ret || s.ops[x].args[p.Index] == history.Value(s.matches[y].key)
	}
	if slices.ContainsFunc(k.Key, func(p clauses.Place) bool { return p.Ret }) {
		return true
	}
	return clauses.KeyOf(k.Key, s.ops[x].args, nil) == s.matches[y].key
}
