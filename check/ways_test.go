package check_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/testing/historytest"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
	"github.com/adtinfer/adtinfer/theory"
)

// wayTypes are the types whose logs are read in all ways, with their theories.
func wayTypes(t *testing.T) (types []historytest.Type, theories []*theory.Theory) {
	add := func(s historytest.Type, th *theory.Theory) { types, theories = append(types, s), append(theories, th) }
	for _, s := range append(historytest.Examples(), historytest.Worksteal()) {
		add(s, historytest.Example(t, s.Name))
	}
	noPeek := func(s historytest.Type) historytest.Type {
		s.Methods = s.Methods[:2]
		return s
	}
	add(noPeek(historytest.Bag()), byHand(t, "bag"))
	add(noPeek(historytest.PriorityQueue()), byHand(t, "priorityqueue"))
	add(historytest.Semaphore(), byHand(t, "semaphore"))
	add(historytest.Presence(), historytest.Theory(t, "check/testdata/presence.theory.yaml"))
	add(historytest.Map(), historytest.Theory(t, "check/testdata/hashmap.theory.yaml"))
	return types, theories
}

// wayExecution is a random execution, in which operations may never return and
// values may be used again.
func wayExecution(s historytest.Type, r *rand.Rand) *history.Execution {
	if r.IntN(2) == 0 {
		s = s.Reusing(2 + r.IntN(8))
	}
	s.Lost = r.IntN(3) * 4
	return s.Execution(r, 2+r.IntN(8), 1+r.IntN(4), 3+r.IntN(8))
}

// formats is an execution as a log in each format.
func formats(t *testing.T, e *history.Execution) map[string]string {
	t.Helper()
	var text, lines, binary bytes.Buffer
	err := errors.Join(history.WriteText(&text, e), history.WriteJSON(&lines, e),
		history.NewReader(strings.NewReader(text.String()), "x").Convert(t.Context(), &binary, history.Binary))
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{"text": text.String(), "JSON Lines": lines.String(), "binary": binary.String()}
}

// answerOf is what matters of a report: the verdict and its prefix, or who is
// to blame for a refusal.
func answerOf(t *testing.T, r check.Report) string {
	t.Helper()
	var outside *check.OutsideLanguage
	switch {
	case errors.As(r.Err, &outside):
		return "outside: " + outside.Rule.Name + " " + outside.A.ID + " " + outside.B.ID
	case r.Err != nil:
		t.Fatal(r.Err)
	}
	return fmt.Sprintf("%s %d", r.Result.Verdict, r.Result.Prefix)
}

// readers are the ways to read a log: as a file, with and without the short
// way for long ones, and as it comes.
func readers(b *logBatch) map[string]func(log string) check.Report {
	file := func(least int) func(string) check.Report {
		return func(log string) (report check.Report) {
			b.Direct(least)
			if err := b.Run(context.Background(), []check.Source{sourceOf(strings.NewReader(log))}, func(r check.Report) { report = r }); err != nil {
				report.Err = err
			}
			return report
		}
	}
	return map[string]func(string) check.Report{"file": file(0), "long file": file(1), "followed": func(log string) check.Report { b.Keep(0); return follow(b, log) }}
}

// TestWaysAgree: a log has one answer, in whatever format and way it is read, and
// the violations among them are those of the model. With ADTINFER_NIGHTLY set
// there are 100,000 logs.
func TestWaysAgree(t *testing.T) {
	n := testsize.Samples(1000)
	if testsize.Nightly() {
		n = 100_000
	}
	types, theories := wayTypes(t)
	n = n/uint64(len(types)) + 1
	for i, s := range types {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			b := batchOf(t, theories[i], by{})
			counts := map[string]int{}
			for seed := range n {
				e := wayExecution(s, rand.New(rand.NewPCG(seed, 101)))
				answer, result := "", check.Result{}
				for format, log := range formats(t, e) {
					for way, read := range readers(b) {
						r := read(log)
						got := answerOf(t, r)
						if answer == "" {
							answer, result = got, r.Result
						}
						if got != answer {
							t.Fatalf("seed %d, %s, %s: %s (%+v), another way %s (%+v)\n%s", seed, way, format, got, r.Result, answer, result, historytest.Text(e))
						}
					}
				}
				kind, _, _ := strings.Cut(answer, " ")
				counts[kind]++
				want := s.Model.ShortestViolation(e)
				right := result.Verdict != check.Linearizable || want == 0
				if result.Verdict == check.Violation {
					right = want > 0 && result.Prefix >= want && (result.Detail != "" || result.Prefix == want)
				}
				if !right {
					t.Fatalf("seed %d: %+v, the model says %d\n%s", seed, result, want, historytest.Text(e))
				}
				followForgetful(t, b, e, answer)
			}
			t.Log(counts)
			if counts["violation"] < int(n/20) || counts["linearizable"] < int(n/20) {
				t.Errorf("too one-sided a sample: %v", counts)
			}
		})
	}
}

// followForgetful follows an execution of which nothing is kept but what is live: the
// answer is the same, or less is said.
func followForgetful(t *testing.T, b *logBatch, e *history.Execution, answer string) {
	t.Helper()
	b.Keep(1)
	r := follow(b, formats(t, e)["text"])
	said, refused := string(r.Result.Verdict), errors.As(r.Err, new(*check.OutsideLanguage))
	right := false
	switch {
	case refused:
		right = strings.HasPrefix(answer, "outside") || late(r) && strings.HasPrefix(answer, "violation")
	case r.Err != nil:
	case r.Result.Verdict == check.Violation && late(r):
		right = strings.HasPrefix(answer, said)
	case r.Result.Verdict == check.Violation || r.Result.Verdict == check.Linearizable:
		right = answer == fmt.Sprintf("%s %d", said, r.Result.Prefix)
	default:
		right = r.Result.Verdict == check.Inconclusive || late(r) || !strings.HasPrefix(answer, "violation")
	}
	if !right {
		t.Fatalf("forgetful: %+v, %v; kept as a whole: %s\n%s", r.Result, r.Err, answer, historytest.Text(e))
	}
}

// late reports whether the engine may notice violations late.
func late(r check.Report) bool { return !strings.HasSuffix(r.Result.Engine, "monitor") }
