package multiset

// Defect is a way to get the multiset wrong.
type Defect int

const (
	// Correct is no defect.
	Correct Defect = iota

	// FindsUnlocked: a slot is reserved without its lock, so two operations may
	// reserve the same one.
	FindsUnlocked

	// ValidUnlocked: InsertPair makes the elements valid one after the other
	// without the locks.
	ValidUnlocked

	// KeepsSlot: InsertPair that fails keeps the slot it reserved for x.
	KeepsSlot

	// LosesCopy: an element that is there already is not put in again.
	LosesCopy

	// LooksUnlocked: LookUp and Remove read slots without their locks.
	LooksUnlocked

	// UnlocksEarly: InsertPair gives the locks back before it makes the elements
	// valid.
	UnlocksEarly

	// WrongCommit: the multiset is correct, but InsertPair records its commit
	// before it makes the elements valid.
	WrongCommit
)

var names = [...]string{"Correct", "FindsUnlocked", "ValidUnlocked", "KeepsSlot", "LosesCopy", "LooksUnlocked", "UnlocksEarly", "WrongCommit"}

// String is the name of the constant.
func (d Defect) String() string { return names[d] }

// Defects lists the multisets: the correct one, then the others.
func Defects() []Defect {
	ds := make([]Defect, len(names))
	for i := range ds {
		ds[i] = Defect(i)
	}
	return ds
}
