package historytest

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/theory"
)

// Described is a type with a theory that has an automaton or a product, and no
// patterns.
type Described struct {
	Type
	Theory *theory.Theory
}

// ByAutomata are types that automata with registers and counters describe, and
// products of them.
func ByAutomata() []Described {
	return []Described{mutex(), casRegister(), ticket(), semaphoreOfTwo(), sumOf(), store(), members(), sizedSet(), epochs(), tallies()}
}

// described is a type whose methods take so many arguments of 1 to 3.
func described(name string, s theory.Spec, model Model) Described {
	t := Type{Name: name, Model: model}
	for _, m := range s.Methods {
		own := Method{Name: m.Name}
		if m.Args > 0 {
			own.Takes, own.Also = 3, m.Args-1
		}
		for _, o := range m.Outcomes {
			own.Outcomes = append(own.Outcomes, o.Outcome)
		}
		t.Methods = append(t.Methods, own)
	}
	s.Width = 1
	return Described{t, &theory.Theory{Name: name, Spec: s}}
}

// signatures reads lines such as "get 1 value1 nil": method, arguments, outcomes.
func signatures(lines ...string) (methods []history.MethodSig) {
	for _, line := range lines {
		words := strings.Fields(line)
		n, _ := strconv.Atoi(words[1])
		m := history.MethodSig{Name: words[0], Args: n}
		for _, w := range words[2:] {
			o := history.OutcomeSig{Outcome: history.Outcome(w)}
			if o.Outcome == history.Some {
				o.Rets = 1
			}
			m.Outcomes = append(m.Outcomes, o)
		}
		methods = append(methods, m)
	}
	return methods
}

func register0() automata.Term                  { return automata.Term{Kind: automata.Register} }
func argument(i int) automata.Term              { return automata.Term{Kind: automata.Argument, Index: i} }
func terms(ts ...automata.Term) []automata.Term { return ts }
func if0(l automata.Term, op automata.Op, r automata.Term) []automata.Condition {
	return []automata.Condition{{Left: l, Op: op, Right: r}}
}

func location(name string, registers int, ts ...automata.Transition) automata.Location {
	return automata.Location{Name: name, Registers: []string{"r", "s"}[:registers], Transitions: ts}
}

func yes(v bool) []Way {
	if v {
		return []Way{{Outcome: history.True}}
	}
	return []Way{{Outcome: history.False}}
}

// to gives all ways the same next state.
func to(next string, ways []Way) []Way {
	for i := range ways {
		ways[i].Next = next
	}
	return ways
}

func mutex() Described {
	methods := signatures("lock 0 none", "tryLock 0 true false", "unlock 0 none panic")
	a := automata.Automaton{Methods: methods, Locations: []automata.Location{
		location("free", 0,
			automata.Transition{Method: "lock", Outcome: history.None, To: 1},
			automata.Transition{Method: "tryLock", Outcome: history.True, To: 1},
			automata.Transition{Method: "unlock", Outcome: history.Panic}),
		location("held", 0,
			automata.Transition{Method: "lock", Blocks: true},
			automata.Transition{Method: "tryLock", Outcome: history.False, To: 1},
			automata.Transition{Method: "unlock", Outcome: history.None}),
	}}
	return described("mutex", theory.Spec{Methods: methods, Automaton: &a}, func(s string, l *history.Label) []Way {
		switch {
		case l.Method == "tryLock":
			return to("held", yes(s == ""))
		case l.Method == "unlock" && s == "":
			return []Way{{Outcome: history.Panic}}
		case l.Method == "lock" && s == "held":
			return nil
		case l.Method == "lock":
			return []Way{{Outcome: history.None, Next: "held"}}
		}
		return []Way{{Outcome: history.None}}
	})
}

func casRegister() Described {
	methods := signatures("load 0 value", "store 1 none", "cas 2 true false")
	a := automata.Automaton{Methods: methods, Initial: []history.Value{"1"}, Locations: []automata.Location{location("holds", 1,
		automata.Transition{Method: "load", Outcome: history.Some, Rets: terms(register0()), Load: terms(register0())},
		automata.Transition{Method: "store", Outcome: history.None, Load: terms(argument(0))},
		automata.Transition{Method: "cas", Guard: if0(argument(0), automata.Equal, register0()), Outcome: history.True, Load: terms(argument(1))},
		automata.Transition{Method: "cas", Guard: if0(argument(0), automata.Differs, register0()), Outcome: history.False, Load: terms(register0())})}}
	return described("casregister", theory.Spec{Methods: methods, Automaton: &a}, func(s string, l *history.Label) []Way {
		if s == "" {
			s = "1"
		}
		switch {
		case l.Method == "load":
			return []Way{{history.Some, []history.Value{history.Value(s)}, s}}
		case l.Method == "store":
			return []Way{{Outcome: history.None, Next: string(l.Args[0])}}
		case string(l.Args[0]) == s:
			return to(string(l.Args[1]), yes(true))
		}
		return to(s, yes(false))
	})
}

// ticket gives tickets out, each another than the last; the last one is valid.
func ticket() Described {
	methods := signatures("issue 0 value", "valid 1 true false", "revoke 0 none")
	issue := automata.Transition{Method: "issue", Outcome: history.Some, Rets: terms(automata.Term{Kind: automata.Fresh}), To: 1, Load: terms(automata.Term{Kind: automata.Answer})}
	a := automata.Automaton{Methods: methods, Locations: []automata.Location{
		location("none", 0, issue, automata.Transition{Method: "revoke", Outcome: history.None},
			automata.Transition{Method: "valid", Outcome: history.False}),
		location("issued", 1, issue, automata.Transition{Method: "revoke", Outcome: history.None},
			automata.Transition{Method: "valid", Guard: if0(argument(0), automata.Equal, register0()), Outcome: history.True, To: 1, Load: terms(register0())},
			automata.Transition{Method: "valid", Guard: if0(argument(0), automata.Differs, register0()), Outcome: history.False, To: 1, Load: terms(register0())}),
	}}
	return described("ticket", theory.Spec{Methods: methods, Automaton: &a}, func(s string, l *history.Label) (all []Way) {
		switch l.Method {
		case "valid":
			return to(s, yes(s == string(l.Args[0])))
		case "revoke":
			return []Way{{Outcome: history.None}}
		}
		for v := range 12 {
			if n := strconv.Itoa(v + 1); n != s {
				all = append(all, Way{history.Some, []history.Value{history.Value(n)}, n})
			}
		}
		return all
	})
}

func semaphoreOfTwo() Described {
	methods := signatures("tryAcquire 0 true false", "release 0 none")
	taken := automata.Term{Kind: automata.Total, Sum: automata.Sum{Terms: []automata.Summand{{Times: 1}}}}
	two := automata.Term{Kind: automata.Constant, Value: "2"}
	a := automata.Automaton{Methods: methods,
		Counters: []automata.Counter{{Name: "taken", Adds: []automata.Add{{Kind: history.Kind{Method: "tryAcquire", Outcome: history.True}, Times: 1, Arg: -1},
			{Kind: history.Kind{Method: "release", Outcome: history.None}, Times: -1, Arg: -1}}}},
		Locations: []automata.Location{location("any", 0,
			automata.Transition{Method: "tryAcquire", Guard: if0(taken, automata.Less, two), Outcome: history.True},
			automata.Transition{Method: "tryAcquire", Guard: if0(taken, automata.AtLeast, two), Outcome: history.False},
			automata.Transition{Method: "release", Outcome: history.None})}}
	return described("semaphore", theory.Spec{Methods: methods, Automaton: &a}, func(s string, l *history.Label) []Way {
		n, _ := strconv.Atoi("0" + strings.TrimPrefix(s, "-"))
		if strings.HasPrefix(s, "-") {
			n = -n
		}
		switch {
		case l.Method == "release":
			return []Way{{Outcome: history.None, Next: strconv.Itoa(n - 1)}}
		case n < 2:
			return to(strconv.Itoa(n+1), yes(true))
		}
		return to(s, yes(false))
	})
}

// sumOf adds numbers up, and can be set back.
func sumOf() Described {
	methods := signatures("add 1 none", "sum 0 value", "clear 0 none")
	add := history.Kind{Method: "add", Outcome: history.None}
	a := automata.Automaton{Methods: methods,
		Counters: []automata.Counter{{Name: "sum", Adds: []automata.Add{{Kind: add, Times: 1, Arg: 0}}, Reset: []history.Kind{{Method: "clear", Outcome: history.None}}}},
		Locations: []automata.Location{location("any", 0,
			automata.Transition{Method: "add", Outcome: history.None},
			automata.Transition{Method: "clear", Outcome: history.None},
			automata.Transition{Method: "sum", Outcome: history.Some, Rets: terms(automata.Term{Kind: automata.Total, Sum: automata.Sum{Terms: []automata.Summand{{Times: 1}}}})})}}
	return described("sum", theory.Spec{Methods: methods, Automaton: &a}, func(s string, l *history.Label) []Way {
		n, _ := strconv.Atoi("0" + s)
		switch l.Method {
		case "clear":
			return []Way{{Outcome: history.None}}
		case "add":
			x, _ := strconv.Atoi(string(l.Args[0]))
			return []Way{{Outcome: history.None, Next: strconv.Itoa(n + x)}}
		}
		return []Way{{history.Some, []history.Value{history.Value(strconv.Itoa(n))}, s}}
	})
}

// entries are the pairs in a state, "k=v;".
func entries(s string) map[string]string {
	all := map[string]string{}
	for _, p := range strings.FieldsFunc(s, func(c rune) bool { return c == ';' }) {
		k, v, _ := strings.Cut(p, "=")
		all[k] = v
	}
	return all
}

func written(all map[string]string) string {
	s := ""
	for _, k := range slices.Sorted(maps.Keys(all)) {
		s += k + "=" + all[k] + ";"
	}
	return s
}

// store holds a value a key.
func store() Described {
	part := signatures("get 0 value nil", "put 1 none", "delete 0 none")
	put := automata.Transition{Method: "put", Outcome: history.None, To: 1, Load: terms(argument(0))}
	a := automata.Automaton{Methods: part, Locations: []automata.Location{
		location("absent", 0, automata.Transition{Method: "get", Outcome: history.Nil}, put, automata.Transition{Method: "delete", Outcome: history.None}),
		location("holds", 1, automata.Transition{Method: "get", Outcome: history.Some, Rets: terms(register0()), To: 1, Load: terms(register0())}, put,
			automata.Transition{Method: "delete", Outcome: history.None})}}
	return described("store", theory.Spec{Methods: signatures("get 1 value nil", "put 2 none", "delete 1 none"),
		Product: &theory.Product{Keys: []theory.Key{{Method: "get", Role: theory.ByKey}, {Method: "put", Role: theory.ByKey}, {Method: "delete", Role: theory.ByKey}},
			Part: theory.Spec{Width: 1, Methods: part, Automaton: &a}}}, func(s string, l *history.Label) []Way {
		all := entries(s)
		v, there := all[string(l.Args[0])]
		switch {
		case l.Method == "put":
			all[string(l.Args[0])] = string(l.Args[1])
		case l.Method == "delete":
			delete(all, string(l.Args[0]))
		case there:
			return []Way{{history.Some, []history.Value{history.Value(v)}, s}}
		default:
			return []Way{{Outcome: history.Nil, Next: s}}
		}
		return []Way{{Outcome: history.None, Next: written(all)}}
	})
}

// members is a set that answers with the value itself if it was there.
func members() Described {
	part := signatures("insert 0 value nil", "remove 0 value nil", "contains 0 value nil")
	key := terms(automata.Term{Kind: automata.Constant, Value: "key"})
	a := automata.Automaton{Methods: part, Locations: []automata.Location{
		location("out", 0, automata.Transition{Method: "insert", Outcome: history.Nil, To: 1}, automata.Transition{Method: "remove", Outcome: history.Nil},
			automata.Transition{Method: "contains", Outcome: history.Nil}),
		location("in", 0, automata.Transition{Method: "insert", Outcome: history.Some, Rets: key, To: 1}, automata.Transition{Method: "remove", Outcome: history.Some, Rets: key},
			automata.Transition{Method: "contains", Outcome: history.Some, Rets: key, To: 1})}}
	s := theory.Spec{Methods: signatures("insert 1 value nil", "remove 1 value nil", "contains 1 value nil"), Product: &theory.Product{Part: theory.Spec{Width: 1, Methods: part, Automaton: &a}}}
	for _, m := range s.Methods {
		s.Product.Keys = append(s.Product.Keys, theory.Key{Method: m.Name, Role: theory.ByKey, Ret: 1})
	}
	return described("members", s, set)
}

// sizedSet is a set with its size, the sum of those of the keys.
func sizedSet() Described {
	part := signatures("insert 0 true false", "remove 0 true false", "len 0 value")
	n := func(v history.Value) []automata.Term { return terms(automata.Term{Kind: automata.Constant, Value: v}) }
	a := automata.Automaton{Methods: part, Locations: []automata.Location{
		location("out", 0, automata.Transition{Method: "insert", Outcome: history.True, To: 1}, automata.Transition{Method: "remove", Outcome: history.False},
			automata.Transition{Method: "len", Outcome: history.Some, Rets: n("0")}),
		location("in", 0, automata.Transition{Method: "insert", Outcome: history.False, To: 1}, automata.Transition{Method: "remove", Outcome: history.True},
			automata.Transition{Method: "len", Outcome: history.Some, Rets: n("1"), To: 1})}}
	return described("sizedset", theory.Spec{Methods: signatures("insert 1 true false", "remove 1 true false", "len 0 value"),
		Product: &theory.Product{Keys: []theory.Key{{Method: "insert", Role: theory.ByKey}, {Method: "remove", Role: theory.ByKey}, {Method: "len", Role: theory.SumOfAll}},
			Part: theory.Spec{Width: 1, Methods: part, Automaton: &a}}}, func(s string, l *history.Label) []Way {
		all := entries(s)
		if l.Method == "len" {
			return []Way{{history.Some, []history.Value{history.Value(strconv.Itoa(len(all)))}, s}}
		}
		_, there := all[string(l.Args[0])]
		if all[string(l.Args[0])] = ""; l.Method == "remove" {
			delete(all, string(l.Args[0]))
		}
		return to(written(all), yes(there == (l.Method == "remove")))
	})
}

// tallies is how often a value was put in, which take and has tell.
func tallies() Described {
	methods := signatures("put 1 none", "take 1 true false", "has 1 value")
	n := automata.Term{Kind: automata.Total, Sum: automata.Sum{Terms: []automata.Summand{{Times: 1}}}}
	one := automata.Term{Kind: automata.Constant, Value: "1"}
	a := automata.Automaton{Methods: methods,
		Counters: []automata.Counter{{Name: "n", Keyed: true, Adds: []automata.Add{{Kind: history.Kind{Method: "put", Outcome: history.None}, Times: 1, Arg: -1},
			{Kind: history.Kind{Method: "take", Outcome: history.True}, Times: -1, Arg: -1}}}},
		Locations: []automata.Location{location("any", 0,
			automata.Transition{Method: "put", Outcome: history.None},
			automata.Transition{Method: "take", Guard: if0(n, automata.AtLeast, one), Outcome: history.True},
			automata.Transition{Method: "take", Guard: if0(n, automata.Less, one), Outcome: history.False},
			automata.Transition{Method: "has", Outcome: history.Some, Rets: terms(n)})}}
	return described("tallies", theory.Spec{Methods: methods, Automaton: &a}, func(s string, l *history.Label) []Way {
		all := entries(s)
		k := string(l.Args[0])
		held := len(all[k])
		switch {
		case l.Method == "has":
			return []Way{{history.Some, []history.Value{history.Value(strconv.Itoa(held))}, s}}
		case l.Method == "put":
			all[k] += "|"
			return []Way{{Outcome: history.None, Next: written(all)}}
		case held == 0:
			return to(s, yes(false))
		case held == 1:
			delete(all, k)
		default:
			all[k] = all[k][1:]
		}
		return to(written(all), yes(true))
	})
}

// epochs is marks that a clock wipes out when it has ticked twice.
func epochs() Described {
	part := signatures("mark 0 none", "marked 0 true false", "tick 0 none")
	mark := automata.Transition{Method: "mark", Outcome: history.None, To: 1}
	a := automata.Automaton{Methods: part, Locations: []automata.Location{
		location("old", 0, mark, automata.Transition{Method: "marked", Outcome: history.False}, automata.Transition{Method: "tick", Outcome: history.None}),
		location("new", 0, mark, automata.Transition{Method: "marked", Outcome: history.True, To: 1}, automata.Transition{Method: "tick", Outcome: history.None, To: 2}),
		location("late", 0, mark, automata.Transition{Method: "marked", Outcome: history.True, To: 2}, automata.Transition{Method: "tick", Outcome: history.None})}}
	return described("epochs", theory.Spec{Methods: signatures("mark 1 none", "marked 1 true false", "tick 0 none"),
		Product: &theory.Product{Keys: []theory.Key{{Method: "mark", Role: theory.ByKey}, {Method: "marked", Role: theory.ByKey}, {Method: "tick", Role: theory.InAll}},
			Part: theory.Spec{Width: 1, Methods: part, Automaton: &a}}}, func(s string, l *history.Label) []Way {
		all := entries(s)
		switch l.Method {
		case "marked":
			_, there := all[string(l.Args[0])]
			return to(s, yes(there))
		case "mark":
			all[string(l.Args[0])] = "new"
		default:
			for k, v := range all {
				if all[k] = "late"; v == "late" {
					delete(all, k)
				}
			}
		}
		return []Way{{Outcome: history.None, Next: written(all)}}
	})
}
