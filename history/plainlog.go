package history

import (
	"cmp"
	"errors"
	"strings"
)

// maxPlainLine is the length of a line that Reader need not look at whether it
// is too long.
const maxPlainLine = maxLine / 2

// errUnusual is why a log is for a Reader as a whole.
var errUnusual = errors.New("history: a log for a Reader")

// plainLog is a log in memory, text or JSON Lines. Its plain events are taken
// apart fast, without allocations, and other lines by a Reader.
type plainLog struct {
	src string
	at  int // where the next line begins
	rd  Reader

	line plainLine // at hand

	// Returns that have times wait until the time is over, for calls of the same
	// time are to come first.
	held   []plainLine
	now    stamp // time of the events before, "" if they have none
	last   stamp // of the last event that had one
	lastNo int   // its line
}

// plainLine is a line with an event.
type plainLine struct {
	plainEvent
	odd    *Event // if the event is not plain; then of plainEvent only call and time hold
	at, no int    // where the line begins, and its number
}

// each hands the log's events to take, in the order in which a Reader has them.
// It ends with the first error: that of take, what is wrong with a line, or
// errUnusual. What take is given changes after the call.
func (l *plainLog) each(take func(*plainLine) error) error {
	for l.at < len(l.src) {
		if err := l.next(take); err != nil {
			return err
		}
	}
	return l.release(take)
}

// next goes on by a line.
func (l *plainLog) next(take func(*plainLine) error) error {
	event, wrong := l.read()
	if wrong != nil {
		return cmp.Or(l.release(take), wrong)
	}
	if !event {
		return nil
	}
	return l.pass(take)
}

// read reads the next line; false if it has no event.
func (l *plainLog) read() (event bool, err error) {
	e := &l.line
	l.rd.no++
	e.odd, e.at, e.no = nil, l.at, l.rd.no
	next := -1
	if l.rd.format == jsonFormat {
		next = e.readJSON(l.src, l.at)
	} else if next = e.read(l.src, l.at); next >= 0 {
		l.rd.format = textFormat
	}
	if next < 0 {
		return l.readOdd()
	}
	if l.at = next; next-e.at > maxPlainLine {
		return false, errUnusual
	}
	l.rd.began = true
	e.doubt = e.quoted && !l.rd.declared
	return true, nil
}

// readOdd leaves the next line to the Reader.
func (l *plainLog) readOdd() (event bool, err error) {
	e := &l.line
	line := lineAt(l.src, l.at)
	if len(line) > maxPlainLine {
		return false, errUnusual
	}
	l.at += len(line) + 1
	ev, event, err := l.rd.parse([]byte(strings.TrimSuffix(line, "\r")))
	if event {
		e.odd, e.call, e.time = &ev, ev.Call, newStamp(ev.Time)
	}
	return event, err
}

// lineAt is the line that begins at a place, without its end.
func lineAt(src string, at int) string {
	if n := strings.IndexByte(src[at:], '\n'); n >= 0 {
		return src[at : at+n]
	}
	return src[at:]
}

// pos is the place of an event that is plain.
func (l *plainLog) pos(e *plainLine) Pos { return Pos{l.rd.file, e.no, e.indent + 1} }

// event is what a Reader makes of a line.
func (l *plainLog) event(e *plainLine) (*Event, error) {
	if e.odd != nil {
		return e.odd, nil
	}
	no := l.rd.no
	l.rd.no = e.no
	ev, _, err := l.rd.parse([]byte(strings.TrimSuffix(lineAt(l.src, e.at), "\r")))
	l.rd.no = no
	return &ev, err
}

// pass hands on the event at hand, or holds it, and those held before if their
// time is over.
func (l *plainLog) pass(take func(*plainLine) error) error {
	e := &l.line
	if timed := e.time.text != ""; timed != (l.now.text != "") || timed && e.time.compare(&l.now) != 0 {
		if err := l.release(take); err != nil {
			return err
		}
		l.now = e.time
	}
	if e.time.text == "" {
		return take(e)
	}
	if l.last.text != "" && e.time.compare(&l.last) < 0 {
		return l.decreasing(e)
	}
	l.last, l.lastNo = e.time, e.no
	if e.call {
		return take(e)
	}
	l.held = append(l.held, *e)
	return nil
}

func (l *plainLog) decreasing(e *plainLine) error {
	ev, err := l.event(e)
	if err != nil {
		return err
	}
	return errDecreasing(ev.Pos, ev.Time, l.last.text, l.lastNo)
}

// release hands on the events that are held.
func (l *plainLog) release(take func(*plainLine) error) error {
	for i := range l.held {
		if err := take(&l.held[i]); err != nil {
			return err
		}
	}
	l.held = l.held[:0]
	return nil
}
