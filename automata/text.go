package automata

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// String draws the automaton as Parse reads it: its counters, what the registers hold
// at first, and a line for each transition, in columns.
//
//	at first r = 0
//	-> (r)  load                           => r      (r)
//	        compareAndSwap(a,b)  if a = r  => true   (b)
//	                             otherwise => false  (r)
//
// The same automaton gives the same text. The only location has no name there, and
// if it has no registers it is left out.
func (a *Automaton) String() string {
	var lines []string
	width := 0
	for i := range a.Counters {
		width = max(width, utf8.RuneCountInString(a.Counters[i].head()))
	}
	for i := range a.Counters {
		lines = append(lines, pad(a.Counters[i].head(), width)+" = "+a.counterText(&a.Counters[i]))
	}
	if len(a.Initial) > 0 && len(a.Locations) > 0 {
		var at []string
		for i, v := range a.Initial {
			at = append(at, nth(a.Locations[0].Registers, i)+" = "+constantText(v))
		}
		lines = append(lines, "at first "+strings.Join(at, ", "))
	}
	rows := a.rows()
	var widths [columns]int
	for _, r := range rows {
		for i, s := range r {
			widths[i] = max(widths[i], utf8.RuneCountInString(s))
		}
	}
	for _, r := range rows {
		lines = append(lines, r.line(&widths))
	}
	return strings.Join(lines, "\n") + "\n"
}

// A row of the drawing: location, call, guard, answer, next location.
type row [columns]string

const columns = 5

func (r *row) line(widths *[columns]int) string {
	var b strings.Builder
	for i, s := range r {
		if widths[i] == 0 {
			continue
		}
		gap := 2
		if i == 3 {
			gap = 1 // before "=>"
		}
		if b.Len() > 0 {
			b.WriteString(strings.Repeat(" ", gap))
		}
		b.WriteString(pad(s, widths[i]))
	}
	return strings.TrimRight(b.String(), " ")
}

func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s)))
}

// plain reports whether lines need not say where the automaton is: there is one
// location, without registers.
func (a *Automaton) plain() bool { return len(a.Locations) == 1 && len(a.Locations[0].Registers) == 0 }

// locationText is a location with what its registers hold.
func (a *Automaton) locationText(i int, holds []string) string {
	s := strings.Join(holds, ", ")
	if len(a.Locations) == 1 {
		return "(" + s + ")"
	}
	name := "?"
	if i >= 0 && i < len(a.Locations) {
		name = a.Locations[i].Name
	}
	return "(" + strings.TrimRight(name+" "+s, " ") + ")"
}

// names are those of registers and counters, which arguments do not have.
func (a *Automaton) names() map[string]bool {
	taken := map[string]bool{}
	for _, l := range a.Locations {
		for _, r := range l.Registers {
			taken[r] = true
		}
	}
	for _, c := range a.Counters {
		taken[c.Name] = true
	}
	return taken
}

// method finds a method; nil: there is none of that name.
func (a *Automaton) method(name string) *history.MethodSig {
	if i := slices.IndexFunc(a.Methods, func(m history.MethodSig) bool { return m.Name == name }); i >= 0 {
		return &a.Methods[i]
	}
	return nil
}

// A writer writes transitions of a method in a location.
type writer struct {
	a      *Automaton
	l      *Location
	params []string
}

func (a *Automaton) writer(l *Location, method string, taken map[string]bool) *writer {
	w := &writer{a: a, l: l}
	m := a.method(method)
	if m == nil {
		return w
	}
	letters := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
	if m.Args == 1 {
		letters = []string{"x", "y", "z"}
	}
	letters = slices.DeleteFunc(letters, func(s string) bool { return taken[s] })
	for n := 1; len(letters) < m.Args; n++ {
		if s := "arg" + strconv.Itoa(n); !taken[s] {
			letters = append(letters, s)
		}
	}
	w.params = letters[:m.Args]
	return w
}

func (w *writer) call(method string) string {
	if reserved(method) || !wording.IsName(method) {
		method = strconv.QuoteToASCII(method)
	}
	if len(w.params) == 0 {
		return method
	}
	return method + "(" + strings.Join(w.params, ",") + ")"
}

// guard is the guard of the j-th transition of the location.
func (w *writer) guard(j int) string {
	t := &w.l.Transitions[j]
	if len(t.Guard) == 0 {
		return ""
	}
	if rest := otherwise(w.l.Transitions[:j], t.Method); len(rest) == len(t.Guard) && w.last(j) {
		texts := w.conditions(rest)
		if !slices.ContainsFunc(w.conditions(t.Guard), func(c string) bool { return !slices.Contains(texts, c) }) && distinct(texts) {
			return "otherwise"
		}
	}
	return "if " + strings.Join(w.conditions(t.Guard), " and ")
}

func distinct(texts []string) bool {
	s := slices.Clone(texts)
	slices.Sort(s)
	return len(slices.Compact(s)) == len(texts)
}

// last reports whether no later transition of the location is of the j-th's method.
func (w *writer) last(j int) bool {
	ts := w.l.Transitions
	return !slices.ContainsFunc(ts[j+1:], func(t Transition) bool { return t.Method == ts[j].Method })
}

func (w *writer) conditions(cs []Condition) (texts []string) {
	for _, c := range cs {
		op := "?"
		if c.Op >= 0 && int(c.Op) < len(ops) {
			op = ops[c.Op]
		}
		texts = append(texts, w.term(c.Left)+" "+op+" "+w.term(c.Right))
	}
	return texts
}

var ops = []string{Equal: "=", Differs: "!=", Less: "<", AtLeast: ">="}

// otherwise is the guard that holds where those of a method do not, if that is a
// conjunction: nil if it is none.
func otherwise(ts []Transition, method string) []Condition {
	var rest []Condition
	known := func(c Condition) bool {
		return slices.ContainsFunc(rest, func(r Condition) bool { return sameCondition(r, c) })
	}
	for i := range ts {
		if ts[i].Method != method {
			continue
		}
		own := slices.DeleteFunc(slices.Clone(ts[i].Guard), known)
		if len(own) != 1 {
			return nil
		}
		rest = append(rest, own[0].not())
	}
	return rest
}

// not is the condition that holds where this one does not.
func (c Condition) not() Condition {
	switch c.Op {
	case Equal:
		c.Op = Differs
	case Differs:
		c.Op = Equal
	case Less:
		c.Op = AtLeast
	case AtLeast:
		c.Op = Less
	}
	return c
}

func sameCondition(c, d Condition) bool {
	return c.Op == d.Op && sameTerm(c.Left, d.Left) && sameTerm(c.Right, d.Right)
}

func sameTerm(s, t Term) bool {
	s, t = s.normal(), t.normal()
	return s.Kind == t.Kind && s.Index == t.Index && s.Value == t.Value &&
		s.Sum.Constant == t.Sum.Constant && slices.Equal(s.Sum.Terms, t.Sum.Terms)
}

// answer is what a transition answers, as labels show it.
func (w *writer) answer(t *Transition) string {
	if t.Blocks {
		return "blocks"
	}
	rets := w.terms(t.Rets)
	said := string(t.Outcome)
	switch {
	case t.Outcome == history.None && len(rets) == 0:
		return ""
	case t.Outcome == history.Nil:
		said = "-"
	case t.Outcome == history.Some && len(rets) > 0 && !w.outcome(t.Method, outcomeRE().FindString(rets[0])):
		said = ""
	}
	return strings.TrimRight("=> "+strings.TrimLeft(said+" "+strings.Join(rets, ", "), " "), " ")
}

// outcome reports whether a word is an outcome of a method.
func (w *writer) outcome(method, word string) bool {
	m := w.a.method(method)
	return m != nil && slices.ContainsFunc(m.Outcomes, func(o history.OutcomeSig) bool { return string(o.Outcome) == word })
}

func (w *writer) next(t *Transition) string {
	if t.Blocks || w.a.plain() {
		return ""
	}
	return w.a.locationText(t.To, w.terms(t.Load))
}

func (w *writer) terms(ts []Term) (texts []string) {
	for _, t := range ts {
		texts = append(texts, w.term(t))
	}
	return texts
}

func (c *Counter) head() string {
	if c.Keyed {
		return c.Name + "[k]"
	}
	return c.Name
}

// counterText is what a counter is: counts of kinds, sums of arguments, a constant,
// or the greatest of these, and since when.
func (a *Automaton) counterText(c *Counter) string {
	var b strings.Builder
	if c.Greatest {
		parts := []string{"max " + strconv.FormatInt(c.Start, 10)}
		for _, add := range c.Adds {
			var part strings.Builder
			writeTimes(&part, add.Times, a.addText(c, &add))
			parts = append(parts, part.String())
		}
		b.WriteString(strings.Join(parts, ", "))
	} else {
		for _, add := range c.Adds {
			writeTimes(&b, add.Times, a.addText(c, &add))
		}
		writeConstant(&b, c.Start)
	}
	for i, k := range c.Reset {
		b.WriteString([]string{" since ", " or "}[min(i, 1)] + a.kindText(k, ""))
	}
	return b.String()
}

// addText is "#release", "#add(k)=true", "sum x of deposit(k,x)", "x of write(x)".
func (a *Automaton) addText(c *Counter, add *Add) string {
	var params []string
	summed := "x"
	if c.Keyed && add.Key == add.Arg {
		summed = "k"
	}
	if m := a.method(add.Kind.Method); m != nil && (c.Keyed || add.Arg >= 0 || add.Where > 0) {
		for i := range m.Args {
			name := "_"
			if i == add.Arg {
				name = summed
			} else if c.Keyed && i == add.Key {
				name = "k"
			} else if i == add.Where-1 {
				name = constantText(add.Is)
			}
			params = append(params, name)
		}
	}
	call := ""
	if len(params) > 0 {
		call = "(" + strings.Join(params, ",") + ")"
	}
	if add.Arg < 0 {
		return "#" + a.kindText(add.Kind, call)
	}
	text := summed + " of " + a.kindText(add.Kind, call)
	if c.Greatest {
		return text
	}
	return "sum " + text
}

// kindText is a kind, with a call's arguments: without its outcome if that is none, or
// the only one.
func (a *Automaton) kindText(k history.Kind, call string) string {
	if m := a.method(k.Method); k.Outcome == history.None || m != nil && len(m.Outcomes) == 1 {
		return k.Method + call
	}
	return fmt.Sprintf("%s%s=%s", k.Method, call, k.Outcome)
}
