package reasons

import (
	"slices"

	"github.com/adtinfer/adtinfer/history"
)

// A finisher is called with a value after a taker has answered it, once: done(x). At other
// times its method may refuse.
type finisher struct {
	done    history.Kind
	refuses history.Kind // "" if its method never does, or not just then
}

// finishers finds them among the kinds that are called with a value and answer none.
func (p *patternPage) finishers() (all []finisher) {
	var done, refusals []history.Kind
	for i, labels := range p.drawn {
		for j, l := range labels {
			o := &p.spec.Patterns[i].History.Ops[j]
			if len(l.Args) != 1 || len(l.Rets) != 0 || p.place(l.Kind) < 0 || slices.Contains(p.adders, l.Kind) {
				continue
			}
			to := &done
			if o.ReadOnly {
				to = &refusals
			}
			if !slices.Contains(*to, l.Kind) {
				*to = append(*to, l.Kind)
			}
		}
	}
	for _, k := range done {
		if !p.finishes(k) {
			continue
		}
		f := finisher{done: k}
		for _, r := range refusals {
			if r.Method == k.Method && p.refusesElse(k, r) {
				f.refuses = r
			}
		}
		all = append(all, f)
	}
	return all
}

// runs are all ways to add a value and take it away again.
func (p *patternPage) runs() (all [][]history.Label) {
	for _, x := range p.adders {
		for _, r := range p.takers {
			if p.removes[r] {
				all = append(all, []history.Label{add(x, p.values[0]), take(r, p.values[0])})
			}
		}
	}
	return all
}

// finishes reports whether a kind comes once for each value, after it was taken.
func (p *patternPage) finishes(k history.Kind) bool {
	a, l := p.values[0], add(k, p.values[0])
	runs := p.runs()
	ok := len(runs) > 0 && p.refused("", l)
	for _, run := range runs {
		ok = ok && p.refused(a, run[0], l) && p.refused(a, l, run[0]) && p.admits(run[0], run[1], l) && p.refused("", run[0], run[1], l, l)
	}
	return ok
}

// refusesElse reports whether a kind comes just when a finisher cannot.
func (p *patternPage) refusesElse(done, refuses history.Kind) bool {
	l, f := add(refuses, p.values[0]), add(done, p.values[0])
	ok := p.admits(l)
	for _, run := range p.runs() {
		ok = ok && p.admits(run[0], l) && p.refused("", run[0], run[1], l) && p.refused("", run[0], run[1], l, f) && p.admits(run[0], run[1], f, l)
	}
	return ok
}

// finished are the rows about finishers.
func (p *patternPage) finished() (rows []Row) {
	gone := slices.DeleteFunc(slices.Clone(p.takers), func(k history.Kind) bool { return !p.removes[k] })
	for _, f := range p.ends {
		answer := " succeeds"
		if f.done.Outcome != history.None {
			answer = " => " + string(f.done.Outcome)
		}
		row := Row{Says: f.done.Method + "(x)" + answer + " once, after " + methodsText(gone, "or") + " answered x", Never: true,
			Example: steps([]history.Label{add(p.adders[0], p.values[0]), add(f.done, p.values[0])})}
		if f.refuses.Method != "" {
			row.Says += ", else => " + string(f.refuses.Outcome)
		}
		rows = append(rows, row)
	}
	return rows
}

// ended reports what a finisher, or its refusal, breaks first: false for ok if neither is
// claimed of.
func (p *patternPage) ended(l history.Label, gone, finished bool) (breaks, ok bool) {
	for _, f := range p.ends {
		switch l.Kind {
		case f.done:
			return !gone || finished, true
		case f.refuses:
			return gone && !finished, true
		}
	}
	return false, false
}
