package adttest

import (
	"fmt"
	"strings"

	"github.com/adtinfer/adtinfer/history"
)

// coverage is how much the histories of a run could have shown.
type coverage struct {
	histories int
	pairs     int // of operations that overlap
	seen      map[history.Kind]bool
}

func (c *coverage) add(e *history.Execution) {
	if c.seen == nil {
		c.seen = map[history.Kind]bool{}
	}
	c.histories++
	for i := range e.Ops {
		if e.Ops[i].Completed() {
			c.seen[e.Ops[i].Kind] = true
		}
		for k := range i {
			if !e.Before(i, k) && !e.Before(k, i) {
				c.pairs++
			}
		}
	}
}

// never lists the outcomes of the subject's methods that no history has.
func (c *coverage) never(s *subject) []string {
	var kinds []string
	for _, m := range s.methods {
		for _, o := range m.outcomes {
			if k := (history.Kind{Method: m.name, Outcome: o}); !c.seen[k] {
				kinds = append(kinds, k.String())
			}
		}
	}
	return kinds
}

// String is one line about them.
func (c *coverage) text(s *subject) string {
	t := fmt.Sprintf("%s overlapped", counted(c.pairs, "pair")+" of operations")
	if never := c.never(s); len(never) > 0 {
		t += "; never seen: " + strings.Join(never, ", ")
	}
	return t
}
