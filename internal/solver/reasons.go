package solver

import "slices"

// Reasons returns some of the literals that exclude every model, as solve says, if all of
// them do; none if they do not, or none is needed. None of them can be left out: it is the first that does
// alone, or what is left after leaving out whatever can be, from the last on. So it does
// not depend on which solver is asked, nor on the cores that it finds.
func Reasons(lits []int, solve func(lits []int) (sat bool, err error)) ([]int, error) {
	if sat, err := solve(lits); sat || err != nil {
		return nil, err
	}
	if sat, err := solve(nil); !sat || err != nil {
		return nil, err
	}
	for i := range lits {
		if sat, err := solve(lits[i : i+1]); !sat || err != nil {
			return lits[i : i+1], err
		}
	}
	for i := len(lits) - 1; i >= 0; i-- {
		without := slices.Delete(slices.Clone(lits), i, i+1)
		sat, err := solve(without)
		if err != nil {
			return nil, err
		}
		if !sat {
			lits = without
		}
	}
	return lits, nil
}
