package counters

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/internal/teacher"
	"github.com/adtinfer/adtinfer/reference"
)

// event is a call with its answer.
type event struct {
	method int
	label  history.Label // pending: the call would wait for ever, and was not made
}

func (e *event) waits() bool { return e.label.Outcome == history.Pending }

// run is a word with its answers.
type run []event

// calls are the calls of the first events that were made.
func (r run) calls() (w []teacher.Call) {
	for i := range r {
		if !r[i].waits() {
			w = append(w, teacher.Call{Method: r[i].method, Args: r[i].label.Args})
		}
	}
	return w
}

// waiting is how many calls of a word that would wait are left out of it.
const waiting = 40

// ask runs words. A call that would wait, and those of its method that follow it at
// once, are left out.
func (f *finder) ask(ctx context.Context, words [][]teacher.Call) ([]run, error) {
	type left struct {
		at   int // calls before it
		call teacher.Call
	}
	runs, out := make([]run, len(words)), make([][]left, len(words))
	words = slices.Clone(words)
	for round := 0; ; round++ {
		answers, err := f.teacher.Ask(ctx, words)
		if err != nil {
			return nil, err
		}
		again := false
		for i, a := range answers {
			if n := len(a.Labels); a.Blocks {
				c, rest := words[i][n], words[i][n:]
				out[i] = append(out[i], left{n, c})
				for len(rest) > 0 && rest[0].Method == c.Method {
					rest = rest[1:]
				}
				if round == waiting {
					rest = nil
				}
				words[i] = slices.Concat(words[i][:n:n], rest)
				again = true
			}
		}
		if again {
			continue
		}
		for i, a := range answers {
			for j, l := range a.Labels {
				for len(out[i]) > 0 && out[i][0].at == j {
					runs[i], out[i] = append(runs[i], f.waited(out[i][0].call)), out[i][1:]
				}
				runs[i] = append(runs[i], event{words[i][j].Method, l})
			}
			for _, l := range out[i] {
				runs[i] = append(runs[i], f.waited(l.call))
			}
		}
		return runs, nil
	}
}

func (f *finder) waited(c teacher.Call) event {
	return event{c.Method, history.Label{Kind: history.Kind{Method: f.methods[c.Method].Name}, Args: c.Args}}
}

// generator makes random words. The same seed makes the same word.
type generator struct {
	f     *finder
	rng   *rand.Rand
	pool  int     // so many values of a type that is no integer; 0: new ones
	fresh int     // values used
	ints  []int64 // integers that arguments are
	any   bool    // other integers, too
}

var (
	smallInts   = []int64{0, 1, 2, 3, -1}
	mediumInts  = []int64{0, 1, 2, 5, 10, 17, 64, 100, -1, -7}
	largeInts   = []int64{1, 3, 1000, 65_536, 999_983, -1000, 0}
	extremeInts = []int64{math.MaxInt64, math.MinInt64, math.MaxInt64 - 1, math.MinInt64 + 1, 1 << 62, -1 << 62, 1 << 31, math.MaxInt32, math.MinInt32, 1 << 53, 1, 0, -1, 2}
)

func (f *finder) generator(seed uint64) *generator {
	g := &generator{f: f, rng: rand.New(rand.NewPCG(seed, 0xc0))}
	g.pool = []int{0, 1, 2, 2, 3, 5}[g.rng.IntN(6)]
	g.ints = [][]int64{smallInts, smallInts[1:3], mediumInts, mediumInts[1:6], largeInts}[g.rng.IntN(5)]
	g.any = g.rng.IntN(2) == 0
	return g
}

// isInteger reports whether the values of a type are integers that all fit into an
// int64.
func isInteger(b values.Basic) bool {
	return b.Kind == values.KindInt || b.Kind == values.KindUint && b.Bits < 64
}

// fits reports whether a type has an integer.
func fits(b values.Basic, n int64) bool {
	if b.Kind == values.KindUint {
		return n >= 0 && n>>b.Bits == 0
	}
	return n>>(b.Bits-1) == 0 || n>>(b.Bits-1) == -1
}

func (g *generator) call(method int) teacher.Call {
	m, c := &g.f.methods[method], teacher.Call{Method: method}
	for p := range m.Params {
		c.Args = append(c.Args, g.value(m, method, p))
	}
	return c
}

func (g *generator) value(m *reference.Method, method, p int) history.Value {
	if isInteger(m.Params[p]) {
		for range 4 {
			n := g.ints[g.rng.IntN(len(g.ints))]
			if g.any && g.rng.IntN(3) == 0 {
				n = int64(g.rng.IntN(40)) - 4
			}
			if fits(m.Params[p], n) {
				return history.Value(strconv.FormatInt(n, 10))
			}
		}
	}
	k := 1
	if g.pool > 0 {
		k += g.rng.IntN(g.pool)
	} else if k = 1 + g.fresh; g.fresh > 0 && g.rng.IntN(3) == 0 {
		k = 1 + g.rng.IntN(g.fresh)
	}
	if d := m.ArgDomain[p]; d > 0 && k > d {
		k = 1 + g.rng.IntN(d)
	}
	g.fresh = max(g.fresh, k)
	return g.f.teacher.Value(method, p, k)
}

// random is a word of n calls, some methods more often than others.
func (g *generator) random(n int) (w []teacher.Call) {
	var weights []int
	for m := range g.f.methods {
		for range 1 + g.rng.IntN(4) {
			weights = append(weights, m)
		}
	}
	for len(w) < n {
		w = append(w, g.call(weights[g.rng.IntN(len(weights))]))
	}
	return w
}

// phases is a word of n calls of some methods at a time.
func (g *generator) phases(n int) (w []teacher.Call) {
	for len(w) < n {
		methods := g.rng.Perm(len(g.f.methods))
		methods = methods[:[]int{1, min(2, len(methods)), len(methods)}[g.rng.IntN(3)]]
		for range min(1+g.rng.IntN(32), n-len(w)) {
			w = append(w, g.call(methods[g.rng.IntN(len(methods))]))
		}
	}
	return w
}

// power is a word that repeats a method, with the same arguments or others, and
// looks around after that.
func (g *generator) power(method, times int) []teacher.Call {
	w := g.random(g.rng.IntN(4))
	c, same := g.call(method), g.rng.IntN(2) == 0
	for range times {
		if !same {
			c = g.call(method)
		}
		w = append(w, c)
	}
	w = append(w, g.random(4+g.rng.IntN(12))...)
	other := g.rng.IntN(len(g.f.methods))
	for range g.rng.IntN(times + 1) {
		w = append(w, g.call(other))
	}
	return append(w, g.random(4+g.rng.IntN(12))...)
}

// Lengths of words.
const (
	shortWord = 30
	phaseWord = 400
	powerWord = 280   // more than most capacities
	highPower = 1_100 // more than a round thousand
)

// sample makes words: n short ones, and with them powers and phases.
func (f *finder) sample(seed uint64, n int) (words [][]teacher.Call) {
	next := seed << 32
	g := func() *generator {
		next++
		return f.generator(next)
	}
	for range n {
		g := g()
		words = append(words, g.random(1+g.rng.IntN(shortWord)))
	}
	for range 4 + n/100 {
		words = append(words, g().phases(phaseWord))
	}
	for m := range f.methods {
		for _, times := range []int{3, 12, 40, powerWord, powerWord, highPower} {
			words = append(words, g().power(m, times))
		}
	}
	return words
}
