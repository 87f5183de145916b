package check_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/checktest"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// TestExpectedAgainstBruteForce: what theories and built-in models say should have been answered is what all
// linearizations of the log say, those of the listed operations alone, and of no fewer.
func TestExpectedAgainstBruteForce(t *testing.T) {
	for _, typ := range []historytest.Type{historytest.Queue(), historytest.Stack(), historytest.Register(), historytest.Lock()} {
		th := historytest.Example(t, typ.Name)
		theory, err := check.New(th, check.Options{})
		if err != nil {
			t.Fatal(err)
		}
		model, err := check.New(nil, check.Options{Model: typ.Name})
		if err != nil {
			t.Fatal(err)
		}
		for by, c := range map[string]*check.Checker{"theory": theory, "model": model} {
			t.Run(typ.Name+"/"+by, func(t *testing.T) {
				t.Parallel()
				told, open, few := 0, 0, 0
				for seed := range testsize.Samples(2000) {
					r := rand.New(rand.NewPCG(seed, 51))
					e := typ.Execution(r, 3+r.IntN(9), 1+r.IntN(3), 5)
					if seed%3 == 0 {
						e = typ.Execution(r, 32+r.IntN(20), 1+r.IntN(3), 40)
					}
					got, err := c.Check(t.Context(), e)
					if err != nil || got.Verdict != check.Violation {
						continue // or outside the theory's language
					}
					x, err := c.Explain(t.Context(), e, got)
					if err != nil {
						historytest.Fatal(t, e, "seed %d: %v", seed, err)
					}
					switch {
					case x.Open:
						open++
						continue
					case len(x.Answers) == 0 && !x.Waits:
						few++
						continue
					}
					if wrong := checktest.Misexplained(typ.Model, e.Prefix(got.Prefix), x); wrong != "" {
						historytest.Fatal(t, e, "seed %d: %s: %v", seed, wrong, x.Execution)
					}
					told++
				}
				t.Logf("%d explained, %d with other answers, of %d less is said", told, open, few)
				if told < 5*(open+few) || told == 0 {
					t.Errorf("%d explained, %d with other answers, of %d less is said", told, open, few)
				}
			})
		}
	}
}

// TestExpectedRunning: in a long log, too, an operation that has not returned may have taken what would come first.
func TestExpectedRunning(t *testing.T) {
	th := historytest.Example(t, "queue")
	c, err := check.New(th, check.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var log []string
	op := func(id int, call, returned string) {
		log = append(log, fmt.Sprintf("[%d] call %s", id, call), strings.TrimSpace(fmt.Sprintf("[%d] return %s", id, returned)))
	}
	for v := range 20 {
		op(2*v+1, fmt.Sprintf("add(%d)", v), "")
		op(2*v+2, "remove", fmt.Sprint(v))
	}
	op(41, "add(41)", "")
	op(42, "add(42)", "")
	log = append(log, "[43] call remove")
	op(44, "remove", "7")
	e := historytest.Log(t, th, log...)
	r, err := c.Check(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	x, err := c.Explain(t.Context(), e, r)
	if err != nil || fmt.Sprint(x.Answers) != "[remove => 41 remove => 42]" || !x.Minimal {
		t.Errorf("%v: %+v", err, x)
	}
}

// account pays out what was paid in.
type account struct{ balance int }

func (a *account) Deposit(n int) { a.balance += n }

func (a *account) Withdraw(n int) bool {
	if a.balance < n {
		return false
	}
	a.balance -= n
	return true
}

// TestExpectedWhy: what would make the wrong answer right stays, with what takes it away
// again; an empty account alone explains nothing.
func TestExpectedWhy(t *testing.T) {
	impl, err := reference.Of(func() *account { return new(account) })
	if err != nil {
		t.Fatal(err)
	}
	c, err := check.New(nil, check.Options{Reference: impl})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ log, want string }{
		{"deposit(2); deposit(3); withdraw(3) true; withdraw(3) true; deposit(1)", "deposit(3); withdraw(3) => true; withdraw(3) => true"},
		{"withdraw(1) false; withdraw(1) true", "withdraw(1) => true"},
	} {
		var ls []history.Label
		for _, call := range strings.Split(tt.log, "; ") {
			name, rest, _ := strings.Cut(call, "(")
			arg, answer, _ := strings.Cut(rest, ")")
			l := history.Label{Kind: history.Kind{Method: name, Outcome: history.Outcome(strings.TrimSpace(answer))}, Args: []history.Value{history.Value(arg)}}
			if l.Outcome == "" {
				l.Outcome = history.None
			}
			ls = append(ls, l)
		}
		e := history.Sequential(ls...)
		r, err := c.Check(t.Context(), e)
		if err != nil || r.Verdict != check.Violation {
			t.Fatalf("%s: %v, %v", tt.log, r, err)
		}
		x, err := c.Explain(t.Context(), e, r)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, o := range x.Execution.Ops {
			got = append(got, o.Label.String())
		}
		if strings.Join(got, "; ") != tt.want || !x.Minimal {
			t.Errorf("%s: %v, minimal: %t, want %s", tt.log, got, x.Minimal, tt.want)
		}
	}
}

// last keeps the value that was put last.
type last struct{ key, value int }

func (l *last) Put(k, v int) { l.key, l.value = k, v }

func (l *last) Get(k int) (int, bool) {
	if k != l.key {
		return 0, false
	}
	return l.value, true
}

// TestExpectedMany: of what many others undo, some are shown, and said not to be all.
func TestExpectedMany(t *testing.T) {
	impl, err := reference.Of(func() *last { return new(last) })
	if err != nil {
		t.Fatal(err)
	}
	c, err := check.New(nil, check.Options{Reference: impl})
	if err != nil {
		t.Fatal(err)
	}
	var ls []history.Label
	for k := range 80 {
		v := history.Value(fmt.Sprint(k + 1))
		ls = append(ls, history.Label{Kind: history.Kind{Method: "put", Outcome: history.None}, Args: []history.Value{v, v}})
	}
	ls = append(ls, history.Label{Kind: history.Kind{Method: "get", Outcome: history.Some}, Args: []history.Value{"5"}, Rets: []history.Value{"5"}})
	e := history.Sequential(ls...)
	r, err := c.Check(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	x, err := c.Explain(t.Context(), e, r)
	if err != nil {
		t.Fatal(err)
	}
	if text := x.Execution.String(); len(x.Execution.Ops) < 2 || len(x.Execution.Ops) > 11 || !strings.Contains(text, "put(5, 5)") || x.Minimal == (x.Detail != "") {
		t.Errorf("%s, minimal: %t, %q", text, x.Minimal, x.Detail)
	}
}

// TestExpectedHolders: of a long history of a lock with two holders at once, both are named, and few others.
func TestExpectedHolders(t *testing.T) {
	c, err := check.New(nil, check.Options{Model: "mutex"})
	if err != nil {
		t.Fatal(err)
	}
	for seed := range testsize.Samples(10) {
		e, err := c.ReadLog(strings.NewReader(twoHolders(rand.New(rand.NewPCG(seed, 43)), 500)), "log")
		if err != nil {
			t.Fatal(err)
		}
		r, err := c.Check(t.Context(), e)
		if err != nil || r.Verdict != check.Violation {
			t.Fatalf("seed %d: %v, %v", seed, r.Verdict, err)
		}
		x, err := c.Explain(t.Context(), e, r)
		if err != nil {
			t.Fatal(err)
		}
		holders := 0
		for _, o := range x.Execution.Ops {
			if o.Method == "acquire" && o.Outcome != history.False {
				holders++
			}
		}
		if !x.Minimal || holders < 2 || len(x.Execution.Ops) > 6 {
			t.Errorf("seed %d: minimal: %t, %q\n%s", seed, x.Minimal, x.Detail, x.Execution)
		}
	}
}

// twoHolders is a log in which clients call a lock until one gets it that another has.
func twoHolders(r *rand.Rand, calls int) string {
	var log strings.Builder
	const clients = 5
	var open [clients]int // the number of a client's call
	holder, called := -1, 0
	for {
		c := r.IntN(clients)
		switch {
		case open[c] == 0:
			called++
			open[c] = called
			method := "acquire"
			if holder == c {
				method = "release"
			}
			fmt.Fprintf(&log, "[%d] call %s\n", called, method)
		case holder == c:
			fmt.Fprintf(&log, "[%d] return\n", open[c])
			open[c], holder = 0, -1
		case holder < 0, called >= calls && open[holder] == 0: // nobody releases it at the time
			fmt.Fprintf(&log, "[%d] return true\n", open[c])
			if holder >= 0 {
				return log.String()
			}
			open[c], holder = 0, c
		case r.IntN(3) == 0:
			fmt.Fprintf(&log, "[%d] return false\n", open[c])
			open[c] = 0
		}
	}
}
