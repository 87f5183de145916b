package patterns

import (
	"context"
	"slices"

	"github.com/adtinfer/adtinfer/enumerate"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/matching"
	"github.com/adtinfer/adtinfer/theory"
)

// crossCheck compares patterns with the reference on every history up to a
// length: an admitted one that embeds a pattern is a false alarm, one that is
// not admitted and embeds none is missed.
//
// A history is admitted iff it is the history of an admitted execution, which
// needs the scheme to be faithful; so the reference runs each sequence of calls
// once, however many histories there are. The error is *Disagrees if there are
// false alarms or misses.
func crossCheck(ctx context.Context, m *matching.Model, ps []*matcher, length int) (theory.CrossCheck, error) {
	c := theory.CrossCheck{Length: length}
	admitted, err := admittedHistories(ctx, m, length)
	if err != nil {
		return c, err
	}
	realizer, host := m.NewRealizer(), &host{}
	wrong := &Disagrees{}
	var key []byte
	m.Links.Histories(enumerate.Bounds{Length: length}, func(s enumerate.Sequence) bool {
		if _, ok := realizer.Realize(s); !ok {
			return true
		}
		if c.Histories++; c.Histories%16384 == 0 {
			if err = ctx.Err(); err != nil {
				return false
			}
		}
		host.Set(s)
		key = s.AppendKey(key[:0])
		good, bad := admitted[string(key)], anyEmbeds(ps, host)
		switch {
		case good && bad:
			c.FalseAlarms++
			wrong.FalseAlarm.keep(m, realizer, s)
		case !good && !bad:
			c.Missed++
			wrong.Miss.keep(m, realizer, s)
		}
		if good {
			c.Admitted++
		}
		return true
	})
	if err == nil && c.FalseAlarms+c.Missed > 0 {
		wrong.CrossCheck = c
		err = wrong
	}
	return c, err
}

// Example is a history on one line, the first of the shortest ones met.
type Example struct {
	Drawing string // empty if there is none
	length  int
}

// keep makes s the example if it is shorter.
func (x *Example) keep(m *matching.Model, r *matching.Realizer, s enumerate.Sequence) {
	if x.Drawing != "" && x.length <= len(s) {
		return
	}
	e, _ := r.Exemplar(s)
	*x = Example{history.DrawLine(historyOf(m.Alphabet, s), m.Alphabet.Texts(e)), len(s)}
}

func admittedHistories(ctx context.Context, m *matching.Model, length int) (map[string]bool, error) {
	set := map[string]bool{}
	var s enumerate.Sequence
	for n := 0; n <= length; n++ {
		level, err := m.Admitted(ctx, n)
		if err != nil {
			return nil, err
		}
		for i, e := range level {
			if err := interrupted(ctx, i); err != nil {
				return nil, err
			}
			if s, err = m.Scheme.Abstract(s[:0], e); err != nil {
				return nil, err
			}
			set[string(s.AppendKey(nil))] = true
		}
	}
	return set, nil
}

// crossLimit is how many histories a cross-check looks at unless it is asked to.
const crossLimit = 200_000

// affordable is the largest length up to most at which there are at most
// crossLimit histories.
func affordable(m *matching.Model, most int) int {
	for length := 1; length <= most; length++ {
		n := 0
		if !m.Links.Histories(enumerate.Bounds{Length: length}, func(enumerate.Sequence) bool {
			n++
			return n <= crossLimit
		}) {
			return length - 1
		}
	}
	return most
}

func anyEmbeds(ps []*matcher, h *host) bool {
	return slices.ContainsFunc(ps, func(p *matcher) bool { return p.Embeds(h) })
}
