package counters

import (
	"context"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/automata"
	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/reference"
)

// How much is compared.
const (
	fresh       = 1_500 // short words
	contradicts = 20    // runs that are learnt from at a time
	borders     = 40    // calls at each threshold that an argument can meet
)

// compare has the reference answer words that nothing was found from. It returns some
// runs, up to the first answer that the automaton does not give; or some that come
// nearer to a threshold.
func (f *finder) compare(ctx context.Context, a *automata.Automaton, fit *fit, seed uint64) (wrong, nearer []run, err error) {
	sample, err := f.sample(ctx, seed, fresh)
	if err != nil {
		return nil, nil, err
	}
	for _, asked := range [][][]teacher.Call{f.borders(fit, seed), sample} {
		runs, err := f.ask(ctx, asked)
		if err != nil {
			return nil, nil, err
		}
		x := &f.extent
		x.Words += len(runs)
		for _, r := range runs {
			x.Calls, x.Longest = x.Calls+len(r), max(x.Longest, len(r))
			if at := differs(a, r); at >= 0 {
				if wrong = append(wrong, r[:at+1]); len(wrong) == contradicts {
					return wrong, nil, nil
				}
			} else if len(nearer) < contradicts && fit.nearer(r) {
				nearer = append(nearer, r)
			}
		}
		if len(wrong) > 0 {
			return wrong, nil, nil
		}
	}
	return nil, nearer, nil
}

// nearer reports whether a run has a number between those that are known to be on one
// and the other side of a threshold.
func (f *fit) nearer(r run) bool {
	for m, t := range f.trees {
		for _, cut := range t.cuts() {
			if cut.open() {
				var columns [][]int64
				for _, x := range cut.form.terms {
					columns = append(columns, x.before(nil, r, m))
				}
				for i := range columns[0] {
					if v := cut.form.value(columns, i); cut.under < v && v < cut.over {
						return true
					}
				}
			}
		}
	}
	return false
}

// differs is the first event of a run that the automaton does not have; -1: it has
// all.
func differs(a *automata.Automaton, r run) int {
	s := a.Start()
	for i := range r {
		l := r[i].label
		next, ok := a.Step(s, &l)
		if ok == r[i].waits() {
			return i
		}
		s = next
	}
	return -1
}

// borders are words whose last calls have arguments right at a threshold, and next to
// it.
func (f *finder) borders(fit *fit, seed uint64) (words [][]teacher.Call) {
	rng := rand.New(rand.NewPCG(seed, 0xb0))
	for m, t := range fit.trees {
		for _, cut := range t.cuts() {
			i := slices.IndexFunc(cut.form.terms, func(x multiple) bool { return x.arg >= 0 && !x.text && (x.times == 1 || x.times == -1) })
			if i < 0 {
				continue
			}
			for range borders {
				if w := f.border(rng, m, cut, cut.form.terms[i]); w != nil {
					words = append(words, w...)
				}
			}
		}
	}
	return words
}

// border changes an argument of some call in a run that things were found from.
func (f *finder) border(rng *rand.Rand, method int, cut *tree, arg multiple) (words [][]teacher.Call) {
	r := f.runs[rng.IntN(len(f.runs))]
	if len(r) > phaseWord {
		return nil
	}
	var at []int
	for i := range r {
		if r[i].method == method {
			at = append(at, i)
		}
	}
	if len(at) == 0 {
		return nil
	}
	i := at[rng.IntN(len(at))]
	sum := cut.form.constant
	for _, x := range cut.form.terms {
		if x.term != arg.term {
			c := x.before(nil, r[:i+1], method)
			sum += x.times * c[len(c)-1]
		}
	}
	for d := range int64(3) {
		n := (cut.threshold + d - 1 - sum) * arg.times
		if !fits(f.methods[method].Params[arg.arg], n) {
			continue
		}
		c := teacher.Call{Method: method, Args: slices.Clone(r[i].label.Args)}
		c.Args[arg.arg] = history.Value(strconv.FormatInt(n, 10))
		rest := r[i:].calls()
		words = append(words, append(append(r[:i].calls(), c), rest[:min(3, len(rest))]...))
	}
	return words
}

// extremes compares with the reference where sums wrap around, in each layout of the
// guards, and leaves the fit with one that is right. It says why there is none.
func (f *finder) extremes(ctx context.Context, fit *fit) (why string, err error) {
	if !slices.ContainsFunc(f.methods, func(m reference.Method) bool { return slices.ContainsFunc(m.Params, isInteger) }) {
		return "", nil
	}
	f.extreme = true
	var asked [][]teacher.Call
	for i := range uint64(fresh / 2) {
		g := teacher.NewGenerator(f.methods, 1<<40+i)
		asked = append(asked, f.texts(g, g.Random(2+g.IntN(shortWord)), extremeInts))
	}
	runs, err := f.ask(ctx, asked)
	if err != nil {
		return "", err
	}
	var cuts []*tree
	for _, t := range fit.trees {
		cuts = append(cuts, t.cuts()...)
	}
	right := func() bool {
		a, _ := fit.automaton()
		return !slices.ContainsFunc(runs, func(r run) bool { return differs(a, r) >= 0 })
	}
	for !right() {
		if !fit.turn(cuts) {
			return "formulas were found, but with large integers the reference overflows in other places than they do", nil
		}
	}
	return "", nil
}

// turn takes the next layouts; false: there are no more.
func (f *fit) turn(cuts []*tree) bool {
	for _, t := range cuts {
		if f.layouts[t]++; f.layouts[t] < len(layouts(&automata.Automaton{Methods: f.signatures()}, t)) {
			return true
		}
		f.layouts[t] = 0
	}
	return false
}
