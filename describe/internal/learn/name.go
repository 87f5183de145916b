package learn

import (
	"strconv"

	"github.com/adtinfer/adtinfer/automata"
)

// name gives locations and registers their names. A location is called by what it
// holds if that tells it from all others: empty if it holds nothing and others
// hold something, holds if it is the only one that holds something, holds2 if
// it is the only one with two registers. Otherwise locations are l1, l2, ...
// Registers are r, s, t, u, v, w; or r1, r2, ... if there are more, so that they can be
// written as a range.
func name(a *automata.Automaton) {
	count, holding, most := map[int]int{}, 0, 0
	for i := range a.Locations {
		n := len(a.Locations[i].Registers)
		count[n]++
		most = max(most, n)
		if n > 0 {
			holding++
		}
	}
	for i := range a.Locations {
		l := &a.Locations[i]
		for r := range l.Registers {
			l.Registers[r] = registerName(r, most)
		}
		switch n := len(l.Registers); {
		case count[n] > 1 || holding == 0:
			l.Name = "l" + strconv.Itoa(i+1)
		case n == 0 && most <= len(letters):
			l.Name = "empty"
		case holding == 1:
			l.Name = "holds"
		default:
			l.Name = "holds" + strconv.Itoa(n)
		}
	}
}

const letters = "rstuvw"

func registerName(i, most int) string {
	if most <= len(letters) {
		return letters[i : i+1]
	}
	return "r" + strconv.Itoa(i+1)
}
