package check

import (
	"bytes"
	"io"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/binlog"
)

// ReadLog reads a whole log: text, JSON Lines, or binary, which is recognized by
// how it begins. Tail says in a clause what is missing at its end, if a binary
// log says so. Errors are those of history.ReadExecution and binlog.Reader.
func ReadLog(r io.Reader, file string, sig history.Signature) (e *history.Execution, tail string, err error) {
	r, binary := sniff(r)
	if !binary {
		e, err = history.ReadExecution(r, file, sig)
		return e, "", err
	}
	return collect(binlog.NewReader(r, file), sig)
}

// ReadLog is the function of that name with the batch's signature and words.
func (b *Batch) ReadLog(r io.Reader, file string) (e *history.Execution, tail string, err error) {
	if b.OldWords {
		return collect(OldEvents(r, file), b.Signature)
	}
	return ReadLog(r, file, b.Signature)
}

func collect(events history.Events, sig history.Signature) (e *history.Execution, tail string, err error) {
	e, err = history.Collect(events, sig)
	if r, ok := events.(*binlog.Reader); ok {
		tail = r.Tail()
	}
	return e, tail, err
}

// Events are the events of a log in any format, one by one.
func Events(r io.Reader, file string) history.Events {
	r, binary := sniff(r)
	if binary {
		return binlog.NewReader(r, file)
	}
	return history.NewReader(r, file)
}

// OldEvents is Events for a log older than history.Format.
func OldEvents(r io.Reader, file string) history.Events {
	events := Events(r, file)
	useWords(events, true)
	return events
}

// useWords makes events old ones, if they are; binary logs always say what a word is.
func useWords(events history.Events, old bool) {
	if r, ok := events.(*history.Reader); ok && old {
		r.OldWords()
	}
}

// sniff tells whether a log is binary. The reader that it returns has all of it.
func sniff(r io.Reader) (io.Reader, bool) {
	head := make([]byte, len(binlog.Prefix))
	n := 0
	var err error
	for err == nil && n < len(head) && strings.HasPrefix(binlog.Prefix, string(head[:n])) {
		var m int
		m, err = r.Read(head[n:])
		n += m
	}
	binary := string(head[:n]) == binlog.Prefix
	if s, ok := r.(io.Seeker); ok && (err == nil || err == io.EOF) {
		if _, err := s.Seek(int64(-n), io.SeekCurrent); err == nil {
			return r, binary
		}
	}
	if err != nil {
		r = failing{err}
	}
	return io.MultiReader(bytes.NewReader(head[:n]), r), binary
}

// failing is a reader that fails.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// joined is two clauses as one, of which either may be empty.
func joined(detail, more string) string {
	if detail == "" {
		return more
	}
	if more == "" {
		return detail
	}
	return detail + "; " + more
}
