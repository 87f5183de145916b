package history

// Event is a call or a return, from a reader of logs that others write.
type Event struct {
	Op      string // the operation's identifier
	Call    bool
	Method  string  // of a call
	Values  []Value // arguments, or what was returned
	Outcome Outcome // of a return: its outcome; Pending if Values say it, as in a text log
	Process string  // "" if unknown
	Object  string  // "" if the log has one object
	Time    int64   // in nanoseconds, if Timed
	Timed   bool
	Pos     Pos
}

// NewImported reads a log that comes as events. next gives them one by one, io.EOF
// after the last; they may be used again. The reader reads it once.
func NewImported(next func() (*Event, error)) *Reader { return &Reader{events: &imported{read: next}} }

// imported are events from elsewhere.
type imported struct {
	read func() (*Event, error)
	e    event
	name string
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
	for _, v := range x.Values {
		e.values = append(e.values, raw{text: string(v), quoted: x.Outcome != Pending && couldName(string(v))})
	}
	m.name = x.Object
	return e, nil
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

func (m *imported) object() string        { return m.name }
func (m *imported) tail() string          { return "" }
func (m *imported) place() (at, size int) { return 1, 1 }
