package history

import (
	"io"
	"strings"
)

// ReadExecution reads a whole log, text or JSON Lines, and resolves its events
// to labels of the signature's methods. Operations that do not return are
// pending. The first thing that does not fit is an error (*ParseError, unless
// r itself fails) and nothing after it is read. file is the log's name in
// errors.
//
// Identifiers and values are parts of the log's text, which therefore stays in
// memory as long as they do.
func ReadExecution(r io.Reader, file string, sig Signature) (*Execution, error) {
	src, rest := readText(r)
	if rest == nil {
		if e, ok, err := readPlain(src, file, sig); ok {
			return e, err
		}
		rest = strings.NewReader("")
	}
	return Collect(NewReader(io.MultiReader(strings.NewReader(src), rest), file), sig)
}

// Events is where the events of a log come from, one by one.
type Events interface {
	// Next is the next event, or io.EOF after the last one. An error is final.
	Next() (Event, error)

	// Object is the object's name as far as the log has said it, or "".
	Object() string
}

// Collect makes an execution of events, with the labels of the signature's
// methods, as ReadExecution does.
func Collect(events Events, sig Signature) (*Execution, error) {
	b := newBuilder(sig)
	for {
		ev, err := events.Next()
		if err == io.EOF {
			b.e.Object = events.Object()
			return b.e, nil
		}
		if err == nil {
			err = b.add(&ev)
		}
		if err != nil {
			return nil, err
		}
	}
}

// builder collects an execution from events.
type builder struct {
	resolver
	e    *Execution
	ops  opIndex
	room []Value // spare, for the values of operations to come
}

func newBuilder(sig Signature) *builder {
	return &builder{resolver: newResolver(sig), e: &Execution{}}
}

func (b *builder) add(ev *Event) error {
	number := numberOf(ev.Op)
	i, known := b.ops.get(ev.Op, number)
	switch {
	case ev.Call && known:
		return errorAt(ev.Pos, "operation %s is called twice; the first call is on line %d", ev.Op, b.e.Ops[i].CallPos.Line)
	case !ev.Call && !known:
		return errorAt(ev.Pos, "operation %s returns, but it was not called", ev.Op)
	case ev.Call:
		return b.call(ev, number)
	default:
		return b.ret(ev, &b.e.Ops[i])
	}
}

func (b *builder) call(ev *Event, number int) error {
	op, err := b.called(ev)
	if err != nil {
		return err
	}
	op.Call = b.e.Events
	b.ops.put(ev.Op, number, len(b.e.Ops))
	b.e.Ops = append(b.e.Ops, op)
	b.e.Events++
	return nil
}

func (b *builder) ret(ev *Event, op *Operation) error {
	if op.Completed() {
		return errorAt(ev.Pos, "operation %s returns a second time; the first return is on line %d", ev.Op, op.ReturnPos.Line)
	}
	if err := b.returned(ev, op); err != nil {
		return err
	}
	op.Return = b.e.Events
	b.e.Events++
	return nil
}
