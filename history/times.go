package history

import (
	"cmp"
	"math"
	"strconv"
)

// timeOrder passes the events of lines on in the order of their times. Times must
// not decrease. Where consecutive events share one, nobody knows which came first,
// so the calls go before the returns: that orders the fewest operations. Events
// without times keep their places.
type timeOrder struct {
	*lines

	held []event // returns that wait until their time is over, for calls of the same time
	out  int     // of those, the next one to be passed on
	over bool    // the time of those held is over
	now  stamp   // that time

	ahead    event // read already, after those held
	hasAhead bool

	last     stamp // of the last event that had a time
	lastLine int
	err      error // of the first read that failed
}

// next is the next event, or io.EOF after the last one. An error is final.
func (t *timeOrder) next(e *event) error {
	if len(t.held) == 0 && !t.hasAhead && t.err == nil { // quickly
		if t.err = t.lines.next(e); t.err != nil || e.time == "" {
			return t.err
		}
		if t.now, t.err = t.timed(e); t.err != nil || e.call {
			return t.err
		}
		t.hold(e)
	}
	for {
		if t.over && t.out < len(t.held) {
			e.set(&t.held[t.out])
			t.out++
			return nil
		}
		if t.over {
			t.held, t.out, t.over = t.held[:0], 0, false
		}
		time, err := t.take(e)
		switch waiting := len(t.held) > 0; {
		case err != nil && waiting:
			t.over = true
		case err != nil:
			return err
		case waiting && (time.text == "" || time.compare(&t.now) != 0):
			t.ahead.set(e)
			t.hasAhead, t.over = true, true
		case time.text == "" || e.call:
			return nil
		default:
			t.now = time
			t.hold(e)
		}
	}
}

// hold keeps a return.
func (t *timeOrder) hold(e *event) {
	if n := len(t.held); n < cap(t.held) {
		t.held = t.held[:n+1] // with room for values
	} else {
		t.held = append(t.held, event{})
	}
	t.held[len(t.held)-1].set(e)
}

// take is the next event in the order of the file, and its time.
func (t *timeOrder) take(e *event) (stamp, error) {
	if t.hasAhead {
		t.hasAhead = false
		e.set(&t.ahead)
		return newStamp(e.time), nil
	}
	if t.err == nil {
		t.err = t.lines.next(e)
	}
	if t.err != nil || e.time == "" {
		return stamp{}, t.err
	}
	var time stamp
	time, t.err = t.timed(e)
	return time, t.err
}

// timed is the time of an event, which must not be before the last one.
func (t *timeOrder) timed(e *event) (stamp, error) {
	time := newStamp(e.time)
	if t.last.text != "" && time.compare(&t.last) < 0 {
		return time, errorAt(e.pos, "time %s is before time %s of line %d: sort the log by time", time.text, t.last.text, t.lastLine)
	}
	t.last, t.lastLine = time, e.pos.Line
	return time, nil
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

// compare compares times as compareTimes does.
func (a *stamp) compare(b *stamp) int {
	if a.whole && b.whole {
		return cmp.Compare(a.n, b.n)
	}
	return compareTimes(a.text, b.text)
}
