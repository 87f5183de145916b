package symbolic

import "github.com/adtinfer/adtinfer/internal/engine/clauses"

// match is a match target with all operations that map to it, over the whole log.
type match struct {
	target     int // kind
	key        string
	members    []member // completed, in the order of returns; then running ones
	candidates []int32  // operations that may become the target, while they run
	first      []int    // by slot of a kind: the first prefix with such a member, or never
	escape     []int    // by slot: variable "it has such a member", or 0
	torn       int      // variable: it has two targets, of which nothing is known; or 0
	pending    int      // variable: its target is running; or 0
	need       int      // first prefix in which it needs a target, or never
	stamp      int32
}

// member is an operation in a match: a completed one, or a running one if the
// guard holds.
type member struct {
	op, kind int32
	guard    int // literal; 0 if completed
	at       int // the first prefix in which it returned; -1 of a running one
}

func (l *Log) newMatch(target int, key string) int32 {
	slots := 1
	for range eachKind(l.r.Kinds[target].Writers) {
		slots++
	}
	m := match{target: target, key: key, need: never, first: make([]int, slots), escape: make([]int, slots)}
	for i := range m.first {
		m.first[i] = never
	}
	l.matches = append(l.matches, m)
	return int32(len(l.matches) - 1)
}

// matchOf is the match with a target's kind and key.
func (l *Log) matchOf(target int, key string) int32 {
	y, ok := l.byKey[target][key]
	if !ok {
		y = l.newMatch(target, key)
		l.byKey[target][key] = y
	}
	return y
}

// add notes a completed member.
func (t *match) add(r *clauses.Rules, m member) {
	t.members = append(t.members, m)
	k := &r.Kinds[m.kind]
	if k.Slot >= 0 {
		t.first[k.Slot] = min(t.first[k.Slot], m.at)
	}
	if k.Role == clauses.Other {
		t.need = min(t.need, m.at)
	}
}

// absent is the first prefix in which the match has one of some kinds.
func (t *match) absent(r *clauses.Rules, ks clauses.Kinds) int {
	first := never
	for k := range eachKind(ks) {
		first = min(first, t.first[r.Kinds[k].Slot])
	}
	return first
}

// needs says that a match with operations that need a target has one: one that
// returned, or one that runs.
func (l *Log) needs(y int32) {
	t := &l.matches[y]
	target := t.first[0]
	if t.need == never || t.need >= target {
		return
	}
	t.pending = l.s.NewVar()
	first := map[int]int{}
	for _, m := range t.members {
		if l.r.Kinds[m.kind].Role == clauses.Other {
			if at, ok := first[int(m.kind)]; !ok || m.at < at {
				first[int(m.kind)] = m.at
			}
		}
	}
	for k, at := range first {
		if at >= target {
			continue
		}
		lits := append(l.unless(-l.within[at], l.named, l.r.Kinds[k].Alone), t.pending)
		if target < len(l.within) {
			lits = append(lits, l.within[target])
		}
		l.s.Add(l.orTorn(lits, y)...)
	}
}

// orTorn adds the way out that nothing is known of the match.
func (l *Log) orTorn(lits []int, y int32) []int {
	t := &l.matches[y]
	if len(t.candidates) < 2 {
		return lits
	}
	if t.torn == 0 {
		t.torn = l.s.NewVar()
	}
	return append(lits, t.torn)
}
