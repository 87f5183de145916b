package learn

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// Comparison say how much to compare.
type Comparison struct {
	Words  int  // random sequences of up to 30 calls, and long ones besides; default 2,000, negative: none
	Closed bool // look for all states of reference and automaton together first

	// Teacher, if set, remembers the words for the next automaton that is compared.
	Teacher *teacher.Teacher
}

// Difference is a sequence to which the reference answers otherwise than the
// automaton.
type Difference struct {
	Calls  []reference.Call // with Values
	Labels []history.Label  // as the reference answers; the call after the last would wait for ever, if there is one
	At     int              // the first call that the automaton answers otherwise

	waits string // the method of the call that would wait
}

// String draws the sequence, and says what the reference does where the automaton
// does something else.
func (d *Difference) String() string {
	var b strings.Builder
	for i, l := range d.Labels {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(l.String())
	}
	switch {
	case d.At < len(d.Labels):
		return b.String()
	case d.At > 0:
		b.WriteString("; then ")
	}
	return b.String() + "the reference waits in " + d.waits + ", and the automaton answers"
}

// Compare compares an automaton with a reference. The difference is nil if there is
// none; it is short, but not the shortest.
func Compare(ctx context.Context, impl reference.Implementation, a *automata.Automaton, o Comparison) (*theory.Extent, *Difference, error) {
	if o.Words == 0 {
		o.Words = 2_000
	}
	c := newComparison(impl, a)
	c.teacher = o.Teacher
	var found *difference
	var err error
	if o.Closed {
		found, err = c.closed(ctx)
	}
	if found == nil && err == nil && o.Words > 0 {
		found, err = c.words(ctx, o.Words)
	}
	if found == nil || err != nil {
		return c.extent, nil, err
	}
	d, err := c.shortened(ctx, found)
	return c.extent, d, err
}

// comparison is an automaton beside a reference.
type comparison struct {
	impl    reference.Implementation
	a       *automata.Automaton
	methods []reference.Method
	named   []history.Value // that the automaton names
	known   []history.Value // and zero values
	sums    bool            // it reckons
	extent  *theory.Extent
	teacher *teacher.Teacher // that remembers words; nil: none does
}

func newComparison(impl reference.Implementation, a *automata.Automaton) *comparison {
	if p, ok := impl.(*reference.Package); ok {
		impl = p.Implementation
	}
	c := &comparison{impl: impl, a: a, methods: impl.Methods(), extent: &theory.Extent{}}
	c.named, c.sums = constantsOf(a)
	c.known = append(slices.Clip(c.named), "0", "")
	return c
}

// constantsOf are the values that an automaton names, and whether it reckons.
func constantsOf(a *automata.Automaton) (all []history.Value, sums bool) {
	seen := map[history.Value]bool{}
	add := func(t automata.Term) {
		if t.Kind == automata.Constant && !seen[t.Value] {
			seen[t.Value] = true
			all = append(all, t.Value)
		}
		sums = sums || t.Kind == automata.Total
	}
	for _, c := range a.Counters {
		for _, x := range c.Adds {
			if x.Where > 0 {
				add(automata.Term{Kind: automata.Constant, Value: x.Is})
			}
		}
	}
	for _, v := range a.Initial {
		add(automata.Term{Kind: automata.Constant, Value: v})
	}
	for _, l := range a.Locations {
		for _, t := range l.Transitions {
			for _, g := range t.Guard {
				add(g.Left)
				add(g.Right)
				sums = sums || g.Op == automata.Less || g.Op == automata.AtLeast
			}
			for _, r := range t.Rets {
				add(r)
			}
			for _, r := range t.Load {
				add(r)
			}
		}
	}
	return all, sums
}

func (c *comparison) differs(w []teacher.Call, answers *teacher.Answers) int {
	return Differs(c.a, c.methods, w, answers)
}

// Differs is where an automaton answers a word otherwise than the reference did; -1:
// nowhere.
func Differs(a *automata.Automaton, methods []reference.Method, w []teacher.Call, answers *teacher.Answers) int {
	s := a.Start()
	for i := range answers.Labels {
		next, ok := a.Step(s, &answers.Labels[i])
		if !ok {
			return i
		}
		s = next
	}
	if answers.Blocks {
		n := len(answers.Labels)
		if _, ok := a.Step(s, pending(methods, w[n])); ok {
			return n
		}
	}
	return -1
}

// pending is the label of a call that has not answered.
func pending(methods []reference.Method, call teacher.Call) *history.Label {
	return &history.Label{Kind: history.Kind{Method: methods[call.Method].Name, Outcome: history.Pending}, Args: call.Args}
}

// shortened leaves calls out of a difference.
func (c *comparison) shortened(ctx context.Context, d *difference) (*Difference, error) {
	found := *d
	again := teacher.New(c.impl)
	first := func(all [][]teacher.Call) (int, error) {
		answers, err := again.Ask(ctx, all)
		if err != nil {
			return -1, err
		}
		for i, w := range all {
			if at := c.differs(w, &answers[i]); at >= 0 {
				found = difference{w, answers[i], at}
				return i, nil
			}
		}
		return -1, nil
	}
	switch n, err := first([][]teacher.Call{d.word[:d.at+1]}); {
	case err != nil:
		return nil, err
	case n < 0:
		return nil, errors.New("the reference answers otherwise when it is asked again")
	}
	if _, err := teacher.ShortenBy(found.word, first); err != nil {
		return nil, err
	}
	out := &Difference{Labels: found.answers.Labels[:min(found.at+1, len(found.answers.Labels))], At: found.at}
	for _, call := range found.word[:found.at+1] {
		out.Calls = append(out.Calls, reference.Call{Method: call.Method, Values: call.Args})
	}
	out.waits = c.methods[out.Calls[out.At].Method].Name
	return out, nil
}
