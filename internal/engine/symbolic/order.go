package symbolic

import (
	"slices"

	"github.com/adtinfer/adtinfer/history"
)

// order is the order of a linearization. Pairs of operations that do not overlap
// are constants. Of the others those that some clause speaks of have a
// variable, "the one that was called first comes first".
type order struct {
	earlier  [][]int32 // by operation: those called before it that overlap it
	vars     [][]int   // their variables, or 0
	later    [][]int32 // by operation: those called after it that overlap it
	pairs    []pair    // those with a variable
	byReturn []int32   // completed operations
}

// pair is two operations that overlap, in the order of their calls, with a variable.
type pair struct {
	a, b int32
	lit  int
}

// overlaps takes in the intervals.
func (l *Log) overlaps(e *history.Execution) error {
	n := len(e.Ops)
	l.ops = make([]operation, n)
	l.earlier, l.vars, l.later = make([][]int32, n), make([][]int, n), make([][]int32, n)
	var running []int32
	pairs := 0
	for i := range e.Ops {
		x := &l.ops[i]
		x.call, x.ret, x.returned = e.Ops[i].Call, never, len(l.ends)
		x.called, _ = slices.BinarySearch(l.ends, x.call+1)
		if o := &e.Ops[i]; o.Completed() {
			x.ret = o.Return
			x.returned, _ = slices.BinarySearch(l.ends, x.ret+1)
			l.byReturn = append(l.byReturn, int32(i))
		}
		running = slices.DeleteFunc(running, func(a int32) bool { return l.ops[a].ret < x.call })
		if pairs += len(running); pairs > MaxPairs {
			return ErrOverlap
		}
		l.earlier[i] = slices.Clone(running)
		for _, a := range running {
			l.later[a] = append(l.later[a], int32(i))
		}
		running = append(running, int32(i))
	}
	slices.SortFunc(l.byReturn, func(a, b int32) int { return l.ops[a].ret - l.ops[b].ret })
	return nil
}

// constant literals
const (
	yes = int(^uint(0) >> 1)
	no  = -yes
)

// before is the literal of "a before b", or yes or no.
func (l *Log) before(a, b int32) int {
	switch {
	case a == b:
		return no
	case a > b:
		return -l.before(b, a)
	case l.ops[a].ret < l.ops[b].call:
		return yes
	}
	i, _ := slices.BinarySearch(l.earlier[b], a)
	if l.vars[b] == nil {
		l.vars[b] = make([]int, len(l.earlier[b]))
	}
	if l.vars[b][i] == 0 {
		l.vars[b][i] = l.s.NewVar()
		l.pairs = append(l.pairs, pair{a, b, l.vars[b][i]})
	}
	return l.vars[b][i]
}

// transitive adds axioms that the model breaks, of those that make literals among
// operations a strict total order: that there is no cycle of three. Only two
// sorts of triples can have one:
//
// Three operations that overlap pairwise all run when the last of them is called.
//
// If a returned before c was called and b overlaps both, b before a implies b
// before c. Where one of the operations lies between a and c in time, b overlaps
// it, too, and the implication follows from two others; so a is only taken
// among the immediate predecessors of c.
//
// The operations are those on cycles of the model, marked in on: where a cycle
// passes from a to c, an operation between them is on a cycle, too. Pairs that no
// clause speaks of so far count as in the order of their calls. At most about
// maxBroken axioms are added; the answer is how many.
func (l *Log) transitive(cycle []int32, on []bool) (broken int) {
	for _, c := range cycle {
		for i, b := range l.earlier[c] {
			if broken > maxBroken {
				return broken
			}
			if on[b] {
				broken += l.overlapping3(i, b, c, on)
				broken += l.predecessors(i, b, c, on)
			}
		}
	}
	return broken
}

// maxBroken is about how many axioms one model adds at most.
const maxBroken = 1 << 15

// overlapping3 excludes cycles of b, c and another operation that overlap
// pairwise; b is number i of those before c.
func (l *Log) overlapping3(i int, b, c int32, on []bool) (broken int) {
	bc := l.holds(c, i)
	for k, a := range l.earlier[c][:i] {
		if ac := l.holds(c, k); on[a] && ac != bc && l.follows(a, b) == bc {
			x, y, z := l.before(a, b), l.before(b, c), l.before(a, c)
			if bc {
				l.s.Add(-x, -y, z)
			} else {
				l.s.Add(x, y, -z)
			}
			broken++
		}
	}
	return broken
}

// predecessors excludes cycles of b, c and an operation that was over when c was
// called.
func (l *Log) predecessors(i int, b, c int32, on []bool) (broken int) {
	if l.holds(c, i) {
		return 0
	}
	done, _ := slices.BinarySearchFunc(l.byReturn, l.ops[c].call, func(a int32, call int) int { return l.ops[a].ret - call })
	last := l.ops[b].call // the latest call among the operations between a and c
	for k := done - 1; k >= 0; k-- {
		a := l.byReturn[k]
		if l.ops[a].ret < last {
			break
		}
		if !on[a] {
			continue
		}
		if !l.follows(a, b) {
			l.s.Add(l.before(a, b), l.before(b, c))
			broken++
		}
		last = max(last, l.ops[a].call)
	}
	return broken
}

// holds tells whether the i-th of the operations before b comes before b in the
// model.
func (l *Log) holds(b int32, i int) bool {
	return l.vars[b] == nil || l.vars[b][i] == 0 || l.s.True(l.vars[b][i])
}

// follows tells whether a, that overlaps b, comes before b in the model.
func (l *Log) follows(a, b int32) bool {
	if a > b {
		return !l.follows(b, a)
	}
	i, _ := slices.BinarySearch(l.earlier[b], a)
	return l.holds(b, i)
}
