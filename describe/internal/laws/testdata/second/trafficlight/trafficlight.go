// Package trafficlight steps a signal through its phases.
package trafficlight

// Colour is what the signal shows.
type Colour string

// Colours.
const (
	Red      Colour = "red"
	Green    Colour = "green"
	Yellow   Colour = "yellow"
	Flashing Colour = "flashing"
)

// Light is one signal, driven by ticks.
type Light struct {
	colour Colour
	left   int
	red    int
	green  int
	yellow int
	faulty bool
}

// New returns a light that has just turned red. The arguments are the lengths
// of the phases in ticks.
func New(red, green, yellow int) *Light {
	return &Light{colour: Red, left: red, red: red, green: green, yellow: yellow}
}

// Tick lets one unit of time pass and returns the colour shown afterwards.
func (l *Light) Tick() Colour {
	if l.faulty {
		return Flashing
	}
	l.left--
	if l.left <= 0 {
		switch l.colour {
		case Red:
			l.colour, l.left = Green, l.green
		case Green:
			l.colour, l.left = Yellow, l.yellow
		default:
			l.colour, l.left = Red, l.red
		}
	}
	return l.colour
}

// Press is the pedestrian button: it cuts a green phase down to one more
// tick. It reports whether it had any effect.
func (l *Light) Press() bool {
	if l.faulty || l.colour != Green || l.left <= 1 {
		return false
	}
	l.left = 1
	return true
}

// Fail switches the light to flashing until Repair.
func (l *Light) Fail() { l.faulty = true }

// Repair restarts a failed light at red.
func (l *Light) Repair() {
	if l.faulty {
		l.faulty = false
		l.colour, l.left = Red, l.red
	}
}

// Colour returns the colour shown.
func (l *Light) Colour() Colour {
	if l.faulty {
		return Flashing
	}
	return l.colour
}
