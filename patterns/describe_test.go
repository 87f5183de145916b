package patterns

import (
	"bufio"
	"flag"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

var updateDescribe = flag.Bool("update-describe", false, "rewrite testdata/describe.golden")

// signatures of the types in testdata/describe.txt: method, arguments, outcomes.
var signatures = map[string]string{
	"register":  "write 1 none, read 0 value nil",
	"queue":     "add 1 none, remove 0 value nil",
	"stack":     "add 1 none, remove 0 value nil",
	"lock":      "lock 1 nil value, unlock 0 value nil",
	"worksteal": "give 1 none, take 0 value nil, steal 0 value nil",
	"set":       "insert 1 nil value, remove 1 value nil, contains 1 value nil",
	"boolset":   "insert 1 true false, remove 1 true false, contains 1 true false",
}

func methodsOf(signature string) []history.MethodSig {
	var ms []history.MethodSig
	for _, s := range strings.Split(signature, ", ") {
		f := strings.Fields(s)
		m := history.MethodSig{Name: f[0]}
		m.Args, _ = strconv.Atoi(f[1])
		for _, o := range f[2:] {
			rets := 0
			if o == "value" {
				rets = 1
			}
			m.Outcomes = append(m.Outcomes, history.OutcomeSig{Outcome: history.Outcome(o), Rets: rets})
		}
		ms = append(ms, m)
	}
	return ms
}

// targetOf is a matching by argument for the sets, by returned value for the others.
func targetOf(name string) []formula.Formula {
	fn := "ret"
	if strings.HasSuffix(name, "set") {
		fn = "arg"
	}
	return []formula.Formula{formula.Equal{
		A: formula.Term{Fn: "arg", Var: "y", Index: 1, Sort: formula.ValueSort},
		B: formula.Term{Fn: fn, Var: "x", Index: 1, Sort: formula.ValueSort},
	}}
}

var opRE = regexp.MustCompile(`^\[(\d+):(\d+|X)\] (\w+)(\(v\d\))?(?: => (\w+))?( \(RO\))?$`)

// parseLine reads "[1:1] add(v1); [2:1] remove => v1".
func parseLine(t testing.TB, line string) history.History {
	t.Helper()
	var h history.History
	for i, s := range strings.Split(line, "; ") {
		m := opRE.FindStringSubmatch(s)
		if m == nil {
			t.Fatalf("no operation: %q", s)
		}
		o := history.Op{Kind: history.Kind{Method: m[3], Outcome: history.None}, Completed: true, Start: i, End: i}
		o.ReadOnly = m[6] != ""
		switch {
		case strings.HasPrefix(m[5], "v"):
			o.Outcome = history.Some
		case m[5] != "":
			o.Outcome = history.Outcome(m[5])
		}
		o.Target = history.Unmatched
		if m[2] != "X" {
			n, _ := strconv.Atoi(m[2])
			o.Target = n - 1
		}
		h.Ops = append(h.Ops, o)
	}
	return h
}

// readTheories reads testdata/describe.txt, and adds the set whose methods
// answer with booleans and the queue matched with the past only.
func readTheories(t testing.TB) ([]string, map[string]*theory.Theory, map[string][]string) {
	t.Helper()
	f, err := os.Open("testdata/describe.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var names []string
	lines := map[string][]string{}
	for sc := bufio.NewScanner(f); sc.Scan(); {
		if name, ok := strings.CutPrefix(sc.Text(), "== "); ok {
			names = append(names, name)
		} else if sc.Text() != "" {
			last := names[len(names)-1]
			lines[last] = append(lines[last], sc.Text())
		}
	}
	names = append(names, "boolset", "queue, past")
	for _, l := range lines["set"] {
		l = regexp.MustCompile(`insert\((v\d)\) => nil`).ReplaceAllString(l, "insert($1) => TRUE")
		l = regexp.MustCompile(`insert\((v\d)\) => v\d`).ReplaceAllString(l, "insert($1) => FALSE")
		l = strings.ReplaceAll(l, "nil", "FALSE")
		l = regexp.MustCompile(`=> v\d`).ReplaceAllString(l, "=> TRUE")
		lines["boolset"] = append(lines["boolset"], strings.ToLower(strings.NewReplacer("(RO)", "(ro)", "X", "x").Replace(l)))
	}
	for i, l := range lines["boolset"] {
		lines["boolset"][i] = strings.NewReplacer("(ro)", "(RO)", ":x]", ":X]").Replace(l)
	}
	for i, l := range lines["queue"] {
		if i != 1 {
			lines["queue, past"] = append(lines["queue, past"], l)
		}
	}
	ts := map[string]*theory.Theory{}
	for _, name := range names {
		typ, past, _ := strings.Cut(name, ", ")
		th := &theory.Theory{Name: typ}
		th.Spec.Methods = methodsOf(signatures[typ])
		th.Spec.Matching.Target = targetOf(typ)
		th.Spec.Matching.Past = false
		if past != "" {
			th.Spec.Matching.Past = true
		}
		for _, l := range lines[name] {
			h := parseLine(t, l)
			th.Spec.Patterns = append(th.Spec.Patterns, theory.Pattern{Weight: h.Weight(), History: h, Drawing: l})
		}
		ts[name] = th
	}
	return names, ts, lines
}

// TestDescribeGolden shows what every pattern of six types is called.
func TestDescribeGolden(t *testing.T) {
	names, ts, lines := readTheories(t)
	var b strings.Builder
	for _, name := range names {
		th := ts[name]
		describe(th)
		b.WriteString("== " + name + "\n")
		for i, p := range th.Spec.Patterns {
			b.WriteString(lines[name][i] + "\n    " + p.Name + "  (" + p.Group + ")\n    " + p.Reading + "\n")
		}
	}
	const golden = "testdata/describe.golden"
	if *updateDescribe {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestDescribeDistinct: in every theory, no two patterns have the same name or
// the same reading, and a group has the name of one of its members.
func TestDescribeDistinct(t *testing.T) {
	names, ts, _ := readTheories(t)
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			describe(ts[name])
			byName, byReading := map[string]bool{}, map[string]bool{}
			for _, p := range ts[name].Spec.Patterns {
				if byName[p.Name] || byReading[p.Reading] {
					t.Errorf("again: %s: %s", p.Name, p.Reading)
				}
				byName[p.Name], byReading[p.Reading] = true, true
			}
			for _, p := range ts[name].Spec.Patterns {
				if !byName[p.Group] {
					t.Errorf("group %q of %s is no pattern's name", p.Group, p.Name)
				}
			}
		})
	}
}

// TestDescribeTwice: describing a described theory changes nothing.
func TestDescribeTwice(t *testing.T) {
	names, ts, _ := readTheories(t)
	for _, name := range names {
		describe(ts[name])
		once := slices.Clone(ts[name].Spec.Patterns)
		describe(ts[name])
		if diff := cmp.Diff(once, ts[name].Spec.Patterns); diff != "" {
			t.Errorf("%s: -once +twice:\n%s", name, diff)
		}
	}
}

func TestDescribeOtherShapes(t *testing.T) {
	tests := []struct {
		name, signature string
		patterns        []string
		want            []string // name: reading
	}{{
		name:      "capacity",
		signature: "put 1 none, take 0 value",
		patterns: []string{
			"[1:1] put(v1); [2:2] put(v2); [3:3] put(v3)",
			"[1:1] put(v1); [2:2] put(v2); [3:3] put(v3); [4:1] take => v1",
			"[1:1] put(v1); [2:2] put(v2); [3:3] put(v3); [4:1] take => v1; [5:3] take => v3",
		},
		want: []string{
			"put-put-put: put is called with a first value and then a second and then a third; take never returns any of them",
			"put-put-put-take1: put is called with a first value and then a second and then a third, then take returns the first; take never returns the second or the third",
			"put-put-put-take1-take3: put is called with a first value and then a second and then a third, then take returns the first and then the third; take never returns the second",
		},
	}, {
		name:      "no values",
		signature: "open 0 none, close 0 none error",
		patterns:  []string{"[1:1] open; [2:2] open", "[1:1] close => error (RO)", "[1:X] close"},
		want: []string{
			"open-open: open is called, then open is called",
			"close-error: close returns an error",
			"close-unmatched: close succeeds",
		},
	}, {
		name:      "same short name",
		signature: "add 1 none, find 1 nil",
		patterns:  []string{"[1:1] add(v1); [2:2] find(v2) => nil (RO)", "[1:1] add(v1); [2:1] find(v1) => nil (RO)"},
		want: []string{
			"add1-find: find returns nil for another value after add is called with a value",
			"add1-find1: find returns nil for a value after add is called with it",
		},
	}, {
		name:      "the target hands out the value",
		signature: "ticket 0 value, redeem 1 true false",
		patterns: []string{
			"[1:X] redeem(v1) => true",
			"[1:2] redeem(v2) => true; [2:2] ticket => v2",
			"[1:1] ticket => v1; [2:1] redeem(v1) => true; [3:1] redeem(v1) => true",
			"[1:1] ticket => v1; [2:1] redeem(v1) => true; [3:1] redeem(v1) => true; [4:1] redeem(v1) => true",
		},
		want: []string{
			"redeem-unmatched: redeem returns true for a value that ticket never returned",
			"redeem-before-ticket: redeem returns true for a value before ticket returns it",
			"redeem-twice: redeem returns true twice for the same value",
			"ticket-redeem-redeem-redeem: ticket returns a value, then redeem returns true for it and then once more and then once more",
		},
	}}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			th := &theory.Theory{Spec: theory.Spec{Methods: methodsOf(tt.signature)}}
			for _, l := range tt.patterns {
				th.Spec.Patterns = append(th.Spec.Patterns, theory.Pattern{History: parseLine(t, l)})
			}
			describe(th)
			var got []string
			for _, p := range th.Spec.Patterns {
				got = append(got, p.Name+": "+p.Reading)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestDescribeConcurrent: overlapping operations are said to overlap, pending
// ones to not return.
func TestDescribeConcurrent(t *testing.T) {
	h := parseLine(t, "[1:1] give(v1); [2:1] take => v1; [3:1] steal => v1")
	h.Ops[1].End = 3
	h.Ops = append(h.Ops, history.Op{Kind: history.Kind{Method: "take"}, Target: history.Unmatched, Start: 5, End: history.Never})
	th := &theory.Theory{Spec: theory.Spec{Methods: methodsOf(signatures["worksteal"])}}
	th.Spec.Patterns = []theory.Pattern{{History: h}}
	describe(th)
	p := th.Spec.Patterns[0]
	got := p.Name + ": " + p.Reading
	want := "give-take-steal-take-pending: give is called with a value, then take returns it, " +
		"then steal returns it (overlapping operation 2), then take is called and does not return"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestDescribeAnything: whatever the patterns, names and groups are there,
// names differ, and every sentence speaks of all methods of its pattern (but for the
// target of a single match, which may go without saying).
func TestDescribeAnything(t *testing.T) {
	testsize.Check(t, 1, func(t *rapid.T) {
		th := &theory.Theory{Spec: theory.Spec{Methods: methodsOf("a 1 none error, b 2 value nil full")}}
		th.Spec.Matching.Past = rapid.Bool().Draw(t, "past")
		for range rapid.IntRange(1, 6).Draw(t, "patterns") {
			th.Spec.Patterns = append(th.Spec.Patterns, theory.Pattern{History: genHistory.Draw(t, "history")})
		}
		describe(th)
		names := map[string]bool{}
		for _, p := range th.Spec.Patterns {
			if p.Name == "" || names[p.Name] {
				t.Fatalf("name %q", p.Name)
			}
			names[p.Name] = true
			for i, o := range p.History.Ops {
				goesWithoutSaying := o.Target == i && matches(&p.History) == 1 // "remove returns the same value twice"
				if !goesWithoutSaying && !strings.Contains(" "+p.Reading, " "+o.Method+" ") {
					t.Fatalf("%q does not mention %s", p.Reading, o.Method)
				}
			}
		}
		for _, p := range th.Spec.Patterns {
			if !names[p.Group] {
				t.Fatalf("group %q", p.Group)
			}
		}
	})
}

// genHistory generates histories of methods a and b, some with overlapping or
// pending operations.
var genHistory = rapid.Custom(func(t *rapid.T) history.History {
	n := rapid.IntRange(1, 5).Draw(t, "ops")
	h := history.History{Ops: make([]history.Op, n)}
	for i := range h.Ops {
		o := &h.Ops[i]
		o.Start, o.End, o.Completed = i, i+rapid.IntRange(0, 3).Draw(t, "longer")/3, true
		o.Target = rapid.IntRange(-1, n-1).Draw(t, "target")
		o.ReadOnly = rapid.IntRange(0, 3).Draw(t, "ro") == 0
		kinds := []history.Kind{{Method: "a", Outcome: history.None}, {Method: "a", Outcome: history.Error}, {Method: "b", Outcome: history.Some}, {Method: "b", Outcome: "full"}}
		o.Kind = rapid.SampledFrom(kinds).Draw(t, "kind")
	}
	for i := range h.Ops { // targets map to themselves
		if tg := h.Ops[i].Target; tg >= 0 {
			h.Ops[tg].Target = tg
		}
	}
	for i := range h.Ops {
		if o := &h.Ops[i]; o.Target < 0 && rapid.IntRange(0, 3).Draw(t, "pending") == 0 {
			o.Outcome, o.Completed, o.ReadOnly, o.End = history.Pending, false, false, history.Never
		}
	}
	return h
})

// TestGroupsAgainstDeletion compares completes with a search over all sets of
// deletions.
func TestGroupsAgainstDeletion(t *testing.T) {
	gen := rapid.Custom(func(t *rapid.T) history.History {
		n := rapid.IntRange(1, 5).Draw(t, "ops")
		h := history.History{Ops: make([]history.Op, n)}
		for i := range h.Ops {
			o := &h.Ops[i]
			o.Start, o.End, o.Completed = i, i, true
			o.Target = rapid.IntRange(-1, n-1).Draw(t, "target")
			o.ReadOnly = rapid.IntRange(0, 3).Draw(t, "ro") == 0
			o.Kind = history.Kind{Method: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "method"), Outcome: history.None}
		}
		for i := range h.Ops { // targets map to themselves
			if tg := h.Ops[i].Target; tg >= 0 {
				h.Ops[tg].Target = tg
			}
		}
		return h
	})
	testsize.Check(t, 1, func(t *rapid.T) {
		b := gen.Draw(t, "b")
		a := gen.Draw(t, "a")
		if rapid.Bool().Draw(t, "related") {
			a = deleteOps(&b, rapid.Uint64Range(0, 1<<len(b.Ops)-1).Draw(t, "deleted"))
		}
		if got, want := completes(&a, &b), completesSlowly(&a, &b); got != want {
			t.Fatalf("completes %v, want %v\na %+v\nb %+v", got, want, a.Ops, b.Ops)
		}
	})
}

func completesSlowly(a, b *history.History) bool {
	for set := uint64(1); set < 1<<len(b.Ops); set++ {
		match, ok := history.Unmatched, true
		for i, o := range b.Ops {
			if set&(1<<i) == 0 {
				continue
			}
			ok = ok && o.Target >= 0 && o.Target != i && !o.ReadOnly && (match < 0 || match == o.Target)
			match = o.Target
		}
		if rest := deleteOps(b, set); ok && cmp.Equal(a.Ops, rest.Ops) {
			return true
		}
	}
	return false
}

// deleteOps removes a set of operations; what matched them is then unmatched.
func deleteOps(h *history.History, set uint64) history.History {
	var out history.History
	index := make([]int, len(h.Ops))
	for i := range h.Ops {
		index[i] = history.Unmatched
		if set&(1<<i) == 0 {
			index[i] = len(out.Ops)
			out.Ops = append(out.Ops, h.Ops[i])
		}
	}
	for i := range out.Ops {
		o := &out.Ops[i]
		o.Start, o.End = i, i
		if o.Target >= 0 {
			o.Target = index[o.Target]
		}
	}
	return out
}
