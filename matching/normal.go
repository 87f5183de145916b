package matching

import (
	"context"

	"github.com/adtinfer/adtinfer/enumerate"
)

// Normal checks that removing a read-only operation, an unmatched one, a
// duplicate or a whole match from an admitted execution leaves an admitted one:
// all admitted executions up to a length. The error is *NotNormal or the
// reference's own. Executions counts those that removals were taken from.
func (m *Model) Normal(ctx context.Context, b Budget) (Report, error) {
	var r Report
	last, prev := 1, 1
	for n := 1; b.within(n, r.Executions, last, prev); n++ {
		admitted, err := m.Admitted(ctx, n)
		if err != nil {
			return r, err
		}
		if err := m.normalAt(ctx, admitted); err != nil {
			return r, err
		}
		r.Length, r.Executions = n, r.Executions+len(admitted)
		last, prev = len(admitted), last
	}
	return r, nil
}

func (m *Model) normalAt(ctx context.Context, admitted [][]enumerate.Label) error {
	var rest [][]enumerate.Label
	var from []int
	var why []enumerate.Removal
	var gone [][]int
	for i, e := range admitted {
		s, err := m.Abstract(nil, e)
		if err != nil {
			return err
		}
		s.Removals(func(kind enumerate.Removal, positions []int, _ enumerate.Sequence) bool {
			if r := without(e, positions); m.Language.Contains(r) {
				rest, from, why, gone = append(rest, r), append(from, i), append(why, kind), append(gone, positions)
			}
			return true
		})
	}
	ok, err := m.explorer.admitted(ctx, rest, false)
	if err != nil {
		return err
	}
	for i := range rest {
		if !ok[i] {
			e := admitted[from[i]]
			return &NotNormal{m.Alphabet.Texts(e), m.Alphabet.Texts(rest[i]), why[i], e, gone[i]}
		}
	}
	return nil
}

// without is e less the operations at the given positions, which ascend.
func without(e []enumerate.Label, positions []int) []enumerate.Label {
	r := make([]enumerate.Label, 0, len(e))
	for i, l := range e {
		if len(positions) > 0 && positions[0] == i {
			positions = positions[1:]
		} else {
			r = append(r, l)
		}
	}
	return r
}
