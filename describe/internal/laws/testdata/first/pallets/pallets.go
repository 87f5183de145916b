package pallets

import "errors"

var (
	ErrNoBay     = errors.New("no such bay")
	ErrFull      = errors.New("bay is full")
	ErrDuplicate = errors.New("pallet is already stored")
)

// Yard stores pallets in bays that work like stacks: only the pallet that was
// put in last can be taken out.
type Yard struct {
	depth int
	bays  [][]string
	where map[string]int
}

// New returns a yard with the given number of bays, each depth pallets deep.
func New(bays, depth int) *Yard {
	return &Yard{depth: depth, bays: make([][]string, bays), where: make(map[string]int)}
}

// Put stores a pallet in a bay.
func (y *Yard) Put(bay int, pallet string) error {
	if bay < 0 || bay >= len(y.bays) {
		return ErrNoBay
	}
	if _, ok := y.where[pallet]; ok {
		return ErrDuplicate
	}
	if len(y.bays[bay]) == y.depth {
		return ErrFull
	}
	y.bays[bay] = append(y.bays[bay], pallet)
	y.where[pallet] = bay
	return nil
}

// Take removes the front pallet of a bay.
func (y *Yard) Take(bay int) (string, bool) {
	if bay < 0 || bay >= len(y.bays) || len(y.bays[bay]) == 0 {
		return "", false
	}
	last := len(y.bays[bay]) - 1
	p := y.bays[bay][last]
	y.bays[bay] = y.bays[bay][:last]
	delete(y.where, p)
	return p, true
}

// Find returns the bay of a pallet and how many pallets stand in front of it.
func (y *Yard) Find(pallet string) (bay, inFront int, ok bool) {
	bay, ok = y.where[pallet]
	if !ok {
		return 0, 0, false
	}
	for i, p := range y.bays[bay] {
		if p == pallet {
			inFront = len(y.bays[bay]) - 1 - i
		}
	}
	return bay, inFront, true
}

// Free returns the number of free places in the whole yard.
func (y *Yard) Free() int { return len(y.bays)*y.depth - len(y.where) }
