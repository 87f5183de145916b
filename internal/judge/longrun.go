package judge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// Wrong is the error of a theory that is wrong about a longer run of its
// reference than the inference looked at.
type Wrong struct {
	Execution []history.Label // the shortest one found
	Missed    bool            // the reference answers otherwise, and the theory does not mind; else the reference answers so, and it does
	Why       string          // what the theory says against it
	Instead   history.Label   // what the reference answers, if Missed
}

func (w *Wrong) Error() string {
	n := len(w.Execution)
	s := fmt.Sprintf("the specification is wrong about executions of %d calls:\n  %s\n", n, draw(w.Execution))
	if w.Missed {
		return s + fmt.Sprintf("the last answer is wrong: the reference answers %s, and the specification does not see it", w.Instead)
	}
	return s + "so the reference answers, but " + w.Why
}

// fails is a way in which a theory can be wrong about a word.
type fails func(ctx context.Context, words []word) ([]*Wrong, error)

// longRuns holds the theory against n long runs. The first difference is shrunk.
func (r *runner) longRuns(ctx context.Context, n int) (*theory.LongRuns, *Wrong, error) {
	report := &theory.LongRuns{Sequences: n}
	const chunk = 8
	words := longWords(r.methods, n)
	for from := 0; from < n; from += chunk {
		traces, err := r.inside(ctx, words[from:min(n, from+chunk)])
		if err != nil {
			return nil, nil, inLongRun(err)
		}
		for i := range traces {
			t := &traces[i]
			if k := r.oracle.most; len(t.calls) > k {
				t.calls, t.labels = t.calls[:k], t.labels[:k]
			}
			report.Calls += len(t.calls)
			report.Longest = max(report.Longest, len(t.calls))
			w, err := r.wrongAbout(ctx, t, uint64(from+i))
			if w != nil || err != nil {
				return report, w, err
			}
		}
	}
	return report, nil, nil
}

// wrongAbout is the difference that a run shows, as short as can be.
func (r *runner) wrongAbout(ctx context.Context, t *trace, seed uint64) (*Wrong, error) {
	found, err := r.falseAlarms(ctx, []word{t.calls})
	if err != nil {
		return nil, err
	}
	if found[0] != nil {
		return r.shrink(ctx, t.calls, 0, found[0], r.falseAlarms)
	}
	g := newGenerator(r.methods, 1<<40+seed)
	for _, n := range []int{1 + g.rng.IntN(max(1, len(t.calls))), len(t.calls)} {
		if n > len(t.calls) || n == 0 {
			continue
		}
		answer, ok := r.otherAnswer(g, t, n-1)
		if !ok {
			continue
		}
		miss := r.misses(answer)
		found, err := miss(ctx, []word{t.calls[:n]})
		if err != nil {
			return nil, err
		}
		if found[0] != nil {
			return r.shrink(ctx, t.calls[:n], 1, found[0], miss)
		}
	}
	return nil, nil
}

// falseAlarms asks about the reference's own runs.
func (r *runner) falseAlarms(ctx context.Context, words []word) ([]*Wrong, error) {
	traces, err := r.run(ctx, words)
	if err != nil {
		return nil, inLongRun(err)
	}
	found := make([]*Wrong, len(words))
	for i, t := range traces {
		v, by, err := r.oracle.says(ctx, t.labels)
		if err != nil {
			return nil, err
		}
		switch v {
		case violation:
			found[i] = &Wrong{Execution: t.labels, Why: "the specification excludes it: " + strings.Join(by, ", ")}
		case undecided:
			found[i] = &Wrong{Execution: t.labels, Why: "the specification does not decide it: " + by[0]}
		case unknown:
			found[i] = &Wrong{Execution: t.labels, Why: "no shorter execution has such an answer: " + by[0]}
		}
	}
	return found, nil
}

// misses asks about runs whose last call answers something that the reference
// does not.
func (r *runner) misses(answer reference.Answer) fails {
	return func(ctx context.Context, words []word) ([]*Wrong, error) {
		traces, err := r.run(ctx, words)
		if err != nil {
			return nil, inLongRun(err)
		}
		found := make([]*Wrong, len(words))
		for i, t := range traces {
			n := len(words[i])
			if len(t.calls) < n {
				continue // the last call would wait
			}
			lie := r.labels(words[i][n-1:], []reference.Answer{answer})[0]
			if lie.String() == t.labels[n-1].String() {
				continue
			}
			wrong := append(t.labels[:n-1:n-1], lie)
			v, _, err := r.oracle.says(ctx, wrong)
			if err != nil {
				return nil, err
			}
			if v == admitted {
				found[i] = &Wrong{Execution: wrong, Missed: true, Instead: t.labels[n-1]}
			}
		}
		return found, nil
	}
}

// otherAnswer is a wrong answer to call i of a run, with an outcome that the
// theory knows.
func (r *runner) otherAnswer(g *generator, t *trace, i int) (reference.Answer, bool) {
	m := &r.methods[t.calls[i].Method]
	for range 4 {
		o := m.Outcomes[g.rng.IntN(len(m.Outcomes))]
		a := reference.Answer{Outcome: o.Outcome}
		for range o.Rets {
			a.Rets = append(a.Rets, history.Value(fmt.Sprint(1+g.rng.IntN(max(1, highest(t.calls))))))
		}
		if r.labels(t.calls[i:i+1], []reference.Answer{a})[0].String() != t.labels[i].String() {
			return a, true
		}
	}
	return reference.Answer{}, false
}

// highest is the highest number of a value in a word.
func highest(w word) (n int) {
	for _, c := range w {
		for _, k := range c.Args {
			n = max(n, k)
		}
	}
	return n
}

// shrink leaves calls out of a word, but for the last ones that are to be kept,
// as long as the theory is wrong about the rest. In the end values are renamed
// in the order in which they come.
func (r *runner) shrink(ctx context.Context, w word, keep int, found *Wrong, fail fails) (*Wrong, error) {
	for size := len(w) - keep; size > 0; {
		smaller := false
		for at := 0; at+size <= len(w)-keep; {
			candidate := slices.Delete(slices.Clone(w), at, at+size)
			results, err := fail(ctx, []word{candidate})
			switch {
			case err != nil:
				return nil, err
			case results[0] != nil:
				w, found, smaller = candidate, results[0], true
			default:
				at += size
			}
		}
		if !smaller || size > 1 {
			size /= 2
		}
	}
	results, err := fail(ctx, []word{r.renamed(w)})
	if err != nil {
		return nil, err
	}
	if results[0] != nil {
		found = results[0]
	}
	return found, nil
}

// renamed is a word with values numbered in the order in which they come.
func (r *runner) renamed(w word) word {
	names := map[string]map[int]int{}
	out := make(word, len(w))
	for i, c := range w {
		m := &r.methods[c.Method]
		out[i] = reference.Call{Method: c.Method}
		for p, k := range c.Args {
			of := names[m.Args[p]]
			if of == nil {
				of = map[int]int{}
				names[m.Args[p]] = of
			}
			if of[k] == 0 {
				of[k] = len(of) + 1
			}
			out[i].Args = append(out[i].Args, of[k])
		}
	}
	return out
}

// inLongRun says where a reference broke down, without all of the calls.
func inLongRun(err error) error {
	var f *reference.Fault
	if !errors.As(err, &f) {
		return err
	}
	short := *f
	if calls := strings.Split(f.Sequence, "; "); len(calls) > 8 {
		short.Sequence = fmt.Sprintf("%s; ... (%d calls in all); %s", strings.Join(calls[:3], "; "), len(calls), strings.Join(calls[len(calls)-3:], "; "))
	}
	return fmt.Errorf("in a long run: %w", &short)
}
