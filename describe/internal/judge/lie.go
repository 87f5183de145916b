package judge

import (
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/reference"
)

// lie makes a mutant's answers of the reference's, which it leaves as they are.
type lie func(calls []reference.Call, answers []reference.Answer) []reference.Answer

// liesOf are the mutants in which a method does what it should and answers
// something else.
func liesOf(methods []reference.Method, method int) []Mutant {
	m := &methods[method]
	var all []Mutant
	add := func(name string, l lie) { all = append(all, Mutant{Name: m.Name + " " + name, Method: m.Name, lie: l}) }
	if answersNothing(m) {
		return nil
	}
	add("answers what it answered before", before(method))
	for i, o := range m.Outcomes {
		if o.Rets > 0 || len(m.Outcomes) == 1 {
			continue
		}
		add("answers "+wordOf(o.Outcome)+" always", each(method, func(a *reference.Answer) { *a = reference.Answer{Outcome: o.Outcome} }))
		for _, p := range m.Outcomes[i+1:] {
			if p.Rets == 0 {
				add("answers "+wordOf(o.Outcome)+" and "+wordOf(p.Outcome)+" swapped", swapped(method, o.Outcome, p.Outcome))
			}
		}
	}
	for p, typ := range m.Rets {
		if !slices.ContainsFunc(m.Outcomes, func(o reference.OutcomeArity) bool { return o.Rets > p }) || !passed(methods, typ) {
			continue
		}
		what := ordinal(p, len(m.Rets), "value")
		add("answers another "+what, anotherValue(methods, method, p))
		add("answers the newest "+what+" first", exchanging(methods, method, p, true))
		add("answers the oldest "+what+" first", exchanging(methods, method, p, false))
	}
	return all
}

// passed reports whether values of a type are passed in.
func passed(methods []reference.Method, typ string) bool {
	return slices.ContainsFunc(methods, func(m reference.Method) bool { return slices.Contains(m.Args, typ) })
}

// before repeats a method's last right answer; the first call has none to repeat.
func before(method int) lie {
	return func(calls []reference.Call, answers []reference.Answer) []reference.Answer {
		out := slices.Clone(answers)
		last := -1
		for i := range out {
			if calls[i].Method != method || answers[i].Blocked {
				continue
			}
			if last >= 0 {
				out[i] = answers[last]
			}
			last = i
		}
		return out
	}
}

// each changes every answer of a method.
func each(method int, change func(a *reference.Answer)) lie {
	return func(calls []reference.Call, answers []reference.Answer) []reference.Answer {
		out := slices.Clone(answers)
		for i := range out {
			if calls[i].Method == method && !out[i].Blocked {
				change(&out[i])
			}
		}
		return out
	}
}

func swapped(method int, o, p history.Outcome) lie {
	return each(method, func(a *reference.Answer) {
		switch a.Outcome {
		case o:
			a.Outcome = p
		case p:
			a.Outcome = o
		}
	})
}

// anotherValue answers the last other value of its type that was passed in.
func anotherValue(methods []reference.Method, method, p int) lie {
	return func(calls []reference.Call, answers []reference.Answer) []reference.Answer {
		out := slices.Clone(answers)
		for i := range out {
			if calls[i].Method != method || len(out[i].Rets) <= p {
				continue
			}
			value, _ := strconv.Atoi(string(out[i].Rets[p])) // 0 if nobody passed it in
			if other := lastOther(methods, calls[:i+1], methods[method].Rets[p], value); other > 0 {
				out[i].Rets = slices.Clone(out[i].Rets)
				out[i].Rets[p] = number(other)
			}
		}
		return out
	}
}

// exchanging answers the newest, or oldest, of the values that were passed in
// and that the method has not answered yet. Answered value and right value then
// change places for good, so that the newest first makes a stack of a queue.
func exchanging(methods []reference.Method, method, p int, newest bool) lie {
	typ := methods[method].Rets[p]
	return func(calls []reference.Call, answers []reference.Answer) []reference.Answer {
		out := slices.Clone(answers)
		e := exchange{newest: newest, name: map[history.Value]history.Value{}}
		for i := range out {
			m := &methods[calls[i].Method]
			for q, k := range calls[i].Args {
				if m.Args[q] == typ {
					e.waiting = append(e.waiting, number(k))
				}
			}
			out[i].Rets = slices.Clone(out[i].Rets)
			for q, v := range out[i].Rets {
				switch {
				case calls[i].Method == method && q == p:
					out[i].Rets[q] = e.answer(v)
				case m.Rets[q] == typ:
					out[i].Rets[q] = e.now(v)
				}
			}
		}
		return out
	}
}

// exchange knows which values changed places.
type exchange struct {
	newest  bool
	waiting []history.Value                 // in the order in which they were passed in
	name    map[history.Value]history.Value // if not the value itself: what it goes by
}

// now is what a right answer is called.
func (e *exchange) now(v history.Value) history.Value {
	if w, ok := e.name[v]; ok {
		return w
	}
	return v
}

// answer is what is answered in the place of v.
func (e *exchange) answer(v history.Value) history.Value {
	right := e.now(v)
	if len(e.waiting) == 0 {
		return right
	}
	at := 0
	if e.newest {
		at = len(e.waiting) - 1
	}
	given := e.waiting[at]
	e.waiting = slices.Delete(e.waiting, at, at+1)
	e.name[e.origin(given)] = right
	e.name[v] = given
	return given
}

// origin is the value that goes by a name: names are a permutation of values.
func (e *exchange) origin(name history.Value) history.Value {
	for v, w := range e.name {
		if w == name {
			return v
		}
	}
	return name
}

func number(k int) history.Value { return history.Value(strconv.Itoa(k)) }
