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

// MethodSig is what a log reader must know of a method.
type MethodSig struct {
	Name     string
	Args     int  // number of argument values
	Optional int  // so many of them, the last, may be left out
	Variadic bool // logs may write any number of values for the last one, which is a list of them
	Outcomes []OutcomeSig
	Aliases  []string // other names that logs use for it

	// Params and Results are the types of the arguments, and of the values that outcomes
	// carry: these are the first results of the method, so that an outcome with two values
	// has the first two. None: the types are unknown, and values are what they are written
	// like; one that might be another one, too, is refused.
	Params, Results []values.Basic

	// Structs are the results as Go has them, where the fields of structs are values of
	// their own in Results: logs may have such a struct as one value. Else nil.
	Structs []values.Basic

	// Value, if there is one, is instead the text that stands for what a log has as argument
	// or result i; the error ends the sentence "the log has it where".
	Value func(result bool, i int, text string) (Value, error)
	Named []Value // that a specification names, and logs write like it

	// NotNil are the arguments, from 1, that must not be nil, because the specification
	// says nothing of calls in which they are.
	NotNil []int
}

// OutcomeSig is an outcome class with the number of values it carries.
type OutcomeSig struct {
	Outcome Outcome
	Rets    int
	Error   string // the text of the error that it is, as logs have it behind "error:"; "" if it is none, or any

	// Beside is what the method's results are when false or an error stands behind them,
	// if they are not carried; none: zero. An operation that has values with an outcome that
	// carries none returned others, as no call does.
	Beside []string
}

// Signature is the methods of a data type, found by the names that logs use.
type Signature struct {
	methods []MethodSig
	byName  map[string]int
	reads   []bool // of each method: its values are read by Value, or by their types
	bytes   []bool // of each method: it takes or answers bytes
	typed   bool   // some methods have types
}

// NewSignature collects methods. It refuses a name or alias of two methods,
// and an outcome whose name a log could not tell from a value.
func NewSignature(methods ...MethodSig) (Signature, error) {
	s := Signature{methods: methods, byName: map[string]int{}}
	for i := range methods {
		m := &methods[i]
		if err := m.checkTypes(); err != nil {
			return Signature{}, fmt.Errorf("history: method %s: %w", m.Name, err)
		}
		s.reads = append(s.reads, m.Value != nil || m.isTyped())
		s.bytes = append(s.bytes, slices.ContainsFunc(m.Params, hasBytes) || slices.ContainsFunc(m.Results, hasBytes))
		s.typed = s.typed || m.isTyped()
		for _, name := range append([]string{m.Name}, m.Aliases...) {
			if j, ok := s.byName[name]; ok && i != j {
				return Signature{}, fmt.Errorf("history: %q names two methods, %s and %s", name, methods[j].Name, m.Name)
			}
			s.byName[name] = i
		}
		for _, o := range m.Outcomes {
			if err := checkOutcomeName(o.Outcome); err != nil {
				return Signature{}, fmt.Errorf("history: method %s: %w", m.Name, err)
			}
		}
	}
	return s, nil
}

func hasBytes(b values.Basic) bool { return b.HasBytes() }

func checkOutcomeName(o Outcome) error {
	switch {
	case !wording.IsOutcomeName(string(o)):
		return fmt.Errorf("outcome %q is not a word of two letters or more", o)
	case o != Nil && isNilWord(string(o)):
		return fmt.Errorf("outcome %q goes by the name nil", o)
	}
	return nil
}

// Methods lists the methods.
func (s Signature) Methods() []MethodSig { return s.methods }

// Method finds a method by its name or an alias, or by one of these as Go exports it: Transfer is transfer.
func (s Signature) Method(name string) (*MethodSig, bool) {
	i, ok := s.index(name)
	if !ok {
		return nil, false
	}
	return &s.methods[i], true
}

// index is the place of a method among the methods.
func (s Signature) index(name string) (int, bool) {
	i, ok := s.byName[name]
	if ok || name == "" {
		return i, ok
	}
	for known, k := range s.byName {
		if !strings.EqualFold(known, name) || !isExported(known) && !isExported(name) {
			continue
		}
		if ok && k != i {
			return 0, false
		}
		i, ok = k, true
	}
	return i, ok
}

func isExported(name string) bool {
	r, _ := utf8.DecodeRuneInString(name)
	return unicode.IsUpper(r)
}

// unknown says what to do about a method the signature lacks.
func (s Signature) unknown(name string) string {
	var known, described []string
	for _, m := range s.methods {
		known = append(append(known, m.Name), m.Aliases...)
		d := m.Name
		if len(m.Aliases) > 0 {
			d += " (or " + strings.Join(m.Aliases, ", ") + ")"
		}
		described = append(described, d)
	}
	hint := wording.Hint(name, known)
	if hint == "" {
		hint = "; the methods are " + strings.Join(described, ", ")
	}
	return fmt.Sprintf("unknown method %q", name) + hint
}

// outcome finds an outcome of the method.
func (m *MethodSig) outcome(o Outcome) (OutcomeSig, bool) {
	if sig := m.find(o); sig != nil {
		return *sig, true
	}
	return OutcomeSig{}, false
}

// find is an outcome of the method, or nil.
func (m *MethodSig) find(o Outcome) *OutcomeSig {
	for i := range m.Outcomes {
		if m.Outcomes[i].Outcome == o {
			return &m.Outcomes[i]
		}
	}
	return nil
}

// answer is the outcome of a call that returned n values, and whether the first of
// them only names it: 1 or 0. It is the first of these that fits:
//
//   - nothing is outcome none;
//   - the name of an outcome, with as many values behind it as it carries, is
//     that outcome: "true", "full", "error"; the nil outcome goes by "empty",
//     "-", "nil" and "null", and an error may say more ("error: no such key"); without
//     the values that nil or an error carries, nobody knows the answer;
//   - as many values as outcome value carries are that outcome.
//
// A quoted text is always a value, and an outcome in a field of its own always an
// outcome.
func (m *MethodSig) answer(first raw, n int) (o Outcome, named int, ok bool) {
	if n == 0 {
		if sig := m.find(None); sig != nil && sig.Rets == 0 {
			return None, 0, true
		}
	} else if first.text != "" && first.text[0]-'0' <= 9 { // quickly: names begin with letters
	} else if sig, ok := m.named(first); ok {
		switch {
		case sig.Rets == n-1, sig.Outcome == unknownAnswer:
			return sig.Outcome, 1, true
		case n == 1 && (sig.Outcome == Nil || wording.IsError(string(sig.Outcome))):
			return unknownAnswer, 1, true
		}
	}
	if sig := m.find(Some); sig != nil && sig.Rets == n && !first.outcome {
		return Some, 0, true
	}
	return "", 0, false
}

// isNamed reports whether the first of n returned values would name an outcome if it
// were no string.
func (m *MethodSig) isNamed(text string, n int) bool {
	_, named, ok := m.answer(raw{text: text}, n)
	return ok && named == 1
}

// named finds the outcome that a returned word names, other than none and value.
func (m *MethodSig) named(r raw) (OutcomeSig, bool) {
	switch {
	case r.quoted || r.text == string(None) || r.text == string(Some):
		return OutcomeSig{}, false
	case isNilWord(r.text):
		return m.outcome(Nil)
	case r.text == string(Error) || strings.HasPrefix(r.text, "error:"):
		if any, ok := m.outcome(Error); ok && r.outcome && r.text == string(Error) {
			return any, true
		}
		return m.failed(r.text)
	}
	if b := wording.Bool(r.text); b != "" {
		if _, ok := m.outcome(Some); !ok {
			return m.outcome(Outcome(b))
		}
	}
	return m.outcome(Outcome(r.text))
}

// unknownAnswer stands for the outcome of a method of which the log does not say all that
// it returned: which of its errors, which have names, or which value beside an error.
const unknownAnswer Outcome = "?"

// failed is the outcome that a log writes as error or error: text. Without a text it may be
// any error of the method.
func (m *MethodSig) failed(text string) (OutcomeSig, bool) {
	var of []string
	last, names := -1, 0
	for i := range m.Outcomes {
		of = append(of, m.Outcomes[i].Error)
		if m.Outcomes[i].Error != "" {
			last, names = i, names+1
		}
	}
	any, fails := m.outcome(Error)
	if names == 0 {
		return any, fails
	}
	_, text, _ = strings.Cut(text, ":")
	text = strings.TrimSpace(text)
	if plain, err := strconv.Unquote(text); err == nil {
		text = plain
	}
	switch i := wording.FindError(text, of); {
	case i >= 0:
		return m.Outcomes[i], true
	case fails && text != "":
		return any, true
	case !fails && text == "" && names == 1:
		return m.Outcomes[last], true
	}
	return OutcomeSig{Outcome: unknownAnswer}, true
}

// results describes what the method may return.
func (m *MethodSig) results() string {
	var parts []string
	for _, o := range m.Outcomes {
		switch {
		case o.Outcome == None:
			parts = append(parts, "nothing")
		case o.Outcome == Some:
			parts = append(parts, countValues(o.Rets))
		case o.Outcome == Nil:
			parts = append(parts, `"-"`)
		case o.Error != "":
			parts = append(parts, fmt.Sprintf("%q (error: %s)", o.Outcome, o.Error))
		case o.Rets > 0:
			parts = append(parts, fmt.Sprintf("%q and %s", o.Outcome, countValues(o.Rets)))
		default:
			parts = append(parts, fmt.Sprintf("%q", o.Outcome))
		}
	}
	return strings.Join(parts, " or ")
}

func countValues(n int) string {
	if n == 1 {
		return "1 value"
	}
	return fmt.Sprintf("%d values", n)
}

// couldName reports whether s may name an outcome of some method, so that it
// takes quotes, or a field of its own, to say which of the two it is.
func couldName(s string) bool {
	return s == "-" || s == "<nil>" || wording.IsOutcomeName(s) || strings.HasPrefix(s, "error:")
}

// isNilWord reports whether people and logs write s for the nil outcome.
func isNilWord(s string) bool {
	return s == "-" || s == "empty" || s == "nil" || s == "null" || s == "<nil>"
}

func firstRune(s string) string {
	for _, r := range s {
		return string(r)
	}
	return ""
}

// isTyped reports whether types of values of the method are known.
func (m *MethodSig) isTyped() bool { return len(m.Params)+len(m.Results) > 0 }

// typeOf is the type of argument or result i, if that is known.
func (m *MethodSig) typeOf(result bool, i int) (b *values.Basic, ok bool) {
	types := m.Params
	if result {
		types = m.Results
	}
	if i >= len(types) || types[i].Kind == "" {
		return nil, false
	}
	return &types[i], true
}

// checkTypes refuses types for values that the method does not have.
func (m *MethodSig) checkTypes() error {
	if n := len(m.Params); n > 0 && n != m.Args {
		return fmt.Errorf("%d types for %s", n, countArgs(m))
	}
	if len(m.Results) == 0 {
		return nil
	}
	for _, o := range m.Outcomes {
		if o.Rets > len(m.Results) {
			return fmt.Errorf("outcome %s carries %s, and there are types for %d", o.Outcome, countValues(o.Rets), len(m.Results))
		}
	}
	return nil
}

// read is the text that stands for what a log has as argument or result i, by its type;
// false if its type is unknown.
func (m *MethodSig) read(result bool, i int, text string) (v string, known bool, err error) {
	if m.Value != nil {
		typed, err := m.Value(result, i, text)
		return string(typed), true, err
	}
	b, known := m.typeOf(result, i)
	if !known || b.Kind == values.KindString {
		return text, known, nil
	}
	if result {
		text = b.OfNil(text)
	}
	if _, nilable := b.Nilable(); !isOf(b, text) || nilable && isNull(text) && (b.Kind == values.KindList || b.Kind == values.KindMap) {
		verb := "takes"
		if result {
			verb = "answers with"
		}
		return "", true, fmt.Errorf("%s %s %s", m.Name, verb, typename.Of(*b))
	}
	return b.Canonical(text), true, nil
}

// mistakes reports whether argument i may be any value, and a text reads like nil or an integer.
func (m *MethodSig) mistakes(i int, text string) bool {
	b, known := m.typeOf(false, i)
	if !known || b.Kind != values.KindAny {
		return false
	}
	read, ok := b.Text(text)
	return ok && read != strconv.Quote(text)
}

// isOf reports whether a text is a value of a type.
func isOf(b *values.Basic, text string) bool {
	_, ok := b.Text(text)
	return ok || b.Kind == values.KindString
}
