package foreign_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/adtinfer/adtinfer/check"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/engine/wgl"
	"github.com/adtinfer/adtinfer/internal/testing/testsize"
)

// fillings are the answers that a method may have at all, as a text log has them.
func (w *oracleRun) fillings(method string) (all []string) {
	for _, o := range w.sig(method).Outcomes {
		switch {
		case o.Outcome == history.Panic:
		case o.Outcome == history.None:
			all = append(all, "")
		case o.Outcome == history.Nil:
			all = append(all, "-")
		case o.Outcome != history.Some:
			all = append(all, string(o.Outcome))
		case o.Rets == 2: // a value and its version
			for _, v := range w.values {
				for n := range 12 {
					all = append(all, quoted(v)+", "+strconv.Itoa(n))
				}
			}
		default:
			for _, rets := range w.candidates(nil, method) {
				var texts []string
				for _, v := range rets {
					texts = append(texts, quoted(v))
				}
				if len(rets) == o.Rets {
					all = append(all, strings.Join(texts, ", "))
				}
			}
		}
	}
	return all
}

// TestUnknown blots out answers of random logs: the verdict is that of all logs with answers in their places.
func TestUnknown(t *testing.T) {
	for _, name := range wgl.Builtins() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, sig := modelOf(t, name)
			seen := map[string]int{}
			for seed := range testsize.Samples(10_000/uint64(len(wgl.Builtins())) + 1) {
				w := newOracleRun(seed, name, false)
				w.keyed, w.byField, w.inPair = false, false, false
				w.simulate()
				if w.IntN(2) == 0 {
					w.spoil()
				}
				text, _ := w.own("")
				lines := strings.SplitAfter(text, "\n")
				var blotted []int // lines
				var answers [][]string
				ways := 1
				for _, i := range w.Perm(len(lines)) {
					id, _, isReturn := strings.Cut(lines[i], " return")
					if !isReturn || len(blotted) == 3 {
						continue
					}
					var n int
					fmt.Sscanf(id, "[%d]", &n)
					all := w.fillings(w.ops[n].Method)
					whole := w.ops[n].Method == "read" && (name == "set-full" || strings.Contains(name, "bank")) // of too many
					if whole || ways*len(all) > 300 {
						continue
					}
					ways *= len(all)
					blotted, answers = append(blotted, i), append(answers, all)
				}
				if len(blotted) > 0 && w.IntN(2) == 0 {
					blotted, answers = blotted[:1], answers[:1]
				}
				seen[unknownOnce(t, c, sig, lines, blotted, answers, seed)]++
			}
			t.Log(seen)
		})
	}
}

// unknownOnce compares one log, some lines of which are blotted, with all that it may have been.
func unknownOnce(t *testing.T, c *check.Checker, sig history.Signature, lines []string, blotted []int, answers [][]string, seed uint64) string {
	t.Helper()
	own := slices.Clone(lines)
	blot := func(i int, answer string) {
		head, _, _ := strings.Cut(lines[i], " return")
		own[i] = strings.TrimRight(head+" return "+answer, " ") + "\n"
	}
	for _, i := range blotted {
		blot(i, "_")
	}
	src := strings.Join(own, "")
	got, err := c.CheckLog(t.Context(), strings.NewReader(src), "x")
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, src)
	}
	most, fits := 0, false
	var fill func(k int)
	fill = func(k int) {
		if fits {
			return
		}
		if k == len(blotted) {
			e, err := history.NewReader(strings.NewReader(strings.Join(own, "")), "x").Execution(sig)
			if err != nil {
				t.Fatal(err)
			}
			r, err := c.Check(t.Context(), e)
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, strings.Join(own, ""))
			}
			most, fits = max(most, r.Prefix), r.Verdict == check.Linearizable
			return
		}
		for _, a := range answers[k] {
			blot(blotted[k], a)
			fill(k + 1)
		}
	}
	fill(0)
	for i := range most { // events that are counted; each line is one
		if slices.Contains(blotted, i) {
			most--
		}
	}
	known := strings.Count(src, "return") > len(blotted)
	switch {
	case len(blotted) == 0:
		return "all known"
	case !known && fits:
		if got.Verdict != check.Inconclusive && !(got.Verdict == check.Linearizable && got.Unknown == 0) {
			t.Fatalf("seed %d: %+v, where nothing is known\n%s", seed, got, src)
		}
		return "nothing known"
	case fits != (got.Verdict == check.Linearizable), !fits && got.Verdict != check.Violation && known:
		t.Fatalf("seed %d: %+v, and with answers linearizable is %v\n%s", seed, got, fits, src)
	case !fits && known && (got.Unknown > 0 && got.Prefix != most || got.Prefix < most || got.Prefix > most && !strings.Contains(got.Detail, "shorter")):
		t.Fatalf("seed %d: %+v, the shortest prefix has %d\n%s", seed, got, most, src)
	}
	if got.Unknown > 0 && !fits {
		return "no answers fit"
	}
	return string(got.Verdict)
}
