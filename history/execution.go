package history

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/adtinfer/adtinfer/internal/wording"
)

// Outcome is the class of an operation's answer. The predeclared outcomes are
// the ones the reflection adapter tells apart; a Spec may name others.
type Outcome string

const (
	None  Outcome = "none"  // the method has no result to speak of
	Some  Outcome = "value" // the method returned one or more values
	Nil   Outcome = "nil"   // "empty", "not there": (T, false) or a nil pointer
	True  Outcome = "true"
	False Outcome = "false"
	Error Outcome = "error" // (T, error) or error, with an error
	Panic Outcome = "panic" // the method panicked

	// Pending is the outcome of an operation that has not returned.
	Pending Outcome = ""
)

// Value is a data value in canonical text. Values are only ever compared for
// equality (data independence, seed paper "Symbolic ADT inference" §3).
type Value string

// Kind is a method together with an outcome. Two kinds of one method are
// different labels: contains => true says something else than contains => false.
type Kind struct {
	Method  string
	Outcome Outcome
}

// String is "method" for outcome none and pending, "method => outcome" otherwise.
func (k Kind) String() string {
	if k.Outcome == None || k.Outcome == Pending {
		return k.Method
	}
	return k.Method + " => " + string(k.Outcome)
}

// Label is all that an operation says: its kind, the argument values, and the
// return values (empty unless the outcome carries values).
type Label struct {
	Kind
	Args []Value
	Rets []Value
}

// String draws the label as logs and messages do: "add(1)", "remove => 1",
// "remove => nil", "lock(2) => 1", "read*" while pending. Values that could not be seen
// are quoted: set("").
func (l Label) String() string {
	var b strings.Builder
	b.WriteString(l.Method)
	if len(l.Args) > 0 {
		b.WriteByte('(')
		writeValues(&b, l.Args)
		b.WriteByte(')')
	}
	switch {
	case l.Outcome == Pending:
		b.WriteByte('*')
	case len(l.Rets) > 0:
		b.WriteString(" => ")
		if l.Outcome != Some {
			b.WriteString(string(l.Outcome) + " ")
		}
		writeValues(&b, l.Rets)
	case l.Outcome != None:
		b.WriteString(" => " + string(l.Outcome))
	}
	return b.String()
}

func writeValues(b *strings.Builder, vs []Value) {
	for i, v := range vs {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(visible(v))
	}
}

// visible is a value as drawings have it: quoted if it could not be seen.
func visible(v Value) string {
	s := string(v)
	if s == "" || strings.TrimSpace(s) != s || strings.ContainsFunc(s, unicode.IsControl) {
		return strconv.Quote(s)
	}
	return s
}

// Operation is one method invocation of an execution.
type Operation struct {
	ID      string // as the log names it; unique in the execution
	Process string // the thread or client, if the log says so
	Label          // outcome Pending if it did not return

	Call   int // index of the call among the execution's events, from 0
	Return int // index of the return, or NoReturn

	CallPos   Pos // where the log says so; zero if not from a log
	ReturnPos Pos
}

// NoReturn is the Return of a pending operation.
const NoReturn = -1

// Completed reports whether the operation returned.
func (o *Operation) Completed() bool { return o.Return != NoReturn }

// Execution is a sequence of call and return actions ("Symbolic ADT inference"
// §3), held as its operations in the order of their calls.
type Execution struct {
	Object string // the log's "# @object", if any
	Ops    []Operation
	Events int    // number of call and return actions
	Tail   string // what is missing at the end of the log that it is from, as a clause, or ""

	// Unknown lists the operations that returned, each after so many events, and nobody knows anything of what. They
	// have no return, so that what is a violation is one whatever they answered; Rest is the Tail without that.
	Unknown [][2]int
	Rest    string
}

// Sequential builds the execution in which each operation returns before the
// next is called. Operations are named 1, 2, 3, ...
func Sequential(labels ...Label) *Execution {
	e := &Execution{Events: 2 * len(labels), Ops: slices.Grow([]Operation(nil), len(labels))}
	for i, l := range labels {
		e.Ops = append(e.Ops, Operation{ID: itoa(i + 1), Label: l, Call: 2 * i, Return: 2*i + 1})
	}
	return e
}

// Before reports whether operation i returned before operation j was called.
func (e *Execution) Before(i, j int) bool {
	r := e.Ops[i].Return
	return r != NoReturn && r < e.Ops[j].Call
}

// Prefix is the execution's first n events: operations called later are left
// out, operations that return later are pending.
func (e *Execution) Prefix(n int) *Execution {
	p := &Execution{Object: e.Object, Events: min(n, e.Events)}
	for _, o := range e.Ops {
		if o.Call >= n {
			continue
		}
		if o.Completed() && o.Return >= n {
			o.Return, o.Outcome, o.Rets, o.ReturnPos = NoReturn, Pending, nil, Pos{}
		}
		p.Ops = append(p.Ops, o)
	}
	return p
}

// String is the labels in order of call, separated by "; ".
func (e *Execution) String() string {
	var parts []string
	for i := range e.Ops {
		parts = append(parts, e.Ops[i].Label.String())
	}
	return strings.Join(parts, "; ")
}

// Pos is a place in a file a person or program wrote. Line and Col count from
// 1, Col in characters; the zero Pos means "not from a file". With Col 0, Line
// counts the events of a log that has no lines.
type Pos struct {
	File      string
	Line, Col int
}

// String is "file:line:col", or "line:col" without a file, or "file: event n".
func (p Pos) String() string {
	if p.Col == 0 && p.Line > 0 {
		return p.File + ": event " + strconv.Itoa(p.Line)
	}
	s := strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Col)
	if p.File == "" {
		return s
	}
	return p.File + ":" + s
}

// ParseError says where a log or drawing is wrong, and what to do about it.
type ParseError struct {
	Pos Pos
	Msg string

	Method string // the method that a signature does not have, if that is what is wrong

	Unsorted bool // times go back, and the log is not in memory; see Reader.Sort
}

// Error is "file:line:col: message".
func (e *ParseError) Error() string { return e.Pos.String() + ": " + e.Msg }

func errorAt(p Pos, format string, args ...any) *ParseError {
	return &ParseError{Pos: p, Msg: fmt.Sprintf(format, args...)}
}

// errorTexts notices a method that returned errors of two kinds, where which of them it was
// is no part of its answer, and one that returned an error that has no name where errors have.
type errorTexts struct {
	first  map[int][]string // by method: the words of its first error
	clause string           // what is not compared, or ""
	said   string           // the first answer of which nobody knows anything, or ""
}

// all is both clauses.
func (t *errorTexts) all() string {
	if t.clause == "" || t.said == "" {
		return t.clause + t.said
	}
	return t.clause + "; " + t.said
}

// inErrors is what varies in the errors of one kind: texts in quotes, numbers, letters
// that stand for a value, and what follows a colon.
var inErrors = wording.Regexp(`"[^"]*"|'[^']*'|\b([[:alpha:]]|[[:word:].]*[0-9][[:word:].]*)\b`)

// add notes the error that a method returned, if the log says which it is.
func (t *errorTexts) add(m int, name, answer string) {
	text, says := strings.CutPrefix(answer, "error:")
	if text = strings.TrimSpace(text); t.clause != "" || !says || text == "" {
		return
	}
	if plain, err := strconv.Unquote(text); err == nil {
		text = plain
	}
	kind, _, _ := strings.Cut(inErrors().ReplaceAllString(strings.Clone(text), "_"), ": ")
	words := strings.Fields(kind)
	first, has := t.first[m]
	switch {
	case !has && t.first == nil:
		t.first = map[int][]string{m: words}
	case !has:
		t.first[m] = words
	case !oneKind(first, words):
		t.clause = fmt.Sprintf("%s returned the errors %q and %q, and which error it is was not compared", name, strings.Join(first, " "), kind)
	}
}

// unknown notes an answer of which the log does not say all.
func (t *errorTexts) unknown(sig *MethodSig, e *event) {
	if e.isUnknown() {
		if t.said == "" {
			t.said = t.unknownWhole(sig, e)
		}
		return
	}
	if t.clause != "" {
		return
	}
	what := "and which of its errors that is nobody knows"
	var known []string
	if e.hasUnknown() {
		t.clause = fmt.Sprintf("%s returned %s at %s, where _ is a value that nobody knows, so the call was taken for one that has not returned", sig.Name, describeRaw(e.values), e.pos)
		return
	}
	for _, o := range sig.Outcomes {
		if o.Error != "" {
			known = append(known, fmt.Sprintf("%s (%s)", o.Outcome, o.Error))
		}
	}
	if o, ok := sig.named(e.values[len(e.values)-1]); ok && o.Rets > 0 {
		what, known = "without what comes with it", nil
	}
	t.clause = fmt.Sprintf("%s returned %s at %s, %s, so the call was taken for one that has not returned", sig.Name, describeRaw(e.values), e.pos, what)
	if len(known) > 0 {
		t.clause += "; they are " + strings.Join(known, ", ")
	}
}

// unknownWhole says of which call nobody knows anything that it returned.
func (t *errorTexts) unknownWhole(sig *MethodSig, e *event) string {
	if e.why != "" {
		return fmt.Sprintf("what %s returned at %s nobody knows, since %s, so the call was taken for one that has not returned", sig.Name, e.pos, e.why)
	}
	return fmt.Sprintf("%s returned _ at %s, where _ is a value that nobody knows, so the call was taken for one that has not returned", sig.Name, e.pos)
}

// oneKind reports whether errors may differ in a value alone: one word in a sentence.
func oneKind(a, b []string) bool {
	differ := 0
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			differ++
		}
	}
	return len(a) == len(b) && (differ == 0 || differ == 1 && len(a) > 2)
}
