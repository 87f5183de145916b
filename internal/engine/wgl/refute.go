package wgl

import "errors"

// refuter looks for the reason why a search does not get past a return. A search has to
// try all that may have come before, back to the start; mostly the operations around the
// return are a violation alone, from whichever state. If so, the prefix that ends there is
// the shortest violation: the search has found a linearization of what comes before.
//
// It is asked now and then, and takes a half of the steps that the search did meanwhile. The proof
// is in docs/proofs/search.md.
type refuter struct {
	questions
	t *timeline

	rank  int // where the search is stuck
	since int // times that it was asked since then
	next  int // when it looks again
}

// firstLook is after how many times haltSteps a refuter looks for the first time. Tests
// change it.
var firstLook = 64

// A refuter looks at the operations that returned last: firstWindow, and then more. It may
// meet moreStates new states.
const (
	firstWindow = 8
	moreStates  = 10_000
)

// errRefuted ends a search of which the refuter knows the end.
var errRefuted = errors.New("wgl: a violation, by the last operations alone")

func newRefuter(r run, p *part, t *timeline) *refuter {
	return &refuter{questions: questions{memory: r.memory, e: r.e, ops: p.ops, needed: make([]bool, len(p.ops)), ended: r.ended}, t: t, rank: -1}
}

// look is asked by a search that has got to the return of the given rank.
func (f *refuter) look(rank int) error {
	if rank != f.rank {
		f.rank, f.since, f.next = rank, 0, firstLook
	}
	if f.since++; f.since < f.next || rank == len(f.t.byReturn) {
		return nil
	}
	f.next *= 4
	soon := f.soon // that of the search
	defer func() { f.soon = soon }()
	f.soon = nil
	refuted, err := f.refutes(f.since*haltSteps/2, firstWindow)
	if refuted && err == nil {
		return errRefuted
	}
	return err
}

// refutes reports whether the operations that returned last before the search got stuck
// are a violation, a window of so many or more, as far as that can be found out in some
// steps.
func (f *refuter) refutes(steps, window int) (bool, error) {
	f.events = f.t.ends[f.rank]
	f.each, f.left, f.most, f.reached = steps, steps, len(f.states)+moreStates, nil
	defer clear(f.needed)
	from := f.rank + 1
	for ; from > 0 && !f.spent(); window *= 4 {
		for to := max(f.rank+1-window, 0); from > to; from-- {
			f.needed[f.t.byReturn[from-1]] = true
		}
		if violates, err := f.cut(f.first()); violates || err != nil {
			return violates, err
		}
		if len(f.reached) == 0 {
			break
		}
	}
	return false, nil
}
