// # Spurious failures
//
// Kinds are operations that may fail in every state and then change
// nothing, as try-operations do: a TryLock that gives up although the lock is free.
// What is left of an execution without them decides for the whole; see
// docs/proofs/spurious.md.
package history

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/adtinfer/adtinfer/internal/wording"
)

// Kinds are the kinds of operations that may come in every state.
type Kinds []Kind

// Parse reads texts such as "Offer=false". Methods may be in the Go spelling.
func Parse(methods []MethodSig, texts []string) (ks Kinds, err error) {
	for _, text := range texts {
		k, err := parse(methods, text)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(ks, k) {
			ks = append(ks, k)
		}
	}
	return ks, nil
}

func parse(methods []MethodSig, text string) (Kind, error) {
	name, outcome, ok := strings.Cut(text, "=")
	name, outcome = strings.TrimSpace(name), strings.TrimSpace(outcome)
	if !ok || name == "" || outcome == "" {
		return Kind{}, fmt.Errorf("what may fail is METHOD=OUTCOME, such as tryLock=false, not %q", text)
	}
	var names []string
	for i := range methods {
		m := &methods[i]
		names = append(names, m.Name)
		if m.Name != name && m.Name != lower(name) && !slices.Contains(m.Aliases, name) {
			continue
		}
		var outcomes []string
		for _, o := range m.Outcomes {
			if outcomes = append(outcomes, string(o.Outcome)); string(o.Outcome) == outcome {
				return Kind{Method: m.Name, Outcome: o.Outcome}, nil
			}
		}
		return Kind{}, fmt.Errorf("what may fail: method %s has no outcome %q%s", m.Name, outcome, wording.HintOrAll(outcome, outcomes, "outcomes"))
	}
	return Kind{}, fmt.Errorf("what may fail: unknown method %q%s", name, wording.HintOrAll(name, names, "methods"))
}

// lower is a Go name with its first letter in lower case.
func lower(name string) string {
	r, n := utf8.DecodeRuneInString(name)
	return string(unicode.ToLower(r)) + name[n:]
}

// Texts are the kinds as Parse reads them.
func (ks Kinds) Texts() (texts []string) {
	for _, k := range ks {
		texts = append(texts, k.Method+"="+string(k.Outcome))
	}
	return texts
}

// Without is an execution without its completed operations of these kinds. Events
// keep their numbers.
func (ks Kinds) Without(e *Execution) *Execution {
	drop := func(o Operation) bool { return o.Completed() && slices.Contains(ks, o.Kind) }
	if len(ks) == 0 || !slices.ContainsFunc(e.Ops, drop) {
		return e
	}
	rest := *e
	rest.Ops = slices.DeleteFunc(slices.Clone(e.Ops), drop)
	return &rest
}

// Running reports whether an operation of these kinds is called in the first n events,
// and returns later.
func (ks Kinds) Running(e *Execution, n int) bool {
	return slices.ContainsFunc(e.Ops, func(o Operation) bool {
		return o.Call < n && o.Return >= n && slices.Contains(ks, o.Kind)
	})
}

// Methods are methods without these kinds, which a data type that does not fail
// otherwise than it must is compared with.
func (ks Kinds) Methods(methods []MethodSig) []MethodSig {
	rest := slices.Clone(methods)
	for i := range rest {
		m := &rest[i]
		m.Outcomes = slices.DeleteFunc(slices.Clone(m.Outcomes), func(o OutcomeSig) bool {
			return slices.Contains(ks, Kind{Method: m.Name, Outcome: o.Outcome})
		})
	}
	return slices.DeleteFunc(rest, func(m MethodSig) bool { return len(m.Outcomes) == 0 })
}

// Relaxed is the labels of a sequence without those of these kinds.
func (ks Kinds) Relaxed(labels []Label) []Label {
	is := func(l Label) bool { return slices.Contains(ks, l.Kind) }
	if !slices.ContainsFunc(labels, is) {
		return labels
	}
	return slices.DeleteFunc(slices.Clone(labels), is)
}
