package batch

// forcing is a procedure that knows which values pending removes must have
// taken.
type forcing interface {
	// check decides if pending removes take nothing more. It may be unclear where
	// values were peeked at. If undo is not nil, it is told all failures, and those that it undoes are none;
	// later ones may be none, either, by what it did.
	check(c *Columns, undo func(failure) bool) (failure, Answer)

	// blame is the witness of the first failure.
	blame(c *Columns, f failure) Witness

	// ways lists what can undo a failure of values; none if nothing can. It is open if it may be none as it is.
	ways(c *Columns, f failure) (ways []way, open bool)
}

// failure is why a prefix is not linearizable as long as pending removes take
// nothing more: an operation that found nothing and has no gap, or else values.
type failure struct {
	op     int32 // -1 if it is the values
	values []int32
	at     int32 // of a priority queue's values: when what failed returned
}

// taking decides which values pending removes took, by deadlines: it is a search. It is for stacks, priority queues, and
// queues whose front is looked at.
//
// Here it matters who takes what. If an execution is not linearizable as long as pending removes take nothing, and
// is without the values that are left (alone), taking searches for deadlines: a value with deadline d is taken by
// a pending remove that is called at d or before. It counts with rs = d and re after all events. A value without a
// deadline stays.
//
// Earlier is better. Of values that are taken, rs only matters as the end of their cores, and smaller cores cover
// fewer gaps, connect fewer values, and let no other value wait longer. (That a value is taken at all can be in
// the way: see what is taken.) So
//
//   - if all fits with the deadlines, it fits whatever calls in time take the values. There are enough of them if
//     no more values have deadlines up to the t-th call than t (Hall's theorem for intervals that begin at the
//     same point);
//   - if something fails, it fails in every linearization whose calls are not earlier than the deadlines. So one
//     of the ways to undo the failure holds, each of which gives some values deadlines before a position. A way
//     for which there are too few pending removes cannot hold; if there is no other, some choice made so far was
//     wrong.
//
// Ways. A gap is in no core of certain values if the removed ones leave it open and those that are left, and whose
// cores begin before it, are taken by then. Between two such begins the last gap that the removed values leave
// open demands least (between). What saw a value keeps it in: that part of its core is fixed.
//
//   - An operation that finds nothing and has no gap takes effect in one of its gaps.
//   - A value of a priority queue that has no gap for its remove, or for what saw it, has one in no core of higher
//     values.
//   - A stuck component of a stack. What was taken away before could be, and can be whatever is taken earlier
//     (Stack). In a linearization the component falls apart at a gap, or a value v of it is below all others. If v
//     leaves after all cores of the others as they are, what saw it has gaps that it does not have now. If not,
//     those others that last longer end before re or are not in at all, so that the gap before re is in no core:
//     the component falls apart there, or is a smaller one.
//   - Values of a queue that cannot all have been at the front: that follows from the order of their events and
//     from which of them are taken, so one that stays is taken, or one that is taken is so before another event of
//     theirs.
//
// The search takes the first way of each failure for which there are enough pending removes, and looks at what is
// left in the next pass. Where none is left, the values are to blame that have deadlines up to the call at which
// there are too few; the last choice changes that gave a deadline to one of these. Choices between that gave them
// none do not matter: without them the same ways lead to the same end. What is to blame for a choice is what is to
// blame for each of its ways, without the values that the way itself moves: no linearization takes all values to
// blame by their deadlines. At worst the time is exponential in the failures that have several ways; after a bound
// there is no verdict (maxWork).
//
// What is taken. Of a priority queue, a value y last moved by a way for gap g can be removed at g: its core begins
// before, its deadline is not later, what saw it was called before, and no core of a value of higher priority has
// g as long as the choice stands; so y is never the value without a gap for its remove. In a queue, y may have to
// follow a value a that stays. Then one of the ways is that a is taken at any time, and y need not be added to
// what is to blame. For let the blame of that way, B, contain a. Where a gets there with this deadline, there were
// too few pending removes in all, so that all values with deadlines were to blame, and y with them. If y is
// missing in B, choices moved it to an earlier deadline. A linearization in which y is not taken satisfies another
// way of the failure of the first of these, to whose blame the same applies; if y is in that, it contradicts it,
// and if another choice moved y, so on. So no linearization takes all of B but a by their deadlines without taking
// y; and one that takes y satisfies one of the ways. The same holds for several such failures, one below the
// other.
//
// In the order that is made (withRemoves), a pending remove that would come after values which nobody removes
// takes no effect.
//
// TestTaken compares the search with trying all choices, TestBlamed with a search that skips none, TestManyPending
// replays what it finds.
type taking struct {
	forcing
	*Container

	// Of search:
	due    []int32  // by pending remove: how many values have its call as their deadline
	chosen []choice // the last one last
	moved  bool     // something was chosen in this pass
	blamed []int32  // values whose deadlines cannot be met together
	fixed  []int32  // the covering if what is left is in only when it is seen
	ofWay  []bool   // by value, see blameOthers
}

// maxWork bounds how many events and values are looked at to choose pending removes, in
// all. At least fewChecks passes are made.
const (
	maxWork   = 200_000_000
	fewChecks = 50
)

// ended reports whether nothing more is tried.
func (s *taking) ended() bool {
	return s.looked > maxWork+fewChecks*(int(s.n)+1) || s.stopped()
}

// decide decides a prefix in which nothing is wrong with one value alone.
func (s *taking) decide(c *Columns) (Answer, Witness) {
	f, a := s.check(c, nil)
	switch a {
	case Linearizable:
		return a, Witness{}
	case Unclear:
		return a, Witness{Op: -1}
	}
	w := s.blame(c, f)
	if len(s.pending) == 0 || !s.alone(c) {
		return Violating, w
	}
	return s.search(c), w
}

func (s *taking) check(c *Columns, undo func(failure) bool) (failure, Answer) {
	s.looked += int(s.n) + 1
	return s.forcing.check(c, undo)
}

// alone reports whether it may be linearizable without the values that are left.
func (s *taking) alone(c *Columns) bool {
	a := Violating
	s.withoutLeft(func() { _, a = s.check(c, nil) })
	return a != Violating
}
