package out

import (
	"fmt"
	"strconv"

	"github.com/adtinfer/adtinfer/theory"
)

// checked says what was checked, to which bound, with which result: one clause
// for each check.
func checked(s *theory.Status) []string {
	if s.Strategy == "" {
		return []string{"nothing, for this theory was not inferred"}
	}
	var clauses []string
	if c := synthesized(s); c != "" {
		clauses = append(clauses, c)
	}
	clauses = append(clauses, faithfulAndNormal(s)...)
	if s.Beyond.Executions > 0 {
		clauses = append(clauses, verdict("true beyond the language", &s.Beyond))
	}
	clauses = append(clauses, stability(s.Weights))
	c := &s.CrossCheck
	if c.Histories > 0 {
		clauses = append(clauses, fmt.Sprintf("cross-check of %s up to length %d: %s, %d missed",
			counted(c.Histories, "history", "histories"), c.Length, counted(c.FalseAlarms, "false alarm", "false alarms"), c.Missed))
	} else {
		clauses = append(clauses, "no cross-check")
	}
	clauses = append(clauses, judged(s)...)
	if s.Forced {
		clauses = append(clauses, "written by force although a check failed")
	}
	return clauses
}

// synthesized says what a synthesized scheme rests on; it is empty if the
// reference brought its scheme.
func synthesized(s *theory.Status) string {
	y := s.Synthesis
	if y == nil {
		return ""
	}
	return fmt.Sprintf("language and matching synthesized from %s up to length %d and %s",
		counted(y.Executions, "execution", "executions"), y.Length, counted(y.Pairs, "removal", "removals"))
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
	return fmt.Sprintf("all executions up to length %d (%s)", length, counted(executions, "execution", "executions"))
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
		return fmt.Sprintf("NOT stable: %s at weight %d, the last one", counted(last.New, "new pattern", "new patterns"), last.Weight)
	case first == len(ws)-1:
		return fmt.Sprintf("patterns stable at weight %d", ws[first].Weight)
	}
	return fmt.Sprintf("patterns stable at weights %d to %d", ws[first].Weight, ws[len(ws)-1].Weight)
}

// counted is "1 history", "1,234 histories".
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return thousands(n) + " " + many
}

// thousands groups the digits of a number that is not negative.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
