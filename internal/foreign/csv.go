package foreign

import (
	"errors"
	"io"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/foreign/table"
)

// namedTable reports whether a file is called a table and does not begin as a log of ours, so that what is wrong is said of
// a table.
func namedTable(name, head string) bool {
	line, _ := firstLine(strings.TrimPrefix(head, "\ufeff"))
	return (strings.HasSuffix(name, ".csv") || strings.HasSuffix(name, ".tsv")) && line != "" && line[0] != '{' && !ourEvent().MatchString(line)
}

// fromTable gives the events of a table, which is read with the first of them. A table says what is an argument and what an answer, so that
// it needs no assembler.
func fromTable(r io.Reader, name string, o Options) func() (*history.Event, error) {
	var events []history.Event
	read, at := false, -1
	return func() (*history.Event, error) {
		if !read {
			var src strings.Builder
			src.Grow(min(size(r), maxFile+1))
			if n, err := io.Copy(&src, io.LimitReader(r, maxFile+1)); err != nil {
				return nil, err
			} else if n > maxFile {
				return nil, errors.New(name + " has more than 2 GB; split it where no operation is open")
			}
			var err error
			if events, err = table.Read(src.String(), name, o.Columns); err != nil {
				return nil, err
			}
			if read = true; o.Skewed && len(events) > 0 && !events[0].Timed {
				return nil, &history.ParseError{Pos: events[0].Pos, Msg: "the unit of times is not known, which a clock skew needs: name the columns call_ms and return_ms, or say call:ms and return:ms with --columns"}
			}
		}
		if at++; at >= len(events) {
			return nil, io.EOF
		}
		return &events[at], nil
	}
}
