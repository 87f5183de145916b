package history

import (
	"fmt"
	"strings"

	"github.com/adtinfer/adtinfer/internal/names"
	"github.com/adtinfer/adtinfer/internal/suggest"
)

// MethodSig is what a log reader must know of a method.
type MethodSig struct {
	Name     string
	Args     int  // number of argument values
	Optional int  // so many of them, the last, may be left out
	Variadic bool // logs may write any number of values for the last one, which is a list of them
	Outcomes []OutcomeSig
	Aliases  []string // other names that logs use for it
}

// OutcomeSig is an outcome class with the number of values it carries.
type OutcomeSig struct {
	Outcome Outcome
	Rets    int
}

// Signature is the methods of a data type, found by the names that logs use.
type Signature struct {
	methods []MethodSig
	byName  map[string]int
}

// NewSignature collects methods. It refuses a name or alias of two methods,
// and an outcome whose name a log could not tell from a value.
func NewSignature(methods ...MethodSig) (Signature, error) {
	s := Signature{methods: methods, byName: map[string]int{}}
	for i, m := range methods {
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

func checkOutcomeName(o Outcome) error {
	switch {
	case !names.IsOutcome(string(o)):
		return fmt.Errorf("outcome %q is not a word of two letters or more", o)
	case o != Nil && isNilWord(string(o)):
		return fmt.Errorf("outcome %q goes by the name nil", o)
	}
	return nil
}

// Methods lists the methods.
func (s Signature) Methods() []MethodSig { return s.methods }

// Method finds a method by its name or an alias.
func (s Signature) Method(name string) (*MethodSig, bool) {
	i, ok := s.byName[name]
	if !ok {
		return nil, false
	}
	return &s.methods[i], true
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
	hint := suggest.Hint(name, known)
	if hint == "" {
		hint = "; the methods are " + strings.Join(described, ", ")
	}
	return fmt.Sprintf("unknown method %q", name) + hint
}

// outcome finds an outcome of the method.
func (m *MethodSig) outcome(o Outcome) (OutcomeSig, bool) {
	for _, sig := range m.Outcomes {
		if sig.Outcome == o {
			return sig, true
		}
	}
	return OutcomeSig{}, false
}

// answer is the outcome of a call that returned n values, and whether the first of
// them only names it: 1 or 0. It is the first of these that fits:
//
//   - nothing is outcome none;
//   - the name of an outcome, with as many values behind it as it carries, is
//     that outcome: "true", "full", "error"; the nil outcome goes by "empty",
//     "-", "nil" and "null", and an error may say more ("error: no such key");
//   - as many values as outcome value carries are that outcome.
//
// A quoted text is always a value, and an outcome in a field of its own always an
// outcome.
func (m *MethodSig) answer(first raw, n int) (o Outcome, named int, ok bool) {
	if n == 0 {
		if sig, ok := m.outcome(None); ok && sig.Rets == 0 {
			return None, 0, true
		}
	} else if sig, ok := m.named(first); ok && sig.Rets == n-1 {
		return sig.Outcome, 1, true
	}
	if sig, ok := m.outcome(Some); ok && sig.Rets == n && !first.outcome {
		return Some, 0, true
	}
	return "", 0, false
}

// namedBefore reports whether the first of n returned values would have named an
// outcome in an old log, where strings were words.
func (m *MethodSig) namedBefore(text string, n int) bool {
	_, named, ok := m.answer(raw{text: text}, n)
	return ok && named == 1
}

// named finds the outcome that a returned word names, other than none and value.
func (m *MethodSig) named(r raw) (OutcomeSig, bool) {
	switch {
	case r.text != "" && r.text[0]-'0' <= 9:
		return OutcomeSig{}, false // quickly: names begin with letters
	case r.quoted || r.text == string(None) || r.text == string(Some):
		return OutcomeSig{}, false
	case isNilWord(r.text):
		return m.outcome(Nil)
	case strings.HasPrefix(r.text, "error:"):
		return m.outcome(Error)
	}
	return m.outcome(Outcome(r.text))
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
	return s == "-" || names.IsOutcome(s) || strings.HasPrefix(s, "error:")
}

// isNilWord reports whether people and logs write s for the nil outcome.
func isNilWord(s string) bool { return s == "-" || s == "empty" || s == "nil" || s == "null" }

func firstRune(s string) string {
	for _, r := range s {
		return string(r)
	}
	return ""
}
