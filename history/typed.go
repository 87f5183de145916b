package history

import (
	"cmp"
	"fmt"

	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/internal/typename"
)

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
	if _, ok := b.Text(text); !ok {
		verb := "takes"
		if result {
			verb = "answers with"
		}
		return "", true, fmt.Errorf("%s %s %s", m.Name, verb, typename.Of(*b))
	}
	return b.Canonical(text), true, nil
}

// untyped is another way to write a value whose type nobody knows, where the log has
// it so, or may have.
func (r *resolver) untyped(m *MethodSig, text string, line int) (other spelling, twice bool) {
	if other, twice = r.spellings.add(text, m.Named, line); twice || !r.sig.typed {
		return other, twice
	}
	if isUnusual(text) { // values with types have the usual text
		return spelling{text: usual(text)}, true
	}
	style := styleOf(text)
	return spelling{text: "its %v form, as values with types have it"}, cmp.Or(style, "%v") != "%v"
}
