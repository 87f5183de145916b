package judge

import (
	"context"
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/reference"
)

// Bounds of what is falsified.
const (
	mostFalsified = 12_000  // executions with a wrong answer
	mostLabels    = 600_000 // of all of them together
	randomWords   = 24      // of which each call is falsified
	mostOthers    = 6       // other answers to a call
)

// manyCalls are how often a method is called before another looks back: a type that
// forgets, or changes its mind, after n calls shows it after the first number that is
// larger.
var manyCalls = []int{1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 17, 20, 24, 33, 65, 129, 257}

// falsified holds the theory against executions in which one answer is wrong, whatever
// the call: also one that changes nothing, and one whose right answer would lead outside
// the language, of which patterns say nothing. Each call of random words is falsified,
// each that looks back at values after many calls of one method, and the last of those
// executions that told other descriptions from the reference.
func (r *runner) falsified(ctx context.Context, told [][]history.Label) (*Wrong, error) {
	left, labels := mostFalsified, mostLabels
	try := func(tried []word, onlyLast bool) (*Wrong, []trace, error) {
		traces, err := r.run(ctx, tried)
		if err != nil {
			return nil, nil, inLongRun(err)
		}
		for i, w := range tried {
			from := 0
			if onlyLast {
				from = len(w) - 1
			}
			for at := from; at < min(len(w), len(traces[i].labels)+1, r.oracle.most) && left > 0 && labels > 0; at++ {
				n, wrong, err := r.falsify(ctx, w[:at+1], &traces[i])
				if left, labels = left-n, labels-n*(at+1); wrong != nil || err != nil {
					return wrong, nil, err
				}
			}
		}
		return nil, traces, nil
	}
	others, err := wordsOf(r.methods, told[:min(len(told), mostTold)], teacher.Longest)
	if err != nil {
		return nil, err
	}
	for _, w := range others {
		if wrong, err := r.wrong(ctx, stepsOf(w[:min(len(w), r.oracle.most)])); wrong != nil || err != nil {
			return wrong, err
		}
	}
	if wrong, _, err := try(others, true); wrong != nil || err != nil {
		return wrong, err
	}
	if wrong, _, err := try(r.random(), false); wrong != nil || err != nil {
		return wrong, err
	}
	for method := range r.methods {
		for _, same := range []bool{false, true}[:min(2, 1+len(r.methods[method].Args))] {
			for _, n := range manyCalls {
				wrong, traces, err := try(r.lookBacks(method, n, same), true)
				if wrong != nil || err != nil {
					return wrong, err
				}
				if len(traces[0].labels) < n {
					break // it waits, and would again
				}
			}
		}
	}
	return nil, nil
}

// random are words of which each call is falsified.
func (r *runner) random() (all []word) {
	for i := range randomWords {
		g := teacher.NewGenerator(r.methods, 1<<37+uint64(i))
		all = append(all, g.Random(randomCalls-g.IntN(shortCalls)))
	}
	return all
}

// falsify tries other answers to the last call of a word; n is how many there are. If
// the call would wait, any answer is another one.
func (r *runner) falsify(ctx context.Context, w word, t *trace) (n int, wrong *Wrong, err error) {
	at := len(w) - 1
	for _, a := range r.others(w, t.answers[:min(len(t.answers), at+1)]) {
		l := r.labels(w[at:], []reference.Answer{a})[0]
		if at < len(t.labels) && sameAnswer(&l, &t.labels[at]) {
			continue
		}
		n++
		v, _, err := r.oracle.says(ctx, append(slices.Clip(t.labels[:at]), l))
		if err != nil {
			return n, nil, err
		}
		if v != admitted {
			continue
		}
		steps := stepsOf(w)
		steps[at].lie = &a
		found, err := r.wrong(ctx, steps)
		if found != nil && err == nil {
			found, err = r.shrink(ctx, steps, found)
		}
		if found != nil || err != nil {
			return n, found, err
		}
	}
	return n, nil, nil
}

// others are answers that the method of the last call can give: each outcome, with the
// first and the newest values that were passed in, a new one, and numbers next to the
// right one.
func (r *runner) others(w word, answers []reference.Answer) (all []reference.Answer) {
	at := len(w) - 1
	m := &r.methods[w[at].Method]
	for _, o := range m.Outcomes {
		if o.Rets == 0 {
			all = append(all, reference.Answer{Outcome: o.Outcome})
			continue
		}
		for p, typ := range m.Rets[:o.Rets] {
			for _, v := range r.candidates(w, answers, typ, p) {
				a := reference.Answer{Outcome: o.Outcome, Rets: make([]history.Value, o.Rets)}
				for q := range a.Rets {
					if a.Rets[q] = "1"; at < len(answers) && q < len(answers[at].Rets) {
						a.Rets[q] = answers[at].Rets[q]
					}
				}
				a.Rets[p] = v
				all = append(all, a)
			}
		}
	}
	return all
}

// candidates are values for result p, of a type.
func (r *runner) candidates(w word, answers []reference.Answer, typ string, p int) (vs []history.Value) {
	at := len(w) - 1
	add := func(v history.Value) {
		if len(vs) < mostOthers && !slices.Contains(vs, v) {
			vs = append(vs, v)
		}
	}
	if at < len(answers) && p < len(answers[at].Rets) {
		if v := answers[at].Rets[p]; reference.IsForeign(v) {
			if k, err := strconv.Atoi(string(v[1 : len(v)-1])); err == nil {
				add(history.Value("(" + strconv.Itoa(k-1) + ")"))
				add(history.Value("(" + strconv.Itoa(k+1) + ")"))
			}
		}
	}
	passed := func(c *reference.Call) {
		for q, k := range c.Args {
			if r.methods[c.Method].Args[q] == typ {
				add(history.Value(strconv.Itoa(k)))
			}
		}
	}
	for i := range min(2, len(w)) {
		passed(&w[i])
	}
	for i := at; i >= max(0, at-3); i-- {
		passed(&w[i])
	}
	add(history.Value(strconv.Itoa(highest(w) + 1)))
	return vs
}

// lookBacks are words that call a method n times, each time with new values or with the
// same, and end in a call that has old ones.
func (r *runner) lookBacks(method, n int, same bool) (all []word) {
	before := r.repeat(method, n, same)
	for last := range r.methods {
		for _, k := range oldValues(&r.methods[last], n, same) {
			all = append(all, append(slices.Clip(before), r.callOf(last, k)))
		}
	}
	return all
}

// oldValues are numbers of values after n calls with new ones.
func oldValues(m *reference.Method, n int, same bool) (ks []int) {
	if len(m.Args) == 0 {
		return []int{1}
	}
	if ks = []int{1, 2, n, n + 1}; same {
		ks = ks[:2]
	}
	slices.Sort(ks)
	return slices.Compact(ks)
}

func (r *runner) repeat(method, n int, same bool) (w word) {
	for i := range n {
		k := i + 1
		if same {
			k = 1
		}
		w = append(w, r.callOf(method, k))
	}
	return w
}

// callOf is a call with value number k of each type, where there are so many.
func (r *runner) callOf(method, k int) reference.Call {
	c := reference.Call{Method: method}
	for _, d := range r.methods[method].ArgDomain {
		if d > 0 {
			k = (k-1)%d + 1
		}
		c.Args = append(c.Args, k)
	}
	return c
}
