package out

import (
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/wording"
	"github.com/adtinfer/adtinfer/theory"
)

// checked says what was checked, to which bound, with which result: one clause
// for each check.
func checked(s *theory.Status) []string {
	clauses := compared(s)
	if len(clauses) == 0 {
		return []string{"nothing, for this theory was not inferred"}
	}
	clauses = append(clauses, judged(s)...)
	if s.Forced {
		clauses = append(clauses, "written by force although a check failed")
	}
	return clauses
}

// comparedPatterns says how patterns were compared with the reference.
func comparedPatterns(s *theory.Status) []string {
	var clauses []string
	if s.Strategy == "" {
		return nil
	}
	if c := synthesized(s); c != "" {
		clauses = append(clauses, c)
	}
	clauses = append(clauses, faithfulAndNormal(s)...)
	if s.Beyond.Executions > 0 {
		clauses = append(clauses, verdict("true beyond the language", &s.Beyond))
	}
	clauses = append(clauses, stability(s.Weights))
	c := &s.CrossCheck
	if c.Histories == 0 {
		return append(clauses, "no cross-check")
	}
	return append(clauses, fmt.Sprintf("cross-check of %s up to length %d: %s, %d missed",
		wording.Count(c.Histories, "history"), c.Length, wording.Count(c.FalseAlarms, "false alarm"), c.Missed))
}

// synthesized says what a synthesized scheme rests on; it is empty if the
// reference brought its scheme.
func synthesized(s *theory.Status) string {
	y := s.Synthesis
	if y == nil {
		return ""
	}
	return fmt.Sprintf("language and matching synthesized from %s up to length %d and %s",
		wording.Count(y.Executions, "execution"), y.Length, wording.Count(y.Pairs, "removal"))
}

func faithfulAndNormal(s *theory.Status) []string {
	f, n := &s.Faithful, &s.Normal
	if f.Holds && n.Holds && f.Length == n.Length {
		return []string{"faithful and normal on " + bound(f.Length, max(f.Executions, n.Executions))}
	}
	return []string{verdict("faithful", f), verdict("normal", n)}
}

func verdict(what string, c *theory.Check) string {
	switch {
	case c.Holds:
		return what + " on " + bound(c.Length, c.Executions)
	case c.Witness != "":
		return "NOT " + what + ": " + c.Witness
	}
	return "NOT known to be " + what
}

func bound(length, executions int) string {
	return fmt.Sprintf("all executions up to length %d (%s)", length, wording.Count(executions, "execution"))
}

// stability says since which weight there have been no new patterns.
func stability(ws []theory.WeightStatus) string {
	first := len(ws)
	for first > 0 && ws[first-1].New == 0 {
		first--
	}
	switch {
	case len(ws) == 0:
		return "no weight was enumerated"
	case first == len(ws):
		last := &ws[first-1]
		return fmt.Sprintf("NOT stable: %s at weight %d, the last one", wording.Count(last.New, "new pattern"), last.Weight)
	case first == len(ws)-1:
		return fmt.Sprintf("patterns stable at weight %d", ws[first].Weight)
	}
	return fmt.Sprintf("patterns stable at weights %d to %d", ws[first].Weight, ws[len(ws)-1].Weight)
}

// judged says how the theory did in long runs and on mutants of the reference:
// one clause for each.
func judged(s *theory.Status) []string {
	var clauses []string
	switch r := s.LongRuns; {
	case r == nil:
		clauses = append(clauses, "no long runs")
	case r.Witness != "":
		clauses = append(clauses, "WRONG in long runs: "+r.Witness)
	default:
		clauses = append(clauses, fmt.Sprintf("right about %s of up to %s",
			wording.Count(r.Sequences, "long run"), wording.Count(r.Longest, "call")))
	}
	m := s.Mutants
	if m == nil {
		return append(clauses, "not judged by mutants of the reference")
	}
	seen := fmt.Sprintf("rejects %d of %s of the reference", m.Seen, wording.Count(m.Made-m.Equivalent, "wrong version"))
	var rest []string
	if m.Alike > 0 {
		rest = append(rest, fmt.Sprintf("%d more did the same in %s", m.Alike, wording.Count(m.States, "state")))
	}
	if n := m.Equivalent - m.Alike; n > 0 {
		rest = append(rest, fmt.Sprintf("%d more did not differ on %s", n, wording.Count(m.Words, "sequence")))
	}
	if len(rest) > 0 {
		seen += " (" + strings.Join(rest, ", ") + ")"
	}
	clauses = append(clauses, seen)
	for _, d := range m.Dropped {
		clauses = append(clauses, "not tried: "+d)
	}
	return clauses
}

// notCovered lists what a theory says nothing about: executions outside its
// language, wrong versions of the reference that it never rejects, errors, and the rest.
func notCovered(t *theory.Theory) []string {
	var list []string
	for _, r := range readings(t.Spec.Language) {
		list = append(list, "executions other than those in which "+r)
	}
	for part := t.Spec.Product; part != nil; part = part.Part.Product {
		if part.Part.Headline() == theory.ByPatterns {
			for _, r := range readings(part.Part.Language) {
				list = append(list, "executions other than those in which, of one key, "+r)
			}
		}
	}
	if m := t.Status.Mutants; m != nil {
		for _, u := range m.Unseen {
			list = append(list, "a wrong version, where "+u.Name+": "+u.Shows)
		}
	}
	list = append(list, errorsAlike(t.Spec.Methods)...)
	return append(list, slices.DeleteFunc(slices.Clone(t.Status.NotCovered), leads)...)
}

// errorsAlike names the methods whose errors are not told from one another.
func errorsAlike(methods []history.MethodSig) (list []string) {
	for _, m := range methods {
		if !slices.ContainsFunc(m.Outcomes, func(o history.OutcomeSig) bool { return o.Outcome == history.Error }) {
			continue
		}
		if slices.ContainsFunc(m.Outcomes, func(o history.OutcomeSig) bool { return o.Error != "" }) {
			list = append(list, "which error "+m.Name+" returns, where that is none of those with a name")
		} else {
			list = append(list, "which error "+m.Name+" returns")
		}
	}
	return list
}

// left are methods about which nothing is known, although their calls may change what others
// answer: they come first.
func left(t *theory.Theory) (first []string) {
	for _, s := range t.Status.NotCovered {
		if !leads(s) {
			continue
		}
		if strings.Contains(s, skippedMethod) {
			s += "; its calls may change what others answer"
		}
		first = append(first, s)
	}
	return first
}

const skippedMethod = " is skipped: "

// leads reports whether a sentence about a method is to be read before anything else.
func leads(s string) bool {
	if !strings.HasPrefix(s, "method ") {
		return false
	}
	for _, harmless := range []string{"as asked", "it describes the object", "it is the embedded mutex's"} {
		if strings.HasSuffix(s, skippedMethod+harmless) {
			return false
		}
	}
	return strings.Contains(s, skippedMethod) || strings.Contains(s, " always fails, ")
}

// readings are the sentences of rules, or their names.
func readings(rules []theory.Rule) []string {
	rs := []string{}
	for _, r := range rules {
		if r.Reading == "" {
			r.Reading = r.Name
		}
		rs = append(rs, r.Reading)
	}
	return rs
}
