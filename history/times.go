package history

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
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
		err := errorAt(e.pos, "time %s is before time %s of line %d: sort the log by time", e.time.text, t.last.text, t.lastLine)
		err.Unsorted = true
		t.err = err
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

// held are the events of a log that is in memory, in the order of their times, calls
// before returns at equal times.
type held struct {
	events // whose they were
	order  []*event
	out    int // the next one to be passed on
}

// next is the next event, or io.EOF after the last one.
func (h *held) next() (*event, error) {
	if h.out == len(h.order) {
		return nil, io.EOF
	}
	h.out++
	return h.order[h.out-1], nil
}

// isUnsorted reports whether reading failed since times go back.
func isUnsorted(err error) bool {
	var wrong *ParseError
	return errors.As(err, &wrong) && wrong.Unsorted
}

// ordered opens the log, sorted if that is asked for.
func (r *Reader) ordered() error {
	if !r.Sort && r.Skew == 0 {
		r.open()
		return nil
	}
	r.load()
	return r.sort()
}

// sort opens the log, which is in memory or imported, holds all events and sorts them.
// With a Skew, their times are first moved by it.
//
// Say that each clock is at most d from the true time, one in front and another one
// behind perhaps. Then a return that the log has at time s was before s+d, a call at t
// after t-d: the return truly was first if s+d < t-d. So whatever happens before
// another operation in the widened intervals did so, and an order of the operations
// that truly explains what they returned, does so within the widened intervals, too. A
// violation there is one, and none comes from the clocks alone. Moving times by half of
// that is enough if d is the most by which any two clocks differ.
func (r *Reader) sort() error {
	switch {
	case r.Skew < 0:
		return fmt.Errorf("history: the clock skew is %v, but must not be negative", r.Skew)
	case !r.loaded && r.in != nil:
		return fmt.Errorf("history: %s is larger than %d bytes, and a log that is sorted must not be: split it", r.file, maxText)
	}
	r.open()
	h := &held{events: r.events}
	next := r.events.next
	if t, ok := r.events.(*timeOrder); ok {
		var e event
		next = func() (*event, error) { return &e, t.lines.next(&e) }
	}
	for {
		e, err := next()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = r.place(e)
		}
		if err != nil {
			return err
		}
		kept := *e
		kept.values = slices.Clone(e.values)
		h.order = append(h.order, &kept)
	}
	slices.SortStableFunc(h.order, func(a, b *event) int {
		if c := a.time.compare(&b.time); c != 0 || a.call == b.call {
			return c
		}
		if a.call {
			return -1
		}
		return 1
	})
	r.events = h
	return nil
}

// place sees to it that an event has a place among those that are sorted.
func (r *Reader) place(e *event) error {
	switch {
	case e.time.text != "":
	case r.Skew != 0:
		return errorAt(e.pos, "the event has no time, and a clock skew is about the times of all events")
	default:
		return errorAt(e.pos, "the event has no time, and those of other lines go back: sort the log by time, or give all events times")
	}
	if r.Skew == 0 {
		return nil
	}
	scale := 0
	if t, ok := r.events.(*timeOrder); ok {
		if scale = t.scale; !t.united {
			return errorAt(e.pos, `the unit of times is not known, which a clock skew needs: say it on a line before all events, such as {"time": "ms"}; it is %s`, unitNames)
		}
	}
	n, ok := newDecimal(e.time.text).floor(scale)
	if !ok {
		return errorAt(e.pos, "time %s is more than %d nanoseconds", e.time.text, int64(math.MaxInt64))
	}
	d := int64(r.Skew)
	if e.call {
		d = -d
	}
	moved := n + d
	if (moved < n) != (d < 0) { // over the end, where it may as well stay
		moved = math.MaxInt64
		if d < 0 {
			moved = math.MinInt64
		}
	}
	e.time.n, e.time.whole = moved, true
	return nil
}

// unitNames are the units of times.
const unitNames = `"s", "ms", "us" or "ns"`

// setUnit takes the unit of times that a head says.
func (l *lines) setUnit(name string, pos Pos) error {
	scale, ok := map[string]int{"s": 9, "ms": 6, "us": 3, "ns": 0}[name]
	switch {
	case !ok:
		return errorAt(pos, "times are in %s, not %q", unitNames, name)
	case l.given:
		return errorAt(pos, `the unit of times must come before the first event`)
	}
	l.scale, l.united = scale, true
	return nil
}

// compareTimes compares two numbers.
func compareTimes(a, b string) int {
	x, y := newDecimal(a), newDecimal(b)
	switch {
	case x.sign != y.sign:
		return cmp.Compare(x.sign, y.sign)
	case x.point != y.point:
		return x.sign * cmp.Compare(x.point, y.point)
	}
	return x.sign * cmp.Compare(x.digits, y.digits)
}

// decimal is the number sign × 0.digits × 10^point. The digits neither begin nor end
// with zero.
type decimal struct {
	sign   int // -1, 0, 1
	digits string
	point  int
}

// mostPoint is where exponents end: a time beyond that is as good as infinite.
const mostPoint = 1 << 30

// newDecimal reads a number of JSON.
func newDecimal(text string) decimal {
	d := decimal{sign: 1}
	if rest, ok := strings.CutPrefix(text, "-"); ok {
		d.sign, text = -1, rest
	}
	exponent := 0
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		exponent, _ = strconv.Atoi(text[i+1:]) // out of range is the end of the range
		exponent = max(min(exponent, mostPoint), -mostPoint)
		text = text[:i]
	}
	whole, fraction, _ := strings.Cut(text, ".")
	digits := whole + fraction
	d.digits = strings.TrimLeft(digits, "0")
	d.point = len(whole) - (len(digits) - len(d.digits)) + exponent
	d.digits = strings.TrimRight(d.digits, "0")
	if d.digits == "" {
		return decimal{}
	}
	return d
}

// floor is the largest integer that is at most d × 10^scale, if it fits.
func (d decimal) floor(scale int) (n int64, ok bool) {
	point := d.point + scale
	if d.sign == 0 || point > len("9223372036854775807") {
		return 0, d.sign == 0
	}
	point = max(point, 0)
	digits := d.digits[:min(point, len(d.digits))]
	if n, ok = wholeTime(cmp.Or(digits+strings.Repeat("0", point-len(digits)), "0")); !ok {
		return 0, false
	}
	if n *= int64(d.sign); d.sign < 0 && len(d.digits) > len(digits) {
		n--
	}
	return n, true
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
