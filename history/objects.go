package history

import (
	"cmp"
	"strconv"
)

// A log is of one object, which its head may name; or its events name theirs, and
// each object has an execution of its own. An identifier names an operation of one
// object: that of another may have the same.

// naming is what events and a head say of objects. The object of an event is "" if
// it is the one that the head names, or none.
type naming struct {
	name  string // by the head
	given bool   // there were events
	first string // the object of the first of these
	line  int    // where that is
}

// object is the object that a head has named, and that of the first event.
func (n *naming) object() (own, first string) { return n.name, n.first }

// setObject takes the name that a head says.
func (n *naming) setObject(name string, pos Pos) error {
	switch {
	case n.name == name:
		return nil
	case n.name != "":
		return errorAt(pos, "the log is of object %q and of object %q; split it", n.name, name)
	case n.first != "":
		return errorAt(pos, "events name their objects, so the log's must come before them")
	}
	n.name = name
	return nil
}

// see looks at the object of an event. All events name theirs, or none does, unless
// the log's is there for those that do not.
func (n *naming) see(e *event) error {
	if e.object != "" && e.object == n.name {
		e.object = ""
	}
	if !n.given {
		n.given, n.first, n.line = true, e.object, e.pos.Line
	}
	if n.name != "" || (e.object == "") == (n.first == "") {
		return nil
	}
	if e.object == "" {
		return errorAt(e.pos, `the event names no object, but that on line %d does: name it, or the log's on a line before`, n.line)
	}
	return errorAt(e.pos, `the event names an object, but that on line %d does not: name it there, too, or the log's on a line before`, n.line)
}

// key is an operation's identifier with its object.
func (e *event) key() string {
	if e.object == "" {
		return e.id()
	}
	return strconv.Itoa(len(e.object)) + " " + e.object + e.id()
}

// severalObjects refuses an event of another object than those before.
func severalObjects(log events, before string, e *event) error {
	own, _ := log.object()
	return errorAt(e.pos, "the log is of several objects, %q and here %q: split it (or, in Go, read it with Executions)",
		cmp.Or(before, own), cmp.Or(e.object, own))
}

// objects makes the executions of a log with several objects. That of the first one
// takes what it can itself, and passes on the rest.
type objects struct {
	sig  Signature
	log  events
	by   map[string]*builder
	list []*builder // in the order of their first events
}

// take adds an event of another object than the first one.
func (o *objects) take(e *event) error {
	b := o.by[e.object]
	if b == nil {
		b = newBuilder(o.sig, o.log)
		b.from.errors = o.list[0].from.errors
		b.small, b.from.object, b.from.ops.slack = true, e.object, 8
		if o.by == nil {
			o.by = map[string]*builder{}
		}
		o.by[e.object] = b
		o.list = append(o.list, b)
	}
	b.from.event = e
	return b.from.step()
}

// Executions reads the whole log: an execution for each object, in the order of
// their first events. It is one, without a name perhaps, if events name no objects.
func (r *Reader) Executions(sig Signature) ([]*Execution, error) { return r.executions(sig, true) }

// executions reads the whole log, again if it has to be sorted.
func (r *Reader) executions(sig Signature, several bool) ([]*Execution, error) {
	r.load()
	if err := r.ordered(); err != nil {
		return nil, err
	}
	es, err := r.build(sig, several)
	if r.Sort || !r.loaded || !isUnsorted(err) {
		return es, err
	}
	r.Sort = true
	return r.executions(sig, several)
}

// build makes executions of the events to come.
func (r *Reader) build(sig Signature, several bool) ([]*Execution, error) {
	first := newBuilder(sig, r.events)
	first.from.limits = r.limits()
	r.errors = errorTexts{}
	first.from.errors = &r.errors
	o := &objects{sig: sig, log: r.events, list: []*builder{first}}
	if several {
		first.from.other = o.take
	}
	if err := first.from.through(r.events); err != nil {
		return nil, err
	}
	own, _ := r.events.object()
	var es []*Execution
	for _, b := range o.list {
		rest := cmp.Or(r.events.tail(), r.errors.clause)
		b.e.Object, b.e.Tail = cmp.Or(b.from.object, own), rest
		if len(b.e.Unknown) > 0 { // else they are another object's
			b.e.Tail, b.e.Rest = r.Tail(), rest
		}
		es = append(es, b.e)
	}
	return es, nil
}
