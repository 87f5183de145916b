//go:build go1.21

package driver

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"

	"github.com/adtinfer/adtinfer/internal/driver/values"
)

// PanicOutcome stands on the wire for "the call panicked". It comes without
// values, whatever the method's signature.
const PanicOutcome = 0xfe

// nilMap is what the runtime says of a map that nobody made.
const nilMap = "assignment to entry in nil map"

// called is how a call ended.
type called struct {
	outs     []reflect.Value
	panicked bool
	value    interface{} // of the panic
	where    string      // of a panic that is a runtime error
	exited   bool        // it ended its goroutine
	left     bool        // it waits for ever
}

// attempt calls an operation. A panic is a way to end; runtime.Goexit is not, and
// goes on.
func (o *op) attempt(object reflect.Value, in []reflect.Value) (c called) {
	returned := false
	defer func() {
		if returned {
			return
		}
		c = called{panicked: true, value: recover()}
		if _, ok := c.value.(runtime.Error); ok {
			c.where = panicSite()
		}
	}()
	fn, in := o.bound(object, in)
	c.outs = invokeAll(fn, in)
	returned = true
	return c
}

// invoke calls an operation and tells the outcome: an index into its outcomes,
// blockedOutcome or PanicOutcome. A panic leaves the object as it is. One that is
// a runtime error is an outcome, too, but mostly a mistake: the first is reported.
func (r *runner) invoke(o *op, object reflect.Value, in []reflect.Value) (outcome byte, outs []reflect.Value) {
	var c called
	if r.m.waits != nil && r.m.waits.apart {
		c = r.apart(o, object, in)
	} else {
		c = o.attempt(object, in)
	}
	switch {
	case c.exited:
		runtime.Goexit()
	case c.left, c.panicked && IsBlocked(c.value):
		r.left = c.left
		return blockedOutcome, nil
	case !c.panicked:
		r.m.tried(o, c.outs)
		return o.classify(c.outs), c.outs
	}
	if text := fmt.Sprint(c.value); strings.HasPrefix(text, "reflect: Call ") {
		panic(c.value) // ours, not the reference's
	}
	if c.where == "" {
		return PanicOutcome, nil
	}
	f := &Fault{Reason: Panics, Seq: r.seq, At: r.at, Detail: shorten(fmt.Sprint(c.value)), Where: c.where}
	if r.m.zero && strings.Contains(f.Detail, nilMap) {
		f.Detail += fmt.Sprintf("; %s is used by its zero value, for it has no constructor: write a func New() *%[1]s, or give --new", r.m.TypeName)
		r.fault = f
		return PanicOutcome, nil
	}
	if r.defect != nil {
		r.defect(f)
		r.defect = nil
	}
	return PanicOutcome, nil
}

// failures are the errors of a method that are outcomes of their own.
type failures []NamedError

// failuresOf are those of a method, with the outcomes that they are, of so many values. plain
// is the outcome of all other errors.
func failuresOf(all []NamedError, method string, rets int) (named failures, outcomes []Outcome, plain Outcome) {
	seen, any := map[string]bool{}, false
	for _, e := range all {
		if e.Method == method && e.Seen {
			seen[e.Name], any = true, true
		}
	}
	plain = Outcome{Name: outError, Rets: rets, Unseen: any && !seen[""]}
	has := map[string]bool{"": true}
	for _, e := range all {
		if err, ok := e.Value.(error); ok {
			e.Text = textOf(err)
		} else if e.Method != method || e.Value != nil {
			continue
		}
		if has[e.Name] || e.Text == "" || len(named) == mostNamed {
			continue
		}
		has[e.Name] = true
		named = append(named, e)
		outcomes = append(outcomes, Outcome{Name: e.Name, Rets: rets, Error: e.Text, Unseen: !seen[e.Name]})
	}
	return named, outcomes, plain
}

// mostNamed bounds the outcomes of a method: a byte tells them apart.
const mostNamed = 100

// find is the index of the error that another one is, or wraps, or -1: of two the one that wraps
// the other. One that wraps two others, and one of no variable, is told by its text.
func (f failures) find(err error) int {
	best, several := -1, false
	for i := range f {
		value, ok := f[i].Value.(error)
		switch {
		case !ok || !errors.Is(err, value):
		case best < 0 || errors.Is(value, f[best].Value.(error)):
			best = i
		case !errors.Is(f[best].Value.(error), value):
			several = true
		}
	}
	if best >= 0 && !several {
		return best
	}
	return f.byText(textOf(err), several)
}

// byText is the index of the error of a text: a wrapped error's is behind a colon, and the longest
// counts; else what stands before a colon does. Errors of variables count if values is true.
func (f failures) byText(text string, values bool) (best int) {
	best = -1
	for _, fits := range []func(t string) bool{
		func(t string) bool { return text == t || strings.HasSuffix(text, ": "+t) },
		func(t string) bool { return strings.HasPrefix(text, t+": ") },
	} {
		for i := range f {
			if t := f[i].Text; (values || f[i].Value == nil) && t != "" && fits(t) && (best < 0 || len(t) > len(f[best].Text)) {
				best = i
			}
		}
		if best >= 0 {
			return best
		}
	}
	return best
}

// textOf is the text of an error if it has one of one line.
func textOf(err error) (text string) {
	defer func() {
		if recover() != nil {
			text = ""
		}
	}()
	if text = strings.TrimSpace(err.Error()); strings.ContainsAny(text, "\r\n") {
		return ""
	}
	return text
}

// Beside is what results are beside an outcome of a method: false, which is nil, or an error.
type Beside struct {
	Method  string   `json:"method"`
	Outcome string   `json:"outcome"`
	Texts   []string `json:"texts"` // of the results, as logs have them; none: they vary

	// Of a trial:
	Text  string `json:"text,omitempty"` // of the error, if it has no name
	Zero  bool   `json:"zero,omitempty"` // the results were always zero
	Times int    `json:"times,omitempty"`
}

// mostTexts bounds the errors that a trial remembers.
const mostTexts = 100

// tried notes which error a call returned, and what stood beside it, or beside false, in a
// trial; see Object.Settling.
func (m *Machine) tried(o *op, outs []reflect.Value) {
	if !m.settling {
		return
	}
	c := o.classify(outs)
	if c == blockedOutcome {
		return
	}
	out := &o.outcomes[c]
	b := Beside{Method: m.nameOf(o), Outcome: out.Name, Zero: true, Times: 1}
	if n := len(outs); o.hasError && !outs[n-1].IsNil() && !m.anyError {
		e := NamedError{Method: b.Method, Text: textOf(outs[n-1].Interface().(error)), Seen: true}
		if out.Error != "" {
			e.Name = out.Name
		} else {
			b.Text = e.Text
		}
		m.noteError(e)
	}
	n := o.Beside(out.class())
	if out.Rets > 0 {
		n = 0
	}
	for _, v := range outs[:n] {
		b.Zero = b.Zero && isZero(v)
		b.Texts = append(b.Texts, values.LogText(v))
	}
	if b.Texts != nil {
		m.noteBeside(b)
	}
}

func (m *Machine) noteError(e NamedError) {
	for _, known := range m.seen {
		if known == e {
			return
		}
	}
	if len(m.seen) <= mostTexts {
		m.seen = append(m.seen, e)
	}
}

func (m *Machine) noteBeside(b Beside) {
	for i := range m.stood {
		known := &m.stood[i]
		if known.Method != b.Method || known.Outcome != b.Outcome || known.Text != b.Text {
			continue
		}
		known.Add(b)
		return
	}
	if len(m.stood) > mostTexts {
		b.Text = "" // one of many
	}
	m.stood = append(m.stood, b)
}

// Add takes in what another answer had there.
func (b *Beside) Add(other Beside) {
	b.Times += other.Times
	b.Zero = b.Zero && other.Zero
	same := len(b.Texts) == len(other.Texts)
	for i := 0; same && i < len(b.Texts); i++ {
		same = b.Texts[i] == other.Texts[i]
	}
	if !same {
		b.Texts = nil
	}
}
