package foreign

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/history/foreign/table"
)

// maxFile is how long a file may be.
const maxFile = 1<<31 - 2

// New reads a history that another tool recorded; without a format and with none that is recognized, a log of ours. The
// whole file is read before its first event is there. The methods, if there are any, tell arguments from answers.
func New(r io.Reader, name string, o Options, methods history.Signature) *history.Reader {
	own := limitsOf(r)
	if o.Format == "" {
		head, err := first(r)
		if o.Format = Recognize(head); o.Format == "" {
			o.Format = named(name, head)
		}
		if !again(r) {
			r = struct {
				io.Reader
				limits
			}{io.MultiReader(strings.NewReader(head), failing{err}, r), own}
		}
	}
	switch own := o.Format == "" || o.Format == Violin; {
	case own && len(o.Outcomes) > 0:
		return refusing(name, "this is a log of adtinfer's own, where outcomes have their own names (- is nil): leave out --outcome, which is about histories of other tools; if it is one of those, name the tool with --from")
	case own:
		return history.NewReader(r, name)
	case o.Followed:
		return refusing(name, "this is a history of "+string(o.Format)+", which is read as a whole: check it without --follow, once it is complete")
	}
	if o.Format == CSV {
		return history.NewImported(fromTable(r, name, o))
	}
	var a *assembler
	return history.NewImported(func() (*history.Event, error) {
		if a == nil {
			var err error
			if a, err = load(r, name, o, methods); err != nil {
				return nil, err
			}
		}
		if err := own.Stopped(); err != nil {
			return nil, err
		}
		return a.next()
	})
}

// limits are those that package history asks a reader for.
type limits interface {
	Stopped() error
	Room(bytes int) error
}

type unlimited struct{}

func (unlimited) Stopped() error { return nil }
func (unlimited) Room(int) error { return nil }

func limitsOf(r io.Reader) limits {
	if l, ok := r.(limits); ok {
		return l
	}
	return unlimited{}
}

// refusing is a log that is not read.
func refusing(name, why string) *history.Reader {
	return history.NewImported(func() (*history.Event, error) {
		return nil, &history.ParseError{Pos: history.Pos{File: name, Line: 1, Col: 1}, Msg: why}
	})
}

// again reports whether a file can be read once more from its beginning, where it is now.
func again(r io.Reader) bool {
	f, ok := r.(io.Seeker)
	if !ok {
		return false
	}
	_, err := f.Seek(0, io.SeekStart)
	return err == nil
}

// first reads what comes first of a file, with something to recognize.
func first(r io.Reader) (string, error) {
	var head []byte
	buf := make([]byte, 4096)
	for len(head) < 1<<16 {
		n, err := r.Read(buf)
		head = append(head, buf[:n]...)
		if err != nil {
			return string(head), err
		}
		if line := bytes.LastIndexByte(head, '\n'); line > 0 && len(bytes.TrimSpace(head[:line])) > 0 || len(head) >= 4096 {
			break // before somebody who follows the log waits for more
		}
	}
	return string(head), nil
}

// failing fails as a read before did.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) {
	if f.err == nil {
		return 0, io.EOF
	}
	return 0, f.err
}

// size is how much there is to read, or 0 if nobody knows.
func size(r io.Reader) int {
	switch r := r.(type) {
	case interface{ Len() int }:
		return r.Len()
	case interface{ Stat() (fs.FileInfo, error) }:
		if info, err := r.Stat(); err == nil && info.Mode().IsRegular() {
			return int(min(info.Size(), maxFile+1))
		}
	}
	return 0
}

// load reads a whole file.
func load(r io.Reader, name string, o Options, methods history.Signature) (*assembler, error) {
	parse := o.Format.parser()
	if parse == nil {
		return nil, fmt.Errorf("%s: histories of the format %q are not read; use one of %v", name, o.Format, Formats())
	}
	own := limitsOf(r)
	if err := own.Room(min(size(r), maxFile+1)); err != nil {
		return nil, err
	}
	var src strings.Builder
	src.Grow(min(size(r), maxFile+1))
	if n, err := io.Copy(&src, io.LimitReader(r, maxFile+1)); err != nil {
		return nil, err
	} else if n > maxFile {
		return nil, errors.New(name + " has more than 2 GB; split it where no operation is open")
	}
	if o.Skewed && o.Format == FPTLin {
		return nil, &history.ParseError{Pos: history.Pos{File: name, Line: 1, Col: 1}, Msg: "FPTLin does not say the unit of its times, which a clock skew needs"}
	}
	a := newAssembler(name, o, methods)
	add := func(r *record) error {
		if err := own.Stopped(); err != nil {
			return err
		}
		return a.add(r)
	}
	if err := parse(src.String(), name, add); err != nil {
		return nil, err
	}
	return a, a.pair()
}

// named is the format that a file has by its name, if it does not begin as a log of ours, so that what is wrong is said of that
// format.
func named(name, head string) Format {
	line, _ := firstLine(strings.TrimPrefix(head, "\ufeff"))
	if line == "" || ourEvent().MatchString(line) {
		return ""
	}
	switch name = strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".zst"); {
	case (strings.HasSuffix(name, ".csv") || strings.HasSuffix(name, ".tsv")) && line[0] != '{':
		return CSV
	case strings.HasSuffix(name, ".edn") && !jsonStart().MatchString(line):
		return Jepsen
	}
	return ""
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
