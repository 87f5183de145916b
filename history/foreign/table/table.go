package table

import (
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/adtinfer/adtinfer/history"
)

// cell is a cell of a table.
type cell struct {
	text string
	pos  history.Pos
}

// separators are those of columns, in the order in which they are tried.
var separators = []rune{',', '\t', ';', '|'}

// table is a table as it was read.
type table struct {
	src, file string
	lines     []int // where each line begins
	columns   []column
	header    []cell // nil: there is none
	unit      int64  // of times, in nanoseconds; 0: nobody knows
	dates     int    // 1: times are dates, -1: numbers, 0: there was none yet
	events    []history.Event
	moments   []moment // by event
}

// Read reads a table into the calls and returns of a log, in the order of their times. An error is a *history.ParseError.
func Read(src, file string, o *Columns) ([]history.Event, error) {
	t := &table{src: src, file: file}
	for at := 0; at <= len(src); {
		t.lines = append(t.lines, at)
		n := strings.IndexByte(src[at:], '\n')
		if n < 0 {
			break
		}
		at += n + 1
	}
	if i := invalid(src); i >= 0 {
		line, _ := slices.BinarySearch(t.lines, i+1)
		return nil, t.wrong(t.place(line, i-t.lines[line-1]+1), "this is no UTF-8 text")
	}
	switch {
	case o != nil:
	case lincheck().MatchString(src):
		return t.lincheckEvents()
	case qcheck().MatchString(src):
		return nil, t.wrong(t.place(t.first(), 1), qcheckUnread)
	}
	rows, err := t.split(o)
	if err != nil {
		return nil, err
	}
	for i, row := range rows {
		if err := t.row(i+1, row); err != nil {
			return nil, err
		}
	}
	t.order()
	return t.events, nil
}

// invalid is where a text is no UTF-8, or -1.
func invalid(src string) int {
	for i, r := range src {
		if r == utf8.RuneError && !strings.HasPrefix(src[i:], "\ufffd") {
			return i
		}
	}
	return -1
}

func (t *table) wrong(pos history.Pos, msg string) error {
	return &history.ParseError{Pos: pos, Msg: msg}
}

// place is the position of a byte of a line; both count from 1.
func (t *table) place(line, column int) history.Pos {
	start := t.lines[line-1]
	end := min(start+column-1, len(t.src))
	return history.Pos{File: t.file, Line: line, Col: 1 + utf8.RuneCountInString(strings.TrimPrefix(t.src[start:end], "\ufeff"))}
}

// first is the number of the first line that is neither blank nor a comment.
func (t *table) first() int {
	for i, at := range t.lines {
		line, _, _ := strings.Cut(strings.TrimPrefix(t.src[at:], "\ufeff"), "\n")
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return i + 1
		}
	}
	return 1
}

// split reads the rows and what the columns hold.
func (t *table) split(o *Columns) (rows [][]cell, err error) {
	sep, err := t.separator(o)
	if err != nil {
		return nil, err
	}
	if rows, err = t.rows(sep, -1); err != nil {
		return nil, err
	}
	if t.header != nil {
		rows = rows[1:]
	}
	for _, c := range t.columns {
		t.unit = max(t.unit, units[c.unit])
	}
	return rows, nil
}

// separator is the first that makes sense of the first row, best with a time where one belongs. If none does, the one
// with the most columns says what is wrong.
func (t *table) separator(o *Columns) (chosen rune, err error) {
	err = t.wrong(t.place(1, 1), "there is nothing in this table")
	most := 0
	for _, sep := range separators {
		head, bad := t.rows(sep, 1)
		n := len(slices.Concat(head...))
		switch {
		case bad == nil && n == 0:
			continue
		case bad == nil:
			bad = t.name(head[0], o)
		}
		switch {
		case bad == nil && (t.header != nil || t.timed(head[0])):
			return sep, nil
		case bad == nil && chosen == 0:
			chosen = sep
		case bad != nil && n >= most:
			err, most = bad, n+1
		}
	}
	if chosen != 0 {
		return chosen, nil
	}
	return 0, err
}

// timed reports whether a row has a time for its call.
func (t *table) timed(row []cell) bool {
	_, err := momentOf(row[slices.IndexFunc(t.columns, func(c column) bool { return c.role == callColumn })].text)
	return err == nil
}

// name says what the columns are, by the first row. If they make no sense, there are none, and the error says why as far as the
// row is one of a table at all.
func (t *table) name(row []cell, o *Columns) error {
	if o != nil && o.inOrder != nil {
		if len(row) == len(o.inOrder) {
			t.columns = o.inOrder
			return nil
		}
		return t.wrong(row[0].pos, "the first row has "+counted(len(row), "column")+", and --columns names "+strconv.Itoa(len(o.inOrder)))
	}
	var columns []column
	var unknown *cell
	known := 0
	for i := range row {
		var c column
		ok := false
		if o != nil {
			c, ok = o.named[row[i].text]
		}
		if !ok {
			c, ok = columnOf(row[i].text)
		}
		if ok {
			known++
		} else if unknown == nil {
			unknown = &row[i]
		}
		columns = append(columns, c)
	}
	switch msg := lacks(columns); {
	case known < 2:
		return t.wrong(row[0].pos, "the first row does not name columns such as process, call, return, method, arguments and answer: add such a row, or name the columns in their order with --columns")
	case unknown != nil:
		return t.wrong(unknown.pos, "what the column "+strconv.Quote(unknown.text)+" holds is not known: say so with --columns "+strconv.Quote(unknown.text+"=COLUMN")+", where - leaves it out")
	case msg != "":
		return t.wrong(row[0].pos, msg)
	}
	if o != nil {
		for header := range o.named {
			if !slices.ContainsFunc(row, func(c cell) bool { return c.text == header }) {
				return t.wrong(row[0].pos, "--columns names "+strconv.Quote(header)+", and there is no such column")
			}
		}
	}
	t.columns, t.header = columns, row
	return nil
}

func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return strconv.Itoa(n) + " " + what
}

// rows reads so many rows, or all.
func (t *table) rows(sep rune, most int) (rows [][]cell, err error) {
	if sep == '|' {
		return t.ruled(most)
	}
	skipped := len(t.src) - len(strings.TrimPrefix(t.src, "\ufeff"))
	r := csv.NewReader(strings.NewReader(t.src[skipped:]))
	r.Comma, r.Comment, r.FieldsPerRecord, r.TrimLeadingSpace = sep, '#', -1, sep != '\t'
	for most < 0 || len(rows) < most {
		record, err := r.Read()
		if err == io.EOF {
			return rows, nil
		}
		var bad *csv.ParseError
		if errors.As(err, &bad) {
			return nil, t.wrong(t.place(bad.Line, max(bad.Column, 1)), "no row of a table as in RFC 4180: "+bad.Err.Error())
		}
		if err != nil {
			return nil, err
		}
		if len(record) == 1 && strings.TrimSpace(record[0]) == "" {
			continue
		}
		row := make([]cell, len(record))
		for i, text := range record {
			line, column := r.FieldPos(i)
			if line == 1 {
				column += skipped
			}
			row[i] = cell{strings.TrimSpace(text), t.place(line, column)}
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// ruled reads a table of lines | a | b |, in which \| is part of a cell. Lines of - and + are drawn.
func (t *table) ruled(most int) (rows [][]cell, err error) {
	for i, at := range t.lines {
		line, _, _ := strings.Cut(t.src[at:], "\n")
		text := strings.TrimSpace(strings.TrimPrefix(line, "\ufeff"))
		if text == "" || text[0] == '#' || strings.Trim(text, "|+-=: \t") == "" {
			continue
		}
		if most >= 0 && len(rows) == most {
			break
		}
		var row []cell
		start, end := strings.Index(line, text), strings.Index(line, text)+len(text)
		if text[0] == '|' {
			start++
		}
		if len(text) > 1 && text[len(text)-1] == '|' && text[len(text)-2] != '\\' {
			end--
		}
		for from := start; from <= end; {
			to := from
			for to < end && (line[to] != '|' || to > from && line[to-1] == '\\') {
				to++
			}
			own := line[from:to]
			blank := len(own) - len(strings.TrimLeft(own, " \t"))
			row = append(row, cell{strings.ReplaceAll(strings.TrimSpace(own), `\|`, "|"), t.place(i+1, from+blank+1)})
			from = to + 1
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// order has events come in the order of their times: of those at the same time nobody knows which was first, so that calls come
// before returns, and the operations overlap.
func (t *table) order() {
	order := make([]int, len(t.events))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := &t.events[i], &t.events[j]
		if c := t.moments[i].compare(t.moments[j]); c != 0 || a.Call == b.Call {
			return c
		} else if a.Call {
			return -1
		}
		return 1
	})
	events := make([]history.Event, len(order))
	for to, from := range order {
		events[to] = t.events[from]
	}
	t.events = events
}
