package equations

import (
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/values"
)

// WordOf is the word for an outcome.
func (s *Store) WordOf(o history.Outcome) Value {
	if o == history.None || o == history.Some {
		return s.Plain(Word, "ok")
	}
	return s.Plain(Word, string(o))
}

// Read is what a text of a log stands for; Undefined if it is no value of the type.
func (s *Store) Read(b *values.Basic, text string) Value {
	t, ok := b.Tree(text)
	if !ok {
		return Undefined
	}
	return s.OfTree(b, &t)
}

// ret is which value a part is, by its name; -1: the outcome.
func (p *Part) ret(results int) int {
	if p.Name == "outcome" || results == 0 {
		return -1
	}
	n, err := strconv.Atoi(strings.TrimPrefix(p.Name, "answer"))
	if err != nil {
		return 0
	}
	return n - 1
}

// Answer is an answer, part by part. A value that an outcome does not have is the word for
// the outcome; one that reads like an outcome of the method is no word.
func (s *Store) Answer(m *history.MethodSig, parts []Part, o history.Outcome, rets []history.Value) []Value {
	all := make([]Value, len(parts))
	for i, p := range parts {
		if p.Ret < 0 || p.Ret >= len(rets) {
			all[i] = s.WordOf(o)
			continue
		}
		text := string(rets[p.Ret])
		if all[i] = s.Read(&m.Results[p.Ret], text); all[i] == Undefined || s.isOutcome(m, all[i]) {
			all[i] = s.Plain(Other, text)
		}
	}
	return all
}

// isOutcome reports whether a value is the word for an outcome of a method.
func (s *Store) isOutcome(m *history.MethodSig, v Value) bool {
	return s.Is(v, Word) && slices.ContainsFunc(m.Outcomes, func(o history.OutcomeSig) bool { return s.WordOf(o.Outcome) == v })
}

// log is the text that logs have for a value of a type; false: nobody knows it.
func (s *Store) log(b *values.Basic, v Value) (text string, ok bool) {
	switch {
	case v == Undefined:
		return "", false
	case v.IsInt():
		text = strconv.FormatInt(v.Int(), 10)
	case s.Is(v, List), s.Is(v, Record), s.Is(v, Map):
		text = b.Canonical(s.Text(v))
	default:
		text = s.TextOf(v)
	}
	return text, s.Read(b, text) == v || s.Is(v, Other)
}

// label is a call with the answer that its parts mean; false: no outcome has it.
func (s *Store) label(call *history.Label, m *history.MethodSig, parts []Part, answer []Value) (history.Label, bool) {
	for _, o := range m.Outcomes {
		rets, fits := make([]history.Value, o.Rets), true
		for i, p := range parts {
			if p.Ret < 0 || p.Ret >= o.Rets {
				fits = fits && answer[i] == s.WordOf(o.Outcome)
				continue
			}
			text, known := s.log(&m.Results[p.Ret], answer[i])
			rets[p.Ret], fits = history.Value(text), fits && known && !s.isOutcome(m, answer[i])
		}
		if fits {
			return history.Label{Kind: history.Kind{Method: m.Name, Outcome: o.Outcome}, Args: call.Args, Rets: rets}, true
		}
	}
	return history.Label{}, false
}

// outside is the error of laws that ask for what nobody knows, or has no value.
type outside string

func (o outside) Error() string { return "the laws do not say " + string(o) }

// types are the types of integers that observers are, by observer; nil of others. Laws
// count on where the numbers of a type end.
type types []*values.Basic

func typesOf(s *Set, sigs []*history.MethodSig) types {
	all := make(types, len(s.Observers))
	for o := range s.Observers {
		h := &s.Observers[o].How
		for i := range s.Methods {
			if m := &s.Methods[i]; m.Name == h.Method && h.Least != "" {
				if q := m.fromOf(&s.Observers[o]); q >= 0 {
					all[o] = &sigs[i].Params[q]
				}
			} else if m.Name == h.Method && h.Repeat == "" && h.Part < len(m.Parts) && m.Parts[h.Part].Sort == Ints && m.Parts[h.Part].Ret >= 0 {
				all[o] = &sigs[i].Results[m.Parts[h.Part].Ret]
			}
		}
	}
	return all
}

// refuse is the error of a value that an observer's type does not have.
func (t types) refuse(s *Set, observer int, v Value) error {
	if t[observer] == nil || v == Undefined || !v.IsInt() {
		return nil
	}
	if _, fits := s.Store.log(t[observer], v); !fits {
		return outside("what follows when " + s.Observers[observer].Name + " exceeds its type")
	}
	return nil
}
