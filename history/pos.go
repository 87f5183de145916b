package history

import (
	"fmt"
	"strconv"
)

// Pos is a place in a file a person or program wrote. Line and Col count from
// 1, Col in characters; the zero Pos means "not from a file". With Col 0, Line
// counts the events of a log that has no lines.
type Pos struct {
	File      string
	Line, Col int
}

// String is "file:line:col", or "line:col" without a file, or "file: event n".
func (p Pos) String() string {
	if p.Col == 0 && p.Line > 0 {
		return p.File + ": event " + strconv.Itoa(p.Line)
	}
	s := strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Col)
	if p.File == "" {
		return s
	}
	return p.File + ":" + s
}

// ParseError says where a log or drawing is wrong, and what to do about it.
type ParseError struct {
	Pos Pos
	Msg string

	Method string // the method that a signature does not have, if that is what is wrong
	Old    bool   // an old log may say so; see Reader.OldWords
}

// Error is "file:line:col: message".
func (e *ParseError) Error() string { return e.Pos.String() + ": " + e.Msg }

func errorAt(p Pos, format string, args ...any) *ParseError {
	return &ParseError{Pos: p, Msg: fmt.Sprintf(format, args...)}
}
