package check_test

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	deques "github.com/adtinfer/adtinfer/examples/deque"
	locks "github.com/adtinfer/adtinfer/examples/lock"
	fifos "github.com/adtinfer/adtinfer/examples/queue"
	registers "github.com/adtinfer/adtinfer/examples/register"
	sets "github.com/adtinfer/adtinfer/examples/set"
	stacks "github.com/adtinfer/adtinfer/examples/stack"
	worksteals "github.com/adtinfer/adtinfer/examples/worksteal"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/reference"
)

// ends is a deque.
func ends() historytest.Type {
	lookup := []history.Outcome{history.Some, history.Nil}
	back, front := historytest.Queue().Model, historytest.Stack().Model
	typ := historytest.Type{Name: "deque", Methods: []historytest.Method{
		{Name: "pushFront", Takes: historytest.Fresh, Outcomes: []history.Outcome{history.None}}, {Name: "pushBack", Takes: historytest.Fresh, Outcomes: []history.Outcome{history.None}},
		{Name: "popFront", Outcomes: lookup}, {Name: "popBack", Outcomes: lookup}}}
	typ.Model = func(s string, l *history.Label) []historytest.Way {
		own := *l
		switch l.Method {
		case "pushBack":
			own.Method = "add"
		case "popFront":
			own.Method = "remove"
		case "popBack":
			own.Method = "remove"
			return front(s, &own)
		default:
			own.Method = "add"
			ways := back("", &own)
			ways[0].Next += s
			return ways
		}
		return back(s, &own)
	}
	return typ
}

// exampleReferences are those of the examples, in this process.
func exampleReferences(t *testing.T) map[string]reference.Implementation {
	all := map[string]reference.Implementation{}
	for _, s := range []reference.Spec{fifos.Spec, stacks.Spec, registers.Spec, locks.Spec, sets.Spec, worksteals.Spec, deques.Spec} {
		all[s.Name] = inProcess(t, s)
	}
	return all
}

// logOf is an execution in one of the formats that can be followed.
func logOf(t *testing.T, e *history.Execution, format int) string {
	t.Helper()
	var b bytes.Buffer
	err := error(nil)
	switch format {
	case 0:
		err = history.WriteText(&b, e)
	default:
		err = history.WriteJSON(&b, e)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestStreams: a log that is followed has the verdict and the prefix that it has as a file, and that a search gives
// which tries everything; or it is inconclusive and says why. Many logs leave the theory's language, where the
// reference has the word, or nothing has. With ADTINFER_NIGHTLY set there are more than 100,000.
func TestStreams(t *testing.T) {
	n := testsize.Samples(400)
	if testsize.Nightly() {
		n = 8_000
	}
	impls := exampleReferences(t)
	for _, s := range append(historytest.Subjects(), historytest.Subject{Path: "examples/deque/deque", Type: ends()}) {
		t.Run(s.Path, func(t *testing.T) {
			t.Parallel()
			th := s.Theory(t)
			ways := []by{{}, {Engine: "monitor"}, {Engine: "saturate"}}
			if impl := impls[s.Name]; impl != nil {
				open := func(context.Context) (reference.Implementation, error) { return impl, nil }
				ways = []by{{Open: open}, {Reference: impl}, {}, {Engine: "monitor"}, {Engine: "saturate"}}
			}
			counts := map[string]int{}
			for k, way := range ways {
				b := batchOf(t, th, way)
				for seed := range max(n/uint64(len(ways)), 5) {
					r := rand.New(rand.NewPCG(seed, uint64(k)))
					typ := s.Type
					if r.IntN(2) == 0 {
						typ = typ.Reusing(3)
					}
					if r.IntN(3) == 0 {
						typ.Lost = 4
					}
					e := typ.Execution(r, 2+r.IntN(7), 1+r.IntN(3), []int{0, 3, 8}[r.IntN(3)])
					counts[streamed(t, b, &typ, e, r)]++
				}
			}
			t.Log(counts)
			if testsize.Long() && (counts["violation"] == 0 || counts["linearizable"] == 0 || counts["refused"] == 0) && !slices.Contains([]string{"set", "bag", "priority-queue"}, s.Name) {
				t.Error("the logs are all alike")
			}
		})
	}
}

// streamed compares what comes of a log that is read in different ways, and says in a word what it is as a file.
func streamed(t *testing.T, b *logBatch, typ *historytest.Type, e *history.Execution, r *rand.Rand) string {
	t.Helper()
	log, want := logOf(t, e, r.IntN(2)), typ.Model.ShortestViolation(e)
	b.Keep(0)
	var file check.Report
	if err := b.Run(t.Context(), []check.Source{sourceOf(strings.NewReader(log))}, func(r check.Report) { file = r }); err != nil {
		t.Fatal(err)
	}
	right := func(r check.Report, hedged bool) bool {
		switch r.Result.Verdict {
		case check.Violation:
			return want > 0 && (r.Result.Prefix == want || r.Result.Prefix > want && hedged && r.Result.Detail != "")
		case check.Linearizable:
			return want == 0
		}
		return r.Err != nil || r.Result.Detail != "" || r.Result.Verdict == check.NoViolationFound
	}
	if !right(file, true) {
		historytest.Fatal(t, e, "as a file: %+v, %v, want %d", file.Result, file.Err, want)
	}
	for _, keep := range []int{0, 1, 2 + r.IntN(8)} {
		for _, grows := range []bool{false, true} {
			b.Keep(keep)
			s := sourceOf(io.NopCloser(strings.NewReader(log)))
			s.Grows = grows
			got := b.Follow(t.Context(), s, &check.Progress{})
			same := right(got, true)
			switch v := got.Result.Verdict; {
			case got.Err != nil:
				same = same && file.Err != nil
			case v == check.Inconclusive:
				same = same && got.Result.Detail != ""
			case v == check.NoViolationFound:
				same = same && file.Result.Verdict != check.Linearizable || keep > 0 && strings.HasSuffix(got.Result.Engine, "saturate")
			default:
				same = same && v == file.Result.Verdict && (keep > 0 || got.Result.Prefix == file.Result.Prefix)
			}
			if !same {
				historytest.Fatal(t, e, "followed, keeping %d, growing %t: %+v, %v\nas a file: %+v, %v\nwant %d", keep, grows, got.Result, got.Err, file.Result, file.Err, want)
			}
		}
	}
	if file.Err != nil {
		return "refused"
	}
	return string(file.Result.Verdict)
}
