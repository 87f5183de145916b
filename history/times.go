package history

import (
	"cmp"
	"math"
	"slices"
	"strconv"
)

// timeOrder passes events on in the order of their times. Times must not
// decrease. Where consecutive events share one, nobody knows which came first,
// so the calls go before the returns: that orders the fewest operations.
// Events without times keep their places.
type timeOrder struct {
	read func() (Event, error) // in the order of the file

	group []Event // of one time, calls first
	next  int     // first event of group to be passed on

	ahead    Event // read already, of another time than the group
	hasAhead bool

	lastTime string // of the last event that had one
	lastLine int
	err      error // of the first read that failed
}

// pass is the next event.
func (t *timeOrder) pass() (Event, error) {
	if t.next == len(t.group) {
		e, ok := t.take()
		if !ok {
			return Event{}, t.err
		}
		if e.Time == "" {
			return e, nil
		}
		t.gather(e)
	}
	t.next++
	return t.group[t.next-1], nil
}

// gather reads on as long as events have the same time as the first one.
func (t *timeOrder) gather(first Event) {
	t.group, t.next = append(t.group[:0], first), 0
	for {
		e, ok := t.take()
		if !ok {
			break
		}
		if e.Time == "" || compareTimes(e.Time, first.Time) != 0 {
			t.ahead, t.hasAhead = e, true
			break
		}
		t.group = append(t.group, e)
	}
	slices.SortStableFunc(t.group, func(a, b Event) int { return cmp.Compare(bit(!a.Call), bit(!b.Call)) })
}

// take is the next event in file order; if there is none, err says why.
func (t *timeOrder) take() (Event, bool) {
	if t.hasAhead {
		t.hasAhead = false
		return t.ahead, true
	}
	if t.err != nil {
		return Event{}, false
	}
	e, err := t.read()
	if err == nil {
		err = t.check(e)
	}
	t.err = err
	return e, err == nil
}

// check sees to it that times do not decrease.
func (t *timeOrder) check(e Event) error {
	if e.Time == "" {
		return nil
	}
	if t.lastTime != "" && compareTimes(e.Time, t.lastTime) < 0 {
		return errDecreasing(e.Pos, e.Time, t.lastTime, t.lastLine)
	}
	t.lastTime, t.lastLine = e.Time, e.Pos.Line
	return nil
}

// compareTimes compares two numbers, as integers if both are (nanoseconds do
// not fit a float64), else as floating-point numbers.
func compareTimes(a, b string) int {
	i, errA := strconv.ParseInt(a, 10, 64)
	j, errB := strconv.ParseInt(b, 10, 64)
	if errA == nil && errB == nil {
		return cmp.Compare(i, j)
	}
	x, _ := strconv.ParseFloat(a, 64) // out of range is an infinity, which will do
	y, _ := strconv.ParseFloat(b, 64)
	return cmp.Compare(x, y)
}

// stamp is the time of an event, ready to be compared often.
type stamp struct {
	text  string // "" if the log does not say
	n     int64
	whole bool // n is the time
}

func newStamp(text string) stamp {
	n, whole := wholeTime(text)
	return stamp{text, n, whole}
}

// wholeTime reads a time that is only digits.
func wholeTime(text string) (n int64, ok bool) {
	if len(text) == 0 || len(text) > len("9223372036854775807") {
		return 0, false
	}
	var u uint64 // has room for as many digits
	for i := range len(text) {
		d := text[i] - '0'
		if d > 9 {
			return 0, false
		}
		u = u*10 + uint64(d)
	}
	return int64(u), u <= math.MaxInt64
}

// compare is compareTimes.
func (a *stamp) compare(b *stamp) int {
	if a.whole && b.whole {
		return cmp.Compare(a.n, b.n)
	}
	return compareTimes(a.text, b.text)
}

// errDecreasing is that an event is earlier than one on a line before it.
func errDecreasing(pos Pos, time, last string, line int) error {
	return errorAt(pos, "time %s is before time %s of line %d: sort the log by time", time, last, line)
}
