package wgl

import (
	"errors"
	"math"
)

// refuter looks for the reason why a search does not get past a return. A search has to
// try all that may have come before, back to the start; mostly the operations around the
// return are a violation alone, from whichever state. If so, the prefix that ends there is
// the shortest violation: the search has found a linearization of what comes before.
//
// It is asked now and then, and takes a half of the steps that the search did meanwhile.
//
// Let a search have found a linearization of all that comes before the return of rank r, and none that goes on
// (refuter). Let W be some of the operations that returned last, up to that return, and f the event that calls the
// first of them. Let S be all states that any operations lead to from the initial one, in any order and as often
// as they like.
//
// Claim. If from no state of S there is a linearization of the operations that did not return before f, up to the
// return of rank r, in which those of W take effect, and any of the others or not, then the shortest violation
// ends with the return of rank r.
//
// Proof. Let the prefix up to that return have a linearization; let A be the operations that returned before f,
// and B the others. All of A returned before any operation of W was called, so A comes before W. Cut the
// linearization before the first operation of W. What comes before the cut leads to a state in S. What comes after
// it is of B, respects the intervals, and contains W; those of B before the cut are left out. So the claim's
// condition fails. Hence the prefix is a violation, and the one before it is none. ∎
//
// What had not returned by rank r is asked with any answer, as it is pending in that prefix. An operation that may
// be left out is left out when all that return before it took effect or were left out. S is given up where it has
// more than 1,000 states. The windows grow until all this takes half of the steps that the search took without
// getting further. Without it, a search has to try all that may have come before, back to the start.
type refuter struct {
	questions // about the events up to where the search is stuck
	t         *timeline

	start  int // after how many times that it is asked it looks at a place
	since  int // times that it was asked about this one
	next   int // when it looks again
	window int // how many operations it looks at
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

// refuterOf is for a search of a part. What an earlier one could not find out at the same
// place is not asked again.
func (r run) refuterOf(p *part, t *timeline) *refuter {
	if p.refuter == nil || p.refuter.memory != r.memory {
		p.refuter = &refuter{questions: questions{memory: r.memory, e: r.e, ops: p.ops, needed: make([]bool, len(p.ops)), ended: r.ended}, start: firstLook}
	}
	p.refuter.t, p.refuter.since = t, 0
	return p.refuter
}

// look is asked by a search that has got to the return of the given rank.
func (f *refuter) look(rank int) error {
	if rank == len(f.t.byReturn) || f.labels.unknown {
		return nil
	}
	if events := f.t.ends[rank]; events != f.events {
		f.events, f.since, f.next, f.window = events, 0, f.start, firstWindow
	}
	if f.since++; f.since < f.next {
		return nil
	}
	f.next, f.start = 4*f.next, 2*f.start // where nothing is found, that is mostly so at the next place, too

	soon := f.soon // that of the search
	defer func() { f.soon = soon }()
	f.soon = nil
	refuted, err := f.refutes(rank, f.since*haltSteps/2)
	if refuted && err == nil {
		return errRefuted
	}
	return err
}

// refutes reports whether the operations that returned last before the search got stuck
// are a violation, as far as that can be found out in some steps. It goes on with the
// window that took too many the last time.
func (f *refuter) refutes(rank, steps int) (bool, error) {
	f.each, f.left, f.most, f.reached = steps, steps, len(f.states)+moreStates, nil
	defer clear(f.needed)
	for from := rank + 1; from > 0; f.window *= 4 {
		for to := max(rank+1-f.window, 0); from > to; from-- {
			f.needed[f.t.byReturn[from-1]] = true
		}
		violates, err := f.cut(f.first())
		switch {
		case err == errSteps, len(f.reached) == 0:
			return false, nil
		case violates, err != nil:
			return violates, err
		}
	}
	f.next = math.MaxInt // it has looked at all
	return false, nil
}
