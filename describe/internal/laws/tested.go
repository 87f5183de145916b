package laws

import (
	"slices"

	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
)

// holds tests a law that defines an observer, and mends it.
func (l *learner) holds(p *problem, o int) (bool, error) {
	for k := range 3 {
		runs, err := l.fresh(k)
		if err != nil {
			return false, err
		}
		rows, err := l.stateRows(o, l.chosen(runs))
		if err != nil {
			return false, err
		}
		wrong, err := p.wrong(rows)
		if err != nil {
			return false, err
		}
		if len(wrong) == 0 {
			if k > 0 {
				return true, nil
			}
			continue
		}
		p.rows = append(p.rows, wrong...)
		if err := p.find(); err != nil {
			return false, err
		}
		if !p.defines() {
			return false, nil
		}
	}
	return true, nil
}

// fresh is a sample to test on.
func (l *learner) fresh(k int) ([]*run, error) {
	s := proving
	s.seed += uint64(k)
	return l.sampled(s)
}

// sampled is a sample; errAnew: a method changes something that was thought to be pure.
func (l *learner) sampled(s sampling) ([]*run, error) {
	runs, err := l.w.sample(s)
	for _, r := range runs {
		for _, t := range r.path {
			if l.pure[t.method] && t.from != t.to {
				l.pure[t.method], err = false, errAnew
			}
		}
	}
	return runs, err
}

// test tests all laws on a fresh sample, and mends them. Bad: one was wrong.
func (l *learner) test(k int) (bad bool, err error) {
	l.compared()
	runs, err := l.fresh(100 + k)
	if err != nil {
		return false, err
	}
	some := l.chosen(runs)
	for o := range l.all {
		p := l.derived[o]
		if p == nil {
			continue
		}
		rows, err := l.stateRows(o, some)
		if err != nil {
			return false, err
		}
		wrong, err := p.wrong(rows)
		if err != nil {
			return false, err
		}
		if len(wrong) == 0 {
			continue
		}
		bad = true
		if err := l.redefined(p, o, wrong); err != nil {
			return true, err
		}
	}
	for _, o := range l.base {
		if l.start[o] == nil || l.all[o].counts {
			continue
		}
		rows, err := l.startRows(o, runs)
		if err != nil {
			return false, err
		}
		wrong, err := l.mended(l.start[o], o, rows)
		if err != nil {
			return false, err
		}
		bad = bad || wrong
		for m := range l.w.methods {
			p := l.after[[2]int{m, o}]
			if p == nil {
				continue
			}
			rows, err := l.effectRows(m, o, some)
			if err != nil {
				return false, err
			}
			wrong, err := l.mended(p, o, rows)
			if err != nil {
				return false, err
			}
			bad = bad || wrong
		}
	}
	return bad, nil
}

// compared notes the numbers that laws compare with, or add.
func (l *learner) compared() {
	var all []int64
	for _, o := range l.set().Observers {
		for _, law := range append([]eq.Law{o.Is, o.Start}, o.After...) {
			law.Walk(func(e *eq.Expr) {
				if v := e.ConstOf(); e.Form == eq.Const && v.IsInt() && !l.beyond(v.Int()) && !slices.Contains(all, v.Int()) {
					all = append(all, v.Int())
				}
			})
		}
	}
	l.w.near = all
}

// defines reports whether a law is short enough to define an observer by others: some
// rules, and one or two for each word.
func (p *problem) defines() bool {
	words := map[*eq.Expr]bool{}
	for _, r := range p.law.Rules {
		if r.Then.Form == eq.Const {
			words[r.Then] = true
		}
	}
	most := 4
	if p.target == eq.Words { // what a call may fail for
		most = 6
	}
	return p.law.Total() && len(p.law.Rules) <= most+len(words)
}

// redefined finds the definition of an observer again that was wrong in some rows. One that is wrong too often is none.
func (l *learner) redefined(p *problem, o int, wrong []row) error {
	p.rows = append(p.rows, wrong...)
	p.tries++
	if err := p.find(); err != nil {
		return err
	}
	if !p.defines() || p.tries > mostTries || l.last {
		l.kept[l.all[o].name] = true
		return errAnew
	}
	return nil
}

// mended tests a law on rows, and finds another if it is wrong.
func (l *learner) mended(p *problem, o int, rows []row) (bool, error) {
	wrong, err := p.wrong(rows)
	if err != nil || len(wrong) == 0 {
		return false, err
	}
	p.rows = append(p.rows, wrong...)
	return true, l.solve(p, o)
}

// wrong are rows in which the law says something else than is the case.
func (p *problem) wrong(rows []row) (out []row, err error) {
	if !p.law.Total() {
		return nil, nil
	}
	values := make([]eq.Value, len(rows))
	err = p.w.fill(func() {
		for i := range rows {
			values[i], _ = p.evalLaw(&p.law, &rows[i])
		}
	})
	for i := range rows {
		if values[i] != rows[i].target && len(out) < mostWrong {
			out = append(out, rows[i])
		}
	}
	return out, err
}
