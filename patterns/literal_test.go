package patterns

import (
	"context"

	"github.com/adtinfer/adtinfer/enumerate"
	"github.com/adtinfer/adtinfer/matching"
	"github.com/adtinfer/adtinfer/theory"
)

// literal is Algorithm 2 of "Symbolic ADT inference" §7, the slow twin of frontier, with two
// repairs: it starts at weight 1, and goes by increasing length within a weight, so that
// what it keeps is minimal. It looks at every history of the weight.
type literal struct {
	model    *matching.Model
	patterns []*matcher
}

func (l *literal) weight(ctx context.Context, w int) ([]enumerate.Sequence, theory.WeightStatus, error) {
	status := theory.WeightStatus{Weight: w}
	byLength, err := l.histories(ctx, w)
	if err != nil {
		return nil, status, err
	}
	var fresh []enumerate.Sequence
	host, realizer := &host{}, l.model.NewRealizer()
	for _, histories := range byLength {
		kept, executions, err := realized(ctx, realizer, histories)
		if err != nil {
			return nil, status, err
		}
		ok, err := l.model.IsAdmitted(ctx, executions)
		if err != nil {
			return nil, status, err
		}
		status.Candidates += len(kept)
		for i, s := range kept {
			if ok[i] {
				status.Admitted++
				continue
			}
			host.Set(s)
			if !anyEmbeds(l.patterns, host) {
				fresh = append(fresh, s)
				l.patterns = append(l.patterns, newMatcher(s))
			}
		}
	}
	status.New = len(fresh)
	return fresh, status, nil
}

// histories lists the histories of exactly weight w by length, without the
// empty one.
func (l *literal) histories(ctx context.Context, w int) ([][]enumerate.Sequence, error) {
	var byLength [][]enumerate.Sequence
	total := 0
	var err error
	l.model.Links.Histories(enumerate.Bounds{Weight: w}, func(s enumerate.Sequence) bool {
		if total++; total%65536 == 0 {
			err = ctx.Err()
		}
		if err != nil {
			return false
		}
		if len(s) == 0 || s.Weight() != w {
			return true
		}
		for len(byLength) <= len(s) {
			byLength = append(byLength, nil)
		}
		byLength[len(s)] = append(byLength[len(s)], append(enumerate.Sequence(nil), s...))
		return true
	})
	return byLength, err
}
