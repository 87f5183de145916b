package symbolic

import (
	"iter"
	"math/bits"

	"github.com/adtinfer/adtinfer/internal/engine/clauses"
)

// Rules are the clauses of a theory with what is needed to decide whole
// executions by them. They are never changed and safe for concurrent use.
type Rules struct {
	*clauses.Rules
	*templates
}

// templates is what the clauses of patterns say about where to look for matches
// that they apply to. Clauses that follow from others, if there are any, are only
// used where operations overlap that all returned: they say nothing new, but the
// solver finds a model of a long execution sooner.
type templates struct {
	uses    [][]use // by kind
	product bool    // no clause speaks of two matches
	several bool    // some clause has two operations of one match that are read-only
	spans   []span  // by clause and group: see search
	apart   string  // the rule that holds match targets apart by what they return
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
	t := &templates{product: true, uses: make([][]use, len(r.Kinds)), spans: make([]span, 2*len(r.Clauses))}
	for i := range r.Kinds {
		for _, u := range r.Kinds[i].Uniques {
			t.apart = r.Uniques[u].Name
		}
	}
	for c := range r.Clauses {
		cl := &r.Clauses[c]
		if cl.Derived {
			for i, p := range cl.Positions {
				t.uses[p.Kind] = append(t.uses[p.Kind], use{c, i})
			}
			continue
		}
		t.product = t.product && len(cl.Shapes) == 1
		var readers [2]int
		for i, p := range cl.Positions {
			t.uses[p.Kind] = append(t.uses[p.Kind], use{c, i})
			if r.Kinds[p.Kind].Slot < 0 {
				readers[p.Group]++
				t.several = t.several || readers[p.Group] > 1
			}
		}
		for g := range cl.Shapes {
			t.spans[2*c+g] = spanOf(cl, g)
		}
	}
	return &Rules{r, t}
}

// Apart names the rule of the language that running operations may break by
// what they return, or is empty.
func (r *Rules) Apart() string { return r.apart }

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
		if p.Group == g {
			continue
		}
		if i < s.first {
			s.firstPrev = i
		}
		if i > s.first && s.firstNext == 0 {
			s.firstNext = i
		}
		if i < s.last {
			s.prev = i
		}
		if i > s.last && !s.ok {
			s.next, s.ok = i, true
		}
	}
	return s
}

// eachKind goes through a set of kinds.
func eachKind(ks clauses.Kinds) iter.Seq[int] {
	return func(yield func(int) bool) {
		for ; ks != 0; ks &= ks - 1 {
			if !yield(bits.TrailingZeros64(uint64(ks))) {
				return
			}
		}
	}
}
