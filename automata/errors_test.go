package automata

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/adtinfer/adtinfer/history"
)

const (
	lock  = "tryLock 0 true false, unlock 0 none panic"
	store = "get 0 value/1 nil, put 1 none"
	bank  = "deposit 2 none, withdraw 2 true false, balance 1 value/1, clear 0 none"
)

// What is wrong in a text is said where it stands.
func TestParseErrors(t *testing.T) {
	const mutex = "-> (free)  tryLock => true   (held)\n           unlock  => panic  (free)\n   (held)  tryLock => false  (held)\n           unlock            (free)\n"
	tests := []struct{ name, methods, text, want string }{
		{"empty", lock, "", "1:1: the location has no transition for tryLock"},
		{"no arrow", lock, "(free) unlock (free)\n", `1:1: the first location, in which the automaton starts, is written "-> (free)"`},
		{"two arrows", lock, strings.Replace(mutex, "   (held)  try", "-> (held)  try", 1), "3:1: an automaton starts in one location, the first"},
		{"no location at first", lock, "unlock (free)\n-> (free) tryLock => true (free)\n", `1:1: a location comes first, as "-> (free)"; counters are written "n = #push"`},
		{"no name", lock, "-> () unlock (free)\n(b) unlock (b)", `1:5: expected the name of a location, found ")"`},
		{"location twice", lock, "-> (a) unlock (a)\n   (a) unlock (a)", "2:8: there are two locations a"},
		{"unknown method", lock, strings.Replace(mutex, "unlock  =>", "unlok   =>", 1), `2:12: unknown method "unlok"; did you mean "unlock"?`},
		{"unknown location", lock, strings.Replace(mutex, "true   (held)", "true   (hold)", 1), `1:31: there is no location "hold"; did you mean "held"?`},
		{"unknown outcome", lock, strings.Replace(mutex, "=> panic  (free)", "=> nil  (free)", 1), `2:23: unknown name "nil"`},
		{"no such outcome", lock, strings.Replace(mutex, "=> panic  (free)", "=> -  (free)", 1), `2:23: unlock has no outcome "nil"; it has none, panic`},
		{"nothing answered", lock, strings.Replace(mutex, "=> false  ", "", 1), `3:20: tryLock has no outcome "none"; it has true, false`},
		{"no next location", lock, strings.Replace(mutex, "=> false  (held)", "=> false", 1), `3:28: expected "(" and the location after the call, such as (free), found the end of the line`},
		{"too much", lock, strings.Replace(mutex, "(held)\n", "(held) (free)\n", 1), `1:37: unexpected "("`},
		{"missing", lock, strings.Replace(mutex, "           unlock            (free)\n", "", 1), "3:12: location held has no transition for unlock"},
		{"twice", lock, mutex + "unlock => panic (free)\n", "5:1: location held has two transitions for unlock"},
		{"not reached", lock, strings.Replace(mutex, "true   (held)", "true   (free)", 1), "3:12: location held is not reached from the first one"},
		{"other sign", lock, "@", `1:1: expected a method, found "@"`},

		{"no initial value", store, "-> (r) get => r (r)\n put(x) (x)", `1:1: what does r hold at first? Write "at first r = 0", say, before the locations`},
		{"initial of another", store, "at first s = 0\n-> (r) get => r (r)\n put(x) (x)", `1:10: the first location has no register "s"`},
		{"initial twice", store, "at first r = 0, r = 1\n-> (r) get => r (r)\n put(x) (x)", `1:17: register "r" has two values at first`},
		{"at first twice", store, "at first r = 0\nat first r = 1\n-> (r) get => r (r)\n put(x) (x)", "2:1: what registers hold at first is said twice"},
		{"not all at first", store, "at first r = 0\n-> (r, s) get => r (r, s)\n put(x) (x, s)", "1:15: what does s hold at first?"},
		{"initial is no value", store, "at first r = new\n-> (r) get => r (r)\n put(x) (x)", `1:14: what a register holds at first is a value, such as 0 or ""`},
		{"register twice", store, "at first r = 0\n-> (r, r) get => r (r, r)\n put(x) (x, x)", "1:15: what does r hold at first?"},
		{"too few registers", store, "-> (a) get => - (a)\n put(x) (b)\n (b r) get => r (b r)\n put(x) (b x)", "2:9: location b has 1 register, not 0"},
		{"too many registers", store, "-> (a) get => - (a)\n put(x) (b x, x)\n (b r) get => r (b r)\n put(x) (b x)", "2:9: location b has 1 register, not 2"},
		{"unknown register", store, "-> (a) get => - (a)\n put(x) (b y)\n (b r) get => r (b r)\n put(x) (b x)", `2:12: unknown name "y"`},
		{"register of another location", store, "-> (a) get => r (a)\n put(x) (b x)\n (b r) get => r (b r)\n put(x) (b x)", `1:15: unknown name "r"`},
		{"reserved", store, "-> (a if) get => - (a)\n(b) get => - (b)", `1:7: "if" has a meaning of its own here, and cannot be the name of a register`},
		{"argument is a register", store, "at first r = 0\n-> (r) put(r) (r)", `2:12: r is something else here; call the argument otherwise`},
		{"arguments", store, "put(x,y)\nget => -", "1:1: put takes 1 argument, not 2"},
		{"no arguments", store, "put\nget => -", "1:1: put takes 1 argument, not 0"},
		{"values", store, "put(x)\nget => 1, 2", "2:8: outcome value of get has 1 value, not 2"},
		{"no values", store, "put(x)\nget => value", "2:8: outcome value of get has 1 value, not 0"},
		{"new is held", store, "at first r = 0\n-> (r) get => new (new)\n put(x) (x)", "2:8: the location, get: new cannot be held; answer is what the call answered"},
		{"any is compared", store, "put(x) if x = any\n otherwise\nget => -", "1:1: the location, put: any cannot be compared; answer is what the call answered"},
		{"an answer is answered", store, "put(x)\nget => answer", "2:1: the location, get: an answer cannot be answered"},
		{"an answer of nothing", store, "at first r = 0\n-> (r) put(x) (answer)\nget => r (r)", "2:8: the location, put: there is no answer 1"},
		{"quote", store, "put(x) if x = \"a\nget => -", `1:15: a quoted text ends with a quote on the same line ("\"" is a quote, "\\" a backslash)`},

		{"one case", store, "put(x) if x = 1\nget => -", "1:1: the location has no transition for put(x) if x != 1"},
		{"both cases", store, "put(x) if x = 1\n if x != 2\nget => -", "2:2: the location has two transitions for put(x) if x = 1"},
		{"overlap", store, "put(x) if x = 1\nif x != 2\notherwise\nget => -", "2:1: the location has two transitions for put(x) if x = 1"},
		{"registers may be equal", "put 2 none", "-> (a) put(a,b) (b a, b)\n(b r, s) put(a,b) if a = r (b r, s)\n if a = s (b s, s)\n otherwise (b r, s)", "3:2: location b has two transitions for put(a,b) if a = r and a = s"},
		{"otherwise alone", store, "put(x) otherwise\nget => -", "1:8: when is otherwise? It stands behind lines of put each of which adds one condition; write the conditions"},
		{"otherwise of two", store, "put(x) if x = 1 and x != 2\notherwise\nget => -", "2:2: when is otherwise? It stands behind lines of put each of which adds one condition; write the conditions"},
		{"guard without a method", store, "if x = 1\n", "1:1: which method? A line without one is about the method of the line above"},
		{"no comparison", store, "put(x) if x\nget => -", "1:12: expected =, !=, < or >=, found the end of the line"},
		{"other comparison", store, "put(x) if x > 1\nget => -", `1:13: expected =, !=, < or >=, found ">"`},
		{"threshold", store, "put(x) if x < 9223372036854775808\notherwise\nget => -", "1:1: the location, put: 9223372036854775808 does not fit in 64 bits"},
		{"threshold in a sum", store, "put(x) if x + 1 < 1 + 9223372036854775808\notherwise\nget => -", "1:23: 9223372036854775808 does not fit in 64 bits"},
		{"sum of constants", store, "put(x)\nget => 9223372036854775807 + 1", "2:8: the constants of this sum do not fit in 64 bits"},
		{"factor", "put 1 value/1", "put(x) => 9223372036854775808*x", "1:11: 9223372036854775808 does not fit in 64 bits"},
		{"no integer", store, "put(x) if x < \"a\"\notherwise\nget => -", `1:1: the location, put: "a" is compared with an integer, and is none`},

		{"counter twice", bank, "n = #clear\nn = #clear\nclear", `2:1: there are two counters "n"`},
		{"unknown counter", bank, "n = #clear\nclear\nbalance(x) => m", `3:15: unknown name "m"`},
		{"counter of an unknown method", bank, "n = #claer\nclear", `1:6: unknown method "claer"; did you mean "clear"?`},
		{"which outcome", bank, "n = #withdraw\nclear", "1:14: which answers of withdraw? Write withdraw=true, say"},
		{"outcome of a counter", bank, "n = #withdraw=full\nclear", `1:15: withdraw has no outcome "full"; it has true, false`},
		{"nothing counted", bank, "n = clear\nclear", `1:5: expected a number of calls, as "#push", or a sum, as "sum x of deposit(x)", found "clear"`},
		{"two constants", bank, "n = #clear + 1 + 2\nclear", "1:18: a counter has one constant, what it is at first"},
		{"no key", bank, "n[k] = #deposit(_,_)\nclear", "1:8: which argument is the key k?"},
		{"key of nothing", bank, "n[k] = #clear\nclear", "1:8: which argument is the key k?"},
		{"what is summed up", bank, "n = sum x of deposit(_,_)\nclear", "1:5: which argument is x?"},
		{"too few places", bank, "n = sum x of deposit(x)\nclear", "1:5: deposit takes 2 arguments, not 1"},
		{"other names", bank, "n[k] = sum x of deposit(k,y)\nclear", "1:27: arguments here are the key, what is summed up, once each, an integer or a text in quotes that it must be, and _ for the others"},
		{"two values", bank, "n = #deposit(1,\"b\")\nclear", "1:19: one argument may be compared with a value"},
		{"keyed since", bank, "n[k] = #deposit(k,_) since clear\nclear", "1:1: counter n has a number for each value, and cannot start again"},
		{"key in a sum", bank, "n[k] = #deposit(k,_)\nbalance(x) => n[y]", `2:17: "y" is no argument of this call`},
		{"no key in a sum", bank, "n[k] = #deposit(k,_)\nbalance(x) => n", `2:16: expected "[" and the argument that is its key, found the end of the line`},
		{"register in a sum", store, "at first r = 0\n-> (r) get => r + 1 (r)\n put(x) (x)", `2:17: expected "," and another value, or the location after the call, found "+"`},
		{"register as a summand", store, "at first r = 0\n-> (r) get => 1 + r (r)\n put(x) (x)", `2:19: r is a register, and sums are of counters, arguments and integers`},
		{"counter is a register", store, "r = #put\nat first r = 0\n-> (r) get => r (r)\n put(x) (x)", "3:8: the location has a register r, and there is a counter of that name"},
		{"counter without a sum", bank, "n =\nclear", `1:4: expected a number of calls, as "#push", or a sum, as "sum x of deposit(x)", found the end of the line`},
		{"greatest of nothing", bank, "n = max 0, clear\nclear", `1:17: expected "of"`},
		{"greatest of a sum", bank, "n = max 0, sum x of deposit(_,x)\nclear", `1:12: "sum" has a meaning of its own here, and cannot be an argument, as "x of push(x)"`},
		{"greatest with a plus", bank, "n = max 0 + #clear\nclear", `1:11: unexpected "+"`},
		{"reserved counter", bank, "new = #clear\nclear", `1:1: "new" has a meaning of its own here, and cannot be the name of a counter`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, err := Parse(tt.text, sig(t, tt.methods))
			if err == nil {
				t.Fatalf("accepted\n%s", a)
			}
			placed(t, tt.text, err)
			if diff := cmp.Diff(tt.want, err.Error()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// What programs make may be wrong in ways that no text is.
func TestValidate(t *testing.T) {
	tests := map[string]struct {
		change func(a *Automaton)
		want   string
	}{
		"no locations": {func(a *Automaton) { a.Locations = nil }, "an automaton has a location at least"},
		"initial":      {func(a *Automaton) { a.Initial = []history.Value{"1"} }, "the first location has no register, and 1 value at first"},
		"method":       {func(a *Automaton) { a.Locations[0].Transitions[0].Method = "gte" }, `location absent: unknown method "gte"`},
		"method twice": {func(a *Automaton) { a.Methods = append(a.Methods, a.Methods[0]) }, `there are two methods "get"`},
		"location":     {func(a *Automaton) { a.Locations[0].Transitions[0].To = 2 }, "location absent, get: there is no location 2"},
		"negative":     {func(a *Automaton) { a.Locations[0].Transitions[0].To = -1 }, "location absent, get: there is no location -1"},
		"load":         {func(a *Automaton) { a.Locations[0].Transitions[1].Load = nil }, "location absent, put: location holds has 1 register, not 0"},
		"register":     {func(a *Automaton) { a.Locations[1].Transitions[0].Rets[0].Index = 1 }, "location holds, get: there is no register 1"},
		"argument":     {func(a *Automaton) { a.Locations[1].Transitions[1].Load[0].Index = 1 }, "location holds, put: there is no argument 1"},
		"term":         {func(a *Automaton) { a.Locations[1].Transitions[1].Load[0].Kind = 99 }, "location holds, put: unknown term 99"},
		"outcome":      {func(a *Automaton) { a.Locations[0].Transitions[0].Outcome = "full" }, `location absent, get: it has no outcome "full"`},
		"values":       {func(a *Automaton) { a.Locations[1].Transitions[0].Rets = nil }, "location holds, get: outcome value has 1 value, not 0"},
		"comparison": {func(a *Automaton) {
			a.Locations[0].Transitions[1].Guard = []Condition{{Op: 4, Left: Term{Kind: Argument}, Right: Term{Kind: Argument}}}
		}, "location absent, put: unknown comparison 4"},
		"location name": {func(a *Automaton) { a.Locations[0].Name = "is free" }, `"is free" cannot be the name of a location; names have letters, digits, _ and -`},
		"register name": {func(a *Automaton) { a.Locations[1].Registers[0] = "any" }, `"any" cannot be the name of a register`},
		"registers": {func(a *Automaton) {
			a.Locations[0].Registers, a.Initial = []string{"r", "r"}, []history.Value{"1", "2"}
		}, "location absent has two registers r"},
		"counter name":   {func(a *Automaton) { a.Counters = []Counter{{Name: "a b"}} }, `"a b" cannot be the name of a counter`},
		"counter twice":  {func(a *Automaton) { a.Counters = []Counter{{Name: "n"}, {Name: "n"}} }, `there are two counters "n"`},
		"counts nothing": {func(a *Automaton) { a.Counters = []Counter{{Name: "n", Reset: []history.Kind{{Method: "drop"}}}} }, `counter n counts calls of "drop", and there is no such method`},
		"counts outcome": {func(a *Automaton) {
			a.Counters = []Counter{{Name: "n", Reset: []history.Kind{{Method: "put", Outcome: "full"}}}}
		}, `counter n counts calls of put with outcome "full", which it does not have`},
		"sums nothing": {func(a *Automaton) {
			a.Counters = []Counter{{Name: "n", Adds: []Add{{Kind: history.Kind{Method: "put", Outcome: history.None}, Arg: 1}}}}
		}, "counter n adds up an argument that put does not have"},
		"counter": {func(a *Automaton) {
			a.Locations[0].Transitions[1].Load[0] = Term{Kind: Total, Sum: Sum{Terms: []Summand{{Counter: 0}}}}
		}, "location absent, put: there is no counter 0"},
		"summand": {func(a *Automaton) {
			a.Locations[0].Transitions[1].Load[0] = Term{Kind: Total, Sum: Sum{Terms: []Summand{{Counter: -1, Arg: 1}}}}
		}, "location absent, put: there is no argument 1"},
		"key": {func(a *Automaton) {
			a.Counters = []Counter{{Name: "n", Keyed: true}}
			a.Locations[0].Transitions[1].Load[0] = Term{Kind: Total, Sum: Sum{Terms: []Summand{{Key: 1}}}}
		}, "location absent, put: n is of a value, and there is no argument 1"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			a := mustParse(t, store, "-> (absent) get => - (absent)\n put(x) (holds x)\n (holds r) get => r (holds r)\n put(x) (holds x)")
			tt.change(a)
			if err := a.Validate(); err == nil || err.Error() != "automata: "+tt.want {
				t.Errorf("got %v", err)
			}
			_ = a.String() // for messages: wrong ones are shown, too
		})
	}
}

// ring is an automaton of n locations in a row, n-1 of which compare all they hold.
func ring(n, registers int) string {
	var b strings.Builder
	names := make([]string, registers)
	for i := range names {
		names[i] = fmt.Sprint("r", i)
	}
	holds := strings.Join(names, ", ")
	for i := range n {
		arrow, to := "  ", (i+1)%n
		if i == 0 {
			fmt.Fprintf(&b, "at first %s = 0\n", strings.Join(names, " = 0, "))
			arrow = "->"
		}
		fmt.Fprintf(&b, "%s (l%d %s) get => - (l%d %s)\n put(x)", arrow, i, holds, to, holds)
		for _, r := range names {
			fmt.Fprintf(&b, " if x = %s and x != 7 (l%d %s)\n", r, to, holds)
			break
		}
		fmt.Fprintf(&b, " if x != %s and x != 7 (l%d %s)\n if x = 7 (l%d %s)\n", names[0], i, holds, i, holds)
	}
	return b.String()
}

// Large automata are read, too large ones are refused, and guards that would take for
// ever to compare are an error.
func TestLarge(t *testing.T) {
	a := mustParse(t, store, ring(maxLocations, 2))
	if again := mustParse(t, store, a.String()); len(again.Locations) != maxLocations {
		t.Errorf("%d locations", len(again.Locations))
	}
	if _, err := Parse(ring(maxLocations+1, 1), sig(t, store)); err == nil || !strings.HasSuffix(err.Error(), "an automaton has at most 10000 locations, and this one has 10001") {
		t.Errorf("got %v", err)
	}
	var b strings.Builder
	for i := range 30 { // no two conditions are about the same
		fmt.Fprintf(&b, " if x = %d*x and x != %d*x\n", 2*i+3, 2*i+4)
	}
	if _, err := Parse("put(x)"+b.String()+"get => -\n", sig(t, store)); err == nil {
		t.Error("accepted")
	}
}
