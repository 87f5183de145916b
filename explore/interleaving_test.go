package explore

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// textLog reads a history, in which the goroutine is the first letter of an operation's name.
func textLog(t *testing.T, text string) *history.Execution {
	t.Helper()
	var methods []history.MethodSig
	for name, args := range map[string]int{"inc": 0, "get": 0, "add": 0, "swap": 0, "push": 1, "pop": 0, "forth": 1, "back": 1} {
		methods = append(methods, history.MethodSig{Name: name, Args: args, Outcomes: []history.OutcomeSig{{Outcome: history.None}, {Outcome: history.Some, Rets: 1}, {Outcome: history.Panic}}})
	}
	sig, err := history.NewSignature(methods...)
	if err != nil {
		t.Fatal(err)
	}
	e, err := history.ReadLog(strings.NewReader(text), "log", sig)
	if err != nil {
		t.Fatal(err)
	}
	for i := range e.Ops {
		e.Ops[i].Process = e.Ops[i].ID[:1]
	}
	return e
}

// names are the operations of the programs that tests ask about.
var names = map[string]string{"inc": "Inc", "get": "Get", "push": "Push", "pop": "Pop", "forth": "Forth", "back": "Back", "add": "Inc"}

// question is a history of one of testdata's programs, with goroutines by their names.
func question(t *testing.T, program, log string, processes ...string) engine.Question {
	return engine.Question{Dir: filepath.Join("testdata", "programs", program), Operations: names, Execution: textLog(t, log), Processes: processes}
}

// twoIncs are two calls, then two returns.
const twoIncs = "[a] call inc\n[b] call inc\n[a] return 1\n[b] return 1\n"

// twice pops 1 twice, after a node came back.
const twice = "[a1] call push(1)\n[a1] return\n[a2] call push(2)\n[a2] return\n[a3] call pop\n[b1] call pop\n[b1] return 2\n[b2] call pop\n[b2] return 1\n" +
	"[b3] call push(3)\n[b3] return\n[a3] return 3\n[b4] call pop\n[b4] return 1\n"

// TestInterleavingOf asks for interleavings that there are, and for some that there are not.
func TestInterleavingOf(t *testing.T) {
	testsize.NeedsLong(t)
	stuck := question(t, "lockorder", "[a] call forth(1)\n[b] call back(1)\n", "a", "b")
	stuck.Stuck = true
	renamed := question(t, "lostupdate", strings.ReplaceAll(twoIncs, "inc", "add"), "a", "b")
	other := question(t, "lostupdate", strings.ReplaceAll(twoIncs, "inc", "swap"), "a", "b")
	main := question(t, "racyread", "[m] call inc\n[m] return\n[a] call inc\n[b] call get\n[b] return 1\n[a] return\n[m2] call get\n[m2] return 2\n", "a", "b", "m")
	main.Sequential = true
	for name, tt := range map[string]struct {
		q    engine.Question
		want []string // in the drawing and the notes
		why  string
	}{
		"lost update":     {q: question(t, "lostupdate", twoIncs, "a", "b"), want: []string{"inc => 1", "store Counter1.n"}},
		"other names":     {q: renamed, want: []string{"add => 1"}},
		"data race":       {q: main, want: []string{"the code has a data race", "racyread.go:20", "goroutine 3 makes the calls before and after"}},
		"panic":           {q: question(t, "outofrange", "[a] call push(7)\n[a] return\n[a2] call pop\n[b] call pop\n[b] return 7\n[a2] return panic\n", "a", "b"), want: []string{"pop => panic", "push(7)"}},
		"deadlock":        {q: stuck, want: []string{"lock Accounts1.a", "lock Accounts1.b"}},
		"pending":         {q: question(t, "lostupdate", "[a] call inc\n[b] call inc\n[b] return 2\n", "a", "b"), want: []string{"inc => 2"}},
		"no interleaving": {q: question(t, "lostupdate", strings.ReplaceAll(twoIncs, "return 1", "return 3"), "a", "b"), why: "no explored interleaving has this history (all"},
		"no overlap":      {q: question(t, "lostupdate", "[a] call inc\n[a] return 1\n[b] call inc\n[b] return 1\n", "a", "b"), why: "no explored interleaving"},
		"no operation":    {q: other, why: "swap is not an operation of *Counter"},
		"no number":       {q: question(t, "outofrange", "[a] call push(x)\n[a] return\n", "a"), why: `parameter 1 of (*Stack).Push is int, and "x" is none`},
		"no goroutine":    {q: question(t, "lostupdate", twoIncs, "a"), why: "which is not a goroutine of the scenario"},
		"another constructor": {q: engine.Question{Dir: "../examples/treiber", Type: "Stack", Operations: names, Processes: []string{"a", "b"}, Execution: textLog(t, twice)},
			want: []string{"the object there is what NewReusing() makes", "pop => 3"}},
		"no package": {q: engine.Question{Dir: "./none", Execution: &history.Execution{}}, why: "the package cannot be explored: ./none is no folder"},
	} {
		t.Run(name, func(t *testing.T) {
			a, err := interleavingOf(t.Context(), tt.q)
			if err != nil {
				t.Fatal(err)
			}
			if (a.Why == "") != (tt.why == "") || !strings.Contains(a.Why, tt.why) {
				t.Fatalf("%q, want %q", a.Why, tt.why)
			}
			all := a.Drawing + strings.Join(a.Notes, "\n")
			for _, text := range tt.want {
				if !strings.Contains(all, text) {
					t.Errorf("%q is not in\n%s", text, all)
				}
			}
			if a.Why != "" {
				return
			}
			o := Options{Dir: tt.q.Dir, Type: tt.q.Type}
			if at := slices.Index(a.Command, "--new"); at >= 0 {
				o.New = a.Command[at+1]
			}
			r, err := Replay(t.Context(), o, a.Replay)
			if err != nil {
				t.Fatal(err)
			}
			if r.Counterexample.Text() != a.Drawing || r.Verdict != Violated {
				t.Errorf("%s again:\n%swant\n%s", r.Verdict, r.Counterexample.Text(), a.Drawing)
			}
		})
	}
}

// TestInterleavingRefusals replays strings that are of something else.
func TestInterleavingRefusals(t *testing.T) {
	q := question(t, "lostupdate", twoIncs, "a", "b")
	a, err := interleavingOf(t.Context(), q)
	if err != nil || a.Replay == "" {
		t.Fatal(a.Why, err)
	}
	for name, tt := range map[string]struct{ program, replay, want string }{
		"another program": {"snapshot", a.Replay, "the replay string belongs to another program"},
		"other arguments": {"outofrange", a.Replay, "the replay string belongs to another program"},
		"damaged":         {"lostupdate", a.Replay[:len(a.Replay)-3], "the replay string is damaged"},
		"another version": {"lostupdate", "s0" + a.Replay[2:], "of another version of the explorer, s0"},
		"of a record":     {"lostupdate", "x1" + a.Replay[2:], "the replay string is"},
	} {
		_, err := Replay(t.Context(), Options{Dir: filepath.Join("testdata", "programs", tt.program)}, tt.replay)
		var no *Refused
		if !errors.As(err, &no) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
}

// TestInterleavingEnds asks when there is no time.
func TestInterleavingEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	a, err := interleavingOf(ctx, question(t, "lostupdate", twoIncs, "a", "b"))
	if err != nil || !strings.Contains(a.Why, "time ran out") {
		t.Errorf("%q, %v", a.Why, err)
	}
	l, err := load(t.Context(), &Options{Dir: q(t).Dir})
	if err != nil {
		t.Fatal(err)
	}
	asked, err := l.asked(q(t))
	if err != nil {
		t.Fatal(err)
	}
	s, err := l.scenario(t.Context(), asked)
	if err != nil {
		t.Fatal(err)
	}
	found, err := s.search(ctx)
	if err != nil || found.Complete || found.Exists || !strings.Contains(s.without(found), "before time ran out") {
		t.Errorf("%+v, %v", found, err)
	}
}

func q(t *testing.T) engine.Question { return question(t, "lostupdate", twoIncs, "a", "b") }
