package blinktree

// Defect is a way to get the tree wrong.
type Defect int

const (
	// Correct is no defect.
	Correct Defect = iota

	// StaysAtInsert: Insert does not follow right links at the leaves. After a
	// split it puts the pair where nobody looks for it.
	StaysAtInsert

	// InsertsTwice: Insert decides whether the key is there before it takes the
	// lock under which it puts the pair in. Two of them put in two pairs.
	InsertsTwice

	// MergesStale: the compressor copies the right leaf before it takes the lock
	// under which it merges. What is inserted in between is lost, and what is
	// deleted is back.
	MergesStale

	// StaysAtLookup: Lookup does not follow right links at the leaves. During a
	// split it does not see half of the pairs. The tree itself is right.
	StaysAtLookup
)

var names = [...]string{"Correct", "StaysAtInsert", "InsertsTwice", "MergesStale", "StaysAtLookup"}

// String is the name of the constant.
func (d Defect) String() string { return names[d] }
