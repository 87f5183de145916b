package explain

import (
	"slices"

	"github.com/adtinfer/adtinfer/evidence"
)

// steps is the part of the trail that a contradiction rests on, and that.
func (p *prover) steps(c entry) []evidence.Step {
	steps, _ := p.slice(append(slices.Clone(p.trail), c))
	return steps
}

// slice goes backwards from the last entry. Needed are the literals that the
// entries rest on and do not have.
func (p *prover) slice(entries []entry) (steps []evidence.Step, needed map[int]bool) {
	needed = map[int]bool{entries[len(entries)-1].lit: true}
	var parts [][]evidence.Step
	for _, e := range slices.Backward(entries) {
		if !needed[e.lit] && e.why != supposed {
			continue
		}
		delete(needed, e.lit)
		for _, l := range e.needs {
			needed[l] = true
		}
		switch e.why {
		case excluded:
		case refuted:
			inner, outer := p.slice(e.inner)
			for l := range outer {
				needed[l] = true
			}
			parts = append(parts, inner)
		default:
			parts = append(parts, []evidence.Step{p.step(e)})
		}
	}
	for _, part := range slices.Backward(parts) {
		steps = append(steps, part...)
	}
	return steps, needed
}

func (p *prover) step(e entry) evidence.Step {
	s := evidence.Step{Suppose: e.why == supposed, By: e.by, Ops: e.ops}
	if e.lit != 0 {
		s.Fact = p.fact(e.lit)
	}
	return s
}
