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

	room    []*event // first returns that wait until their time is over, for calls of the same time
	waiting int      // how many these are; the event behind them is the one read last
	over    bool     // their time is over
	out     int      // of them, the next one to be passed on

	last     stamp // of the last event that had a time
	lastLine int
	err      error // of the first read that failed
}

// next is the next event, or io.EOF after the last one. An error is final.
func (t *timeOrder) next() (*event, error) {
	for {
		switch {
		case !t.over:
			t.read()
			if t.over = t.waiting > 0 && t.ends(); t.over {
				continue
			}
		case t.out < t.waiting:
			t.out++
			return t.room[t.out-1], nil
		default: // what was read last comes first now
			t.room[0], t.room[t.waiting] = t.room[t.waiting], t.room[0]
			t.waiting, t.out, t.over = 0, 0, false
		}
		if t.err != nil {
			return nil, t.err
		}
		if e := t.room[t.waiting]; e.call || e.time.text == "" {
			return e, nil
		}
		t.waiting++
	}
}

// read reads an event, and sees to it that it is not before the last one.
func (t *timeOrder) read() {
	if t.waiting == len(t.room) {
		t.room = append(t.room, &event{})
	}
	if t.err != nil {
		return
	}
	e := t.room[t.waiting]
	if t.err = t.lines.next(e); t.err != nil || e.time.text == "" {
		return
	}
	if t.last.text != "" && e.time.compare(&t.last) < 0 {
		t.err = errorAt(e.pos, "time %s is before time %s of line %d: sort the log by time", e.time.text, t.last.text, t.lastLine)
		return
	}
	t.last, t.lastLine = e.time, e.pos.Line
}

// ends reports whether the time of those that wait is over with what was read last.
func (t *timeOrder) ends() bool {
	if t.err != nil {
		return true
	}
	time := &t.room[t.waiting].time
	return time.text == "" || time.compare(&t.room[0].time) != 0
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

// stamp is the time of an event, a number, ready to be compared often.
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
