package history

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/adtinfer/adtinfer/internal/driver/typename"
	"github.com/adtinfer/adtinfer/internal/driver/values"
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
	written string // of "[7@3]" in a text log: 7@3, while op is 7 and process is 3
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
		e.process, e.written, e.time, e.object = "", "", stamp{}, ""
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

// ofProcess takes an identifier of a text log apart, "7@3" being operation 7 of process 3.
func (e *event) ofProcess() {
	if op, process, ok := strings.Cut(e.op, "@"); ok && oneWordLine(op) && oneWordLine(process) {
		e.written, e.op, e.process, e.number = e.op, op, process, numberOf(op)
	}
}

// apart keeps operations of two processes apart that have one identifier: that of the second is then the
// whole text between the brackets. It is told how to find the operation of the event, and its process; the event has
// a text that is written.
func (e *event) apart(find func() (process string, ok bool)) {
	op, number := e.op, e.number
	e.op, e.number = e.written, -1
	if _, ok := find(); ok {
		return
	}
	e.op, e.number = op, number
	if process, ok := find(); ok && e.call && process != e.process {
		e.op, e.number = e.written, -1
	}
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
	inJSON  bool // it is a string of JSON
	isText  bool // it is a string, whatever it looks like
	noText  bool // it is a value of JSON, and no string
	outcome bool // it names an outcome and is no value
}

// isNull reports whether it is nil, as Go, JSON or package fmt writes it, and no text.
func (r *raw) isNull() bool { return isNull(r.text) && !r.isValue() && !r.outcome }

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
	bytes     encoding
	errors    *errorTexts     // that the log has; nil: nobody asks
	given     map[string]bool // JSON that an any was, and whether as a text; nil: nobody asks
	never     bool            // some answers have values that never come with their outcome
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
		if err = e.noneInJSON(sig); err != nil {
			return m, nil, err
		}
		e.fold(sig.Args - 1)
	}
	if len(e.values) > sig.Args || len(e.values) < sig.Args-sig.Optional {
		return m, nil, errorAt(e.at(e.valuesAt), "%s takes %s, not %d", sig.Name, countArgs(sig), len(e.values))
	}
	if err = r.bytes.see(e, sig, r.sig.bytes[m]); err != nil {
		return m, nil, err
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
	if err := r.isOf(e, m); err != nil {
		return "", nil, err
	}
	if err := r.bytes.see(e, sig, r.sig.bytes[m]); err != nil {
		return "", nil, err
	}
	if e.values = sig.split(e.values); sig.isWhole(e.values) {
		return "", nil, errorAt(e.at(e.valuesAt), "the log has %s where %s answers with %s", e.values[0], sig.Name, typename.Of(sig.Structs[0]))
	}
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
	if !ok {
		o, named, ok = e.neverSeen(sig)
		r.never = r.never || ok && sig.find(o) == nil
	}
	if e.doubt && sig.isNamed(first.text, len(e.values)) {
		return "", nil, e.errDoubt()
	}
	if !ok {
		return "", nil, e.errCannot(sig)
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

// errCannot is the error of results that a method cannot return, with how to write what may be meant.
func (e *event) errCannot(sig *MethodSig) error {
	var more string
	var first, last raw
	if n := len(e.values); n > 0 {
		first, last = e.values[0], e.values[n-1]
	}
	if len(e.values) > 1 && sig.hasError(last.text) {
		more = fmt.Sprintf("; an error among the results is written error: %s, and in JSON in the field error", last.text)
	}
	if _, fails := sig.outcome(Error); fails && len(e.values) > 1 && first.text == string(Error) && !first.quoted {
		more = fmt.Sprintf("; an error that says more has a colon: error: %s", e.values[1].text)
	}
	return errorAt(e.at(e.valuesAt), "method %s cannot return %s: it returns %s%s", sig.Name, describeRaw(e.values), sig.results(), more)
}

// isOf refuses a return that names another method than the call.
func (r *resolver) isOf(e *event, m int) error {
	if e.method == "" {
		return nil
	}
	again, err := r.method(e)
	if err == nil && again != m {
		return errorAt(e.at(e.methodAt), "operation %s is a call of %s, not of %s", e.id(), r.sig.methods[m].Name, r.sig.methods[again].Name)
	}
	return err
}

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
			if b, typed := sig.typeOf(result, i-n); typed && (b.Kind == values.KindBytes || b.Kind == values.KindAny) {
				if text, err = r.formOf(b, v, sig.Name, result); err != nil {
					return nil, errorAt(e.at(e.valuesAt), "the log has %s where %v", v, err)
				}
			}
			if text, known, err = sig.read(result, i-n, text); err != nil {
				return nil, errorAt(e.at(e.valuesAt), "the log has %s where %v", v, err)
			}
			if v.quoted && !result && sig.mistakes(i-n, text) {
				return nil, errorAt(e.at(e.valuesAt), "the log has the text %s where %s takes any value, and no log tells such a text from the value %s: record another text", v, sig.Name, text)
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
