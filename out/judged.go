package out

import (
	"fmt"

	"github.com/adtinfer/adtinfer/theory"
)

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
			counted(r.Sequences, "long run", "long runs"), counted(r.Longest, "call", "calls")))
	}
	m := s.Mutants
	if m == nil {
		return append(clauses, "not judged by mutants of the reference")
	}
	seen := fmt.Sprintf("rejects %d of %s of the reference", m.Seen, counted(m.Made-m.Equivalent, "wrong version", "wrong versions"))
	if m.Equivalent > 0 {
		seen += fmt.Sprintf(" (%d more did not differ on %s)", m.Equivalent, counted(m.Words, "sequence", "sequences"))
	}
	clauses = append(clauses, seen)
	for _, d := range m.Dropped {
		clauses = append(clauses, "not tried: "+d)
	}
	return clauses
}

// notCovered lists what a theory says nothing about: executions outside its
// language, wrong versions of the reference that it never rejects, and the rest.
func notCovered(t *theory.Theory) []string {
	var list []string
	for _, r := range readings(t.Spec.Language) {
		list = append(list, "executions other than those in which "+r)
	}
	if m := t.Status.Mutants; m != nil {
		for _, u := range m.Unseen {
			list = append(list, "a wrong version, where "+u.Name+": "+u.Shows)
		}
	}
	return append(list, t.Status.NotCovered...)
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
