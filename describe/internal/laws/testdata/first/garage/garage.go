package garage

import "errors"

var (
	ErrFull      = errors.New("garage: full")
	ErrParked    = errors.New("garage: car is already parked")
	ErrNotParked = errors.New("garage: car is not parked")
)

// Garage gives every car the free spot with the lowest number.
type Garage struct {
	spots []string // plate per spot, "" if free
}

// New returns an empty garage with spots numbered from 1.
func New(spots int) *Garage { return &Garage{spots: make([]string, spots)} }

// Park lets a car in and returns its spot.
func (g *Garage) Park(plate string) (int, error) {
	if plate == "" {
		return 0, errors.New("garage: plate missing")
	}
	free := 0
	for i, p := range g.spots {
		if p == plate {
			return 0, ErrParked
		}
		if p == "" && free == 0 {
			free = i + 1
		}
	}
	if free == 0 {
		return 0, ErrFull
	}
	g.spots[free-1] = plate
	return free, nil
}

// Leave lets a car out and returns the spot that became free.
func (g *Garage) Leave(plate string) (int, error) {
	spot, ok := g.Locate(plate)
	if !ok {
		return 0, ErrNotParked
	}
	g.spots[spot-1] = ""
	return spot, nil
}

// Locate returns the spot of a car.
func (g *Garage) Locate(plate string) (int, bool) {
	for i, p := range g.spots {
		if p != "" && p == plate {
			return i + 1, true
		}
	}
	return 0, false
}

// Free returns the number of free spots.
func (g *Garage) Free() int {
	n := 0
	for _, p := range g.spots {
		if p == "" {
			n++
		}
	}
	return n
}
