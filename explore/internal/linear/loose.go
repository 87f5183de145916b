package linear

import (
	"slices"

	"github.com/adtinfer/adtinfer/explore/internal/spec"
)

// Loose are operations, such as statistics, whose answers count only where no other operation overlaps them. They
// take effect as they do anyway.
type Loose struct {
	Calls []bool                  // by call
	Never func(answer int32) bool // what counts all the same: a panic
}

// A loose call that something overlaps goes by another number, and answers anything. Before, its answers carry a mark.
const (
	marked   int32 = mostNumbers / 2
	anything       = marked + marked - 1
)

// NewLoose is New for a specification some of whose calls are loose.
func NewLoose(s spec.Spec, threads int, loose Loose) *Sets {
	l := New(s, threads)
	if slices.Contains(loose.Calls, true) {
		l.loose = &loose
		l.spec = &loosened{s, &loose}
	}
	return l
}

// loosened is a specification with the other numbers.
type loosened struct {
	spec.Spec
	*Loose
}

func (l *loosened) Moves(state, call int32) ([]spec.Move, error) {
	n := int32(len(l.Calls))
	moves, err := l.Spec.Moves(state, call%n)
	if err != nil || !l.Calls[call%n] {
		return moves, err
	}
	moves = slices.Clone(moves)
	for i := range moves {
		switch {
		case l.Never(moves[i].Answer):
		case call >= n:
			moves[i].Answer = anything
		default:
			moves[i].Answer |= marked
		}
	}
	return moves, nil
}

// Waits reports whether a call may wait.
func (l *loosened) Waits(state, call int32) (bool, error) {
	return spec.Waits(l.Spec, state, call%int32(len(l.Calls)))
}

// overlap says in a configuration that the operations that run overlap, if there are several.
func (l *Sets) overlap(c []int32) {
	if l.loose == nil {
		return
	}
	running := 0
	for _, t := range c[1:] {
		if t != idle {
			running++
		}
	}
	if running < 2 {
		return
	}
	n := int32(len(l.loose.Calls))
	for i, t := range c[1:] {
		switch {
		case t == idle:
		case t%2 == 1 && t/2 < n && l.loose.Calls[t/2]:
			c[1+i] = t + 2*n
		case t%2 == 0 && (t/2-1)&marked != 0:
			c[1+i] = took(anything)
		}
	}
}

// answers reports whether what a thread does in a configuration is to have answered.
func (l *Sets) answers(t, answer int32) bool {
	switch {
	case t == took(answer):
		return true
	case l.loose == nil:
		return false
	}
	return t == took(answer|marked) || t == took(anything) && !l.loose.Never(answer)
}
