package automata

import (
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// Sentences say what an automaton with one location answers, and when: "tryAcquire
// succeeds iff #tryAcquire=true - #release < 10", "len = #push - #pop=value". How a
// method fails otherwise goes without saying.
func Sentences(a *Automaton) (lines []string) {
	for i := range a.Methods {
		m := &a.Methods[i]
		var transitions []*Transition
		for j := range a.Locations[0].Transitions {
			if t := &a.Locations[0].Transitions[j]; t.Method == m.Name {
				transitions = append(transitions, t)
			}
		}
		silent := unsaid(transitions)
		p := printer{a, parameters(m.Args)}
		for _, t := range transitions {
			if len(transitions) == 1 && len(t.Rets) == 0 || silent != nil && t.Outcome == silent.Outcome && t.Blocks == silent.Blocks {
				continue
			}
			lines = append(lines, p.sentence(m, t))
		}
	}
	return lines
}

// unsaid is the transition whose outcome needs no words: the last failure; nil if
// there is nothing else.
func unsaid(transitions []*Transition) *Transition {
	rank := func(t *Transition) int {
		if t.Blocks {
			return 6
		}
		if wording.IsError(string(t.Outcome)) {
			return 4
		}
		return slices.Index([]history.Outcome{history.None, history.True, history.Nil, history.False, history.Error, history.Panic}, t.Outcome)
	}
	var last *Transition
	for _, t := range transitions {
		if len(t.Rets) == 0 && (last == nil || rank(t) >= rank(last)) {
			last = t
		}
	}
	if len(transitions) < 2 {
		return nil
	}
	return last
}

// printer writes what a transition says; params are names for the arguments of the call.
type printer struct {
	a      *Automaton
	params []string
}

func parameters(n int) (names []string) {
	for i := range n {
		names = append(names, []string{"x", "y", "z"}[i%3]+strings.Repeat("'", i/3))
	}
	return names
}

func (p printer) sentence(m *history.MethodSig, t *Transition) string {
	s := t.Method
	if m.Args > 0 {
		s += "(" + strings.Join(p.params, ", ") + ")"
	}
	var rets []string
	for _, r := range t.Rets {
		rets = append(rets, p.term(r))
	}
	switch {
	case t.Blocks:
		s += " waits"
	case len(rets) > 0 && t.Outcome == history.Some:
		s += " = " + strings.Join(rets, ", ")
	case len(rets) > 0:
		s += " => " + string(t.Outcome) + " " + strings.Join(rets, ", ")
	case t.Outcome == history.None || t.Outcome == history.True && p.counts(t):
		s += " succeeds"
	default:
		s += " => " + string(t.Outcome)
	}
	for i, c := range t.Guard {
		s += []string{" iff ", " and "}[min(i, 1)] + p.term(c.Left) + [...]string{" = ", " != ", " < ", " >= "}[c.Op] + p.term(c.Right)
	}
	return s
}

// counts reports whether a transition changes a counter.
func (p printer) counts(t *Transition) bool {
	k := history.Kind{Method: t.Method, Outcome: t.Outcome}
	return slices.ContainsFunc(p.a.Counters, func(c Counter) bool {
		return slices.Contains(c.Reset, k) || slices.ContainsFunc(c.Adds, func(a Add) bool { return a.Kind == k })
	})
}

func (p printer) term(t Term) string {
	switch t.Kind {
	case Argument:
		return p.params[t.Index]
	case Constant:
		if t.Value == "" {
			return `""`
		}
		return string(t.Value)
	case Total:
		return p.sum(t.Sum)
	}
	return "..."
}

func (p printer) sum(s Sum) string {
	text := ""
	add := func(times int64, what string) {
		sign, n := "+", strconv.FormatInt(times, 10)
		if times < 0 {
			sign, n = "-", n[1:]
		}
		if n = strings.TrimSpace(n + " " + what); times == 1 || times == -1 {
			n = strings.TrimPrefix(n, "1 ")
		}
		switch {
		case text != "":
			text += " " + sign + " " + n
		case times < 0:
			text = "-" + n
		default:
			text = n
		}
	}
	for _, x := range s.Terms {
		if x.Counter < 0 {
			add(x.Times, p.params[x.Arg])
			continue
		}
		c := &p.a.Counters[x.Counter]
		if c.Greatest {
			add(x.Times, p.greatest(c, x.Key))
			continue
		}
		for _, y := range c.Adds {
			add(x.Times*y.Times, p.counted(c, y, x.Key))
		}
	}
	if s.Constant != 0 || text == "" {
		add(s.Constant, "")
	}
	return text
}

// greatest is "max(0, n of write(n))".
func (p printer) greatest(c *Counter, key int) string {
	parts := []string{strconv.FormatInt(c.Start, 10)}
	for _, y := range c.Adds {
		text := strings.TrimPrefix(p.counted(c, y, key), "sum ")
		switch y.Times {
		case 1:
		case -1:
			text = "-" + text
		default:
			text = strconv.FormatInt(y.Times, 10) + " " + text
		}
		parts = append(parts, text)
	}
	return "max(" + strings.Join(parts, ", ") + ")"
}

// counted is what operations add to a counter: "#tryAcquire=true", "sum n of
// deposit(x, n)", "#push since clear".
func (p printer) counted(c *Counter, y Add, key int) string {
	m := p.a.Methods[slices.IndexFunc(p.a.Methods, func(m history.MethodSig) bool { return m.Name == y.Kind.Method })]
	text := "#" + m.Name
	if y.Arg >= 0 {
		text = "sum n of " + m.Name
	}
	if y.Arg >= 0 || c.Keyed || y.Where > 0 {
		args := make([]string, m.Args)
		for i := range args {
			switch {
			case i == y.Arg:
				args[i] = "n"
			case c.Keyed && i == y.Key:
				args[i] = p.params[key]
			case i == y.Where-1:
				args[i] = string(y.Is)
			default:
				args[i] = "_"
			}
		}
		text += "(" + strings.Join(args, ", ") + ")"
	}
	if len(m.Outcomes) > 1 && y.Kind.Outcome != history.None {
		text += "=" + string(y.Kind.Outcome)
	}
	for i, r := range c.Reset {
		text += []string{" since ", ", "}[min(i, 1)] + r.Method
	}
	return text
}
