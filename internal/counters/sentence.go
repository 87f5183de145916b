package counters

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
)

// Sentences say what an automaton with one location answers, a line for each
// transition: "tryAcquire => true iff #tryAcquire=true - #release < 10",
// "len = #push - #pop=value".
func Sentences(a *automata.Automaton) (lines []string) {
	for _, l := range a.Locations {
		for i := range l.Transitions {
			if s := sentence(a, l.Transitions, i); s != "" {
				lines = append(lines, s)
			}
		}
	}
	return lines
}

// sentence is a transition's; "" if it says nothing.
func sentence(a *automata.Automaton, all []automata.Transition, i int) string {
	t := &all[i]
	m := a.Methods[slices.IndexFunc(a.Methods, func(m history.MethodSig) bool { return m.Name == t.Method })]
	p := printer{a, parameters(m.Args)}
	var b strings.Builder
	b.WriteString(t.Method)
	if m.Args > 0 {
		b.WriteString("(" + strings.Join(p.params, ", ") + ")")
	}
	var rets []string
	for _, r := range t.Rets {
		if r.Kind == automata.Any {
			rets = append(rets, "...")
			continue
		}
		rets = append(rets, p.term(r))
	}
	alone := !slices.ContainsFunc(all, func(u automata.Transition) bool {
		return u.Method == t.Method && (u.Outcome != t.Outcome || u.Blocks != t.Blocks)
	})
	switch {
	case t.Blocks:
		b.WriteString(" waits")
	case len(rets) > 0 && t.Outcome == history.Some:
		b.WriteString(" = " + strings.Join(rets, ", "))
	case len(rets) > 0:
		fmt.Fprintf(&b, " => %s %s", t.Outcome, strings.Join(rets, ", "))
	case !alone && t.Outcome == history.None:
		b.WriteString(" returns")
	case !alone:
		b.WriteString(" => " + string(t.Outcome))
	case len(t.Guard) == 0:
		return ""
	}
	for j, c := range t.Guard {
		b.WriteString([]string{" iff ", " and "}[min(j, 1)] + p.term(c.Left) + [...]string{" = ", " != ", " < ", " >= "}[c.Op] + p.term(c.Right))
	}
	return b.String()
}

// parameters are names for the arguments of a call.
func parameters(n int) (names []string) {
	for i := range n {
		names = append(names, []string{"x", "y", "z"}[i%3]+strings.Repeat("'", i/3))
	}
	return names
}

// printer writes terms.
type printer struct {
	a      *automata.Automaton
	params []string
}

func (p printer) term(t automata.Term) string {
	switch t.Kind {
	case automata.Argument:
		return p.params[t.Index]
	case automata.Constant:
		return string(t.Value)
	case automata.Total:
		return p.sum(t.Sum)
	}
	return "..."
}

func (p printer) sum(s automata.Sum) string {
	var b strings.Builder
	add := func(times int64, text string) {
		sign := " + "
		if times < 0 {
			sign = " - "
		}
		switch {
		case b.Len() > 0:
			b.WriteString(sign)
		case times < 0:
			b.WriteString("-")
		}
		if times != 1 && times != -1 {
			text = strings.TrimPrefix(strconv.FormatInt(times, 10), "-") + " " + text
		}
		b.WriteString(text)
	}
	for _, x := range s.Terms {
		if x.Counter < 0 {
			add(x.Times, p.params[x.Arg])
			continue
		}
		c := &p.a.Counters[x.Counter]
		for _, y := range c.Adds {
			add(x.Times*y.Times, p.counted(c, y, x.Key))
		}
	}
	if s.Constant != 0 || b.Len() == 0 {
		switch n := strconv.FormatInt(s.Constant, 10); {
		case b.Len() == 0:
			b.WriteString(n)
		case s.Constant < 0:
			b.WriteString(" - " + n[1:])
		default:
			b.WriteString(" + " + n)
		}
	}
	return b.String()
}

// counted is what operations add to a counter: "#tryAcquire=true", "sum of deposit's
// y where its x is z", "#push since clear".
func (p printer) counted(c *automata.Counter, y automata.Add, key int) string {
	kind := y.Kind.Method
	if o := y.Kind.Outcome; o != history.None {
		kind += "=" + string(o)
	}
	own := parameters(max(y.Arg, y.Key) + 1)
	text := "#" + kind
	if y.Arg >= 0 {
		text = "sum(" + own[y.Arg] + " of " + kind + ")"
	}
	if c.Keyed {
		text += "[" + own[y.Key] + " = " + p.params[key] + "]"
	}
	for i, r := range c.Reset {
		text += []string{" since ", ", "}[min(i, 1)] + r.Method
	}
	return text
}
