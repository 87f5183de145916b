package reasons

import (
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/values"
)

// methodRows say what each method of an automaton with one location answers, and why.
// Counter size is what is left of what was added; -1: none is. Beside patterns, answers
// that these say more of are left out of examples.
func methodRows(a *automata.Automaton, methods []history.MethodSig, size int, key *keyed) (rows []Row, limit string) {
	if len(a.Locations) != 1 {
		return nil, ""
	}
	w, s := newWords(a, methods, size), newSearcher(a, methods)
	w.key = key
	for i := range w.counters {
		if m := observer(a, func(t automata.Term) bool { return is(t, i) }); m != "" && !a.Counters[i].Keyed {
			w.counters[i] = w.call(m, nil)
		}
	}
	w.hold(a)
	for i := range methods {
		m := &methods[i]
		var ts []*automata.Transition
		for j := range w.a.Locations[0].Transitions {
			if t := &w.a.Locations[0].Transitions[j]; t.Method == m.Name {
				ts = append(ts, t)
			}
		}
		row := Row{Says: w.method(m, ts), about: m.Name}
		if row.Says == "" || key.sums(m.Name) {
			continue
		}
		if size >= 0 {
			row.Example = full(a, m, ts)
		}
		if e := s.example(m, ts); e != nil && row.Example == nil {
			row.Example = steps(e.path.labels())
		}
		if n, counter, ok := bound(a, methods, m, ts); ok && limit == "" && (size < 0 || counter == size) {
			limit = "at most " + strconv.FormatInt(n, 10)
			if name := w.counters[counter]; counter == size {
				row.Says = limit + ": " + m.Name + w.answer(ts[len(ts)-1], nil) + " while " + strconv.FormatInt(n, 10) + " values are left"
			} else if strings.Contains(name, "#") {
				limit += " " + m.Name + " at a time"
			} else {
				limit += " " + name
			}
		}
		rows = append(rows, row)
	}
	for _, says := range w.hidden {
		rows = append(rows, Row{Says: says})
	}
	return rows, limit
}

// hold names the registers of the only location by the methods that answer them.
func (w *words) hold(a *automata.Automaton) {
	l := &a.Locations[0]
	for i := range l.Registers {
		name := observer(a, func(t automata.Term) bool { return t.Kind == automata.Register && t.Index == i })
		if name = w.call(name, nil); name == "" {
			name = "what is held"
			if len(l.Registers) > 1 {
				name += " (" + l.Registers[i] + ")"
			}
			for _, t := range l.Transitions {
				for k, r := range t.Rets {
					if r.Kind == automata.Register && r.Index == i && len(t.Guard) == 0 && len(t.Rets) > 1 {
						name = "the " + []string{"first", "second", "third"}[min(k, 2)] + " value of " + t.Method
					}
				}
			}
		}
		w.held = append(w.held, name)
	}
}

// method says what a method answers; "" if there is nothing to say.
func (w *words) method(m *history.MethodSig, ts []*automata.Transition) string {
	args := parameters(m.Args)
	call := w.call(m.Name, args)
	slices.SortStableFunc(ts, func(t, u *automata.Transition) int { // what fails comes last
		return map[bool]int{true: 1}[fails(t)] - map[bool]int{true: 1}[fails(u)]
	})
	type clause struct {
		answer, then string
		when         []string
	}
	var clauses []clause
	for _, t := range ts {
		answer, then := w.answer(t, args), w.then(t, args)
		var conditions []string
		for _, c := range t.Guard {
			conditions = append(conditions, w.condition(c, args))
		}
		if n := len(clauses); n > 0 && clauses[n-1].answer == answer && clauses[n-1].then == then {
			clauses[n-1].when = append(clauses[n-1].when, strings.Join(conditions, " and "))
			continue
		}
		clauses = append(clauses, clause{answer, then, []string{strings.Join(conditions, " and ")}})
	}
	if len(clauses) == 1 {
		answer := clauses[0].answer
		if own := w.defined(m, ts[0], args); own != "" {
			return w.call(m.Name, w.keyedArgs(ts[0], args)) + own
		}
		if answer == " succeeds" {
			return "" // what it does the others say
		}
		return call + answer + clauses[0].then
	}
	text := call
	for i, c := range clauses {
		switch {
		case i == len(clauses)-1:
			text += ", else" + c.answer + c.then
		case i > 0:
			text += "," + c.answer + " if " + strings.Join(c.when, ", or ") + c.then
		default:
			text += c.answer + " if " + strings.Join(c.when, ", or ") + c.then
		}
	}
	return text
}

// then says what registers hold afterwards.
func (w *words) then(t *automata.Transition, args []string) (text string) {
	for i, x := range t.Load {
		if (x.Kind != automata.Register || x.Index != i) && i < len(w.held) && !t.Blocks {
			text += " (then " + w.held[i] + " is " + w.term(x, args) + ")"
		}
	}
	return text
}

// defined says what a method answers that always answers counters and registers.
func (w *words) defined(m *history.MethodSig, t *automata.Transition, args []string) string {
	if t.Outcome != history.Some || len(t.Guard) > 0 || w.then(t, args) != "" {
		return ""
	}
	if len(t.Rets) == 1 {
		for i := range w.a.Counters {
			if is(t.Rets[0], i) {
				_, text, _ := strings.Cut(strings.Split(w.a.String(), "\n")[i], " = ")
				return " = " + w.bare(text)
			}
		}
	}
	var parts []string
	for _, r := range t.Rets {
		part := w.term(r, args)
		if r.Kind == automata.Register {
			if part = w.brought(r.Index); part == "" {
				return ""
			}
		} else if i := slices.IndexFunc(w.counters, func(s string) bool { return s == part }); i >= 0 && !strings.Contains(part, "#") {
			return ""
		}
		parts = append(parts, part)
	}
	return " => " + strings.Join(parts, ", and ")
}

// keyedArgs names the key that a keyed counter is asked for.
func (w *words) keyedArgs(t *automata.Transition, args []string) []string {
	for i := range w.a.Counters {
		if w.a.Counters[i].Keyed && len(t.Rets) == 1 && is(t.Rets[0], i) {
			args[t.Rets[0].Sum.Terms[0].Key] = "k"
		}
	}
	return args
}

// brought says which calls brought what a register holds; "" if some do not bring it.
func (w *words) brought(register int) string {
	var by []string
	for _, t := range w.a.Locations[0].Transitions {
		switch x := t.Load[register]; {
		case x.Kind == automata.Register && x.Index == register || t.Blocks:
		case x.Kind != automata.Argument:
			return ""
		default:
			args := parameters(w.arity(t.Method))
			name := args[x.Index] + " of the last " + w.call(t.Method, args) + strings.TrimSuffix(" => "+string(t.Outcome), " => none")
			if !slices.Contains(by, name) {
				by = append(by, name)
			}
		}
	}
	first := "at first " + w.term(automata.Term{Kind: automata.Constant, Value: w.a.Initial[register]}, nil)
	if len(by) > 1 {
		return listed(by, "or") + ", whichever came later (" + first + ")"
	}
	return listed(by, "or") + " (" + first + ")"
}

func (w *words) arity(method string) int {
	return w.a.Methods[slices.IndexFunc(w.a.Methods, func(m history.MethodSig) bool { return m.Name == method })].Args
}

// example is a short run at whose end the method refuses, or answers something that is not
// its first answer.
func (s *searcher) example(m *history.MethodSig, ts []*automata.Transition) *edge {
	last := ts[len(ts)-1]
	var first *history.Label
	found := s.shortest(func(e *edge) bool {
		if e.label().Method != m.Name {
			return false
		}
		if len(ts) > 1 {
			return e.label().Outcome == last.Outcome
		}
		if first == nil {
			first = e.label()
		}
		return len(e.label().Rets) == 0 || !slices.Equal(e.label().Rets, first.Rets)
	})
	if found == nil && len(ts) == 1 {
		return s.shortest(func(e *edge) bool { return e.label().Method == m.Name })
	}
	return found
}

// full is an example in which so much is added that a method refuses, with other values
// each time.
func full(a *automata.Automaton, m *history.MethodSig, ts []*automata.Transition) []Step {
	last, at := ts[len(ts)-1], a.Start()
	if m.Args != 1 || last.Blocks || len(last.Rets) > 0 {
		return nil
	}
	var first *history.Label
	for n := 1; n <= mostInARow; n++ {
		call := history.Label{Kind: history.Kind{Method: m.Name}, Args: []history.Value{history.Value(strconv.Itoa(n))}}
		l, ok := a.Answer(at, &call)
		if !ok {
			return nil
		}
		if first == nil {
			first = &l
		}
		if l.Outcome == last.Outcome && n > 1 {
			return []Step{{Times: n - 1, Label: *first, Count: true}, {Times: 1, Label: l}}
		}
		if at, ok = a.Step(at, &l); !ok || l.Outcome != first.Outcome {
			return nil
		}
	}
	return nil
}

// unsigned reports whether what is counted cannot be negative.
func unsigned(methods []history.MethodSig, x automata.Add) bool {
	for i := range methods {
		if m := &methods[i]; m.Name == x.Kind.Method {
			return x.Arg < len(m.Params) && m.Params[x.Arg].Kind == values.KindUint
		}
	}
	return false
}

// bound is the greatest number that a counter can have, where a method that alone adds to
// it looks whether there is room.
func bound(a *automata.Automaton, methods []history.MethodSig, m *history.MethodSig, ts []*automata.Transition) (limit int64, counter int, ok bool) {
	for _, t := range ts {
		if len(t.Guard) != 1 || t.Guard[0].Op != automata.Less || t.Blocks {
			continue
		}
		left, okLeft := asSum(t.Guard[0].Left)
		right, okRight := asSum(t.Guard[0].Right)
		if !okLeft || !okRight || len(right.Terms) > 0 {
			continue
		}
		limit, counter, arg := right.Constant-left.Constant-1, -1, -1
		for _, x := range left.Terms {
			switch {
			case x.Times == 1 && x.Counter >= 0 && counter < 0:
				counter = x.Counter
			case x.Times == 1 && x.Counter < 0 && arg < 0:
				arg = x.Arg
			default:
				return 0, 0, false
			}
		}
		if counter < 0 || a.Counters[counter].Keyed || a.Counters[counter].Greatest || a.Counters[counter].Start != 0 {
			continue
		}
		if arg < 0 {
			limit++
		}
		own := history.Kind{Method: m.Name, Outcome: t.Outcome}
		if !slices.ContainsFunc(a.Counters[counter].Adds, func(x automata.Add) bool { return x.Times < 0 }) {
			continue // nothing ever makes room
		}
		if len(a.Counters[counter].Adds) > 0 && !slices.ContainsFunc(a.Counters[counter].Adds, func(x automata.Add) bool {
			if x.Kind == own {
				return x.Times != 1 || x.Arg != arg || x.Where > 0
			}
			return x.Times > 0 || x.Arg >= 0 && !unsigned(methods, x)
		}) && slices.ContainsFunc(a.Counters[counter].Adds, func(x automata.Add) bool { return x.Kind == own }) {
			return limit, counter, true
		}
	}
	return 0, 0, false
}
