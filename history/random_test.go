package history

import (
	"testing"

	"pgregory.net/rapid"
)

// source is where random choices come from: a *rand.Rand, or rapid, which can
// shrink them.
type source interface{ IntN(n int) int }

type rapidSource struct{ t *rapid.T }

func (s rapidSource) IntN(n int) int { return rapid.IntRange(0, n-1).Draw(s.t, "choice") }

// check tests a property on some thousand cases, and shrinks one that fails.
func check(t *testing.T, property func(t *rapid.T, rng source)) {
	t.Helper()
	for range 20 { // of 100 cases each
		rapid.Check(t, func(t *rapid.T) { property(t, rapidSource{t}) })
	}
}

// perm is a permutation of 0 to n-1.
func perm(rng source, n int) []int {
	p := make([]int, n)
	for i := range p {
		j := rng.IntN(i + 1)
		p[i], p[j] = p[j], i
	}
	return p
}

// randomHistory draws a valid history of n ops and at most the given width,
// over two methods with two outcomes, its ops in order of start.
func randomHistory(rng source, n, width int) *History {
	h := &History{}
	var open []int
	for time := 0; len(h.Ops) < n || len(open) > 0; time++ {
		if len(h.Ops) < n && len(open) < width && (len(open) == 0 || rng.IntN(2) == 0) {
			open = append(open, len(h.Ops))
			h.Ops = append(h.Ops, randomOp(rng, time))
			continue
		}
		if len(h.Ops) == n && rng.IntN(3) == 0 {
			break
		}
		k := rng.IntN(len(open))
		op := &h.Ops[open[k]]
		op.End, op.Completed, op.Outcome = time, true, []Outcome{None, Some, Nil}[rng.IntN(3)]
		open = append(open[:k], open[k+1:]...)
	}
	matchAtRandom(rng, h)
	return h
}

func randomOp(rng source, time int) Op {
	return Op{
		Kind:     Kind{Method: []string{"add", "remove"}[rng.IntN(2)]},
		Target:   Unmatched,
		ReadOnly: rng.IntN(4) == 0,
		Start:    time,
		End:      Never,
	}
}

func matchAtRandom(rng source, h *History) {
	var targets []int
	for i := range h.Ops {
		if h.Ops[i].Completed && rng.IntN(2) == 0 {
			h.Ops[i].Target = i
			targets = append(targets, i)
		}
	}
	for i := range h.Ops {
		op := &h.Ops[i]
		if op.Completed && op.Target == Unmatched && len(targets) > 0 && rng.IntN(3) > 0 {
			op.Target = targets[rng.IntN(len(targets))]
		}
	}
}

// renamed is h with its ops listed in another order, and with other intervals
// for the same order.
func renamed(rng source, h *History) *History {
	place := perm(rng, len(h.Ops))
	g := &History{Ops: make([]Op, len(h.Ops))}
	for i, op := range h.Ops {
		if op.Target != Unmatched {
			op.Target = place[op.Target]
		}
		op.Start = 3*op.Start + 7
		if op.Completed {
			op.End = 3*op.End + 7 + rng.IntN(3)
		}
		g.Ops[place[i]] = op
	}
	return g
}
