// Package washer models a washing machine.
package washer

import "errors"

// State is the step the machine is in.
type State int

// States of a washer.
const (
	Ready State = iota
	Washing
	Rinsing
	Spinning
	Done
)

// Errors returned by Washer.
var (
	ErrBusy = errors.New("washer: programme running")
	ErrDoor = errors.New("washer: door is open")
	ErrLoad = errors.New("washer: drum is empty or overloaded")
)

// Washer washes loads of up to maxKilos.
type Washer struct {
	maxKilos int
	kilos    int
	open     bool
	state    State
	cycles   int
}

// New returns an empty washer with its door closed.
func New(maxKilos int) *Washer { return &Washer{maxKilos: maxKilos} }

func (w *Washer) busy() bool {
	return w.state == Washing || w.state == Rinsing || w.state == Spinning
}

// Open opens the door, which also takes out a finished load.
func (w *Washer) Open() error {
	if w.busy() {
		return ErrBusy
	}
	w.open = true
	if w.state == Done {
		w.state, w.kilos = Ready, 0
	}
	return nil
}

// Shut closes the door on a drum that holds the given kilos.
func (w *Washer) Shut(kilos int) {
	if w.open {
		w.open, w.kilos = false, kilos
	}
}

// Start begins the programme.
func (w *Washer) Start() error {
	switch {
	case w.busy():
		return ErrBusy
	case w.open:
		return ErrDoor
	case w.state == Done || w.kilos < 1 || w.kilos > w.maxKilos:
		return ErrLoad
	}
	w.state = Washing
	return nil
}

// Advance moves a running programme to its next step.
func (w *Washer) Advance() State {
	if w.busy() {
		w.state++
		if w.state == Done {
			w.cycles++
		}
	}
	return w.state
}

// Cycles returns the number of finished programmes.
func (w *Washer) Cycles() int { return w.cycles }
