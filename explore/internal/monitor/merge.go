package monitor

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

// pair is two states, and how many calls are not known to tell them apart.
type pair struct {
	a, b int32
	most int
}

// merged is the state after a step: the one before it if nothing tells them apart.
func (o *Specification) merged(before, after int32) (int32, error) {
	if before == after || after == never || o.most == 0 {
		return after, nil
	}
	same, err := o.same(pair{before, after, o.most}, map[pair]bool{})
	if err == nil && same {
		return before, nil
	}
	return after, err
}

// same reports whether the calls that a pair has left tell its states apart. A pair that was met is
// the same, or the search is over.
func (o *Specification) same(p pair, met map[pair]bool) (bool, error) {
	if p.a == p.b || p.most == 0 || met[p] {
		return true, nil
	}
	if met[p] = true; len(met) > mostPairs {
		return false, nil
	}
	for call := range o.calls {
		a, err := o.Answers(p.a, call)
		if err != nil {
			return false, err
		}
		b, err := o.Answers(p.b, call)
		if err != nil || len(a) != len(b) {
			return false, err
		}
		for i, answer := range a {
			if b[i] != answer {
				return false, nil
			}
			x, err := o.after(operation{p.a, call, answer})
			if err != nil {
				return false, err
			}
			y, err := o.after(operation{p.b, call, answer})
			if err != nil {
				return false, err
			}
			if same, err := o.same(pair{x, y, p.most - 1}, met); err != nil || !same {
				return false, err
			}
		}
	}
	return true, nil
}
