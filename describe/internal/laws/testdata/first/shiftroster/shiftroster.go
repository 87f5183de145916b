package shiftroster

import (
	"errors"
	"slices"
)

// Day is a day of the working week.
type Day int

// The days that can be staffed.
const (
	Monday Day = iota
	Tuesday
	Wednesday
	Thursday
	Friday
)

var (
	ErrNoSuchDay = errors.New("no such day")
	ErrAssigned  = errors.New("already assigned that day")
	ErrDayFull   = errors.New("day is fully staffed")
	ErrOverwork  = errors.New("worker has no shifts left")
)

// Roster assigns workers to days, with a limit on people per day and on
// shifts per worker.
type Roster struct {
	perDay    int
	perWorker int
	days      [5][]string
	load      map[string]int
}

// New returns an empty roster with the given limits.
func New(perDay, perWorker int) *Roster {
	return &Roster{perDay: perDay, perWorker: perWorker, load: map[string]int{}}
}

// Assign puts worker on the given day.
func (r *Roster) Assign(worker string, day Day) error {
	switch {
	case day < Monday || day > Friday:
		return ErrNoSuchDay
	case slices.Contains(r.days[day], worker):
		return ErrAssigned
	case len(r.days[day]) >= r.perDay:
		return ErrDayFull
	case r.load[worker] >= r.perWorker:
		return ErrOverwork
	}
	r.days[day] = append(r.days[day], worker)
	r.load[worker]++
	return nil
}

// Unassign takes worker off the given day.
func (r *Roster) Unassign(worker string, day Day) bool {
	if day < Monday || day > Friday {
		return false
	}
	i := slices.Index(r.days[day], worker)
	if i < 0 {
		return false
	}
	r.days[day] = slices.Delete(r.days[day], i, i+1)
	r.load[worker]--
	return true
}

// Missing returns how many more workers a day can take.
func (r *Roster) Missing(day Day) int {
	if day < Monday || day > Friday {
		return 0
	}
	return r.perDay - len(r.days[day])
}

// Shifts returns how many shifts worker has.
func (r *Roster) Shifts(worker string) int { return r.load[worker] }
