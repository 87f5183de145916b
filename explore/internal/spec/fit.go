package spec

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// Mismatch is the error of an implementation that does not have the methods of its
// specification.
type Mismatch struct {
	Of       string   // the specification: "theory queue"
	Problems []string // one sentence each: which method, what is wrong
	Own      []string // the implementation's methods, with their answers
	Theirs   []string // the specification's
	Unknown  string   // one of the implementation's that is none of the specification's
}

// Error lists the problems, and the methods of both.
func (e *Mismatch) Error() string {
	text := fmt.Sprintf("the operations do not fit the %s:\n\t%s\n\toperations: %s\n\t%s: %s",
		e.Of, strings.Join(e.Problems, "\n\t"), strings.Join(e.Own, ", "), e.Of, strings.Join(e.Theirs, ", "))
	if e.Unknown != "" {
		text += fmt.Sprintf("\n\tif %s is another name for one of them, say so with an alias", e.Unknown)
	}
	return text
}

// fitted is the calls of an implementation as a specification has them.
type fitted struct {
	labels []history.Label
	own    map[string][]history.Outcome // what the implementation can answer, by method
}

// fit is calls with the names that a specification has for their methods.
func fit(list *List, sig history.Signature, of string) (fitted, error) {
	wrong := &Mismatch{Of: of}
	f := fitted{slices.Clone(list.Labels), map[string][]history.Outcome{}}
	names, taken := map[string]string{}, map[string]string{}
	for i := range list.Methods {
		own := &list.Methods[i]
		wrong.Own = append(wrong.Own, signature(own))
		m, ok := sig.Method(own.Name)
		problem := ""
		switch {
		case !ok:
			problem = fmt.Sprintf("%s: the %s has no method of that name%s", own.Name, of, wording.HintOrAll(own.Name, namesOf(sig), "methods"))
			wrong.Unknown = cmp.Or(wrong.Unknown, own.Name)
		case taken[m.Name] != "":
			problem = fmt.Sprintf("%s: the %s's %s is already %s", own.Name, of, m.Name, taken[m.Name])
		default:
			taken[m.Name], names[own.Name] = own.Name, m.Name
			list.As(i, m)
			problem = differs(own, m, of)
		}
		for _, o := range own.Outcomes {
			f.own[names[own.Name]] = append(f.own[names[own.Name]], o.Outcome)
		}
		if problem != "" {
			wrong.Problems = append(wrong.Problems, problem)
		}
	}
	if len(wrong.Problems) > 0 {
		for _, m := range sig.Methods() {
			wrong.Theirs = append(wrong.Theirs, signature(&m))
		}
		return f, wrong
	}
	for i := range f.labels {
		f.labels[i].Method = names[f.labels[i].Method]
	}
	return f, nil
}

// mayPanic says that where the specification has a panic the implementation is to panic.
func (f *fitted) mayPanic() {
	for m := range f.own {
		f.own[m] = append(f.own[m], history.Panic)
	}
}

func namesOf(sig history.Signature) (names []string) {
	for _, m := range sig.Methods() {
		names = append(names, m.Name)
	}
	return names
}

// differs says how a method differs from the specification's, or "".
func differs(own, m *history.MethodSig, of string) string {
	if own.Args > m.Args || own.Args < m.Args-m.Optional {
		return fmt.Sprintf("%s takes %s, the %s's %s takes %d", own.Name, wording.Count(own.Args, "argument"), of, m.Name, m.Args)
	}
	for _, o := range own.Outcomes {
		i := slices.IndexFunc(m.Outcomes, func(s history.OutcomeSig) bool { return s.Outcome == o.Outcome })
		if i < 0 {
			return fmt.Sprintf("%s may answer %s, the %s's %s answers %s", own.Name, o.Outcome, of, m.Name, outcomes(m, " or "))
		}
		if n := m.Outcomes[i].Rets; n != o.Rets {
			return fmt.Sprintf("%s with outcome %s returns %s, the %s's %s returns %d", own.Name, o.Outcome, wording.Count(o.Rets, "value"), of, m.Name, n)
		}
	}
	return ""
}

// signature is a method with its answers: "remove() value/nil".
func signature(m *history.MethodSig) string {
	return fmt.Sprintf("%s(%s) %s", m.Name, strings.TrimSuffix(strings.Repeat("_, ", m.Args), ", "), outcomes(m, "/"))
}

func outcomes(m *history.MethodSig, between string) string {
	var names []string
	for _, o := range m.Outcomes {
		if o.Outcome != history.Panic {
			names = append(names, string(o.Outcome))
		}
	}
	return strings.Join(names, between)
}
