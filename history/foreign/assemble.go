package foreign

import (
	"cmp"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/history"
)

// entry is a record as it is kept: without pointers, in about 60 bytes.
type entry struct {
	time      int64
	line, col int32
	method    int32 // these are indices of names
	process   int32 // or operation
	key       int32 // -1: none
	first     int32 // of texts: the whole value, and behind it its parts
	parts     int32
	at        int32 // the entry's own index
	mate      int32 // an invocation's completion or the other way round; -1: none. Before they are paired: its number in the file
	err       int32 // of errors, plus one; 0: none
	kind      kind
	value     valueKind
	paired    bool // its key came in its value, [key value]
	says      saying
}

// assembler makes a history of records: it keeps them all, finds which are one operation, and says what each means.
type assembler struct {
	file     string
	o        Options
	methods  history.Signature
	entries  []entry
	texts    []string
	shapes   []valueKind // of the texts
	names    []string
	index    map[string]int32
	kinds    []*meaning // of the methods, by index of names: twice, the second time with a key
	byOp     bool       // operations have identifiers of their own
	told     bool       // records say what are arguments and what answers
	timed    int        // records with a time
	sorted   bool       // they were not in the order of time
	order    []int32    // then: that of the events
	at       int        // the next entry
	event    history.Event
	answers  map[int32]bool            // methods that completed with a value where the invocation had none
	notes    []note                    // in the order of entries
	errors   []value                   // of completions
	named    map[int32]history.Outcome // of completions that name an outcome
	booleans bool                      // some argument is true or false
	passed   map[string]bool           // what calls are invoked with; nil: nobody asked
	numbers  []int32                   // that the file gives the entries; -1: none
	indexed  bool                      // operations go by the numbers that the file gives them
	clients  map[string]bool           // that have a name
	unread   []int32                   // reads of which nobody knows what they read
	events   int                       // that were handed out
}

func newAssembler(file string, o Options, methods history.Signature) *assembler {
	return &assembler{file: file, o: o, methods: methods, index: map[string]int32{}, answers: map[int32]bool{}, clients: map[string]bool{}}
}

// name is the index of a name.
func (a *assembler) name(s string) int32 {
	i, ok := a.index[s]
	if !ok {
		i = int32(len(a.names))
		a.index[s] = i
		a.names = append(a.names, s)
	}
	return i
}

// add keeps a record.
func (a *assembler) add(r *record) error {
	a.told = r.told
	if r.process == "" && (r.kind != info || a.clients[r.by]) {
		if r.process = r.by; r.by != "" && !a.clients[r.by] { // a client with a name; what others do is always :info
			a.clients[r.by] = true
		}
	}
	who := r.process
	if r.op != "" {
		who, a.byOp = r.op, true
	}
	switch {
	case who == "" && r.kind != info:
		return &history.ParseError{Pos: r.pos, Msg: "this is an operation of nobody: only an :info may have no process"}
	case who == "":
		a.annotate(r)
		return nil
	case r.method == "":
		return &history.ParseError{Pos: r.pos, Msg: "this operation has no name: :f, such as :f :read"}
	}
	e := entry{line: int32(r.pos.Line), col: int32(r.pos.Col), kind: r.kind, method: a.name(r.method), process: a.name(who), key: -1, mate: -1}
	if r.numbered && r.number >= 0 && r.number < math.MaxInt32 {
		e.mate = int32(r.number)
	}
	key, v := r.key, r.value
	if a.o.ByKey && key.kind == absent {
		switch {
		case v.kind == vector && len(v.parts) == 2:
			key, v, e.paired = v.parts[0], v.parts[1], true
		case r.kind == invoke:
			return &history.ParseError{Pos: r.pos, Msg: "of a keyed test, an operation has a :key, or a :value [key value]; this one has " + v.shown()}
		}
	}
	if v.kind == other && strings.EqualFold(r.method, "transfer") {
		v.parts = transferParts(v.text)
	}
	a.booleans = a.booleans || r.kind == invoke && (v.isBool(r.told) || slices.ContainsFunc(v.parts, func(p value) bool { return p.isBool(r.told) }))
	if key.kind != absent {
		e.key = a.name(key.text)
	}
	if r.timed {
		e.time = r.time
		a.timed++
	} else if a.timed > 0 && len(a.entries) > 0 {
		e.time = a.entries[len(a.entries)-1].time
	}
	if r.err.kind > null {
		a.errors = append(a.errors, value{r.err.kind, r.err.text, slices.Clone(r.err.parts)})
		e.err = int32(len(a.errors))
	}
	if e.value = v.kind; v.kind > null {
		e.first = int32(len(a.texts))
		a.texts, a.shapes = room(a.texts, 1+len(v.parts)), room(a.shapes, 1+len(v.parts))
		a.texts, a.shapes = append(a.texts, v.text), append(a.shapes, v.kind)
		for _, p := range v.parts {
			a.texts, a.shapes = append(a.texts, p.text), append(a.shapes, p.kind)
		}
		e.parts = int32(len(v.parts))
	}
	a.entries = append(room(a.entries, 1), e)
	return nil
}

// room is a list with room for n more: what becomes large is copied seldom.
func room[T any](list []T, n int) []T {
	if cap(list)-len(list) < n {
		return slices.Grow(list, max(n, len(list), 16))
	}
	return list
}

func (a *assembler) wrong(e *entry, msg string) error {
	return &history.ParseError{Pos: a.pos(e), Msg: msg}
}

func (a *assembler) pos(e *entry) history.Pos {
	return history.Pos{File: a.file, Line: int(e.line), Col: int(e.col)}
}

// place is where an entry is, in the same file.
func (e *entry) place() string { return strconv.Itoa(int(e.line)) + ":" + strconv.Itoa(int(e.col)) }

// sort sorts by time what is not sorted, if every record has a time. What has the same time stays in the order of the
// file, so that the records of a process stay in theirs; where a line is a whole operation, invocations come first.
func (a *assembler) sort() error {
	byTime := func(x, y entry) int {
		if x.time == y.time && a.byOp {
			return cmp.Compare(min(x.kind, ok), min(y.kind, ok))
		}
		return cmp.Compare(x.time, y.time)
	}
	if slices.IsSortedFunc(a.entries, byTime) {
		return nil
	}
	if a.timed == len(a.entries) {
		slices.SortStableFunc(a.entries, byTime)
		a.sorted = true
		return nil
	}
	for i := 1; i < len(a.entries); i++ {
		if e, before := &a.entries[i], &a.entries[i-1]; e.time < before.time {
			return a.wrong(e, "this time is before the one at "+before.place()+", and as some operations have no time, the order of time is not known; sort the file, or leave times out")
		}
	}
	return nil
}

// ordered has invocations come before completions of the same time, if the file was not in the order of time: then its
// order does not tell which of them was first, and operations that may have overlapped have to.
func (a *assembler) ordered() {
	if !a.sorted {
		return
	}
	a.order = make([]int32, len(a.entries))
	for i := range a.order {
		a.order[i] = int32(i)
	}
	slices.SortStableFunc(a.order, func(i, j int32) int {
		x, y := &a.entries[i], &a.entries[j]
		return cmp.Or(cmp.Compare(x.time, y.time), cmp.Compare(min(x.kind, ok), min(y.kind, ok)))
	})
}

// pair finds the completion of each invocation, and drops what did not happen.
func (a *assembler) pair() error {
	if err := a.sort(); err != nil {
		return err
	}
	last := make([]int32, len(a.names)) // the last entry of a process, and one
	a.numbers = make([]int32, len(a.entries))
	for i := range a.entries {
		e := &a.entries[i]
		a.numbers[i], e.mate = e.mate, -1
		var before *entry
		if n := last[e.process]; n > 0 {
			before = &a.entries[n-1]
		}
		last[e.process], e.at = int32(i+1), int32(i)
		if e.kind == invoke {
			if err := a.free(e, before); err != nil {
				return err
			}
			continue
		}
		if before == nil || before.kind != invoke {
			return a.uninvoked(i, before)
		}
		if before.method != e.method {
			return a.wrong(e, a.who(e)+" completes "+a.names[e.method]+", and what it invoked at "+before.place()+" is "+a.names[before.method])
		}
		e.mate = before.at
		before.mate = int32(i)
		if e.kind == ok && e.value > null && before.value <= null {
			a.answers[e.method] = true
		}
	}
	a.ordered()
	a.sortNotes()
	return a.understand()
}

// who is a process in messages.
func (a *assembler) who(e *entry) string {
	if a.byOp {
		return "operation " + a.names[e.process]
	}
	return "process " + a.names[e.process]
}

// free refuses an invocation by a process that waits for another one, or has ended.
func (a *assembler) free(e, before *entry) error {
	switch {
	case before == nil || before.kind == ok && !a.byOp || before.kind == fail && !a.byOp:
		return nil
	case a.byOp:
		return a.wrong(e, a.who(e)+" is invoked for a second time; the first is at "+before.place())
	case before.kind == invoke:
		return a.wrong(e, a.who(e)+" invokes "+a.names[e.method]+" before "+a.names[before.method]+" completed, which it invoked at "+before.place())
	}
	return a.wrong(e, a.who(e)+" invokes "+a.names[e.method]+" after its :info at "+before.place()+", which ended it: nobody knows when that operation takes effect; use another process")
}

// uninvoked is the error of a completion without an invocation.
func (a *assembler) uninvoked(i int, before *entry) error {
	e := &a.entries[i]
	for j := range a.entries[i:] {
		later := &a.entries[i+j]
		if later.kind == invoke && later.process == e.process && later.method == e.method && a.timed == len(a.entries) {
			return a.wrong(e, a.who(e)+" completes "+a.names[e.method]+" at time "+strconv.FormatInt(e.time, 10)+" and invokes it only at "+
				strconv.FormatInt(later.time, 10)+", at "+later.place())
		}
	}
	if before != nil {
		return a.wrong(e, a.who(e)+" completes "+a.names[e.method]+" without having invoked it; what it did before completed at "+before.place())
	}
	return a.wrong(e, a.who(e)+" completes "+a.names[e.method]+" without having invoked it")
}

// next is the next event.
func (a *assembler) next() (*history.Event, error) {
	for ; a.at < len(a.entries); a.at++ {
		e := &a.entries[a.at]
		if a.order != nil {
			e = &a.entries[a.order[a.at]]
		}
		a.tell(func(n *note) bool { return a.precedes(n.time, n.Pos, e.time, a.pos(e)) < 0 })
		if e.says == saysDropped || e.kind == info && e.says == saysNothing {
			continue
		}
		inv := e
		if e.kind != invoke {
			inv = &a.entries[e.mate]
		}
		x := &a.event
		*x = history.Event{Call: e.kind == invoke, Method: a.names[e.method], Values: x.Values[:0], Pos: a.pos(e)}
		if a.byOp {
			x.Op = a.names[e.process]
		} else {
			x.Process, x.Op = a.names[e.process], strconv.Itoa(int(inv.at+1))
			if a.indexed {
				x.Op = strconv.Itoa(int(a.numbers[inv.at]))
			}
		}
		if inv.key >= 0 && a.o.ByKey {
			x.Object = a.names[inv.key]
		}
		if a.timed == len(a.entries) {
			x.Time, x.Timed = e.time, true
		}
		if x.Call {
			x.Values = a.arguments(x.Values, inv)
		} else {
			a.answer(x, inv, e)
		}
		a.at++
		a.events++
		return x, nil
	}
	a.tell(func(*note) bool { return true })
	return nil, io.EOF
}

// text is the whole value of an entry.
func (a *assembler) text(e *entry) history.Value {
	if e.value <= null {
		return "nil"
	}
	return history.Value(a.texts[e.first])
}

// partsOf appends the parts of an entry's vector.
func (a *assembler) partsOf(values []history.Value, e *entry) []history.Value {
	for _, t := range a.texts[e.first+1 : e.first+1+e.parts] {
		values = append(values, history.Value(t))
	}
	return values
}
