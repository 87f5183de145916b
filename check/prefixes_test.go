package check_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// bounded is the example's bounded queue, with room for so few values that short logs fill it.
func bounded(t *testing.T) (*theory.Theory, historytest.Type) {
	t.Helper()
	text := strings.ReplaceAll(historytest.Source(t, "examples/boundedqueue/boundedqueue.theory.yaml"), "n >= 100", "n >= 2")
	th, err := theory.Read(strings.NewReader(text), "boundedqueue")
	if err != nil {
		t.Fatal(err)
	}
	fifo := historytest.Queue()
	typ := historytest.Type{Name: "boundedqueue", Methods: []historytest.Method{
		{Name: "offer", Takes: historytest.Fresh, Outcomes: []history.Outcome{history.True, history.False}},
		{Name: "poll", Outcomes: []history.Outcome{history.Some, history.Nil}}}}
	typ.Model = func(s string, l *history.Label) []historytest.Way {
		switch {
		case l.Method == "offer" && strings.Count(s, ",") == 2:
			return []historytest.Way{{Outcome: history.False, Next: s}}
		case l.Method == "offer":
			ways := fifo.Model(s, l)
			ways[0].Outcome = history.True
			return ways
		}
		return fifo.Model(s, l)
	}
	return th, typ
}

// failing are types with kinds of operations that may fail in every state.
var failing = map[string][]string{"queue": {"remove=nil"}, "stack": {"remove=nil"}, "worksteal": {"steal=nil", "take=nil"}, "lock": {"unlock=nil"},
	"register": {"read=nil"}, "set": {"remove=nil"}, "bag": {"remove=nil"}, "priority-queue": {"remove=nil"}}

// TestPrefixes: whatever engine and theory decide, a prefix that is reported without a word about shorter ones is
// the first that a search finds which tries everything on every prefix; with such a word it is no shorter than that.
// Operations are often pending, and answer later that they failed.
func TestPrefixes(t *testing.T) {
	th, typ := bounded(t)
	t.Run(typ.Name, func(t *testing.T) { t.Parallel(); prefixes(t, th, typ, nil) })
	for _, s := range append(historytest.Subjects(), historytest.Subject{Path: "examples/deque/deque", Type: ends()}) {
		t.Run(s.Path, func(t *testing.T) {
			t.Parallel()
			prefixes(t, s.Theory(t), s.Type, nil)
			if texts := failing[s.Name]; texts != nil && strings.HasPrefix(s.Path, "examples") {
				prefixes(t, s.Theory(t), s.Type, texts)
			}
		})
	}
}

func prefixes(t *testing.T, th *theory.Theory, typ historytest.Type, mayFail []string) {
	t.Helper()
	ks, err := history.Parse(th.Spec.Methods, mayFail)
	if err != nil {
		t.Fatal(err)
	}
	typ = relaxed(typ, ks)
	n, hedged, violations := testsize.Samples(2_000), map[string]int{}, 0
	if testsize.Nightly() {
		n = 5_000
	}
	for _, engine := range []string{"auto", "monitor", "symbolic", "saturate"} {
		c, err := check.New(th, check.Options{Engine: engine, MayFail: mayFail})
		if err != nil {
			t.Fatal(engine, err)
		}
		for seed := range n {
			r := rand.New(rand.NewPCG(seed, 17))
			if typ.Lost = 0; r.IntN(2) == 0 {
				typ.Lost = 3
			}
			e := typ.Execution(r, 3+r.IntN(5), 2+r.IntN(4), 2+r.IntN(6))
			res, err := c.Check(t.Context(), e)
			if errors.As(err, new(*check.OutsideLanguage)) || err != nil && engine != "auto" {
				continue // not for this engine
			}
			want := typ.Model.ShortestViolation(e)
			said := strings.Contains(res.Detail, "shorter prefix") || strings.Contains(res.Detail, "may begin earlier")
			switch {
			case err != nil, res.Verdict == check.Linearizable && want > 0, res.Verdict == check.Violation && (want == 0 || res.Prefix < want || res.Prefix > want && !said):
				historytest.Fatal(t, e, "%s, may fail %v, seed %d: %+v, %v; want %d", engine, mayFail, seed, res, err, want)
			case res.Verdict == check.Violation:
				violations++
				if said {
					hedged[engine]++
				}
			}
		}
	}
	t.Log(mayFail, violations, "violations, with a word about shorter prefixes:", hedged)
	if violations == 0 || hedged["auto"] > violations/8 {
		t.Error("there are too few violations, or too few prefixes are known to be the shortest")
	}
}
