package saturate

// Violation is what a monitor found.
type Violation struct {
	Prefix   int      // events until it was found; a shorter prefix may violate, too
	Patterns []string // patterns and axioms that exclude the last way out
}

// verdict says what ended in a contradiction.
type verdict struct {
	clause   int32 // from 1: all of its links hold
	pattern  int   // from 1: operation a has no match target
	axiom    int   // from 1: it fails of operation a
	mismatch bool  // operation a had to return something else
	rule     int32 // else: of the clause that puts a before b, which comes after it; negative if it is another reason
	a        int32
}

// conflict ends the monitor, or the assumption.
func (m *Monitor) conflict(v verdict) {
	if m.violation != nil {
		return
	}
	m.violation = &Violation{Prefix: m.now}
	if m.probing.on {
		return
	}
	m.violation.Patterns = m.blame(v)
}

// blame names the patterns of a verdict, or the axiom.
func (m *Monitor) blame(v verdict) []string {
	r := m.r
	switch {
	case v.pattern > 0:
		return []string{r.Names[v.pattern-1]}
	case v.axiom > 0:
		return []string{r.Axioms[v.axiom-1].Name}
	case v.clause > 0:
		return r.PatternsOf(v.clause - 1)
	case v.mismatch:
		return r.PatternsOf(m.ops[v.a].why)
	}
	return r.PatternsOf(v.rule)
}
