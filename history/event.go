package history

import (
	"cmp"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/adtinfer/adtinfer/internal/driver/typename"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// event is one call or return as a log has it. Readers fill the same event again
// and again; texts stay, the slice of values does not.
type event struct {
	op      string // the operation's identifier; if it is a number, perhaps not yet
	number  int    // that the identifier is in decimal, or -1
	decimal bool   // the identifier is number
	call    bool
	method  string // of a call; of a return only if the log repeats it
	values  []raw  // arguments, or what was returned
	process string // the thread or client, "" if the log does not say
	time    stamp
	object  string // as the event says it; "" the log's
	pos     Pos

	line               string // the event's line, for columns
	methodAt, valuesAt int    // bytes of line; 0 unknown
	doubt              bool   // the first value may be meant as an outcome; see jsonFormat
	why                string // nobody knows what an imported call returned
}

// begin makes the event one of a line, of which nothing is known.
func (e *event) begin(pos Pos, line string) {
	e.call, e.method, e.values, e.pos, e.line = false, "", e.values[:0], pos, line
	e.op, e.number, e.decimal = "", -1, false
	e.methodAt, e.valuesAt, e.doubt = 0, 0, false
	if e.process != "" || e.time.text != "" || e.object != "" { // seldom
		e.process, e.time, e.object = "", stamp{}, ""
	}
}

// id is the operation's identifier.
func (e *event) id() string {
	if e.decimal && e.op == "" {
		e.op = strconv.Itoa(e.number)
	}
	return e.op
}

// idKey is the operation's identifier, ready to be looked for.
func (e *event) idKey() wording.Key {
	if e.number < 0 || e.number >= 1e9 { // see maxDigits
		return wording.KeyOf(e.id())
	}
	return wording.Numeral(e.number)
}

// fits says what is wrong with an event of an operation that runs, called on a
// line, or does not.
func (e *event) fits(runs bool, line int) *ParseError {
	switch {
	case e.call && runs:
		return errorAt(e.pos, "operation %s is called twice; the first call is on line %d", e.id(), line)
	case !e.call && !runs:
		return errorAt(e.pos, "operation %s returns, but it was not called, or returned before", e.id())
	}
	return nil
}

// at is a place on the event's line, or its start if that is unknown.
func (e *event) at(offset int) Pos {
	p := e.pos
	if offset > 0 {
		p.Col = utf8.RuneCountInString(e.line[:offset]) + 1
	}
	return p
}

// raw is a value as a log has it, before a Signature says whether it is a value
// or names an outcome.
type raw struct {
	text    string
	quoted  bool // it is a value and names no outcome
	isText  bool // it is a string, whatever it looks like
	outcome bool // it names an outcome and is no value
}

// isValue reports whether it is a value whatever its text is.
func (r *raw) isValue() bool { return r.quoted || r.isText }

// String writes the value as a text log has it.
func (r raw) String() string {
	if r.isUnknown() {
		return unknownValue
	}
	if r.quoted || !isBare(r.text) {
		return strconv.Quote(r.text)
	}
	return r.text
}

func rawValues(vs []Value) []raw {
	rs := make([]raw, len(vs))
	for i, v := range vs {
		rs[i] = raw{text: string(v), isText: true}
	}
	return rs
}

// rawResult is what a log says that a call returned. The first word is what an
// outcome is told from, so a value there that could name one is in quotes. It may
// change values.
func rawResult(o Outcome, values []raw) []raw {
	switch {
	case o == None:
		return values
	case o == Some:
		if len(values) > 0 {
			values[0].quoted = couldName(values[0].text)
		}
		return values
	case o == Nil:
		o = "-"
	}
	return slices.Insert(values, 0, raw{text: string(o), outcome: true})
}

func describeRaw(rets []raw) string {
	if len(rets) == 0 {
		return "nothing"
	}
	var parts []string
	for _, r := range rets {
		parts = append(parts, r.String())
	}
	return strings.Join(parts, ", ")
}

// resolver finds the labels of events.
type resolver struct {
	sig   Signature
	names []methodName // that occurred, up to fewNames
	texts []string     // the values of the event at hand

	spellings wording.Log
	errors    *errorTexts // that the log has; nil: nobody asks
	never     bool        // some answers have values that never come with their outcome
}

type methodName struct {
	name  string
	index int // of the method
}

// fewNames is how many names are searched one by one.
const fewNames = 16

// index is the place of a method among those of the signature, by its name or an
// alias, or -1.
func (r *resolver) index(name string) int {
	for i := range r.names {
		if n := &r.names[i]; n.name == name {
			return n.index
		}
	}
	i, ok := r.sig.index(name)
	if !ok {
		return -1
	}
	if len(r.names) < fewNames {
		r.names = append(r.names, methodName{strings.Clone(name), i})
	}
	return i
}

// method is index for an event's method.
func (r *resolver) method(e *event) (int, error) {
	m := r.index(e.method)
	if m < 0 {
		return m, &ParseError{Pos: e.at(e.methodAt), Msg: r.sig.unknown(e.method), Method: e.method}
	}
	return m, nil
}

// called is the method that an event calls, and its arguments.
func (r *resolver) called(e *event) (m int, args []string, err error) {
	if m, err = r.method(e); err != nil {
		return m, nil, err
	}
	sig := &r.sig.methods[m]
	if sig.Variadic && len(e.values) >= sig.Args-1 {
		e.fold(sig.Args - 1)
	}
	if len(e.values) > sig.Args || len(e.values) < sig.Args-sig.Optional {
		return m, nil, errorAt(e.at(e.valuesAt), "%s takes %s, not %d", sig.Name, countArgs(sig), len(e.values))
	}
	args, err = r.from(e, m, 0, false)
	return m, args, err
}

// fold makes one list of the values from the nth on. A single list is taken as it is, also in quotes, in which our own
// logs have lists with blanks.
func (e *event) fold(n int) {
	if len(e.values) == n+1 && strings.HasPrefix(e.values[n].text, "[") {
		return
	}
	list := make([]string, 0, len(e.values)-n)
	for _, v := range e.values[n:] {
		s := v.text
		if v.quoted && s != "" && strings.IndexByte("[{&m", s[0]) >= 0 || !isElement(s) { // a text that looks like more
			s = strconv.Quote(s)
		}
		list = append(list, s)
	}
	e.values = append(e.values[:n], raw{text: "[" + strings.Join(list, " ") + "]"})
}

// isElement reports whether a text needs no quotes in a list.
func isElement(s string) bool {
	if s == "" || strings.IndexByte("[{&", s[0]) >= 0 || strings.HasPrefix(s, "map[") {
		return s != ""
	}
	return !strings.ContainsFunc(s, func(r rune) bool {
		return strings.ContainsRune(" ,:\"'`#&()[]{}", r) || r == utf8.RuneError || !unicode.IsGraphic(r) || unicode.IsSpace(r)
	})
}

// returned is what method m returned, called by a process.
func (r *resolver) returned(e *event, m int, process string) (o Outcome, rets []string, err error) {
	if !sameProcess(e.process, process) {
		return "", nil, errorAt(e.pos, "process %s returns from operation %s, which process %s called", e.process, e.id(), process)
	}
	sig := &r.sig.methods[m]
	if e.method != "" {
		again, err := r.method(e)
		if err != nil {
			return "", nil, err
		}
		if again != m {
			return "", nil, errorAt(e.at(e.methodAt), "operation %s is a call of %s, not of %s", e.id(), sig.Name, r.sig.methods[again].Name)
		}
	}
	e.values = sig.split(e.values)
	var first, last raw
	if n := len(e.values); n > 0 {
		first, last = e.values[0], e.values[n-1]
	}
	if e.hasUnknown() {
		if r.errors != nil {
			r.errors.unknown(sig, e)
		}
		return unknownAnswer, nil, nil
	}
	o, named, ok := sig.answer(first, len(e.values))
	if named == 1 && o == Nil && len(e.values) == 2 {
		ok = e.isNamedNil(sig)
	}
	if !ok {
		named = 0
		all := e.values
		o, ok, err = e.asInGo(sig)
		if err == nil && (!ok || first.outcome) {
			if with, never, bad := e.withMore(sig, all); never || bad != nil {
				o, ok, err, named, e.values = with, never, bad, 1, all
			}
		}
		if err != nil {
			return "", nil, err
		}
		r.never = r.never || ok && o != unknownAnswer && len(e.values)-named > sig.find(o).Rets
	}
	if e.doubt && sig.isNamed(first.text, len(e.values)) {
		return "", nil, e.errDoubt()
	}
	if !ok {
		more := ""
		if _, fails := sig.outcome(Error); fails && len(e.values) > 1 && first.text == string(Error) && !first.quoted {
			more = fmt.Sprintf("; an error that says more has a colon: error: %s", e.values[1].text)
		}
		return "", nil, errorAt(e.at(e.valuesAt), "method %s cannot return %s: it returns %s%s", sig.Name, describeRaw(e.values), sig.results(), more)
	}
	switch {
	case o == unknownAnswer:
		if r.errors != nil {
			r.errors.unknown(sig, e)
		}
		return o, nil, nil
	case o == Error && r.errors != nil:
		r.errors.add(m, sig.Name, last.text)
	}
	rets, err = r.from(e, m, named, true)
	return o, rets, err
}

// split has the fields of structs be values of their own, if they are not that already.
func (m *MethodSig) split(vs []raw) []raw {
	if len(m.Structs) == 0 || len(vs) == 0 {
		return vs
	}
	var all []raw
	if _, named := m.named(vs[0]); named {
		all = append(all, vs[0])
	}
	for i, v := range vs[len(all):] {
		if i >= len(m.Structs) || !m.Structs[i].Splits() {
			all = append(all, v)
			continue
		}
		texts, ok := m.Structs[i].Split(v.text)
		if !ok {
			return vs
		}
		for _, text := range texts {
			all = append(all, raw{text: text, quoted: true})
		}
	}
	return all
}

// fields are results, with those of structs in the place of these.
func (m *MethodSig) fields(results []string) (all []string) {
	if len(m.Structs) == 0 {
		return results
	}
	for i, text := range results {
		if i < len(m.Structs) && m.Structs[i].Splits() {
			if leaves, ok := m.Structs[i].Split(text); ok {
				all = append(all, leaves...)
				continue
			}
		}
		all = append(all, text)
	}
	return all
}

// unknownValue is what a log writes, without quotes, for a returned value that nobody knows.
const unknownValue = "_"

func (r *raw) isUnknown() bool {
	return len(r.text) == 1 && r.text == unknownValue && !r.quoted && !r.isText
}

// isUnknown reports whether nobody knows anything of what a call returned.
func (e *event) isUnknown() bool { return len(e.values) == 1 && e.values[0].isUnknown() }

func (e *event) hasUnknown() bool {
	for i := range e.values {
		if e.values[i].isUnknown() {
			return true
		}
	}
	return false
}

// asInGo reads all results of a call as Go has them: the values, whether there are any, and
// an error or nil: 7, true; "", false, error: closed. It leaves the values that the outcome
// carries. An outcome that carries none has values only if it never comes with these, so
// that no call has the answer.
func (e *event) asInGo(sig *MethodSig) (o Outcome, ok bool, err error) {
	some, has := sig.outcome(Some)
	n := len(e.values) - 1
	if n < some.Rets || n > some.Rets+1 || e.values[n].isValue() {
		return "", false, nil
	}
	if o, ok = sig.ending(e.values[some.Rets:], has); !ok || o == unknownAnswer {
		return o, ok, nil
	}
	if o == Some && n == 1 && isNilWord(e.values[0].text) && !e.values[0].isValue() && isNilWord(e.values[n].text) && sig.find(Nil) != nil {
		o = Nil
	}
	out, ok := sig.outcome(o)
	beside := e.values[:n]
	if o == Some || o == Nil {
		beside = e.values[:some.Rets]
	}
	switch {
	case !ok || out.Rets != 0 && out.Rets != len(beside):
		return "", false, nil
	case out.Rets > 0:
		e.values = beside
		return o, true, nil
	case o != Nil && !wording.IsError(string(o)):
		e.values = beside[:0]
		return o, true, nil
	}
	never, err := e.never(sig, out, beside)
	if e.values = beside; !never {
		e.values = beside[:0]
	}
	return out.Outcome, err == nil, err
}

// withMore is an outcome by its name, with values behind it that never come with it: -, 7.
func (e *event) withMore(sig *MethodSig, values []raw) (o Outcome, ok bool, err error) {
	if len(values) < 2 {
		return "", false, nil
	}
	out, ok := sig.named(values[0])
	some, _ := sig.outcome(Some)
	more := values[1:]
	if n := len(more) - some.Rets; !ok || out.Rets > 0 || out.Outcome != Nil && !wording.IsError(string(out.Outcome)) ||
		n != 0 && (n != 1 || !isBool(more[some.Rets].text)) {
		return "", false, nil
	}
	ok, err = e.never(sig, out, more)
	return out.Outcome, ok, err
}

// never reports whether the results never stand beside an outcome. Those that are no values,
// and texts that may mean what always stands there, are refused.
func (e *event) never(sig *MethodSig, out OutcomeSig, beside []raw) (bool, error) {
	i := sig.unusual(out, beside)
	if i < 0 {
		return false, nil
	}
	for k := range beside {
		v := &beside[k]
		b, known := sig.typeOf(true, k)
		if !known {
			v.text = usualBool(v.text)
		}
		switch {
		case known && !isOf(b, b.OfNil(v.text)):
			return false, errorAt(e.at(e.valuesAt), "the log has %s where %s answers with %s", v, sig.Name, typename.Of(*b))
		case !known && k == i && (strings.ContainsAny(v.text[:min(1, len(v.text))], "[{&<(") || strings.HasPrefix(v.text, "map[")):
			return false, errorAt(e.at(e.valuesAt), "method %s returned %s beside %s, and whether that always stands there the specification does not say without types: --ref names a reference, which knows them",
				sig.Name, v, out.Outcome)
		}
	}
	return true, nil
}

// ending is the outcome of a call by the results behind the values: a bool, an error or nil,
// or both. has: there may be values.
func (m *MethodSig) ending(rest []raw, has bool) (o Outcome, ok bool) {
	_, fails := m.failed(string(Error))
	if o = None; has {
		o = Some
	}
	if b := usualBool(rest[0].text); isBool(b) && (len(rest) == 2 || !fails) {
		switch rest = rest[1:]; {
		case !has:
			o = Outcome(b)
		case b == "false":
			o = Nil
		}
	}
	switch {
	case len(rest) == 0:
		return o, true
	case len(rest) == 2 || !fails:
		return o, has && len(rest) == 1 && isNull(rest[0].text) // of an error that never came
	}
	switch last := rest[0].text; {
	case isNilWord(last):
		return o, true
	case last == string(Error) || strings.HasPrefix(last, "error:"):
		failed, _ := m.failed(last)
		return failed.Outcome, true
	case wording.IsError(last):
		return Outcome(last), true
	}
	return "", false
}

// unusual is the first result that is not what always stands beside the outcome, or -1.
func (m *MethodSig) unusual(out OutcomeSig, beside []raw) int {
	out.Beside = m.fields(out.Beside)
	for i, v := range beside {
		switch {
		case i >= len(out.Beside):
			if b, known := m.typeOf(true, i); known && !b.IsZero(v.text) || !known && !isZero(v.text) {
				return i
			}
		case v.text != out.Beside[i]:
			text, known, err := m.read(true, i, v.text)
			if err != nil || known && text != out.Beside[i] || !known && !isAlike(text, out.Beside[i]) {
				return i
			}
		}
	}
	return -1
}

// isNamedNil reports whether nil and another value are the outcome nil with what it carries,
// and not a value that is nil, and true or false: - is never a value.
func (e *event) isNamedNil(sig *MethodSig) bool {
	first, flag := &e.values[0], &e.values[1]
	if first.outcome || first.text == "-" || first.text == "empty" || !isBool(flag.text) || flag.isValue() {
		return true
	}
	b, known := sig.typeOf(true, 0)
	if !known {
		return false
	}
	_, nilable := b.Nilable()
	return !nilable
}

// isZero reports whether a text is that of a zero value of some type.
func isZero(text string) bool {
	return text == "" || strings.Trim(text, "{}[] 0") == "" || isNilWord(text) || isAlike(text, "0") || isAlike(text, "false") ||
		text == "0s" || text == "map[]" || strings.HasPrefix(text, "0001-01-01")
}

// isAlike reports whether two texts are one truth value, or one number.
func isAlike(a, b string) bool {
	x, bad := strconv.ParseFloat(a, 64)
	y, worse := strconv.ParseFloat(b, 64)
	if bad != nil || worse != nil {
		return usualBool(a) == usualBool(b)
	}
	return x == y && (a == b || !wording.IsInteger(a) || !wording.IsInteger(b)) // floats are no exact integers
}

// isBool reports whether a text is a truth value.
func isBool(text string) bool { return usualBool(text) == "true" || usualBool(text) == "false" }

// usualBool is the text with a truth value in the way in which Go prints it.
func usualBool(text string) string { return cmp.Or(wording.Bool(text), text) }

// from are the texts of an event's values from the nth on.
func (r *resolver) from(e *event, m, n int, result bool) ([]string, error) {
	r.texts = r.texts[:0]
	sig := &r.sig.methods[m]
	for i := n; i < len(e.values); i++ {
		v := &e.values[i]
		text := v.text
		if !result && len(sig.NotNil) > 0 && slices.Contains(sig.NotNil, i-n+1) && isNull(text) {
			return nil, errorAt(e.at(e.valuesAt), "argument %d of %s is %s, and the specification says nothing of such calls: have the reference alone decide the log (--ref, without a theory), or write an empty list as []", i-n+1, sig.Name, v)
		}
		known := false
		if r.sig.reads[m] {
			var err error
			if text, known, err = sig.read(result, i-n, text); err != nil {
				return nil, errorAt(e.at(e.valuesAt), "the log has %s where %v", v, err)
			}
		}
		if !known && !v.quoted && !v.isText && !r.spellings.Usual(text) {
			other, twice := wording.Add(&r.spellings, text, sig.Named, e.pos.Line)
			if !twice && r.sig.typed { // values with types have the usual text
				other, twice = wording.Unusual(text)
			}
			if twice {
				return nil, e.errSpelling(text, other)
			}
		}
		r.texts = append(r.texts, text)
	}
	return r.texts, nil
}

// isNull reports whether a text is nil, as Go, JSON or package fmt writes it.
func isNull(text string) bool { return text == "nil" || text == "null" || text == "<nil>" }

// errSpelling refuses a value that may be another one, too.
func (e *event) errSpelling(text string, other wording.Way) error {
	where := ""
	if other.Line > 0 {
		where = " of line " + itoa(other.Line)
	}
	return errorAt(e.at(e.valuesAt), "%s and %s%s may be one value or two: write it in one way, %s, or in quotes if it is a text; --ref names a reference, which knows the types",
		text, other.Text, where, other.Text)
}

// sameProcess reports whether a process may have returned from what another one
// called, "" being unknown.
func sameProcess(a, b string) bool { return a == "" || b == "" || a == b }

func countArgs(m *MethodSig) string {
	most := ""
	if m.Optional > 0 {
		most = "at most "
	}
	switch m.Args {
	case 0:
		return "no arguments"
	case 1:
		return most + "1 argument"
	}
	return most + itoa(m.Args) + " arguments"
}

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
