package history

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unsafe"
)

// Visitor takes the events of a log without an Execution in between. Methods are
// numbered as in Signature.Methods, operations from 0 in the order of their
// calls; a return has its operation's method. The slices are used again. If it says
// no, that ends the visit.
type Visitor interface {
	Call(method int, args []string) bool
	Return(op, method int, outcome Outcome, rets []string) bool
}

// events are those of a log, in their order.
type events interface {
	// next is the next event, which is good until the event after it, or io.EOF
	// after the last one. An error is final.
	next() (*event, error)

	// object is the object that the log is said to be of so far, or "", and that of
	// the first event, if it names one itself.
	object() (own, first string)

	// tail says in a clause what is missing at the end of the log, after the last
	// event, or nothing.
	tail() string

	// place is how many bytes were read, and about how many there are.
	place() (at, size int)
}

// walk goes through the events of a log, and hands them to a Visitor.
type walk struct {
	resolver
	v         Visitor
	log       events
	event     *event             // at hand
	object    string             // of all events
	other     func(*event) error // takes those of another object; nil: there must be none
	ops       opIndex
	methods   []int32    // by operation: 1 + its method, 0 if it returned
	processes []string   // by operation, up to the last one that has any
	stopped   bool       // the visitor said no
	marks     []mark     // places to read on from
	seen      *Execution // what the visitor made of them, for messages; nil if it is somebody else's
	limits    limits
	err       error // of the limits
}

func newWalk(sig Signature, v Visitor) *walk {
	return &walk{resolver: resolver{sig: sig, given: map[string]bool{}}, v: v, ops: opIndex{slack: 1024}, limits: unlimited{}}
}

// reserve makes room for so many operations.
func (w *walk) reserve(ops int) {
	w.ops.small, w.methods = make([]int32, ops+1), make([]int32, 0, ops)
}

// through visits events to the end.
func (w *walk) through(log events) error {
	w.log = log
	for n := 0; !w.stopped; n++ {
		if n%pollEvery == 0 {
			if err := w.limits.Stopped(); err != nil {
				return err
			}
		}
		if n >= markEvery*(len(w.marks)+1) {
			w.mark(n)
		}
		var err error
		if w.event, err = log.next(); err == nil {
			err = w.step()
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return w.err
}

// pollEvery is after how many events the time is looked at.
const pollEvery = 1 << 12

// step takes the event at hand.
func (w *walk) step() error {
	e := w.event
	if e.object != w.object && !w.isFirst(e) {
		if w.other == nil {
			return severalObjects(w.log, w.object, e)
		}
		return w.other(e)
	}
	if e.written != "" {
		e.apart(func() (string, bool) { i, ok := w.ops.get(e); return w.process(i), ok })
	}
	i, known := w.ops.get(e)
	switch {
	case e.call && known:
		return errorAt(e.pos, "operation %s is called twice; the first call is on line %d", e.id(), w.operation(i).CallPos.Line)
	case !e.call && !known:
		return notCalled(w.log, e, errorAt(e.pos, "operation %s returns, but it was not called", e.id()))
	case e.call:
		return w.call(e)
	}
	m := int(w.methods[i]) - 1
	if m < 0 {
		return errorAt(e.pos, "operation %s returns a second time; the first return is on line %d", e.id(), w.operation(i).ReturnPos.Line)
	}
	outcome, rets, err := w.returned(e, m, w.process(i))
	if err != nil {
		return err
	}
	w.methods[i] = 0
	if outcome == unknownAnswer {
		if w.stopped = w.seen == nil; !w.stopped && e.isUnknown() { // of a visitor's events, each is counted
			w.seen.Unknown = append(w.seen.Unknown, [2]int{i, w.seen.Events})
		}
		return nil
	}
	w.stopped = w.never && w.seen == nil || !w.v.Return(i, m, outcome, rets)
	return nil
}

// process is that of an operation, "" if it is not known.
func (w *walk) process(i int) string {
	if i < len(w.processes) {
		return w.processes[i]
	}
	return ""
}

// isFirst makes the object of the first event that of all.
func (w *walk) isFirst(e *event) bool {
	if len(w.methods) > 0 || w.object != "" {
		return false
	}
	w.object = e.object
	return true
}

// notCalled is an error about a return without a call before it, with that which
// comes later, if there is one. It reads on; if times go back there, that is the error.
func notCalled(log events, e *event, err *ParseError) error {
	id, object, time := e.id(), e.object, e.time.text
	for {
		later, end := log.next()
		if isUnsorted(end) {
			return end
		}
		if end != nil {
			return err
		}
		if later.call && later.object == object && later.id() == id {
			err.Msg += "; its call comes later, at " + later.pos.String()
			if time != "" && later.time.text != "" {
				err.Msg += fmt.Sprintf(", at time %s, and this is time %s", later.time.text, time)
			}
			return err
		}
	}
}

func (w *walk) call(e *event) error {
	m, args, err := w.called(e)
	if err != nil {
		return err
	}
	i := len(w.methods)
	w.ops.put(e, i)
	w.methods = append(w.methods, int32(m)+1)
	if e.process != "" {
		if w.processes == nil {
			w.processes = make([]string, 0, cap(w.methods))
		}
		w.processes = append(w.processes, make([]string, i-len(w.processes))...)
		w.processes = append(w.processes, e.process)
	}
	w.stopped = !w.v.Call(m, args)
	return nil
}

// operation is an operation for a message.
func (w *walk) operation(i int) Operation {
	if w.seen == nil {
		return Operation{}
	}
	return w.seen.Ops[i]
}

// builder is the visitor that makes an Execution.
type builder struct {
	e    *Execution
	from *walk
	room []Value // spare, for the values of operations to come
	log  events

	small bool // one of many, which have few operations each
}

func newBuilder(sig Signature, log events) *builder {
	b := &builder{e: &Execution{}, log: log}
	b.from = newWalk(sig, b)
	b.from.seen, b.from.log = b.e, log
	return b
}

// Call adds an operation.
func (b *builder) Call(m int, args []string) bool {
	ev := b.from.event
	n := len(b.e.Ops)
	if n == cap(b.e.Ops) {
		more := b.more(n)
		if b.from.err = b.from.limits.Room((n + more) * int(unsafe.Sizeof(Operation{}))); b.from.err != nil {
			return false
		}
		b.e.Ops = append(make([]Operation, 0, n+more), b.e.Ops...)
	}
	b.e.Ops = b.e.Ops[:n+1]
	op := &b.e.Ops[n] // all zeros
	op.ID, op.Process, op.Method, op.Args = ev.id(), ev.process, b.from.sig.methods[m].Name, b.values(args)
	op.Call, op.Return, op.CallPos = b.e.Events, NoReturn, ev.pos
	b.e.Events++
	return true
}

// Return completes an operation.
func (b *builder) Return(i, _ int, o Outcome, rets []string) bool {
	ev, op := b.from.event, &b.e.Ops[i]
	op.Outcome, op.Rets = o, b.values(rets)
	op.Return, op.ReturnPos = b.e.Events, ev.pos
	if op.Process == "" {
		op.Process = ev.process
	}
	b.e.Events++
	return true
}

// more is how many operations to make room for after the first n: as many as the
// log has if it goes on as it began.
func (b *builder) more(n int) int {
	if b.small {
		return n + 4
	}
	at, size := b.log.place()
	if n == 0 {
		return min(4+size/64, 256)
	}
	return min(max(int(float64(n)*(float64(size)/float64(at)-1)*1.01), 256), 64*n+256)
}

// values moves the values of one operation to where they stay, without an
// allocation for each.
func (b *builder) values(texts []string) []Value {
	if len(texts) == 0 {
		return nil
	}
	n := len(b.room)
	if len(texts) > cap(b.room)-n {
		room := 1024
		if b.small {
			room = min(room, len(b.e.Ops)+2)
		}
		n, b.room = 0, make([]Value, 0, max(room, len(texts)))
	}
	for _, s := range texts {
		b.room = append(b.room, Value(s))
	}
	return b.room[n:len(b.room):len(b.room)]
}

// opIndex finds operations by their identifiers. Most logs number them, so
// numbers have a table of their own.
type opIndex struct {
	small []int32 // by number: 1 + the operation's index, 0 if there is none
	rest  map[string]int32
	count int
	slack int // how large numbers may be in a small table
}

// maxDigits is how many digits a number has at most that the table may hold.
const maxDigits = 9

// numberOf is the number that an identifier is, as it would be written; -1 if it
// is none.
func numberOf(id string) int {
	if len(id) == 0 || len(id) > maxDigits || id[0] == '0' && len(id) > 1 {
		return -1
	}
	n := 0
	for i := range len(id) {
		d := id[i] - '0'
		if d > 9 {
			return -1
		}
		n = n*10 + int(d)
	}
	return n
}

// get finds the operation of an event.
func (x *opIndex) get(e *event) (index int, ok bool) {
	if e.number >= 0 && e.number < len(x.small) && x.small[e.number] != 0 {
		return int(x.small[e.number]) - 1, true
	}
	if len(x.rest) == 0 {
		return 0, false
	}
	i, ok := x.rest[e.id()]
	return int(i), ok
}

// put adds an operation whose identifier is new.
func (x *opIndex) put(e *event, index int) {
	x.count++
	number := e.number
	if number >= len(x.small) && number < 4*x.count+x.slack {
		x.small = append(x.small, make([]int32, 2*number+x.slack-len(x.small))...)
	}
	if number >= 0 && number < len(x.small) {
		x.small[number] = int32(index) + 1
		return
	}
	if x.rest == nil {
		x.rest = map[string]int32{}
	}
	x.rest[e.id()] = int32(index)
}

// mark is a place in a log of lines in memory before which so many events are, and
// that nothing but the order of the lines leads to.
type mark struct{ events, offset int }

// markEvery is about how many events there are between two marks.
const markEvery = 1 << 12

// mark notes the place before event n, if reading can go on from there.
func (w *walk) mark(n int) {
	if t, ok := w.log.(*timeOrder); ok && t.in == nil && t.waiting == 0 && !t.over {
		w.marks = append(w.marks, mark{n, t.rest})
	}
}

// Fill reads some operations of a log that Visit has read, given the numbers of
// their events: it sets everything else of them. Of a log of lines it reads only what
// is near these, of others all up to the last one. It is false if that is not there.
func (r *Reader) Fill(sig Signature, ops []Operation) bool {
	if !r.loaded || r.ordered() != nil {
		return false
	}
	type wanted struct{ event, op int }
	var all []wanted
	for i := range ops {
		if all = append(all, wanted{ops[i].Call, i}); ops[i].Return != NoReturn {
			all = append(all, wanted{ops[i].Return, i})
		}
	}
	slices.SortFunc(all, func(a, b wanted) int { return a.event - b.event })
	res, methods := resolver{sig: sig}, make([]int, len(ops))
	at, e := 0, (*event)(nil)
	for _, x := range all {
		k, _ := slices.BinarySearchFunc(r.marks, x.event+1, func(m mark, n int) int { return m.events - n })
		for at <= x.event {
			if k > 0 && at > 0 && r.marks[k-1].events > at { // what is said of the log comes before its first event
				at = r.jump(r.marks[k-1], at)
			}
			var err error
			if e, err = r.events.next(); err != nil {
				return false
			}
			at++
		}
		if !res.fill(&ops[x.op], &methods[x.op], e, ops[x.op].Call == x.event) {
			return false
		}
	}
	return true
}

// jump moves to a mark, and returns how many events are before the place.
func (r *Reader) jump(m mark, at int) int {
	t, ok := r.events.(*timeOrder)
	if !ok || m.offset < t.rest {
		return at
	}
	t.no += strings.Count(t.src[t.rest:m.offset], "\n")
	t.rest, t.waiting, t.out, t.over, t.last = m.offset, 0, 0, false, stamp{}
	return m.events
}

// fill sets what an event says of an operation; false if it is another one's.
func (r *resolver) fill(op *Operation, method *int, e *event, call bool) bool {
	if e.call != call || !call && e.id() != op.ID {
		return false
	}
	if call {
		m, args, err := r.called(e)
		if err != nil {
			return false
		}
		*method = m
		op.ID, op.Process, op.CallPos = strings.Clone(e.id()), strings.Clone(e.process), e.pos
		op.Method, op.Args = r.sig.methods[m].Name, valuesOf(args)
		return true
	}
	o, rets, err := r.returned(e, *method, op.Process)
	if err != nil || o == unknownAnswer {
		return false
	}
	op.Outcome, op.Rets, op.ReturnPos = o, valuesOf(rets), e.pos
	op.Process = cmp.Or(op.Process, e.process)
	return true
}

func valuesOf(texts []string) []Value {
	var vs []Value
	for _, s := range texts {
		vs = append(vs, Value(s))
	}
	return vs
}
