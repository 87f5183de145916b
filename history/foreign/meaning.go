package foreign

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/typename"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// meaning is what of a method decides the meaning of its records.
type meaning struct {
	sig     *history.MethodSig // nil: no signature has it
	args    int                // that a value holds: all but the key; -1: the method takes no key
	options int                // so many of them may be left out
	none    bool               // it has the outcome none
	yes, no bool               // true, false
	null    bool               // nil
	some    int                // values of the outcome value; -1: it has no such outcome
	whole   int                // so many of them as Go has them, where those of a struct are one
	read    bool               // it changes nothing
	tries   bool               // that it completed says that it did what its name says: a cas, an attempt to lock
	fails   bool               // it has outcomes that are errors
	words   map[string]history.Outcome

	// What completions in this file were like, by index of entries, or -1: one that repeats the value of its
	// invocation, and one that can only be an answer.
	repeated, answered int32
}

// meaning is that of an invocation's method.
func (a *assembler) meaning(e *entry) *meaning {
	i := 2 * e.method
	if e.key >= 0 && !a.o.ByKey {
		i++
	}
	if a.kinds[i] == nil {
		a.kinds[i] = a.newMeaning(e)
	}
	return a.kinds[i]
}

func (a *assembler) newMeaning(e *entry) *meaning {
	name, keyed := a.names[e.method], e.key >= 0 && !a.o.ByKey
	m := &meaning{some: -1, tries: isCAS(name), read: isRead(name, keyed), repeated: -1, answered: -1}
	sig, known := a.methods.Method(name)
	if !known {
		return m
	}
	m.sig, m.args, m.options = sig, sig.Args, sig.Optional
	if keyed {
		m.args--
	}
	for _, o := range sig.Outcomes {
		switch o.Outcome {
		case history.None:
			m.none = true
		case history.True:
			m.yes = true
		case history.False:
			m.no = true
		case history.Nil:
			m.null = true
		case history.Some:
			m.some = o.Rets
		}
		m.fails = m.fails || wording.IsError(string(o.Outcome))
	}
	if m.whole = m.some; len(sig.Structs) > 0 {
		m.whole = min(m.some, len(sig.Structs))
	}
	m.tries = m.tries || isCAS(sig.Name) || isAttempt(sig.Name)
	// An alias says nothing: what a log calls read may be a remove.
	m.read = isRead(sig.Name, keyed) && m.args == 0 && m.some > 0 && !m.none
	for _, w := range a.o.Outcomes {
		if of, _ := a.methods.Method(w.Method); of == sig {
			if m.words == nil {
				m.words = map[string]history.Outcome{}
			}
			m.words[w.word()] = w.Outcome
		}
	}
	return m
}

// returns is what a method may answer, in words.
func (m *meaning) returns() string {
	var parts []string
	for _, o := range m.sig.Outcomes {
		switch {
		case o.Outcome == history.Panic:
			continue
		case o.Outcome == history.None:
			parts = append(parts, "nothing")
		case o.Outcome == history.Some && o.Rets > 0 && len(m.sig.Results) >= o.Rets:
			var types []string
			for i := range m.whole {
				types = append(types, typename.Of(*m.result(i)))
			}
			parts = append(parts, strings.Join(types, ", "))
		case o.Outcome == history.Some && o.Rets == 1:
			parts = append(parts, "a value")
		case o.Outcome == history.Some:
			parts = append(parts, fmt.Sprintf("%d values", o.Rets))
		default:
			parts = append(parts, string(o.Outcome))
		}
	}
	return strings.Join(parts, " or ")
}

// outcomes are those of a method.
func (m *meaning) outcomes() (all []history.Outcome) {
	for _, o := range m.sig.Outcomes {
		all = append(all, o.Outcome)
	}
	return all
}

// has reports whether a method has an outcome that comes without values.
func (m *meaning) has(outcome history.Outcome) bool {
	for _, o := range m.sig.Outcomes {
		if o.Outcome == outcome && o.Rets == 0 && outcome != history.Some {
			return true
		}
	}
	return false
}

// failure is the outcome that an error of a completion is: the one that has its name or text. A keyword may have the name in its
// own way, such as :already-voted for ErrAlreadyVoted, and a vector or map may have it among other things.
func (m *meaning) failure(e *value) *history.OutcomeSig {
	texts := []string{e.text}
	for _, p := range e.parts {
		texts = append(texts, p.text)
	}
	if e.kind == other {
		f, _ := (&lexer{src: e.text}).read(0)
		for i := range f.parts {
			texts = append(texts, f.parts[i].text)
		}
	}
	for _, text := range texts {
		text = errorOf(text)
		var of []string
		for i := range m.sig.Outcomes {
			o := &m.sig.Outcomes[i]
			of = append(of, o.Error)
			if name := string(o.Outcome); !wording.IsError(name) || o.Outcome == history.Error || text == "" {
				continue
			} else if plain := letters(text); text == o.Error || plain == letters(o.Error) || plain == letters(name) || plain == letters(name)[len("err"):] {
				return o
			}
		}
		if i := wording.FindError(text, of); i >= 0 {
			return &m.sig.Outcomes[i]
		}
	}
	return nil
}

// returned is the outcome that the error of an :info is: of an operation of which the client does not know whether it
// happened. Only what no client and no network says by itself is one: the name of an error, with its Err, or its text, if
// that has several words. Not :timeout or "closed", nor what is in a vector or map, or behind a colon: if the operation
// is pending instead, it may have answered anything.
func (m *meaning) returned(e *value) *history.OutcomeSig {
	if e.kind == vector || e.kind == other {
		return nil
	}
	text := errorOf(e.text)
	for i := range m.sig.Outcomes {
		o := &m.sig.Outcomes[i]
		if name := string(o.Outcome); !wording.IsError(name) || o.Outcome == history.Error {
			continue
		} else if text == o.Error && strings.Contains(text, " ") || letters(text) == letters(name) {
			return o
		}
	}
	return nil
}

// errorOf is an error without the word in front.
func errorOf(text string) string { return strings.TrimSpace(strings.TrimPrefix(text, "error:")) }

// letters are those of a text, small, and its digits.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, text)
}

// errorText is an error as a text log has it behind the word.
func (m *meaning) errorText(e value) string {
	if o := m.failure(&e); o != nil {
		return "error: " + o.Error
	}
	return strings.TrimSpace("error: " + errorOf(e.text))
}

// arguments appends those of an invocation, which have been looked at.
func (a *assembler) arguments(values []history.Value, e *entry) []history.Value {
	m := a.meaning(e)
	if e.key >= 0 && !a.o.ByKey {
		values = append(values, history.Value(a.names[e.key]))
	}
	switch {
	case a.told:
		return a.toldArguments(values, m, e)
	case e.value == null && m.takesNil(0) && m.args == 1, e.value > null && !m.read && !a.listed(m, e):
		return append(values, a.typed(m.param, len(values), e.value, string(a.text(e))))
	case e.value <= null, m.read:
		return values
	}
	for i := range int(e.parts) {
		at := int(e.first) + 1 + i
		values = append(values, a.typed(m.param, len(values), a.shapes[at], a.texts[at]))
	}
	return values
}

// listed reports whether the value of an invocation is a list of arguments.
func (a *assembler) listed(m *meaning, e *entry) bool {
	return e.value == vector && (m.sig == nil && m.tries || m.args > 1) || m.args == 3 && e.parts == 3
}

// typed is the text that a text log has for a value.
func (a *assembler) typed(types func(int) *values.Basic, i int, kind valueKind, text string) history.Value {
	if t, ok := asType(types(i), kind, text); ok {
		text = t
	}
	return history.Value(text)
}

// takesNil reports whether nil may be an argument, by its type.
func (m *meaning) takesNil(i int) bool {
	b := m.param(i)
	if b == nil || b.Kind == "" {
		return false
	}
	_, ok := asType(b, null, "nil")
	return ok
}

// takes refuses an invocation with too many or too few arguments, or with a nil for one.
func (a *assembler) takes(m *meaning, e *entry) error {
	name, n := m.sig.Name, 1
	switch {
	case m.args < 0:
		return a.wrong(e, name+" takes no arguments, and this one has the key "+a.names[e.key]+": if each key is an object of its own, say so with --by-key")
	case e.value == null && m.args == 1 && m.takesNil(len(m.sig.Params)-1):
		return nil
	case e.value <= null && m.args > m.options && !(m.sig.Variadic && m.args == 1):
		return a.wrong(e, fmt.Sprintf("%s takes %s, and nil is none", name, counted(m.args)))
	case e.value <= null:
		return nil
	case m.args == 0 && m.read && a.completed(e):
		return nil
	case m.args == 1 && m.options == 1 && e.value == vector:
		return a.wrong(e, fmt.Sprintf("%s takes at most 1 argument, and whether %s is one, or a list of arguments, nobody can tell", name, shorten(string(a.text(e)))))
	case m.args > 1 && e.value == vector, m.args == 3 && e.parts == 3:
		n = int(e.parts)
		for i, k := range a.shapes[e.first+1 : e.first+1+e.parts] {
			if k == null && !m.takesNil(len(m.sig.Params)-m.args+i) {
				msg := fmt.Sprintf("argument %d of %s is nil, and nil is none", i+1, name)
				if i < m.args-m.options && m.options > 0 {
					msg += fmt.Sprintf("; %s may leave out arguments at the end only", name)
				}
				return a.wrong(e, msg)
			}
		}
	}
	if n >= m.args-m.options && n <= m.args || m.sig.Variadic && n >= m.args-1 {
		return a.takesTyped(m, e, n)
	}
	if m.args == 0 && !a.o.ByKey && a.isPair(e) && a.shapes[e.first+2] == null {
		return a.wrong(e, fmt.Sprintf("%s takes no arguments, and %s looks like the value of a keyed test, [key nil]: if it is one, say so with --by-key", name, a.text(e)))
	}
	msg := fmt.Sprintf("%s takes %s, and this one has %s", name, counted(m.args), a.text(e))
	if own := a.names[e.method]; own != name {
		msg = fmt.Sprintf("%s is %s, which takes %s, and this one has %s", own, name, counted(m.args), a.text(e))
		for _, other := range a.methods.Methods() {
			if other.Args == n {
				msg += fmt.Sprintf("; if it is %s, say so with --alias %s=%[1]s", other.Name, own)
				break
			}
		}
	}
	return a.wrong(e, msg)
}

// takesTyped refuses an invocation with arguments that are none by their types.
func (a *assembler) takesTyped(m *meaning, e *entry, n int) error {
	listed, before := a.listed(m, e), len(m.sig.Params)-m.args
	for i := range n {
		kind, text := e.value, string(a.text(e))
		if listed {
			kind, text = a.shapes[int(e.first)+1+i], a.texts[int(e.first)+1+i]
		}
		if m.sig.Variadic && i >= m.args-1 {
			break // the reader knows
		}
		if b := m.param(before + i); m.args > 0 && b != nil {
			if _, ok := asType(b, kind, text); !ok {
				return a.wrong(e, fmt.Sprintf("%s takes %s, and not %s", m.sig.Name, typename.Of(*b), shorten(text)))
			}
		}
	}
	return nil
}

// transferParts are the arguments of a transfer that Jepsen writes as a map, in the order from, to, amount; nil if these are not
// what the map has.
func transferParts(text string) []value {
	words := strings.Fields(strings.Trim(text, "{}"))
	if len(words) != 6 {
		return nil
	}
	parts := make([]value, 3)
	for i, name := range []string{"from", "to", "amount"} {
		for k := 0; k < len(words); k += 2 {
			if strings.Trim(words[k], `:"`) == name {
				parts[i] = value{kind: scalar, text: strings.Trim(words[k+1], `"`)}
			}
		}
		if parts[i].text == "" || parts[i].text == "nil" {
			return nil
		}
	}
	return parts
}

// completed reports whether an invocation holds what its operation answered, as in histories that Knossos completes.
func (a *assembler) completed(e *entry) bool {
	return e.mate >= 0 && a.entries[e.mate].kind == ok && a.repeats(e, &a.entries[e.mate])
}

func counted(args int) string {
	switch args {
	case 0:
		return "no arguments"
	case 1:
		return "1 argument"
	}
	return fmt.Sprintf("%d arguments", args)
}

// isRead reports whether a method of that name only reads: read and load, and a get that
// says what of. The get of a queue, which takes something out, has no argument.
func isRead(name string, keyed bool) bool {
	return strings.EqualFold(name, "read") || strings.EqualFold(name, "load") || keyed && strings.EqualFold(name, "get")
}

// isCAS reports whether a method of that name takes several values and answers whether
// it did what it says.
func isCAS(name string) bool {
	name = plainName(name)
	return name == "cas" || name == "compareandset" || name == "compareandswap"
}

// isAttempt reports whether a method of that name is done or not, as those of locks are.
func isAttempt(name string) bool {
	switch name = strings.TrimPrefix(plainName(name), "try"); name {
	case "acquire", "release", "lock", "unlock", "rlock", "runlock":
		return true
	}
	return false
}

func plainName(name string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(name))
}
