package history

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// lines reads the events of a log of lines, text or JSON Lines, from memory or
// from a stream, of which it holds a block of lines at a time. It is JSON Lines if the
// first line that is not blank and no comment starts with "{".
type lines struct {
	file string
	src  string    // the log in memory, or what was read of it
	rest int       // where its next line begins
	in   io.Reader // the log as a stream, if it is not in memory
	room []byte    // whose first bytes are src; more goes behind them
	no   int       // of the line at hand
	cut  bool      // the line at hand has no end
	end  error     // what comes after src; nil if that is still to be read

	isJSON, isText bool
	naming              // of objects
	scale          int  // a unit of time is 10^scale nanoseconds
	united         bool // the log says so
	growing        bool // the log may end in the middle of a line
	words

	text textLine // at hand, one or the other
	json jsonLine
}

// cursor is a place in a line whose event is read.
type cursor struct {
	e    *event
	line string // without the blanks at its end
	at   int
	all  byte // 0x80 if there may be characters beyond ASCII
	more bool // the line goes on after what is in line
}

// set moves to a place in a line. It sets fields one by one, which takes a fraction
// of what copying a new cursor does.
func (c *cursor) set(e *event, line string, at int, more bool) {
	c.e, c.line, c.at, c.all, c.more = e, line, at, 0, more
}

// digits moves past a number of at most 18 digits, and only digits, that does not
// begin with zero. The text is empty if there is none at hand.
func (c *cursor) digits() (text string, n int64) {
	s, i := c.line[c.at:], 0
	for i < len(s) && s[i]-'0' <= 9 {
		n = n*10 + int64(s[i]-'0')
		i++
	}
	if i == 0 || i > 18 || s[0] == '0' || i < len(s) && (s[i] == '.' || s[i]|0x20 == 'e') {
		return "", 0
	}
	c.at += i
	return s[:i], n
}

// newLines reads a log src that ends with an error, or in if that is not nil.
func newLines(file, src string, in io.Reader, end error) *lines {
	l := &lines{file: file, src: src, in: in, end: end}
	l.text.lines, l.json.lines = l, l
	return l
}

// maxLine is the length in bytes of the lines that are too long.
const maxLine = 16 << 20

func (l *lines) tail() string { return "" }

func (l *lines) place() (at, size int) {
	if l.in != nil {
		return 1, 2 // nobody knows
	}
	return max(l.rest, 1), len(l.src)
}

// next is the next event in the order of the file.
func (l *lines) next(e *event) error {
	for {
		if read, ok := l.usual(e); ok {
			return nil
		} else if read {
			continue
		}
		line, err := l.nextLine()
		if err != nil {
			return err
		}
		if ok, err := l.parse(line, e); ok || err != nil {
			return err
		}
	}
}

// window is how many bytes a usual line has at most.
const window = 512

// usual reads the next line, if it is in memory, without looking for its end first,
// if it turns out to have nothing wrong with it. Otherwise read is false, and the
// line is to be read by parse; ok is false if it has no event.
func (l *lines) usual(e *event) (read, ok bool) {
	if !l.isText && !l.isJSON || l.rest == len(l.src) {
		return false, false
	}
	line := l.src[l.rest:min(l.rest+window, len(l.src))]
	if l.isText {
		e.begin(Pos{l.file, l.no + 1, 1}, line)
		end := e.quick(line)
		if end < 0 {
			return false, false
		}
		l.no++
		l.rest += end
		return true, true
	}
	more := l.end == nil || l.rest+len(line) < len(l.src)
	start := 0
	for start < len(line) && (line[start] == ' ' || line[start] == '\t') {
		start++
	}
	if start == len(line) || line[start] != '{' {
		return false, false // a comment, say
	}
	e.begin(Pos{l.file, l.no + 1, start + 1}, line)
	j := &l.json
	j.set(e, line, start, more)
	l.no++
	ok, err := j.read()
	if err != nil || j.all >= utf8.RuneSelf && !utf8.ValidString(line[:j.at]) {
		l.no--
		return false, false
	}
	l.rest = min(l.rest+j.at+1, len(l.src))
	return true, ok
}

// nextLine is the next line without its end.
func (l *lines) nextLine() (line string, err error) {
	n := strings.IndexByte(l.src[l.rest:], '\n')
	for n < 0 && l.end == nil && len(l.src)-l.rest < maxLine {
		from := len(l.src) - l.rest
		l.read()
		if n = strings.IndexByte(l.src[l.rest+from:], '\n'); n >= 0 {
			n += from
		}
	}
	line = l.src[l.rest:]
	switch l.cut = n < 0; {
	case !l.cut:
		line = line[:n]
		l.rest += n + 1
	case line == "" || l.end != nil && l.end != io.EOF: // a line that nobody read to its end says nothing
		return "", l.ended(l.end)
	default:
		l.rest = len(l.src)
	}
	if len(line) >= maxLine {
		return "", errorAt(Pos{l.file, l.no + 1, 1}, "the line is longer than %d bytes", maxLine)
	}
	l.no++
	line = strings.TrimSuffix(line, "\r")
	if l.no == 1 {
		line = strings.TrimPrefix(line, "\ufeff")
	}
	return line, nil
}

// readSize is how much of a stream is read at once, and stays in memory as long as
// some text of it is in use.
const readSize = 64 << 10

// read reads what there is of a stream, behind what is left of it.
func (l *lines) read() {
	if cap(l.room)-len(l.room) < readSize/8 {
		left := l.src[l.rest:]
		l.room = append(make([]byte, 0, readSize+2*len(left)), left...)
		l.rest = 0
	}
	for range 100 {
		n, err := l.in.Read(l.room[len(l.room):cap(l.room)])
		l.room, l.end = l.room[:len(l.room)+n], err
		if n > 0 || err != nil {
			break
		}
		l.end = io.ErrNoProgress // if it goes on so
	}
	// The bytes of src are never written again: what is read goes behind them.
	l.src = unsafe.String(unsafe.SliceData(l.room), len(l.room))
}

// ended is what to say after the last line.
func (l *lines) ended(err error) error {
	if err == io.EOF {
		return err
	}
	return fmt.Errorf("history: reading %s after line %d: %w", l.file, l.no, err)
}

// parse reads the event of a line; ok is false if it has none.
func (l *lines) parse(line string, e *event) (ok bool, err error) {
	start, end := 0, len(line)
	for start < end && (line[start] == ' ' || line[start] == '\t') {
		start++
	}
	for end > start && (line[end-1] == ' ' || line[end-1] == '\t' || line[end-1] == '\r') {
		end--
	}
	if start == end {
		return false, nil
	}
	e.begin(Pos{l.file, l.no, start + 1}, line)
	ascii := false
	switch {
	case line[start] == '#':
		err = l.comment(line[start:end], e.pos)
	case l.cut && l.growing:
		err = errorAt(Pos{l.file, l.no, utf8.RuneCountInString(line) + 1}, "the log ends in the middle of this line")
	case l.isJSON || !l.isText && line[start] == '{':
		l.isJSON = true
		l.json.set(e, line[:end], start, false)
		ok, err = l.json.read()
		ascii = l.json.all < utf8.RuneSelf
	default:
		l.isText = true
		l.text.set(e, line[:end], start, false)
		ok, err = true, l.text.read()
		ascii = l.text.all < utf8.RuneSelf
	}
	if (err != nil || !ascii) && !utf8.ValidString(line) {
		err = errorAt(Pos{l.file, l.no, 1}, "the line is not UTF-8 text")
		if l.no == 1 && (strings.HasPrefix(line, "\xff\xfe") || strings.HasPrefix(line, "\xfe\xff")) {
			err = errorAt(Pos{l.file, 1, 1}, "the file is UTF-16; logs are UTF-8: iconv -f UTF-16 -t UTF-8 converts it")
		}
	}
	return ok, err
}

// comment looks for "# @object NAME".
func (l *lines) comment(line string, pos Pos) error {
	rest, ok := strings.CutPrefix(strings.TrimLeft(line, "# \t"), "@object")
	if !ok || rest == "" || strings.TrimLeft(rest, " \t") == rest {
		return nil
	}
	return l.setObject(strings.TrimSpace(rest), pos)
}
