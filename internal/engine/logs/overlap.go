// # Overlaps
//
// Here is what the engines that decide by satisfiability ask about
// the intervals of an execution: which operations overlap, which prefixes are
// worth a decision, and which axioms make an order of overlapping operations total.
//
// # A total order, lazily
//
// Operations that do not overlap are ordered by their intervals; each pair that
// overlaps is a literal. Such a tournament is a strict total order if and only if
// it has no cycle of three, and only two sorts of triples can have one:
//
// Three operations that overlap pairwise all run when the last of them is called,
// c say: the other two are among Earlier[c].
//
// If a returned before c was called and b overlaps both, then b before a implies
// b before c. Where one of the operations lies between a and c in time, b overlaps
// it, too, and the implication follows from two others; so a need only be an
// immediate predecessor of c: see Predecessors.
//
// For n operations, at most w of them running at a time, that makes O(n w²)
// axioms, few of which ever matter. Engines assert those that a model breaks,
// about MaxBroken for one model, until a model breaks none. Package symbolic
// has the proofs.
package logs

import (
	"context"
	"errors"
	"slices"

	"github.com/adtinfer/adtinfer/history"
)

// MaxPairs bounds the pairs of operations that overlap: each may take a variable.
const MaxPairs = 1 << 22

// MaxBroken is about how many axioms of the order engines add for one model.
const MaxBroken = 1 << 15

// ErrTooMany is the error of an execution with more than MaxPairs.
var ErrTooMany = errors.New("too many operations overlap each other for the symbolic engine")

// Span is when an operation runs: from event Call to event Return, which is Never
// for a pending one.
type Span struct{ Call, Return int }

// Never is later than every event.
const Never = int(^uint(0) >> 1)

// Overlaps are the overlapping operations of an execution. It is never changed.
type Overlaps struct {
	Spans    []Span
	Earlier  [][]int32 // by operation: those called before it that overlap it, in order of calls
	ByReturn []int32   // completed operations, in order of returns
}

// Of finds the overlaps of operations in order of their calls. The error is
// ErrTooMany, or the context's.
func Of(ctx context.Context, ops []history.Operation) (*Overlaps, error) {
	o := &Overlaps{Spans: make([]Span, len(ops)), Earlier: make([][]int32, len(ops))}
	var running []int32
	pairs := 0
	for i := range ops {
		if i&255 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		s := Span{ops[i].Call, Never}
		if ops[i].Completed() {
			s.Return = ops[i].Return
			o.ByReturn = append(o.ByReturn, int32(i))
		}
		o.Spans[i] = s
		running = slices.DeleteFunc(running, func(a int32) bool { return o.Spans[a].Return < s.Call })
		if pairs += len(running); pairs > MaxPairs {
			return nil, ErrTooMany
		}
		o.Earlier[i] = slices.Clone(running)
		running = append(running, int32(i))
	}
	slices.SortFunc(o.ByReturn, func(a, b int32) int { return o.Spans[a].Return - o.Spans[b].Return })
	return o, nil
}

// Precedes reports whether a returned before b was called.
func (o *Overlaps) Precedes(a, b int32) bool { return o.Spans[a].Return < o.Spans[b].Call }

// Index is the place of a among Earlier[b]; a was called first and overlaps b.
func (o *Overlaps) Index(a, b int32) int {
	i, _ := slices.BinarySearch(o.Earlier[b], a)
	return i
}

// Predecessors yields the immediate predecessors of c, latest first, that b, which
// overlaps c, overlaps too: those between which and c there is no operation. If
// only is not nil the operations that it does not mark are taken to be not there.
func (o *Overlaps) Predecessors(b, c int32, only []bool, yield func(a int32)) {
	done, _ := slices.BinarySearchFunc(o.ByReturn, o.Spans[c].Call, func(a int32, call int) int { return o.Spans[a].Return - call })
	last := o.Spans[b].Call // the latest call among the operations between a and c
	for k := done - 1; k >= 0; k-- {
		a := o.ByReturn[k]
		if o.Spans[a].Return < last {
			return
		}
		if only == nil || only[a] {
			yield(a)
			last = max(last, o.Spans[a].Call)
		}
	}
}

// Ends lists the prefixes of an execution that end with a return, by their number
// of events, and the whole. No other prefix is the shortest violation.
func Ends(e *history.Execution) (ends []int) {
	for i := range e.Ops {
		if o := &e.Ops[i]; o.Completed() && o.Return+1 < e.Events {
			ends = append(ends, o.Return+1)
		}
	}
	slices.Sort(ends)
	return append(ends, e.Events)
}

// Pairs counts the pairs of operations that overlap, and no further than to most.
func Pairs(e *history.Execution, most int) (pairs int) {
	events := make([]int8, e.Events) // 1 where an operation is called, -1 where it returns
	for i := range e.Ops {
		if o := &e.Ops[i]; o.Call >= 0 && o.Call < len(events) {
			events[o.Call] = 1
			if o.Completed() && o.Return >= 0 && o.Return < len(events) {
				events[o.Return] = -1
			}
		}
	}
	running := 0
	for _, is := range events {
		switch is {
		case 1:
			pairs += running
			running++
		case -1:
			running--
		}
		if pairs >= most {
			return most
		}
	}
	return pairs
}
