package wgl_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// A twin is an object that does in plain Go what a model says: it is called and
// answers nil, a bool, or an int; -1 is the outcome nil.
type twin func(method string, args []int) any

// twins make new objects, by the name of the model.
var twins = map[string]func() twin{
	"cas-register":     func() twin { return newRegister(-1) },
	"cas-register(2)":  func() twin { return newRegister(2) },
	"kv":               func() twin { return newStore(-1) },
	"kv(1)":            func() twin { return newStore(1) },
	"semaphore(2)":     func() twin { return newSemaphore(2) },
	"counter":          func() twin { return newCounter(0) },
	"counter(-3)":      func() twin { return newCounter(-3) },
	"log":              func() twin { return newLog(0) },
	"log(1)":           func() twin { return newLog(1) },
	"bounded-queue(2)": func() twin { return newBounded(2) },
}

func newRegister(v int) twin {
	return func(method string, args []int) any {
		switch method {
		case "read":
			return v
		case "write":
			v = args[0]
			return nil
		}
		if v != args[0] {
			return false
		}
		v = args[1]
		return true
	}
}

func newStore(absent int) twin {
	held := map[int]int{}
	get := func(k int) int {
		if v, ok := held[k]; ok {
			return v
		}
		return absent
	}
	return func(method string, args []int) any {
		k := args[0]
		was := get(k)
		switch method {
		case "get":
			return was
		case "put":
			held[k] = args[1]
			return was
		case "append":
			text := strconv.Itoa(args[1])
			if was != -1 {
				text = strconv.Itoa(was) + text
			}
			held[k], _ = strconv.Atoi(text)
			return nil
		case "delete":
			_, there := held[k]
			delete(held, k)
			return there
		}
		if was != args[1] {
			return false
		}
		held[k] = args[2]
		return true
	}
}

func newSemaphore(n int) twin {
	taken := 0
	return func(method string, _ []int) any {
		switch {
		case method == "acquire" && taken < n:
			taken++
		case method == "release" && taken > 0:
			taken--
		default:
			return false
		}
		return true
	}
}

func newCounter(n int) twin {
	return func(method string, args []int) any {
		by := 1
		if len(args) > 0 {
			by = args[0]
		}
		switch method {
		case "inc", "add":
			n += by
		case "dec":
			n -= by
		}
		return n + 1000 // so that no sum is -1
	}
}

func newLog(first int) twin {
	var all []int
	return func(method string, args []int) any {
		if method == "append" {
			all = append(all, args[0])
			return first + len(all) - 1
		}
		if i := args[0] - first; i >= 0 && i < len(all) {
			return all[i]
		}
		return -1
	}
}

func newBounded(n int) twin {
	var all []int
	return func(method string, args []int) any {
		switch {
		case method == "add" && len(all) == n:
			return false
		case method == "add":
			all = append(all, args[0])
			return true
		case len(all) == 0:
			return -1
		}
		v := all[0]
		all = all[1:]
		return v
	}
}

// behaves is the data type that a twin is: its states are the calls that led there.
// What it answers in them is kept until it is told to forget.
func behaves(name string) (t historytest.Type, forget func()) {
	t.Name = name
	offset := 0
	if strings.HasPrefix(name, "counter") {
		offset = 1000
	}
	known := map[string][]historytest.Way{}
	t.Model = func(state string, l *history.Label) []historytest.Way {
		call := l.Method + fmt.Sprint(numbers(l.Args))
		if ways, ok := known[state+call]; ok {
			return ways
		}
		object := twins[name]()
		var answer any
		for _, done := range append(strings.FieldsFunc(state, func(r rune) bool { return r == ';' }), call) {
			method, args, _ := strings.Cut(strings.TrimSuffix(done, "]"), "[")
			var ns []int
			for _, a := range strings.Fields(args) {
				n, _ := strconv.Atoi(a)
				ns = append(ns, n)
			}
			answer = object(method, ns)
		}
		way := historytest.Way{Outcome: history.None, Next: state + call + ";"}
		switch v := answer.(type) {
		case bool:
			way.Outcome = history.Outcome(strconv.FormatBool(v))
		case int:
			way.Outcome = history.Nil
			if v != -1 {
				way.Outcome, way.Rets = history.Some, []history.Value{history.Value(strconv.Itoa(v - offset))}
			}
		}
		known[state+call] = []historytest.Way{way}
		return known[state+call]
	}
	for _, m := range wgl.Methods(name) {
		args := m.Args
		if m.Optional > 0 { // both ways
			t.Methods = append(t.Methods, historytest.Method{Name: m.Name})
		}
		method := historytest.Method{Name: m.Name}
		if args > 0 {
			method.Takes, method.Also = 3, args-1
		}
		t.Methods = append(t.Methods, method)
	}
	r := rand.New(rand.NewPCG(1, 30))
	for range 50 { // what the twin answers
		state := ""
		for range 20 {
			l := t.Call(r, 0)
			way := t.Model(state, &l)[0]
			state = way.Next
			for i := range t.Methods {
				if m := &t.Methods[i]; m.Name == l.Method && !slices.Contains(m.Outcomes, way.Outcome) {
					m.Outcomes = append(m.Outcomes, way.Outcome)
				}
			}
		}
	}
	return t, func() { clear(known) }
}

func numbers(vs []history.Value) (ns []int) {
	for _, v := range vs {
		n, _ := strconv.Atoi(string(v))
		ns = append(ns, n)
	}
	return ns
}

// TestTwins: on random sequences of calls a model allows what its twin answers and
// no other answer that tells something else, and what it calls read-only leads
// back to the state.
func TestTwins(t *testing.T) {
	for name := range twins {
		t.Run(name, func(t *testing.T) {
			m, err := wgl.Builtin(name)
			if err != nil {
				t.Fatal(err)
			}
			s, forget := behaves(name)
			for seed := range testsize.Samples(15_000) {
				r := rand.New(rand.NewPCG(seed, 31))
				state, text := m.Init(), ""
				forget()
				var done []string
				for range 1 + r.IntN(16) {
					l := s.Call(r, 0)
					way := s.Model(text, &l)[0]
					l.Outcome, l.Rets = way.Outcome, way.Rets
					done, text = append(done, l.String()), way.Next
					wrong := l
					if wrong.Rets = []history.Value{"777"}; l.Outcome == history.True || l.Outcome == history.False {
						wrong.Rets, wrong.Outcome = nil, history.True
						if l.Outcome == history.True {
							wrong.Outcome = history.False
						}
					} else {
						wrong.Outcome = history.Some
					}
					if _, ok := m.Step(state, &wrong); ok {
						t.Fatalf("seed %d: %v: %s is allowed", seed, done, wrong)
					}
					next, ok := m.Step(state, &l)
					if !ok {
						t.Fatalf("seed %d: %v is not allowed", seed, done)
					}
					pending := l
					pending.Outcome, pending.Rets = history.Pending, nil
					if after, ok := m.Step(state, &pending); !ok || !after.Equal(next) || after.Hash() != next.Hash() {
						t.Fatalf("seed %d: %v: pending leads elsewhere", seed, done)
					}
					if m.(wgl.Reader).ReadOnly(&l) && (!next.Equal(state) || next.Hash() != state.Hash()) {
						t.Fatalf("seed %d: %v: %s is called read-only", seed, done, l)
					}
					state = next
				}
			}
		})
	}
}

// TestTwinsAtOnce compares the search over a model with a search over its twin that
// tries everything.
func TestTwinsAtOnce(t *testing.T) {
	for name := range twins {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, forget := behaves(name)
			n, bad := testsize.Samples(5_000), 0
			m, err := wgl.Builtin(name)
			if err != nil {
				t.Fatal(err)
			}
			for seed := range n {
				r := rand.New(rand.NewPCG(seed, 32))
				s.Lost = int(seed%3) * 6
				e := s.Execution(r, 2+r.IntN(5), 1+r.IntN(4), 5)
				forget()
				first := s.Model.ShortestViolation(e)
				for _, o := range []wgl.Options{{}, {Partition: true}} {
					got, err := wgl.Check(t.Context(), m, e, o)
					if err != nil || got.Prefix != first || got.Linearizable != (first == 0) {
						historytest.Fatal(t, e, "seed %d: %+v, %v, want %d", seed, got, err, first)
					}
					if wrong := explains(s.Model, e, got); wrong != "" {
						historytest.Fatal(t, e, "seed %d: %v: %s", seed, got.Order, wrong)
					}
				}
				if first > 0 {
					bad++
				}
			}
			if bad < int(n)/10 || bad > int(n)*9/10 {
				t.Errorf("too one-sided a sample: %d of %d violate", bad, n)
			}
		})
	}
}

// TestAnswersLeftOut: a method that may answer nothing is allowed where it does
// what it is for; and false, an error and a panic are the same.
func TestAnswersLeftOut(t *testing.T) {
	one := []history.Value{"1"}
	for name, words := range map[string][]string{
		"mutex":            {"acquire(1)", "acquire(2) => error", "release(2) => panic", "release(1)", "acquire", "release", "release => panic"},
		"semaphore(1)":     {"acquire", "acquire => error", "release", "release => panic"},
		"bounded-queue(1)": {"add(1)", "add(2) => error", "remove => 1", "add(2) => true"},
		"kv":               {"put(1, 2)", "put(1, 3) => 2", "delete(1) => 3", "delete(1) => nil", "delete(1) => false", "delete(1)", "put(1, 1) => nil", "get(1) => 1"},
		"counter":          {"inc", "dec", "add(5)", "read => 5", "inc => 6"},
		"log":              {"append(1)", "append(1) => 1", "read(2) => nil", "read(1) => 1"},
		"cas-register(7)":  {"read => 7", "cas(7, 1) => true", "cas(7, 2) => false", "read => 1"},
		"cas-register":     {"read => nil", "cas(0, 1) => false", "write(1)", "cas(1, 2) => true"},
		`kv("")`:           {`get(1) => ""`, "append(1, 5)", "get(1) => 5", "delete(1) => true", `get(1) => ""`},
	} {
		m, err := wgl.Builtin(name)
		if err != nil {
			t.Fatal(err)
		}
		labels := make([]history.Label, len(words))
		for i, word := range words {
			call, answer, _ := strings.Cut(word, " => ")
			method, args, _ := strings.Cut(strings.TrimSuffix(call, ")"), "(")
			l := label(method, history.Outcome(answer), nil, nil)
			for _, a := range strings.FieldsFunc(args, func(r rune) bool { return strings.ContainsRune(", ", r) }) {
				l.Args = append(l.Args, history.Value(a))
			}
			switch answer {
			case "":
				l.Outcome = history.None
			case "nil", "true", "false", "error", "panic":
			default:
				l.Outcome, l.Rets = history.Some, []history.Value{history.Value(strings.Trim(answer, `"`))}
			}
			labels[i] = l
		}
		if n, err := wgl.Admits(m)(t.Context(), labels); err != nil || n != len(labels) {
			t.Errorf("%s: %d of %v are admitted: %v", name, n, words, err)
		}
		if _, ok := m.Step(m.Init(), &history.Label{Kind: history.Kind{Method: "other"}, Args: one}); ok {
			t.Errorf("%s has a method other", name)
		}
	}
}

// TestBuiltinErrors: what is wrong with a name is said, with an example.
func TestBuiltinErrors(t *testing.T) {
	for name, want := range map[string]string{
		"quue":             `there is no built-in model "quue"; did you mean "queue"?`,
		"semaphore":        "the built-in model semaphore needs a number: semaphore(3), for example",
		"semaphore(0)":     `the built-in model semaphore(0): "0" is not a whole number from 1 on`,
		"bounded-queue(x)": `the built-in model bounded-queue(x): "x" is not a whole number from 1 on`,
		"queue(3)":         "the built-in model queue(3): it has no parameter",
		"kv(":              `there is no built-in model "kv("; did you mean "kv"?`,
		"nonsense":         `there is no built-in model "nonsense"; there are register, queue, stack,`,
	} {
		if _, err := wgl.Builtin(name); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	for name, bad := range map[string]history.Label{
		"counter": label("add", history.None, []history.Value{"x"}, nil),
		"log":     label("read", history.Nil, []history.Value{"x"}, nil),
	} {
		m, _ := wgl.Builtin(name)
		if err := m.(wgl.Refusing).Refuses(&bad); err == nil || !strings.Contains(err.Error(), `takes a whole number, not "x"`) {
			t.Errorf("%s: %v", name, err)
		}
		good := bad
		good.Args = []history.Value{"-7"}
		renamed := wgl.Renamed(m, map[string][]string{bad.Method: {"other"}}).(wgl.Refusing)
		if good.Method = "other"; renamed.Refuses(&good) != nil {
			t.Errorf("%s: %v", name, renamed.Refuses(&good))
		}
	}
	for _, name := range wgl.Builtins() {
		if _, err := history.NewSignature(wgl.Methods(name)...); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
