package history

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/adtinfer/adtinfer/internal/wording"
)

// Kinds are the kinds of operations that may fail in every state and then change nothing, as try-operations do: a TryLock
// that gives up although the lock is free. What is left of an execution without them decides for the whole:
//
// --may-fail and mayFail name kinds of operations, F, such as tryLock => false. The data type T' that is meant is
// T in which an operation of F may also happen in every state, and then leaves it as it is; where T itself allows
// such an operation, it changes nothing either (a theory with a pattern in which an operation of F is not
// read-only is refused). Engines drop the completed operations of F from an execution e and check the rest, e∖F,
// against T.
//
// e is linearizable in T' iff e∖F is linearizable in T.
//
//   - Only if. Take a linearization of e in T'. Operations of F leave the state as it is, so without them each
//     other operation meets the state that it met before, and answers the same. The others answer as T does, in an
//     order that respects real time, which only loses constraints. A pending operation that takes effect as one of
//     F is left out: it is pending in e∖F, too, and need not take effect. So what remains is a linearization of
//     e∖F in T.
//   - If. Take a linearization of e∖F in T: the order in which its operations take effect at moments between call
//     and return, which can be chosen all different. Give each dropped operation any other moment between its own
//     call and return. The order of all moments respects real time, the others take effect in the order they had,
//     and a dropped operation is allowed wherever it falls and leaves the state as it is.
//
// Prefixes. In a prefix of e an operation that is of F in the end may still be pending. It is not dropped there:
// it may have turned out otherwise. Let n be the shortest violating prefix of e∖F. Since dropping a pending
// operation only takes possibilities away, no shorter prefix of e is a violation. If no operation of F is running
// after n events, e and e∖F agree there, and n is the answer. Otherwise the shortest violating prefix of e lies
// between n and its end and is found by halving: violations stay violations when events are added.
//
// Evidence. A linearization leaves the completed operations of F out. A derivation is about the first n events
// without the operations of F that returned in them. verify does the same before it looks, and the digest of the
// log is of what is left.
//
// Theories. The patterns of T that contain an operation of F embed in no e∖F. So the others alone decide e∖F as
// all of them do, and are what infer --may-fail keeps.
//
// TestMayFail in check compares verdicts, prefixes and evidence with a search that tries everything on T'.
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
