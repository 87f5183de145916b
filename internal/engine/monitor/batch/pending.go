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

// taking decides which values pending removes took, by deadlines: it is a search. Proof:
// docs/proofs/pending-operations.md.
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
