package history

import (
	"io"
	"iter"
	"strconv"
)

// Event is a call or a return, from a reader of logs that others write.
type Event struct {
	Op      string // the operation's identifier
	Call    bool
	Method  string  // of a call
	Values  []Value // arguments, or what was returned
	Outcome Outcome // of a return: its outcome; Pending if Values say it, as in a text log
	Quoted  uint64  // then: a bit for each of the first values that is in quotes
	Whole   bool    // then: Values are all results as in Go, with true, false, nil or an error last
	Unknown string  // of a return of which nobody knows what it is: why
	Process string  // "" if unknown
	Object  string  // "" if the log has one object without a name
	Time    int64   // in nanoseconds, if Timed
	Timed   bool
	Pos     Pos
}

// Events yields the calls and returns of a log, or of a part of one: an operation may be
// called, or return, elsewhere, so nobody asks whether they fit. A call has its method,
// by the signature's name, and its arguments as Values; a return has neither, since what
// its values are depends on the method. Times are in the log's own unit; one that is no
// whole number is an error. Of events with the same time the calls come first.
// An Event is good until the next one. An error is the last thing that is yielded.
func (r *Reader) Events(sig Signature) iter.Seq2[*Event, error] {
	return func(yield func(*Event, error) bool) {
		r.open()
		own := resolver{sig: sig}
		var x Event
		for {
			e, err := r.events.next()
			if err == io.EOF {
				return
			}
			if err == nil {
				x = Event{Op: e.id(), Call: e.call, Values: x.Values[:0], Process: e.process, Object: e.object, Time: e.time.n, Timed: e.time.whole, Pos: e.pos}
				if e.time.text != "" && !e.time.whole {
					err = errorAt(e.pos, "time %s is no whole number, by which parts of a log could be ordered", e.time.text)
				}
			}
			if err == nil && e.call {
				var m int
				var args []string
				if m, args, err = own.called(e); err == nil {
					x.Method = sig.methods[m].Name
					for _, v := range args {
						x.Values = append(x.Values, Value(v))
					}
				}
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(&x, nil) {
				return
			}
		}
	}
}

// NewImported reads a log that comes as events. next gives them one by one, io.EOF
// after the last; they may be used again. The reader reads it once.
func NewImported(next func() (*Event, error)) *Reader { return &Reader{events: &imported{read: next}} }

// imported are events from elsewhere.
type imported struct {
	read func() (*Event, error)
	e    event
	naming
}

func (m *imported) next() (*event, error) {
	x, err := m.read()
	if err != nil {
		return nil, err
	}
	e := &m.e
	e.begin(x.Pos, "")
	e.op, e.number, e.call, e.method, e.process = x.Op, numberOf(x.Op), x.Call, x.Method, x.Process
	if !x.Call {
		e.values = append(e.values, rawOutcome(x.Outcome)...)
	}
	if e.why = x.Unknown; e.why != "" {
		e.values = append(e.values, raw{text: unknownValue})
	}
	for i, v := range x.Values {
		r := raw{text: string(v), isText: true}
		switch last := i == len(x.Values)-1; {
		case x.Outcome != Pending:
			r.quoted = couldName(r.text)
		case x.Whole:
			r.isText, r.quoted = !last, !last
		case !x.Call:
			r.isText, r.quoted = false, x.Quoted>>i&1 == 1
		}
		e.values = append(e.values, r)
	}
	if x.Timed {
		e.time = stamp{strconv.FormatInt(x.Time, 10), x.Time, true}
	}
	e.object = x.Object
	return e, m.see(e)
}

// rawOutcome is how an answer begins that has an outcome.
func rawOutcome(o Outcome) []raw {
	switch o {
	case None, Some, Pending:
		return nil
	case Nil:
		o = "-"
	}
	return []raw{{text: string(o), outcome: true}}
}

func (m *imported) tail() string          { return "" }
func (m *imported) place() (at, size int) { return 1, 2 } // nobody knows
