package table

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// operation is a row.
type operation struct {
	call, ret moment
	pending   bool
	event     history.Event // what call and return share
	arguments []history.Value
	answer    []history.Value
	called    bool // the arguments are with the method
	at        map[role]history.Pos
}

// row reads a row, which is so many behind the header.
func (t *table) row(number int, row []cell) error {
	if len(row) != len(t.columns) {
		return t.wrong(row[min(len(row), len(t.columns))-1].pos, fmt.Sprintf("this row has %s, and the table %d", counted(len(row), "cell"), len(t.columns)))
	}
	o := operation{at: map[role]history.Pos{}, event: history.Event{Op: strconv.Itoa(number)}}
	for i, c := range row {
		if o.at[t.columns[i].role].Line == 0 {
			o.at[t.columns[i].role] = c.pos
		}
		if err := t.cell(&o, t.columns[i].role, c); err != nil {
			return err
		}
	}
	switch {
	case o.event.Method == "":
		return t.wrong(o.at[methodColumn], "this row names no method")
	case !o.pending && o.ret.compare(o.call) < 0:
		return t.wrong(o.at[returnColumn], "this operation returned before it was called")
	case o.pending && len(o.answer) > 0:
		return t.wrong(o.at[answerColumn], "this operation has an answer, and no time at which it returned")
	}
	return t.add(&o)
}

// cell reads a cell.
func (t *table) cell(o *operation, r role, c cell) (err error) {
	switch r {
	case callColumn:
		if c.text == "" {
			return t.wrong(c.pos, "this row does not say when the operation was called")
		}
		o.call, err = t.time(c)
	case returnColumn:
		if o.pending = c.text == ""; !o.pending {
			o.ret, err = t.time(c)
		}
	case processColumn:
		o.event.Process = c.text
	case objectColumn:
		if o.event.Object = c.text; c.text == "" {
			err = t.wrong(c.pos, "this row names no object")
		}
	case idColumn:
		if o.event.Op = c.text; c.text == "" {
			err = t.wrong(c.pos, "this row has no id")
		}
	case methodColumn:
		err = t.method(o, c)
	case argumentsColumn:
		var values []history.Value
		if values, _, err = t.values(c); len(values) > 0 && o.called {
			return t.wrong(c.pos, twice)
		}
		o.arguments = append(o.arguments, values...)
	case answerColumn:
		values, quoted, bad := t.values(c)
		err = bad
		o.event.Quoted |= quoted << len(o.answer)
		o.answer = append(o.answer, values...)
	}
	return err
}

// method reads a method, or a call such as add(1, 2).
func (t *table) method(o *operation, c cell) error {
	name, rest, call := strings.Cut(c.text, "(")
	o.event.Method = strings.TrimSpace(name)
	if !call {
		return nil
	}
	inner, closed := strings.CutSuffix(rest, ")")
	if !closed {
		return t.wrong(c.pos, shorten(c.text)+" is neither a method nor a call such as add(1)")
	}
	values, _, err := t.values(cell{strings.TrimSpace(inner), c.pos})
	if o.called = len(values) > 0; o.called && len(o.arguments) > 0 {
		return t.wrong(c.pos, twice)
	}
	o.arguments = append(o.arguments, values...)
	return err
}

const twice = "this row has arguments both with its method and in a column of their own"

// time reads a time. All are dates, or none.
func (t *table) time(c cell) (moment, error) {
	m, err := momentOf(c.text)
	if err != nil {
		return m, t.wrong(c.pos, err.Error())
	}
	kind := -1
	if m.date {
		kind = 1
	}
	if t.dates == -kind {
		return m, t.wrong(c.pos, "some times of this table are numbers and others dates, so that their order is not known")
	}
	t.dates = kind
	if m.date && t.unit != 0 && t.unit != 1e9 {
		return m, t.wrong(c.pos, "the column has a unit of times, and this is a date")
	}
	return m, nil
}

// add makes a row call and return.
func (t *table) add(o *operation) error {
	if err := t.stamp(t.call(o), o.call, o.at[callColumn]); err != nil || o.pending {
		return err
	}
	return t.stamp(t.ret(o), o.ret, o.at[returnColumn])
}

// call adds the call of an operation, without its time.
func (t *table) call(o *operation) *history.Event {
	x := o.event
	x.Call, x.Pos, x.Values = true, o.at[methodColumn], o.arguments
	t.events = append(t.events, x)
	return &t.events[len(t.events)-1]
}

// ret adds the return of an operation, without its time.
func (t *table) ret(o *operation) *history.Event {
	x := o.event
	x.Method, x.Values, x.Pos = "", o.answer, o.at[answerColumn]
	if x.Pos.Line == 0 {
		x.Pos = o.at[returnColumn]
	}
	t.events = append(t.events, x)
	return &t.events[len(t.events)-1]
}

// stamp gives an event its time, if its unit is known.
func (t *table) stamp(x *history.Event, m moment, pos history.Pos) error {
	unit := t.unit
	t.moments = append(t.moments, m)
	if m.date {
		unit = 1e9
	}
	if unit == 0 {
		return nil
	}
	if x.Time, x.Timed = m.nanoseconds(unit); !x.Timed {
		return t.wrong(pos, "this time has more than 64 bits in nanoseconds")
	}
	return nil
}

// values reads values with commas between them, as a text log has them; but blanks may be in a value.
// An error, which may say anything, is the last one.
func (t *table) values(c cell) (all []history.Value, quoted uint64, err error) {
	for text := c.text; text != ""; {
		if strings.HasPrefix(text, "error:") {
			return append(all, history.Value(text)), quoted, nil
		}
		v, rest, ok := value(text)
		if !ok {
			return nil, 0, t.wrong(c.pos, "values in "+shorten(c.text)+" have commas between them, matching brackets, and quotes around other text")
		}
		if text[0] == '"' {
			quoted |= 1 << len(all)
		}
		all = append(all, history.Value(v))
		text = rest
	}
	return all, quoted, nil
}

// value cuts the first value off, with the comma after it.
func value(text string) (v, rest string, ok bool) {
	if text[0] == '"' {
		quoted, err := strconv.QuotedPrefix(text)
		if err != nil {
			return "", "", false
		}
		v, _ = strconv.Unquote(quoted)
		rest = strings.TrimSpace(text[len(quoted):])
		after, comma := strings.CutPrefix(rest, ",")
		after = strings.TrimSpace(after)
		return v, after, rest == "" || comma && after != ""
	}
	var open []byte
	end := len(text)
	for i := 0; i < len(text) && end == len(text); i++ {
		switch c := text[i]; {
		case c == '"' && len(open) > 0:
			quoted, err := strconv.QuotedPrefix(text[i:])
			if err != nil {
				return "", "", false
			}
			i += len(quoted) - 1
		case c == '"':
			return "", "", false
		case strings.IndexByte("([{", c) >= 0:
			open = append(open, map[byte]byte{'(': ')', '[': ']', '{': '}'}[c])
		case strings.IndexByte(")]}", c) >= 0:
			if len(open) == 0 || open[len(open)-1] != c {
				return "", "", false
			}
			open = open[:len(open)-1]
		case c == ',' && len(open) == 0:
			end = i
		}
	}
	v, rest = strings.TrimSpace(text[:end]), ""
	if end < len(text) {
		if rest = strings.TrimSpace(text[end+1:]); rest == "" {
			return "", "", false
		}
	}
	return v, rest, len(open) == 0 && v != ""
}

var (
	lincheck = wording.Regexp(`(?m)^[ \t]*(= Invalid execution results =|Parallel part:|\|[ \t]*Thread 1[ \t]*\|)`)
	qcheck   = wording.Regexp(`(?m)Results incompatible with linearized model|^[ \t]*\.-{5,}\.[ \t]*\r?$`)
)

const qcheckUnread = "this is a drawing of qcheck-lin or qcheck-stm: two sequences in parallel, and nothing says which of their operations overlapped, so that it is no history; record times, or name call and return columns"

// Recognize reports whether a file begins as a table does whose columns are named, or as what Lincheck and qcheck print.
func Recognize(head string) bool {
	if lincheck().MatchString(head) || qcheck().MatchString(head) {
		return true
	}
	line, _, _ := strings.Cut(strings.TrimLeft(strings.TrimPrefix(head, "\ufeff"), " \t\r\n"), "\n")
	for strings.HasPrefix(strings.TrimSpace(line), "#") || strings.HasPrefix(line, "+-") {
		_, head, _ = strings.Cut(head, "\n")
		line, _, _ = strings.Cut(head, "\n")
	}
	t := &table{src: line, lines: []int{0}}
	for _, sep := range separators {
		rows, err := t.rows(sep, 1)
		if err == nil && len(rows) == 1 && len(rows[0]) > 2 && names(rows[0]) {
			return true
		}
	}
	return false
}

// names reports whether cells name columns of calls, returns and methods.
func names(row []cell) bool {
	seen := map[role]bool{}
	for _, c := range row {
		c, _ := columnOf(c.text)
		seen[c.role] = true
	}
	return seen[callColumn] && seen[returnColumn] && seen[methodColumn]
}
