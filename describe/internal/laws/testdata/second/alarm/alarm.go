// Package alarm raises an alarm on a reading, with hysteresis.
package alarm

// Alarm goes on at or above its high mark and off again at or below its low
// mark.
type Alarm struct {
	low, high int
	on        bool
	acked     bool
	trips     int
}

// New returns an alarm that is off.
func New(low, high int) *Alarm {
	return &Alarm{low: low, high: high}
}

// Observe feeds one reading and reports whether the alarm changed.
func (a *Alarm) Observe(value int) bool {
	switch {
	case !a.on && value >= a.high:
		a.on = true
		a.acked = false
		a.trips++
		return true
	case a.on && value <= a.low:
		a.on = false
		return true
	}
	return false
}

// On reports whether the alarm is on.
func (a *Alarm) On() bool { return a.on }

// Ack silences the alarm until it next trips. It returns false when there is
// nothing to acknowledge.
func (a *Alarm) Ack() bool {
	if !a.on || a.acked {
		return false
	}
	a.acked = true
	return true
}

// Ringing reports whether the alarm is on and has not been acknowledged.
func (a *Alarm) Ringing() bool { return a.on && !a.acked }

// Trips returns how often the alarm has gone on.
func (a *Alarm) Trips() int { return a.trips }
