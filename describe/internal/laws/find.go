package laws

import (
	"slices"

	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
)

// find looks for a law that is right in all rows: a list of rules, each the best that
// covers rows which the rules before it leave, and something otherwise. What stays as it
// was is tried first as the last. The law is not Total if rows are left that no rule
// covers.
//
// Where there are more rows than when it was called before, columns that were made then
// are made longer, and others only if those give no law that is about as short as it was.
func (p *problem) find() error {
	was := p.law
	p.law = eq.Law{}
	if len(p.rows) == 0 {
		return nil
	}
	if was.Total() && len(p.terms) > 0 {
		if err := p.longerColumns(); err != nil {
			return err
		}
		if law := p.covered(); law.Total() && law.Cost() <= was.Cost()+mostLonger {
			p.law = law
			return nil
		}
	}
	if p.terms = nil; !p.total || len(p.atoms) == 0 || len(p.atoms[0].v) < len(p.rows) {
		if err := p.makeAtoms(); err != nil {
			return err
		}
	}
	if p.total && p.torn() {
		return nil
	}
	p.terms = p.newTerms(p.atoms)
	p.law = p.covered()
	p.terms = slices.Clone(p.terms[:min(len(p.terms), mostKept)])
	return nil
}

const (
	mostLonger = 2   // a law may become by more rows, before other terms are tried
	mostKept   = 200 // terms
)

// makeAtoms makes the columns that all others are made of.
func (p *problem) makeAtoms() (err error) {
	p.atoms, err = p.newAtoms()
	return err
}

// longerColumns evaluates what there are columns of in rows that are new.
func (p *problem) longerColumns() error {
	all := slices.Clone(p.atoms)
	for _, t := range p.terms {
		if !slices.Contains(p.atoms, t.column) {
			all = append(all, t.column)
		}
	}
	if err := p.evaluate(all, len(all[0].v)); err != nil {
		return err
	}
	for _, t := range p.terms {
		p.compare(t)
	}
	return nil
}

// covered is the law that the columns give.
func (p *problem) covered() eq.Law {
	slices.SortStableFunc(p.terms, func(a, b *term) int { return b.n - a.n })
	c := &cover{problem: p, terms: p.terms, all: fullRows(len(p.rows))}
	if t := c.alone(c.all); t != nil {
		return eq.Law{Rules: []eq.Rule{{Then: t.e}}}
	}
	c.guards, c.forms = p.guards(p.atoms), p.forms(p.atoms)
	var best *eq.Law
	better := func(l *eq.Law) {
		if l != nil && (best == nil || l.Total() && !best.Total() || l.Total() == best.Total() && l.Cost() < best.Cost()) {
			best = l
		}
	}
	lasts := c.lasts()
	for i, last := range lasts {
		better(c.list(last, nil))
		if c.before != nil && i == 0 {
			if failed := c.failures(last); failed != nil {
				better(c.list(last, failed))
			}
		}
		if best != nil && best.Total() && best.Cost() <= 12 {
			break
		}
	}
	if best == nil || !best.Total() {
		if t := c.change(lasts); t != nil {
			better(c.list(t, nil))
		}
	}
	if best == nil || !best.Total() {
		better(c.list(nil, nil))
	}
	if best == nil {
		return eq.Law{}
	}
	c.plain(best)
	return *best
}
