package linear

import "slices"

// Merging is the observer of a specification whose states may differ although no operations tell them
// apart: an implementation's, say, that tidies up as it goes. An operation leads back to the
// state before it if no most calls, of those below so many, tell the two apart.
func (o *Specification) Merging(calls int32, most int) *Specification {
	o.calls, o.most = calls, most
	return o
}

// mostPairs bounds the pairs of states that are compared for one operation: those that need more count
// as different.
const mostPairs = 4096

// merged is the state after a step: the one before it if nothing tells them apart.
func (o *Specification) merged(before, after int32) (int32, error) {
	if before == after || after == never || o.most == 0 {
		return after, nil
	}
	same, err := o.same(before, after)
	if err == nil && same {
		return before, nil
	}
	return after, err
}

// pair is two states that some calls lead to, so many.
type pair struct {
	states [2]int32
	calls  int
}

// same reports whether no calls tell two states apart: breadth first, as few do if any.
func (o *Specification) same(a, b int32) (bool, error) {
	met := map[[2]int32]bool{{a, b}: true}
	for queue := []pair{{[2]int32{a, b}, 0}}; len(queue) > 0; queue = queue[1:] {
		p := queue[0]
		for call := range o.calls {
			answers, err := o.Answers(p.states[0], call)
			if err != nil {
				return false, err
			}
			others, err := o.Answers(p.states[1], call)
			if err != nil || !slices.Equal(answers, others) {
				return false, err
			}
			for _, answer := range answers {
				next := pair{calls: p.calls + 1}
				for i, state := range p.states {
					if next.states[i], err = o.after(observed{state, call, answer}); err != nil {
						return false, err
					}
				}
				if next.states[0] == next.states[1] || next.calls == o.most || met[next.states] {
					continue
				}
				if met[next.states] = true; len(met) > mostPairs {
					return false, nil
				}
				queue = append(queue, next)
			}
		}
	}
	return true, nil
}
