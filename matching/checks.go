package matching

import (
	"context"
	"slices"

	"github.com/adtinfer/adtinfer/enumerate"
)

func (m *Model) unfaithful(admitted, rejected []enumerate.Label) *Unfaithful {
	return &Unfaithful{Admitted: m.Alphabet.Texts(admitted), Rejected: m.Alphabet.Texts(rejected)}
}

// Report is what a bounded check looked at: all executions up to Length.
type Report struct {
	Length     int
	Executions int
}

// upTo checks one length after the other, as far as the budget goes; at returns
// how many executions it looked at. What the next length will cost is estimated
// from the last two.
func upTo(b Budget, at func(n int) (int, error)) (Report, error) {
	var r Report
	last, prev := 1, 1
	for n := 1; n <= b.MinLength || r.Executions+last*last/max(prev, 1) <= b.Executions; n++ {
		if n > b.MaxLength {
			break
		}
		count, err := at(n)
		if err != nil {
			return r, err
		}
		r.Length, r.Executions = n, r.Executions+count
		last, prev = count, last
	}
	return r, nil
}

// Faithful checks that the reference admits all executions with one history, or
// none of them: all executions in the language up to a length, and for admitted
// ones also the renamings that exchange values. The error is *matching.Unfaithful,
// *matching.Foreign, *matching.Ambiguous, *matching.NotClosed, or the reference's own.
//
// It costs one history for each execution: kinds^n times the set partitions of
// the value positions.
func (m *Model) Faithful(ctx context.Context, b Budget) (Report, error) {
	return upTo(b, func(n int) (int, error) { return m.faithfulAt(ctx, n) })
}

func (m *Model) faithfulAt(ctx context.Context, n int) (int, error) {
	admitted, err := m.Admitted(ctx, n)
	if err != nil {
		return 0, err
	}
	if err := m.renamings(ctx, admitted); err != nil {
		return 0, err
	}
	byHistory := map[string][]enumerate.Label{}
	isAdmitted := map[string]bool{}
	var s enumerate.Sequence
	var buf []byte
	for _, e := range admitted {
		if s, err = m.Scheme.Abstract(s[:0], e); err != nil {
			return 0, err
		}
		buf = s.AppendKey(buf[:0])
		if _, ok := byHistory[string(buf)]; !ok {
			byHistory[string(buf)] = e
		}
		isAdmitted[string(appendLabels(nil, e))] = true
	}
	count := 0
	m.Alphabet.Executions(n, m.Language.Extends, func(e []enumerate.Label) bool {
		if count++; count%4096 == 0 && ctx.Err() != nil {
			err = ctx.Err()
			return false
		}
		if !m.Language.rest(e) {
			return true
		}
		buf = appendLabels(buf[:0], e)
		if isAdmitted[string(buf)] {
			return true
		}
		if s, err = m.Scheme.Abstract(s[:0], e); err != nil {
			return false
		}
		buf = s.AppendKey(buf[:0])
		if twin, ok := byHistory[string(buf)]; ok {
			err = m.unfaithful(twin, slices.Clone(e))
		}
		return err == nil
	})
	return count, err
}

func appendLabels(dst []byte, e []enumerate.Label) []byte {
	for _, l := range e {
		dst = append(dst, byte(l), byte(l>>8), byte(l>>16))
	}
	return dst
}

// Independent checks that the reference only compares values for equality, on
// all admitted executions up to a length: no scheme helps when it does not. The
// error is *matching.Unfaithful, *matching.Foreign, or the reference's own.
func (m *Model) Independent(ctx context.Context, length int) error {
	for n := 1; n <= length; n++ {
		admitted, err := m.Admitted(ctx, n)
		if err != nil {
			return err
		}
		if err := m.renamings(ctx, admitted); err != nil {
			return err
		}
	}
	return nil
}

// renamings checks that admitted executions stay so when values are exchanged:
// a priority queue, for one, looks at more than equality.
func (m *Model) renamings(ctx context.Context, admitted [][]enumerate.Label) error {
	var renamed [][]enumerate.Label
	var from []int
	for i, e := range admitted {
		for _, p := range permutations(m.valuesOf(e)) {
			r := make([]enumerate.Label, len(e))
			for j, l := range e {
				r[j] = m.rename(l, p)
			}
			renamed, from = append(renamed, r), append(from, i)
		}
	}
	ok, err := m.explorer.admitted(ctx, renamed, true)
	if err != nil {
		return err
	}
	for i := range renamed {
		if !ok[i] {
			return m.unfaithful(admitted[from[i]], renamed[i])
		}
	}
	return nil
}

func (m *Model) rename(l enumerate.Label, p map[enumerate.Value]enumerate.Value) enumerate.Label {
	vs := append([]enumerate.Value(nil), m.Alphabet.Values(l)...)
	for i, v := range vs {
		if w, ok := p[v]; ok {
			vs[i] = w
		}
	}
	return m.Alphabet.Label(m.Alphabet.KindOf(l), vs)
}

func (m *Model) valuesOf(e []enumerate.Label) []enumerate.Value {
	var vs []enumerate.Value
	seen := map[enumerate.Value]bool{}
	for _, l := range e {
		for _, v := range m.Alphabet.Values(l) {
			if !seen[v] {
				seen[v] = true
				vs = append(vs, v)
			}
		}
	}
	return vs
}

// permutations lists the exchanges of values of one sort, without the identity:
// all of them for up to three values, the reversal for more.
func permutations(vs []enumerate.Value) []map[enumerate.Value]enumerate.Value {
	bySort := map[int][]enumerate.Value{}
	for _, v := range vs {
		bySort[v.Sort()] = append(bySort[v.Sort()], v)
	}
	var out []map[enumerate.Value]enumerate.Value
	for sort := 0; len(bySort) > 0; sort++ {
		group := bySort[sort]
		delete(bySort, sort)
		for _, order := range orders(len(group)) {
			p := map[enumerate.Value]enumerate.Value{}
			for i, j := range order {
				p[group[i]] = group[j]
			}
			out = append(out, p)
		}
	}
	return out
}

func orders(n int) [][]int {
	switch n {
	case 0, 1:
		return nil
	case 2:
		return [][]int{{1, 0}}
	case 3:
		return [][]int{{2, 1, 0}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}}
	}
	reversed := make([]int, n)
	for i := range reversed {
		reversed[i] = n - 1 - i
	}
	return [][]int{reversed}
}

// Normal checks that removing a read-only operation, an unmatched one, a
// duplicate or a whole match from an admitted execution leaves an admitted one:
// all admitted executions up to a length. The error is *matching.NotNormal or the
// reference's own. Executions counts those that removals were taken from.
func (m *Model) Normal(ctx context.Context, b Budget) (Report, error) {
	return upTo(b, func(n int) (int, error) {
		admitted, err := m.Admitted(ctx, n)
		if err != nil {
			return 0, err
		}
		return len(admitted), m.normalAt(ctx, admitted)
	})
}

// removedAtOnce is how many executions something is removed from before the reference
// is asked.
const removedAtOnce = 8192

func (m *Model) normalAt(ctx context.Context, admitted [][]enumerate.Label) error {
	for chunk := range slices.Chunk(admitted, removedAtOnce) {
		var rest [][]enumerate.Label
		var from []step
		for _, e := range chunk {
			s, err := m.Scheme.Abstract(nil, e)
			if err != nil {
				return err
			}
			s.Removals(func(what string, positions []int) bool {
				if r := enumerate.Without(e, positions); m.Language.rest(r) { // rules on pairs hold of what is left
					rest, from = append(rest, r), append(from, step{e, what, positions})
				}
				return true
			})
		}
		ok, err := m.explorer.admitted(ctx, rest, false)
		if err != nil {
			return err
		}
		if i := slices.Index(ok, false); i >= 0 {
			f := from[i]
			return &NotNormal{Admitted: m.Alphabet.Texts(f.e), Rejected: m.Alphabet.Texts(rest[i]), Removed: f.positions, What: f.what}
		}
	}
	return nil
}

// step is what goes from an execution.
type step struct {
	e         []enumerate.Label
	what      string
	positions []int
}
