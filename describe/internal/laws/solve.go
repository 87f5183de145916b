package laws

import eq "github.com/adtinfer/adtinfer/internal/semantics/equations"

// Bounds of the search for laws, in cells of tables.
const (
	mostWork  = 150_000_000   // of a stage
	mostInAll = 1_200_000_000 // of all that look for closed laws
)

// solve finds a law.
func (l *learner) solve(p *problem, o int) error {
	if p.tries++; p.tries > mostTries || l.last || len(l.all[o].params) > mostParams || l.w.work > l.w.most {
		p.law = eq.Law{}
	} else if err := p.find(); err != nil {
		return err
	}
	if l.whole && !p.law.Total() && !p.more && p.before != nil {
		return l.again(p, o)
	}
	if l.whole && !p.law.Total() {
		return l.without(p, o)
	}
	return nil
}

// again finds a law with the examples of another sample, too: of a case that is rare there may be too few to make a rule,
// or others may show that there is no law.
func (l *learner) again(p *problem, o int) error {
	if l.second == nil {
		runs, err := l.fresh(again)
		if err != nil {
			return err
		}
		l.second = l.chosen(runs)
	}
	rows, err := l.effectRows(p.method, o, l.second)
	if err != nil {
		return err
	}
	p.rows, p.more = append(p.rows, rows...), true
	return l.solve(p, o)
}

// again numbers the sample of examples that laws are found again with.
const again = 50

// mostTries is how often a law is found again that a test refutes.
const mostTries = 12
