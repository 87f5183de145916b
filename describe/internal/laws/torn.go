package laws

import "slices"

// torn reports whether two rows differ in the target, and in nothing that laws are made of:
// then no law is right in both, and none is looked for.
func (p *problem) torn() bool { return len(p.tornBy(p.atoms)) > 0 }

// tornBy are the rows that differ from others in the target, and from none of these in some
// columns.
func (p *problem) tornBy(cs []*column) (some []row) {
	alike, hashes := map[uint64][]int{}, make([]uint64, len(p.rows))
	for i := range p.rows {
		for _, c := range cs {
			hashes[i] = folded(hashes[i], uint64(c.v[i]))
		}
		alike[hashes[i]] = append(alike[hashes[i]], i)
	}
	for i, h := range hashes {
		if slices.ContainsFunc(alike[h], func(k int) bool { return p.rows[k].target != p.rows[i].target }) {
			some = append(some, p.rows[i])
		}
	}
	return some
}

// gap is a law that a stage lacks, for its examples are torn.
type gap struct {
	observer *observer // nil: there is none
	method   int
}

// gaping reports whether what was torn in a stage before is torn by all that this one sees, too.
// Then it is not worth more: laws of other observers, from which the one that was torn
// may follow, are made of the same.
func (l *learner) gaping() (bool, error) {
	o := slices.IndexFunc(l.all, func(o *observer) bool {
		return l.gap.observer != nil && !o.counts && o.number == l.gap.observer.number
	})
	if !l.whole || o < 0 {
		return false, nil
	}
	p := l.effect(l.gap.method, o)
	p.wide, p.may = true, l.byRank(l.all)
	rows, err := l.effectRows(l.gap.method, o, l.first)
	if err != nil {
		return false, err
	}
	p.rows = rows
	vars, seen, err := p.near()
	if err != nil {
		return false, err
	}
	if p.rows = p.tornBy(slices.Concat(vars, seen)); len(p.rows) == 0 {
		return false, nil
	}
	if err := p.makeAtoms(); err != nil || !p.torn() {
		return false, err
	}
	return true, l.without(p, o)
}

// offersMore reports whether a stage has an observer that the one before does not have.
func (l *learner) offersMore(s stage) bool {
	return s == answers || len(l.unnamed(s)) > len(l.unnamed(s-1))
}
