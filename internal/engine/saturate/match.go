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
	queued   bool
	orphaned bool // some member needs the target
	torn     bool // an operation returned as the target although another one must be it

	slots      [1 + clauses.MaxWriters]int32 // members by slot of their kind, the last of each
	members    []int32
	blocked    []int32 // matches with which it violates unless a running operation joins it
	candidates []int32 // running operations that may become the target, or a second one
	doubts     int     // how many of these, and one more if it is torn

	key    string
	target int32         // the target's kind
	loose  int32         // running members: they must return like this
	kinds  clauses.Kinds // of its members
	last   int           // the latest return of a member
}

// pair is two matches to be looked at again; the second may be -1.
type pair [2]int32

// active tells whether clauses apply: the target is there, and no other
// operation may become a second one. The language has no execution with two,
// but the reference may; until it is clear nothing is concluded.
func (m *Monitor) active(y int32) bool {
	t := &m.matches[y]
	return t.shape >= 0 && (t.doubts == 0 || m.certain(y))
}

// certain tells whether a match with doubts has one target for all that. It is
// asked rarely, so that active is no call.
//
//go:noinline
func (m *Monitor) certain(y int32) bool { return !m.matches[y].torn && !m.again(y) }

// again tells whether the reference may admit a second target of match y: what
// that needs is there, or may be what some running operation does.
func (m *Monitor) again(y int32) bool {
	t := &m.matches[y]
	beside := m.r.Kinds[t.target].Again
	if beside == 0 || t.kinds&beside != 0 {
		return true
	}
	for _, x := range m.pending {
		may := m.r.Methods[m.ops[x].method].Mask & beside
		for k := 0; may != 0 && !m.ops[x].forced; k, may = k+1, may&^(1<<k) {
			if may.Has(k) && m.keyMatches(x, &m.r.Kinds[k], y) {
				return true
			}
		}
	}
	return false
}

func (m *Monitor) newMatch(target int32, key string) int32 {
	var x int32
	if n := len(m.spareMatches); n > 0 {
		x = m.spareMatches[n-1]
		m.spareMatches = m.spareMatches[:n-1]
	} else {
		x = int32(len(m.matches))
		m.matches = append(m.matches, match{})
	}
	t := &m.matches[x]
	*t = match{key: key, target: target, shape: -1, live: true, simple: true, members: t.members[:0], blocked: t.blocked[:0], candidates: t.candidates[:0]}
	return x
}

// matchOf is the match with a target's kind and key.
func (m *Monitor) matchOf(target int, key string) int32 {
	x, ok := m.byKey[target][key]
	if !ok {
		x = m.newMatch(int32(target), key)
		m.byKey[target][key] = x
	}
	return x
}

// without notes that x is no candidate any more.
func (t *match) without(x int32) {
	n := len(t.candidates)
	t.candidates = slices.DeleteFunc(t.candidates, func(c int32) bool { return c == x })
	t.doubts -= n - len(t.candidates)
}

// candidate notes which match a running operation may become the target of.
func (m *Monitor) candidate(x int32) {
	o := &m.ops[x]
	mt := &m.r.Methods[o.method]
	if len(mt.Targets) == 0 {
		return
	}
	k := &m.r.Kinds[mt.Targets[0]]
	o.candidate = m.matchOf(k.Index, clauses.KeyOf(k.Key, o.args, nil))
	t := &m.matches[o.candidate]
	t.candidates = append(t.candidates, x)
	t.doubts++
	if t.orphaned {
		m.needTarget(o.candidate)
	}
}

// join adds an operation that returned to its match.
func (m *Monitor) join(x int32, k *clauses.Kind) {
	o := &m.ops[x]
	o.kind = int32(k.Index)
	own := o.candidate
	if own >= 0 && k.Joiners == 0 {
		m.noCandidate(x, own)
	}
	switch {
	case k.Role == clauses.Self && k.Joiners != 0:
		m.become(x, own)
	case k.Role == clauses.Self || k.Role == clauses.Alone:
		y := m.newMatch(o.kind, "")
		m.matches[y].shape = int32(m.r.ShapeOf[clauses.Shape{Target: k.Index, Writers: 0}])
		m.add(x, y)
	default:
		m.add(x, m.matchOf(k.Target, clauses.KeyOf(k.Key, o.args, o.rets)))
	}
}

// become makes candidate x the target of its match.
func (m *Monitor) become(x, y int32) {
	m.save(y)
	o, t := &m.ops[x], &m.matches[y]
	o.candidate = -1
	t.without(x)
	t.orphaned = false
	if t.shape >= 0 && !t.torn {
		t.torn = true
		t.doubts++
	}
	m.add(x, y)
	m.notTorn(y)
}

// notTorn is a contradiction if match y has two targets, but not what is beside
// them whenever there are two.
func (m *Monitor) notTorn(y int32) {
	if m.matches[y].torn && !m.again(y) {
		m.conflict(verdict{rule: apart})
	}
}

// add makes x, whose kind is known, a member of match y.
func (m *Monitor) add(x, y int32) {
	m.save(y)
	o, t := &m.ops[x], &m.matches[y]
	k := &m.r.Kinds[o.kind]
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
		t.loose++
	}
	m.reshape(y)
	m.closed(y)
	switch {
	case t.shape >= 0:
		m.joined = append(m.joined, x)
	case k.Role == clauses.Other:
		t.orphaned = true
		m.needTarget(y)
	}
}

// reshape computes the shape of match y anew.
func (m *Monitor) reshape(y int32) {
	t := &m.matches[y]
	if !t.kinds.Has(int(t.target)) {
		return
	}
	s := int32(m.r.ShapeOf[clauses.Shape{Target: int(t.target), Writers: t.kinds & m.r.Kinds[t.target].Writers}])
	if s == t.shape && len(t.members) > 1 {
		m.list(t.members[len(t.members)-1])
		return
	}
	t.shape = s
	if m.probing.on {
		return
	}
	for _, x := range t.members {
		m.unlist(x)
		m.list(x)
	}
}

// needTarget looks for the target that a member of match y needs among the
// candidates.
func (m *Monitor) needTarget(y int32) {
	t := &m.matches[y]
	switch len(t.candidates) {
	case 0:
		for _, x := range t.members {
			if k := &m.r.Kinds[m.ops[x].kind]; k.Role == clauses.Other {
				m.conflict(verdict{pattern: k.Alone + 1, a: x})
				return
			}
		}
	case 1:
		x := t.candidates[0]
		m.force(x, m.r.Methods[m.ops[x].method].Targets[0], y, needed)
	}
}

// noCandidate notes that x is not, and will not be, the target of match y.
func (m *Monitor) noCandidate(x, y int32) {
	m.save(y)
	t := &m.matches[y]
	m.ops[x].candidate = -1
	t.without(x)
	switch {
	case t.orphaned:
		m.needTarget(y)
	case t.shape >= 0 && len(t.candidates) == 0:
		m.closed(y)
		m.wake(y)
	case len(t.members) == 0 && len(t.candidates) == 0 && !m.probing.on:
		m.drop(y)
	}
}

// wake looks at everything about match y, which was not active for a while.
func (m *Monitor) wake(y int32) {
	m.recheck = append(m.recheck, pair{y, -1})
	for z := range m.matches {
		t, u := &m.matches[y], &m.matches[z]
		if m.active(int32(z)) && len(m.r.Two[int(t.shape)*len(m.r.Shapes)+int(u.shape)]) > 0 {
			m.recheck = append(m.recheck, pair{y, int32(z)})
		}
	}
}

// notAgain wakes the matches that could have a second target as long as operation
// x was running.
func (m *Monitor) notAgain(x int32) {
	o := &m.ops[x]
	may := m.r.Methods[o.method].Mask & m.beside
	for k := 0; may != 0; k, may = k+1, may&^(1<<k) {
		z := &m.r.Kinds[k]
		switch {
		case !may.Has(k):
		case !slices.ContainsFunc(z.Key, func(p clauses.Place) bool { return p.Ret }):
			if y, ok := m.byKey[z.Target][clauses.KeyOf(z.Key, o.args, nil)]; ok {
				m.wakeAgain(y)
			}
		default:
			for y := range m.matches {
				if int(m.matches[y].target) == z.Target {
					m.wakeAgain(int32(y))
				}
			}
		}
	}
}

func (m *Monitor) wakeAgain(y int32) {
	m.notTorn(y)
	if len(m.matches[y].candidates) > 0 && m.active(y) {
		m.wake(y)
	}
}

// drop forgets a match without members.
func (m *Monitor) drop(y int32) {
	t := &m.matches[y]
	if m.r.Kinds[t.target].Joiners != 0 {
		delete(m.byKey[t.target], t.key)
	}
	t.live, t.shape, t.key = false, -1, ""
	m.spareMatches = append(m.spareMatches, y)
}

// force notes that running operation x must return as kind k in match y, because
// of a clause, or probing, or because something needs it as its target.
func (m *Monitor) force(x int32, k int, y int32, rule int32) {
	m.saveOp(x)
	o := &m.ops[x]
	o.forced, o.kind = true, int32(k)
	o.why = rule
	own := o.candidate
	if own == y && m.r.Kinds[k].Role == clauses.Self {
		m.become(x, y)
	} else {
		if own >= 0 {
			m.noCandidate(x, own)
		}
		m.add(x, y)
	}
	m.left(x)
}

// confirm handles the return of an operation that had to return somehow.
func (m *Monitor) confirm(x int32, k *clauses.Kind) {
	o := &m.ops[x]
	t := &m.matches[o.match]
	if int(o.kind) != k.Index || k.Role != clauses.Self && clauses.KeyOf(k.Key, o.args, o.rets) != t.key {
		m.conflict(verdict{mismatch: true, a: x})
		return
	}
	t.loose--
	t.last = max(t.last, o.ret)
	m.closed(o.match)
}

// left looks again at what operation x was a way out of: it is none any more.
func (m *Monitor) left(x int32) {
	m.notAgain(x)
	o := &m.ops[x]
	m.recheck = append(m.recheck, o.watches...)
	if !m.probing.on {
		o.watches = o.watches[:0]
	}
}

// watch asks for another look at a pair when x is no way out any more.
func (m *Monitor) watch(x int32, p pair) {
	if m.probing.on {
		return
	}
	o := &m.ops[x]
	if n := len(o.watches); n > 0 && slices.Contains(o.watches[max(0, n-8):], p) {
		return
	}
	if len(o.watches) == cap(o.watches) {
		o.watches = slices.DeleteFunc(o.watches, func(p pair) bool {
			return !m.matches[p[0]].live || p[1] >= 0 && !m.matches[p[1]].live
		})
	}
	o.watches = append(o.watches, p)
}

// keyMatches tells whether running operation x of kind k may have match y.
func (m *Monitor) keyMatches(x int32, k *clauses.Kind, y int32) bool {
	if len(k.Key) == 1 {
		p := k.Key[0]
		return p.Ret || m.ops[x].args[p.Index] == history.Value(m.matches[y].key)
	}
	if slices.ContainsFunc(k.Key, func(p clauses.Place) bool { return p.Ret }) {
		return true
	}
	return clauses.KeyOf(k.Key, m.ops[x].args, nil) == m.matches[y].key
}
