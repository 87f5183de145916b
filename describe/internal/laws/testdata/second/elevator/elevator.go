// Package elevator moves a lift car one floor at a time.
package elevator

// Direction is the way the car is travelling.
type Direction int

// Directions.
const (
	Down Direction = iota - 1
	Idle
	Up
)

// Elevator serves floors 0 through top.
type Elevator struct {
	top   int
	floor int
	dir   Direction
	calls map[int]bool
}

// NewElevator returns an idle elevator at floor 0.
func NewElevator(top int) *Elevator {
	return &Elevator{top: top, calls: make(map[int]bool)}
}

// Call asks the car to stop at floor. It returns false for a floor that does
// not exist and for the floor where the car stands.
func (e *Elevator) Call(floor int) bool {
	if floor < 0 || floor > e.top || floor == e.floor {
		return false
	}
	e.calls[floor] = true
	return true
}

func (e *Elevator) ahead(d Direction) bool {
	for f := range e.calls {
		if (f-e.floor)*int(d) > 0 {
			return true
		}
	}
	return false
}

// Step moves the car one floor toward its calls and reports the floor and
// whether the doors open there. The car keeps its direction while there are
// calls ahead; an idle car prefers to go up.
func (e *Elevator) Step() (floor int, open bool) {
	if e.dir == Idle || !e.ahead(e.dir) {
		switch {
		case e.ahead(Up):
			e.dir = Up
		case e.ahead(Down):
			e.dir = Down
		default:
			e.dir = Idle
		}
	}
	e.floor += int(e.dir)
	open = e.calls[e.floor]
	delete(e.calls, e.floor)
	if len(e.calls) == 0 {
		e.dir = Idle
	}
	return e.floor, open
}

// Direction returns the direction of travel.
func (e *Elevator) Direction() Direction { return e.dir }

// Pending returns the number of floors still to be served.
func (e *Elevator) Pending() int { return len(e.calls) }
