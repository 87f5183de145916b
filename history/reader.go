package history

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Event is one call or return as a log has it.
type Event struct {
	Op      string // the operation's identifier
	Call    bool   // false: return
	Method  string // of a call; of a return only if the log repeats it
	Args    []Raw  // of a call
	Rets    []Raw  // of a return
	Process string // the thread or client, "" if the log does not say
	Time    string // a number, "" if the log does not say
	Pos     Pos

	methodCol, valuesCol int  // where they are on the line; 0 unknown
	doubt                bool // the first of Rets may be an outcome of an old log; see Format
	passed               bool // if there is doubt: a call had it as an argument
	said                 int  // if there is doubt: the line that first had an outcome in a field, or 0
}

// maxLine is the length in bytes of the longest line a Reader accepts.
const maxLine = 16 << 20

// Reader reads a log event by event, in either format: JSON Lines if the first
// line that is not blank and no comment starts with "{", text otherwise. It
// holds one line at a time, so a log may be larger than memory.
type Reader struct {
	file   string
	lines  *bufio.Scanner
	no     int
	format format
	object string
	times  timeOrder
	raws   []Raw // spare room for the values of events to come
	err    error // what Next returns from now on

	// Which words a JSON Lines log has; see Format.
	old      bool            // the log is read as an old one
	declared bool            // the log says its format
	began    bool            // there were events
	said     int             // the line that first has an outcome in a field
	words    map[string]bool // arguments that could name outcomes, if the log may be an old one

	growing bool // the log may end in the middle of a line
	cut     bool // the line at hand has no end
	careful bool // plain lines are taken apart like others, for tests
}

// format is how a log is written.
type format int

const (
	unknownFormat format = iota
	textFormat
	jsonFormat
)

// NewReader reads the log r; file is its name in errors.
func NewReader(r io.Reader, file string) *Reader {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 64<<10), maxLine)
	rd := &Reader{file: file, lines: lines}
	lines.Split(rd.split)
	rd.times.read = rd.read
	return rd
}

// NewGrowingReader reads a log that somebody is still writing. If it ends in the
// middle of a line that is an error, even if the part could be read: it may say
// something else than the line was to say.
func NewGrowingReader(r io.Reader, file string) *Reader {
	rd := NewReader(r, file)
	rd.growing = true
	return rd
}

// split finds the end of a line, and notices if there is none.
func (r *Reader) split(data []byte, atEOF bool) (int, []byte, error) {
	n, line, err := bufio.ScanLines(data, atEOF)
	r.cut = n > 0 && data[n-1] != '\n'
	return n, line, err
}

// Object is what "# @object NAME" said so far, or "".
func (r *Reader) Object() string { return r.object }

// Next is the next event, or io.EOF after the last one. Other errors are a
// *ParseError, or come from the underlying reader; an error is final. Events
// that have the same time come calls first, since none of them is known to
// precede another.
func (r *Reader) Next() (Event, error) { return r.times.pass() }

// read is the next event in the order of the file.
func (r *Reader) read() (Event, error) {
	if r.err != nil {
		return Event{}, r.err
	}
	for r.lines.Scan() {
		r.no++
		e, ok, err := r.parse(r.lines.Bytes())
		if err != nil {
			r.err = err
			return Event{}, err
		}
		if ok {
			return e, nil
		}
	}
	r.err = r.ended()
	return Event{}, r.err
}

// ended tells why there are no more lines.
func (r *Reader) ended() error {
	switch err := r.lines.Err(); {
	case err == nil:
		return io.EOF
	case errors.Is(err, bufio.ErrTooLong):
		return errorAt(Pos{r.file, r.no + 1, 1}, "the line is longer than %d bytes", maxLine)
	default:
		return fmt.Errorf("history: reading %s after line %d: %w", r.file, r.no, err)
	}
}

// parse reads one line; ok is false if it has no event.
func (r *Reader) parse(raw []byte) (e Event, ok bool, err error) {
	if r.no == 1 {
		raw = bytes.TrimPrefix(raw, []byte("\ufeff"))
	}
	if !utf8.Valid(raw) {
		return e, false, errorAt(Pos{r.file, r.no, 1}, "the line is not UTF-8 text")
	}
	indent := len(raw) - len(bytes.TrimLeft(raw, " \t"))
	body := bytes.TrimRight(raw[indent:], " \t\r")
	switch {
	case len(body) == 0:
		return e, false, nil
	case body[0] == '#':
		return e, false, r.comment(string(body), indent)
	case r.cut && r.growing:
		return e, false, errorAt(Pos{r.file, r.no, utf8.RuneCount(raw) + 1}, "the log ends in the middle of this line")
	}
	if r.format == unknownFormat {
		r.format = textFormat
		if body[0] == '{' {
			r.format = jsonFormat
		}
	}
	line := string(body)
	if e, ok = r.plain(line, indent); ok {
		r.began = true
		return e, true, nil
	}
	if r.format == jsonFormat {
		return r.parseJSON(body, indent)
	}
	text := textLine{r: r, line: line, indent: indent}
	e, err = text.parse()
	return e, err == nil, err
}

// comment looks for "# @object NAME".
func (r *Reader) comment(line string, indent int) error {
	rest, ok := strings.CutPrefix(strings.TrimLeft(line, "# \t"), "@object")
	if !ok || rest == "" || strings.TrimLeft(rest, " \t") == rest {
		return nil
	}
	return r.setObject(strings.TrimSpace(rest), Pos{r.file, r.no, indent + 1})
}

func (r *Reader) setObject(name string, pos Pos) error {
	if r.object != "" && r.object != name {
		return errorAt(pos, "the log is of object %q and of object %q; split it", r.object, name)
	}
	r.object = name
	return nil
}

// keep moves the values of one event to where they stay, without an
// allocation for each event.
func (r *Reader) keep(vs []Raw) []Raw {
	if len(vs) == 0 {
		return nil
	}
	if len(vs) > cap(r.raws)-len(r.raws) {
		r.raws = make([]Raw, 0, max(256, len(vs)))
	}
	n := len(r.raws)
	r.raws = append(r.raws, vs...)
	return r.raws[n:len(r.raws):len(r.raws)]
}
