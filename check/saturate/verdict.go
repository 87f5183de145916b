package saturate

// verdict says what ended in a contradiction.
type verdict struct {
	rule     int32 // a clause, from 1
	pattern  int   // from 1
	axiom    int   // from 1
	mismatch bool  // a had to return something else
	why      because
	a, b     int32
}

// conflict ends the monitor, or the probing.
func (m *Monitor) conflict(v verdict, in *instance) {
	if m.violation != nil {
		return
	}
	m.violation = &Violation{Prefix: m.now}
	if m.probing.on {
		return
	}
	m.violation.Patterns = m.blame(v)
}

// blame names the patterns of a verdict.
func (m *Monitor) blame(v verdict) (names []string) {
	r := m.r
	var ps []int
	switch {
	case v.pattern > 0:
		ps = []int{v.pattern - 1}
	case v.axiom > 0:
		return []string{r.axioms[v.axiom-1].name}
	case v.rule > 0:
		ps = r.clauses[v.rule-1].patterns
	case !v.mismatch && v.why.rule >= 0:
		ps = r.clauses[v.why.rule].patterns
	}
	for _, p := range ps {
		names = append(names, r.names[p])
	}
	return names
}

type traced struct{}

// Reason is a step.
type Reason struct{}

func (m *Monitor) record(a, b int32, why because)     {}
func (m *Monitor) recordForce(x, y int32, rule int32) {}
func (m *Monitor) premises(in *instance, cl *clause)  {}
