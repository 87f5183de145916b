package reasons

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/typename"
	"github.com/adtinfer/adtinfer/internal/wording"
)

// words writes the terms of one automaton: counters and registers by the methods that
// answer them, constants by the names that their types have.
type words struct {
	a        *automata.Automaton // with names for constants
	counters []string
	held     []string // names of registers, in the place that is spoken of
	methods  []history.MethodSig
	key      *keyed   // what the key of calls is; nil: they have none
	hidden   []string // what counters are that no method answers, as "n = sum x of deposit(x)"
}

// shown are arguments by the names that their types have.
func (w *words) shown(method string, args []history.Value) []history.Value {
	for i := range w.methods {
		if m := &w.methods[i]; m.Name == method && len(m.Params) > 0 {
			return typename.Shown(m.Params, args)
		}
	}
	return args
}

// newWords names counters and registers. Counter size is what is left of what was added;
// -1: none is.
func newWords(a *automata.Automaton, methods []history.MethodSig, size int) *words {
	w := &words{a: Named(a, methods), methods: methods}
	defined := strings.Split(w.a.String(), "\n")
	for i := range a.Counters {
		_, name, _ := strings.Cut(defined[i], " = ")
		name = w.bare(name)
		if !a.Counters[i].Keyed {
			if m := observer(a, func(t automata.Term) bool { return is(t, i) }); m != "" {
				name = m
			} else if i == size {
				name = "size"
			} else if strings.Contains(name, "sum ") {
				w.hidden = append(w.hidden, a.Counters[i].Name+" = "+name)
				name = a.Counters[i].Name
			}
		}
		w.counters = append(w.counters, name)
	}
	return w
}

// bare leaves out the outcome of a count where a method has one outcome that is no refusal.
func (w *words) bare(text string) string {
	for i := range w.methods {
		m := &w.methods[i]
		var done []history.Outcome
		for _, o := range m.Outcomes {
			if !fails(&automata.Transition{Outcome: o.Outcome}) {
				done = append(done, o.Outcome)
			}
		}
		if len(done) == 1 {
			text = regexp.MustCompile(`(\b`+regexp.QuoteMeta(m.Name)+`(?:\([^)]*\))?)=`+regexp.QuoteMeta(string(done[0]))+`\b`).ReplaceAllString(text, "$1")
		}
	}
	return regexp.MustCompile(`"(\w+)"`).ReplaceAllString(text, "$1") // a name
}

// is reports whether a term is a counter, or a keyed one of the argument.
func is(t automata.Term, counter int) bool {
	return t.Kind == automata.Total && t.Sum.Constant == 0 && len(t.Sum.Terms) == 1 && t.Sum.Terms[0].Times == 1 && t.Sum.Terms[0].Counter == counter
}

// observer is the method that always answers one value, for which this holds, with nothing
// else to it.
func observer(a *automata.Automaton, holds func(t automata.Term) bool) string {
	for i := range a.Methods {
		m, n, ok := &a.Methods[i], 0, true
		for j := range a.Locations {
			for _, t := range a.Locations[j].Transitions {
				if t.Method == m.Name {
					n++
					ok = ok && len(t.Rets) == 1 && holds(t.Rets[0]) && len(t.Guard) == 0 && t.To == j && t.Outcome == history.Some
				}
			}
		}
		if ok && n == len(a.Locations) {
			return m.Name
		}
	}
	return ""
}

func parameters(n int) (names []string) {
	all := []string{"x", "y", "z", "u", "v", "w"}
	for i := range n {
		names = append(names, all[i%len(all)]+strings.Repeat("'", i/len(all)))
	}
	return names
}

func (w *words) call(method string, args []string) string {
	args = w.key.with(method, args)
	if len(args) == 0 {
		return method
	}
	return method + "(" + strings.Join(args, ", ") + ")"
}

func (w *words) term(t automata.Term, args []string) string {
	switch t.Kind {
	case automata.Register:
		if t.Index < len(w.held) {
			return w.held[t.Index]
		}
		return "what is held"
	case automata.Argument:
		return args[t.Index]
	case automata.Constant:
		if t.Value == "" {
			return `""`
		}
		return string(t.Value)
	case automata.Total:
		return w.sum(t.Sum, args)
	case automata.Fresh:
		return "a new value"
	}
	return "a value"
}

// parts are the summands of a sum that are added, and those that are taken away.
func (w *words) parts(s automata.Sum, args []string) (plus, minus []string) {
	for _, x := range s.Terms {
		name, times := "", x.Times
		switch {
		case x.Counter < 0:
			name = args[x.Arg]
		default:
			name = w.counter(x.Counter, x.Key, args)
		}
		to := &plus
		if times < 0 {
			to, times = &minus, -times
		}
		if times != 1 {
			name = strconv.FormatInt(times, 10) + "*" + grouped(name)
		}
		*to = append(*to, name)
	}
	return plus, minus
}

func grouped(name string) string {
	if strings.Contains(name, " - ") || strings.Contains(name, " + ") {
		return "(" + name + ")"
	}
	return name
}

// counter is a counter's name; what a keyed one holds for a key is named by its method.
func (w *words) counter(i, key int, args []string) string {
	if !w.a.Counters[i].Keyed {
		return w.counters[i]
	}
	for _, t := range w.a.Locations[0].Transitions {
		if len(t.Rets) == 1 && is(t.Rets[0], i) && len(t.Guard) == 0 {
			return t.Method + "(" + args[key] + ")"
		}
	}
	return strings.NewReplacer("(k", "("+args[key]).Replace(w.counters[i])
}

// sum writes what is added first: 100 - used - x.
func (w *words) sum(s automata.Sum, args []string) string {
	plus, minus := w.parts(s, args)
	switch c := s.Constant; {
	case c > 0 || c == 0 && len(plus)+len(minus) == 0:
		plus = append(plus, strconv.FormatInt(c, 10))
	case c < 0:
		minus = append(minus, strconv.FormatInt(c, 10)[1:])
	}
	if len(plus) == 0 {
		return "-" + joinedBy(minus, " - ")
	}
	for i, m := range minus {
		minus[i] = grouped(m)
	}
	return strings.Join(append([]string{strings.Join(plus, " + ")}, minus...), " - ")
}

func joinedBy(parts []string, sep string) string {
	for i, m := range parts {
		parts[i] = grouped(m)
	}
	return strings.Join(parts, sep)
}

// condition writes a part of a guard: what is added on the left, what is taken away on the
// right, and the constant where it is positive.
func (w *words) condition(c automata.Condition, args []string) string {
	if c.Op == automata.Equal || c.Op == automata.Differs {
		return w.term(c.Left, args) + map[automata.Op]string{automata.Equal: " = ", automata.Differs: " ≠ "}[c.Op] + w.term(c.Right, args)
	}
	left, okLeft := asSum(c.Left)
	right, okRight := asSum(c.Right)
	if !okLeft || !okRight {
		return w.term(c.Left, args) + map[automata.Op]string{automata.Less: " < ", automata.AtLeast: " ≥ "}[c.Op] + w.term(c.Right, args)
	}
	for _, x := range right.Terms {
		x.Times = -x.Times
		left.Terms = append(slices.Clone(left.Terms), x)
	}
	plus, minus := w.parts(left, args)
	bound := right.Constant - left.Constant // plus - minus op bound
	less := c.Op == automata.Less
	if len(plus) == 0 { // minus > -bound, or minus <= -bound
		if less {
			return compared(joinedBy(minus, " + "), " ≥ ", 1-bound)
		}
		return compared(joinedBy(minus, " + "), " ≤ ", -bound)
	}
	if len(minus) == 0 {
		text := strings.Join(plus, " + ")
		if less {
			return compared(text, " ≤ ", bound-1)
		}
		return compared(text, " ≥ ", bound)
	}
	return difference(strings.Join(plus, " + "), joinedBy(minus, " + "), bound, less)
}

func compared(what, op string, n int64) string {
	if op == " ≤ " && n == 0 && (what == "size" || strings.HasPrefix(what, "#") && !strings.ContainsAny(what, " ")) {
		return what + " = 0" // a count
	}
	if plus, minus, ok := strings.Cut(what, " - "); ok && !strings.Contains(minus, " - ") && !strings.Contains(plus, " + ") { // #lock - #unlock ≥ 1
		if op == " ≥ " {
			return difference(plus, minus, n, false)
		}
		return difference(plus, minus, n+1, true)
	}
	return what + op + strconv.FormatInt(n, 10)
}

// difference is plus - minus < bound, or >= bound.
func difference(plus, minus string, bound int64, less bool) string {
	strict := less && bound <= 0 || !less && bound >= 1 // p < m + 0, p > m + bound-1
	op := map[bool]string{true: " < ", false: " > "}[less]
	switch {
	case strict && !less:
		bound--
	case strict:
	case less:
		op, bound = " ≤ ", bound-1
	default:
		op = " ≥ "
	}
	switch {
	case bound > 0:
		minus += " + " + strconv.FormatInt(bound, 10)
	case bound < 0:
		plus += " + " + strconv.FormatInt(-bound, 10)
	}
	return plus + op + minus
}

func asSum(t automata.Term) (automata.Sum, bool) {
	switch t.Kind {
	case automata.Total:
		return t.Sum, true
	case automata.Argument:
		return automata.Sum{Terms: []automata.Summand{{Times: 1, Counter: -1, Arg: t.Index}}}, true
	case automata.Constant:
		n, err := strconv.ParseInt(string(t.Value), 10, 64)
		return automata.Sum{Constant: n}, err == nil
	}
	return automata.Sum{}, false
}

// answer is " => ErrHeld", " = used - x" and the like; " succeeds" if there is nothing else
// to say.
func (w *words) answer(t *automata.Transition, args []string) string {
	var rets []string
	for _, r := range t.Rets {
		if r.Kind == automata.Constant && r.Value == ofPart && w.key != nil && w.key.by[t.Method].Ret > 0 {
			rets = append(rets, w.key.name)
			continue
		}
		rets = append(rets, w.term(r, args))
	}
	said := strings.Join(rets, ", ")
	switch {
	case t.Blocks:
		return " waits"
	case t.Outcome == history.None && said == "":
		return " succeeds"
	case t.Outcome == history.Some && said != "":
		return " => " + said
	}
	return " => " + strings.TrimSpace(string(t.Outcome)+" "+said)
}

// fails reports whether an outcome says that a call did not do it.
func fails(t *automata.Transition) bool {
	return t.Blocks || wording.IsError(string(t.Outcome)) || t.Outcome == history.False || t.Outcome == history.Nil || t.Outcome == history.Error || t.Outcome == history.Panic
}
