package judge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// step is a call of a long run. If it is to lie, its answer is replaced.
type step struct {
	reference.Call
	lie *reference.Answer
}

// lies is how many wrong answers are tried on a long run.
const lies = 4

// longRuns holds the theory against n long runs, and against each with a wrong
// answer in it. The first difference is shrunk.
func (r *runner) longRuns(ctx context.Context, n int) (*theory.LongRuns, *Wrong, error) {
	report := &theory.LongRuns{Sequences: n}
	const chunk = 8
	for from := 0; from < n; from += chunk {
		traces, err := r.inside(ctx, teacher.Long(r.methods, from, min(n, from+chunk)))
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
			w, err := r.wrongAbout(ctx, t, teacher.NewGenerator(r.methods, 1<<40+uint64(from+i)))
			if w != nil || err != nil {
				return report, w, err
			}
		}
	}
	return report, nil, nil
}

// wrongAbout is a difference that a run shows, as short as can be; nil if it
// shows none.
func (r *runner) wrongAbout(ctx context.Context, t *trace, g *teacher.Generator) (*Wrong, error) {
	steps := stepsOf(t.calls)
	tries := [][]step{steps}
	for range lies {
		tries = append(tries, r.lying(g, t, steps))
	}
	if n := len(t.waits); n > 0 && n <= r.oracle.most {
		s := stepsOf(t.waits)
		s[n-1].lie = r.otherAnswer(g, t.waits)
		tries = append(tries, s)
	}
	for _, s := range tries {
		found, err := r.wrong(ctx, s)
		if err != nil {
			return nil, err
		}
		if found != nil {
			return r.shrink(ctx, s, found)
		}
	}
	return nil, nil
}

func stepsOf(w word) []step {
	steps := make([]step, len(w))
	for i, c := range w {
		steps[i].Call = c
	}
	return steps
}

// lying is a prefix of a run in which a call gives another answer, or two calls
// of a method give each other's.
func (r *runner) lying(g *teacher.Generator, t *trace, steps []step) []step {
	if len(steps) == 0 {
		return nil
	}
	n := len(steps)
	for n > 4 && g.IntN(3) > 0 { // short prefixes hide less
		n = n/2 + 1
	}
	s := slices.Clone(steps[:n])
	i := n - 1
	if g.IntN(2) == 0 {
		i = g.IntN(n)
	}
	if j := r.another(t, i); j >= 0 && g.IntN(2) == 0 {
		s[i].lie, s[j].lie = &t.answers[j], &t.answers[i]
		return s
	}
	s[i].lie = r.otherAnswer(g, t.calls[:i+1])
	return s
}

// another is the last call before i of the same method that answers otherwise.
func (r *runner) another(t *trace, i int) int {
	for j := i - 1; j >= 0; j-- {
		if t.calls[j].Method == t.calls[i].Method && !sameAnswer(&t.labels[i], &t.labels[j]) {
			return j
		}
	}
	return -1
}

func sameAnswer(a, b *history.Label) bool {
	return a.Outcome == b.Outcome && slices.Equal(a.Rets, b.Rets)
}

// otherAnswer is some answer that the method of the last call can give.
func (r *runner) otherAnswer(g *teacher.Generator, calls word) *reference.Answer {
	m := &r.methods[calls[len(calls)-1].Method]
	o := m.Outcomes[g.IntN(len(m.Outcomes))]
	a := &reference.Answer{Outcome: o.Outcome}
	for range o.Rets {
		a.Rets = append(a.Rets, history.Value(strconv.Itoa(1+g.IntN(highest(calls)+1))))
	}
	return a
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

// wrong is what the theory says wrongly of a run: a violation, although the
// reference answers so, or nothing, although some answer is a lie.
func (r *runner) wrong(ctx context.Context, steps []step) (*Wrong, error) {
	w := make(word, len(steps))
	for i, s := range steps {
		w[i] = s.Call
	}
	traces, err := r.run(ctx, []word{w})
	if err != nil {
		return nil, inLongRun(err)
	}
	right := traces[0].labels
	told, lie := r.told(steps, right)
	if lie == noLie {
		return nil, nil
	}
	v, by, err := r.oracle.says(ctx, told)
	switch {
	case err != nil:
		return nil, err
	case lie != honest && v == admitted:
		found := &Wrong{Execution: told, Missed: true, At: lie}
		if lie < len(right) {
			found.Instead = right[lie].String()
		}
		return found, nil
	case lie != honest:
		return nil, nil
	case v == violation:
		return &Wrong{Execution: told, Why: strings.TrimSuffix("the specification excludes it: "+strings.Join(by, ", "), ": ")}, nil
	case v == unknown:
		return &Wrong{Execution: told, Why: "no execution that was looked at has such an answer: " + by[0]}, nil
	case v == undecided:
		return &Wrong{Execution: told, Why: "the specification does not decide it: " + by[0]}, nil
	}
	return nil, nil
}

// What told says in the place of the first lie.
const (
	honest = -1 // nothing is to be a lie
	noLie  = -2 // what was to be one is the truth
)

// told is a run as its lies tell it, and where the first of them is. A run whose
// call would wait ends there, or after its lie.
func (r *runner) told(steps []step, right []history.Label) (labels []history.Label, lie int) {
	labels, lie = slices.Clone(right), honest
	for i, s := range steps[:min(len(steps), len(right)+1)] {
		if s.lie == nil {
			continue
		}
		l := r.labels(word{s.Call}, []reference.Answer{*s.lie})[0]
		switch {
		case i == len(right):
			labels = append(labels, l)
			fallthrough
		case !sameAnswer(&l, &right[i]):
			if lie < 0 {
				lie = i
			}
		case lie == honest:
			lie = noLie
		}
		labels[i] = l
	}
	return labels, lie
}

// shrink leaves calls out of a run as long as the theory is wrong about the rest.
// In the end values are renamed in the order in which they come.
func (r *runner) shrink(ctx context.Context, steps []step, found *Wrong) (*Wrong, error) {
	try := func(candidate []step) (bool, error) {
		w, err := r.wrong(ctx, candidate)
		if w == nil || err != nil || w.Missed != found.Missed {
			return false, err
		}
		found = w
		return true, nil
	}
	steps, err := teacher.Shorten(steps, try)
	if err == nil {
		_, err = try(r.renamed(steps))
	}
	return found, err
}

// renamed is a run with values numbered in the order in which they come.
func (r *runner) renamed(steps []step) []step {
	names := map[string]map[int]int{}
	name := func(typ string, k int) int {
		if names[typ] == nil {
			names[typ] = map[int]int{}
		}
		if names[typ][k] == 0 {
			names[typ][k] = len(names[typ]) + 1
		}
		return names[typ][k]
	}
	out := make([]step, len(steps))
	for i, s := range steps {
		m := &r.methods[s.Method]
		out[i].Method = s.Method
		for p, k := range s.Args {
			out[i].Args = append(out[i].Args, name(m.Args[p], k))
		}
		if s.lie == nil {
			continue
		}
		out[i].lie = &reference.Answer{Outcome: s.lie.Outcome}
		for p, v := range s.lie.Rets {
			if k, err := strconv.Atoi(string(v)); err == nil {
				v = history.Value(strconv.Itoa(name(m.Rets[p], k)))
			}
			out[i].lie.Rets = append(out[i].lie.Rets, v)
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
