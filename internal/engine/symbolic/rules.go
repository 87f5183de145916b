package symbolic

import "github.com/adtinfer/adtinfer/internal/engine/clauses"

// Rules are the clauses of a theory with what is needed to decide whole
// executions by them: where to look for matches that a clause of patterns
// applies to. Clauses that follow from others, if there are any, are only used
// where operations overlap that all returned: they say nothing new, but the solver
// finds a model of a long execution sooner. Rules are never changed and safe for
// concurrent use.
type Rules struct {
	*clauses.Rules
	uses    [][]use // by kind
	product bool    // no clause speaks of two matches
	several bool    // some clause has two operations of one match that are read-only
	spans   []span  // by clause and group: see searches
}

// use is a position of a clause.
type use struct{ clause, position int }

// span is how the operations of one group of a clause, that do not overlap with
// those of the other, lie between them, by position: the last one is followed
// by next and preceded by prev (or -1), of the other group; the first one
// likewise. Ok is false if it is the last of all.
type span struct {
	ok                                            bool
	last, prev, next, first, firstPrev, firstNext int
}

// Compile makes clauses ready.
func Compile(r *clauses.Rules) *Rules {
	t := &Rules{Rules: r, product: true, uses: make([][]use, len(r.Kinds)), spans: make([]span, 2*len(r.Clauses))}
	for c := range r.Clauses {
		cl := &r.Clauses[c]
		var readers [2]int
		for i, p := range cl.Positions {
			t.uses[p.Kind] = append(t.uses[p.Kind], use{c, i})
			if r.Kinds[p.Kind].Slot < 0 && !cl.Derived {
				readers[p.Group]++
				t.several = t.several || readers[p.Group] > 1
			}
		}
		if cl.Derived {
			continue
		}
		t.product = t.product && len(cl.Shapes) == 1
		for g := range cl.Shapes {
			t.spans[2*c+g] = spanOf(cl, g)
		}
	}
	return t
}

// Apart names the rule of the language that running operations may break by
// what they return, or is empty.
func (r *Rules) Apart() (name string) {
	for i := range r.Kinds {
		for _, u := range r.Kinds[i].Uniques {
			name = r.Uniques[u].Name
		}
	}
	return name
}

func spanOf(cl *clauses.Clause, g int) span {
	s := span{first: -1, prev: -1, firstPrev: -1}
	for i, p := range cl.Positions {
		if p.Group == g {
			if s.first < 0 {
				s.first = i
			}
			s.last = i
		}
	}
	for i, p := range cl.Positions {
		switch {
		case p.Group == g:
			continue
		case i < s.first:
			s.firstPrev = i
		case s.firstNext == 0:
			s.firstNext = i
		}
		if i < s.last {
			s.prev = i
		} else if !s.ok {
			s.next, s.ok = i, true
		}
	}
	return s
}
