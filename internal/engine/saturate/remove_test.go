package saturate_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/clauses"
	"github.com/adtinfer/adtinfer/internal/engine/saturate"
	"github.com/adtinfer/adtinfer/internal/testing/checktest"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// events is an execution as the steps of a log.
func events(e *history.Execution) []step {
	log := make([]step, e.Events)
	for i := range e.Ops {
		o := &e.Ops[i]
		log[o.Call] = step{op: i, call: true, method: o.Method, args: o.Args}
		if o.Completed() {
			log[o.Return] = step{op: i, outcome: o.Outcome, rets: o.Rets}
		}
	}
	return log
}

// passing is a set of which values are inserted once, looked up, and removed, all the time;
// and values are looked for that are not inserted.
func passing() historytest.Type {
	t := historytest.Set()
	var values []int // not removed yet, perhaps
	t.Draw = func(r *rand.Rand, e *history.Execution) history.Label {
		n := len(e.Ops) + 1
		if n == 1 {
			values = nil
		}
		l := history.Label{Kind: history.Kind{Method: "insert"}, Args: []history.Value{history.Value(strconv.Itoa(n))}}
		switch m := r.IntN(8); {
		case m == 0 || len(values) == 0:
			values = append(values, n)
			return l
		case m == 1:
			l.Method = "contains"
			return l
		case m < 5:
			l.Method = "contains"
			l.Args[0] = history.Value(strconv.Itoa(values[r.IntN(len(values))]))
		default:
			i := r.IntN(len(values))
			l.Method = "remove"
			l.Args[0] = history.Value(strconv.Itoa(values[i]))
			if e.Ops[values[i]-1].Completed() && r.IntN(2) == 0 {
				values = append(values[:i], values[i+1:]...)
			}
		}
		return l
	}
	return t
}

// TestLiveTypes sees to it that what is held does not grow with the log where matches
// never close by themselves.
func TestLiveTypes(t *testing.T) {
	for _, tt := range []struct {
		path string
		historytest.Type
	}{
		{"examples/register/register", historytest.Register()}, {"theories/register", historytest.Register()},
		{"examples/set/set", passing()}, {"theories/set", passing()}, {"theories/lock", historytest.Lock()}, {"examples/lock/lock", historytest.Lock()},
	} {
		t.Run(tt.path, func(t *testing.T) {
			rules, err := clauses.Compile(historytest.Theory(t, tt.path+".theory.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			log := events(tt.Execution(rand.New(rand.NewPCG(1, 2)), 30_000, 8, 0))
			live := feed(t, saturate.New(rules, saturate.Options{Removal: true}), log)
			t.Logf("%d of %d events", live, len(log))
			if live > 400 {
				t.Errorf("%d operations are held of %d events", live, len(log))
			}
		})
	}
}

// cleared is a register whose value may be taken away, with an operation that says whether
// one was ever written; more are further patterns.
func cleared(tb testing.TB, more ...string) *theory.Theory {
	tb.Helper()
	t := &theory.Theory{Name: "cleared"}
	none := []history.OutcomeSig{{Outcome: history.None}}
	t.Spec.Methods = []history.MethodSig{
		{Name: "write", Args: 1, Outcomes: none},
		{Name: "clear", Outcomes: none},
		{Name: "read", Outcomes: []history.OutcomeSig{{Outcome: history.Some, Rets: 1}}},
		{Name: "never", Outcomes: none},
	}
	parse := func(src string, free ...string) formula.Formula {
		f, err := formula.Parse(src, t.Vocabulary(), free...)
		if err != nil {
			tb.Fatal(err)
		}
		return f
	}
	t.Spec.Language = []theory.Rule{{Name: "write-once", Formula: parse("forall x:Op, y:Op. method(x) = write & method(y) = write & arg(x) = arg(y) -> x = y")}}
	t.Spec.Matching = theory.Matching{
		Target:   []formula.Formula{parse("method(y) = write & arg(y) = ret(x)", "x", "y"), parse("y = x & method(x) != read", "x", "y")},
		ReadOnly: parse("method(x) = read | method(x) = never", "x"),
	}
	for _, d := range append([]string{
		"[1:X] read => v1 (RO)",
		"[1:2] read => v2 (RO); [2:2] write(v2)",
		"[1:1] write(v1); [2:2] write(v2); [3:1] read => v1 (RO)",
		"[1:1] write(v1); [2:2] clear; [3:1] read => v1 (RO)",
		"[1:1] write(v1); [2:2] never (RO)",
	}, more...) {
		t.Spec.Patterns = append(t.Spec.Patterns, drawing(tb, d))
	}
	return t
}

func drawing(tb testing.TB, src string) theory.Pattern {
	tb.Helper()
	h, _, err := history.ParseDrawing(src)
	if err != nil {
		tb.Fatal(err)
	}
	return theory.Pattern{Name: src, History: *h}
}

// TestOverwriters: which matches may be forgotten when follows from the patterns. A value
// is overwritten by another, and by a clear only if that, too, is why never is wrong then.
func TestOverwriters(t *testing.T) {
	set := func(more ...string) *theory.Theory {
		th := historytest.Example(t, "set")
		for _, d := range more {
			th.Spec.Patterns = append(th.Spec.Patterns, drawing(t, d))
		}
		return th
	}
	for _, tt := range []struct {
		name string
		*theory.Theory
		want string
	}{
		{"register", historytest.Example(t, "register"), "read => nil: closed; write: after write"},
		{"queue", historytest.Example(t, "queue"), "add remove => value: closed; add: open; remove => nil: closed"},
		{"cleared", cleared(t), "clear: after clear, never, write; never: closed; write: after write"},
		{"never after clear", cleared(t, "[1:1] clear; [2:2] never (RO)"), "clear: after clear, never, write; never: closed; write: after clear, write"},
		{"set", set(), "insert => nil remove => value: closed; insert => nil: open; early contains => nil, remove => nil"},
		{"contains after remove", set("[1:1] insert(v1) => -; [2:1] remove(v1) => v1; [3:1] contains(v1) => - (RO)"),
			"insert => nil remove => value: open; insert => nil: open; early contains => nil, remove => nil"},
		{"contains before insert", set("[1:2] contains(v2) => - (RO); [2:2] insert(v2) => -; [3:2] remove(v2) => v2"),
			"insert => nil remove => value: closed; insert => nil: open; early remove => nil"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := clauses.Compile(tt.Theory)
			if err != nil {
				t.Fatal(err)
			}
			if got := forgettable(r); got != tt.want {
				t.Errorf("%s\nwant %s", got, tt.want)
			}
		})
	}
}

// forgettable writes down which matches of a theory may be forgotten when.
func forgettable(r *clauses.Rules) string {
	var shapes, early []string
	name := func(s int) string {
		sh := &r.Shapes[s]
		text := r.Kinds[sh.Target].Kind.String()
		for w := range sh.Writers.All() {
			text += " " + r.Kinds[w].Kind.String()
		}
		return text
	}
	for s := range r.Shapes {
		var by []string
		for _, o := range r.Overwriters[s] {
			by = append(by, name(int(o)))
		}
		slices.Sort(by)
		how := "open"
		if r.Closable[s] {
			how = "closed"
		} else if by != nil {
			how = "after " + strings.Join(by, ", ")
		}
		shapes = append(shapes, name(s)+": "+how)
	}
	slices.Sort(shapes)
	for k := range r.Early.All() {
		early = append(early, r.Kinds[k].Kind.String())
	}
	slices.Sort(early)
	text := strings.Join(shapes, "; ")
	if early != nil {
		text += "; early " + strings.Join(early, ", ")
	}
	return text
}

// TestRemovalCleared compares removal with none, and with a search, for a type of which
// matches of one shape overwrite some and do not say all that these say.
func TestRemovalCleared(t *testing.T) {
	typ := historytest.Type{Name: "cleared", Model: clearedModel, Methods: []historytest.Method{
		{Name: "write", Takes: historytest.Fresh, Outcomes: []history.Outcome{history.None}}, {Name: "clear", Outcomes: []history.Outcome{history.None}},
		{Name: "read", Outcomes: []history.Outcome{history.Some}}, {Name: "never", Outcomes: []history.Outcome{history.None}},
	}}
	rules, err := clauses.Compile(cleared(t))
	if err != nil {
		t.Fatal(err)
	}
	s := historytest.Subject{Type: typ}
	violating := 0
	for seed := range testsize.Samples(20_000) {
		e := s.Random(rand.New(rand.NewPCG(seed, 19)), 9)
		want, ok := follow(t, rules, saturate.New(rules, saturate.Options{}), e)
		if !ok {
			continue
		}
		if want > 0 {
			violating++
		}
		if got, _ := follow(t, rules, saturate.New(rules, saturate.Options{Removal: true}), e); got != want {
			historytest.Fatal(t, e, "seed %d: with removal %d, without %d", seed, got, want)
		}
		if exact := s.Model.ShortestViolation(e); want > 0 && (exact == 0 || want < exact) {
			historytest.Fatal(t, e, "seed %d: a false alarm after %d events, the model says %d", seed, want, exact)
		}
	}
	if violating == 0 {
		t.Error("no violations")
	}
}

// clearedModel is the type of cleared: a state is the value, after a mark if one was ever written.
func clearedModel(state string, l *history.Label) []historytest.Way {
	switch {
	case l.Method == "write":
		return []historytest.Way{{Outcome: history.None, Next: "+" + string(l.Args[0])}}
	case l.Method == "clear":
		return []historytest.Way{{Outcome: history.None, Next: state[:min(len(state), 1)]}}
	case l.Method == "read" && len(state) > 1:
		return []historytest.Way{{Outcome: history.Some, Rets: []history.Value{history.Value(state[1:])}, Next: state}}
	case l.Method == "never" && state == "":
		return []historytest.Way{{Outcome: history.None}}
	}
	return nil
}

// TestRemovalMonitor compares what is found with removal in executions of a thousand
// operations with what exact procedures say, and with what is found without it.
func TestRemovalMonitor(t *testing.T) {
	n := testsize.Samples(200)
	for _, s := range []historytest.Subject{
		{Path: "examples/register/register", Type: historytest.Register()}, {Path: "theories/register", Type: historytest.Register()},
		{Path: "theories/set", Type: passing()}, {Path: "theories/lock", Type: historytest.Lock()},
		{Path: "examples/queue/queue", Type: historytest.Queue()}, {Path: "theories/stack", Type: historytest.Stack()},
	} {
		t.Run(s.Path, func(t *testing.T) {
			rules, err := clauses.Compile(s.Theory(t))
			if err != nil {
				t.Fatal(err)
			}
			exact, err := checktest.Procedure(t.Context(), s.Theory(t))
			if err != nil {
				t.Fatal(err)
			}
			violating, found := 0, 0
			for seed := range n {
				r := rand.New(rand.NewPCG(seed, 13))
				s.Lost = 500 * r.IntN(2)
				e := s.Execution(r, 1_000, 1+r.IntN(8), r.IntN(2)*500)
				want, err := exact.Check(t.Context(), e)
				if err != nil {
					t.Fatal(err)
				}
				got, ok := follow(t, rules, saturate.New(rules, saturate.Options{Removal: true}), e)
				if all, _ := follow(t, rules, saturate.New(rules, saturate.Options{}), e); !ok || all != got {
					historytest.Fatal(t, e, "seed %d: with removal %d (%v), without %d", seed, got, ok, all)
				}
				if got > 0 && (want.Prefix == 0 || got < want.Prefix) {
					historytest.Fatal(t, e, "seed %d: a false alarm after %d events, the monitor says %d", seed, got, want.Prefix)
				}
				if want.Prefix > 0 {
					violating++
				}
				if got > 0 {
					found++
				}
			}
			t.Logf("%d violating, %d found", violating, found)
			if violating < int(n)/5 || found < violating*9/10 {
				t.Errorf("%d of %d violations found", found, violating)
			}
		})
	}
}

// BenchmarkRemoval is what types take whose matches are overwritten, or stay open to
// operations that find nothing.
func BenchmarkRemoval(b *testing.B) {
	for _, tt := range []struct {
		path string
		historytest.Type
	}{{"examples/register/register", historytest.Register()}, {"examples/set/set", passing()}} {
		rules, err := clauses.Compile(historytest.Theory(b, tt.path+".theory.yaml"))
		if err != nil {
			b.Fatal(err)
		}
		for _, ops := range []int{3_000, 30_000} {
			b.Run(fmt.Sprintf("%s/%d", tt.Name, ops), func(b *testing.B) {
				log := events(tt.Execution(rand.New(rand.NewPCG(1, 2)), ops, 8, 0))
				live, n := 0, 0
				for b.Loop() {
					live = feed(b, saturate.New(rules, saturate.Options{Removal: true}), log)
					n += len(log)
				}
				b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "events/s")
				b.ReportMetric(float64(live), "live")
			})
		}
	}
}
