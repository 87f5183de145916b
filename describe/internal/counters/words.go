package counters

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/values"
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
const waiting = 6

// ask runs words. A call that would wait, and those of its method that follow it at
// once, are left out.
func (f *finder) ask(ctx context.Context, asked [][]teacher.Call) ([]run, error) {
	type left struct {
		at   int // calls before it
		call teacher.Call
	}
	runs, out := make([]run, len(asked)), make([][]left, len(asked))
	asked = slices.Clone(asked)
	for round := 0; ; round++ {
		answers, err := f.teacher.Ask(ctx, asked)
		if err != nil {
			return nil, err
		}
		again := false
		for i, a := range answers {
			if n := len(a.Labels); a.Blocks {
				c, rest := asked[i][n], asked[i][n:]
				out[i] = append(out[i], left{n, c})
				for len(rest) > 0 && rest[0].Method == c.Method {
					rest = rest[1:]
				}
				if round == waiting {
					rest = nil
				}
				asked[i] = slices.Concat(asked[i][:n:n], rest)
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
				runs[i] = append(runs[i], event{asked[i][j].Method, l})
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

var (
	extremeInts = []int64{math.MaxInt64, math.MinInt64, math.MaxInt64 - 1, math.MinInt64 + 1, 1 << 62, -1 << 62, 1 << 31, math.MaxInt32, math.MinInt32, 1 << 53, 1, 0, -1, 2}
	ints        = [][]int64{{0, 1, 2, 3, -1}, {1, 2}, {0, 1, 2, 5, 10, 17, 64, 100, -1, -7}, {1, 2, 5, 10, 17}, {1, 3, 1000, 65_536, 999_983, -1000, 0}, {-1, -2, -3, 2, -10}}
)

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

// texts gives a word its values: integers are some of these, or small.
func (f *finder) texts(g *teacher.Generator, w teacher.Word, of []int64) []teacher.Call {
	calls, small, empty := make([]teacher.Call, len(w)), g.IntN(2) == 0, g.IntN(4) == 0
	for i, c := range w {
		calls[i].Method = c.Method
		for p, k := range c.Args {
			v := f.teacher.Value(c.Method, p, k)
			b := f.methods[c.Method].Params[p]
			if empty && k == 1 && b.Kind == values.KindString {
				v = ""
			}
			if isInteger(b) {
				n := of[(k-1)%len(of)]
				if small && g.IntN(3) == 0 {
					n = int64(g.IntN(44) - 4)
				}
				for !fits(b, n) {
					n = int64(g.IntN(40))
				}
				v = history.Value(strconv.FormatInt(n, 10))
			}
			calls[i].Args = append(calls[i].Args, v)
		}
	}
	return calls
}

// Lengths of words.
const (
	shortWord = 30
	phaseWord = 400
	highPower = 1_100 // more than a round thousand
)

// sample makes words: n short ones, and with them phases and powers. In each second
// one some arguments are what the reference answered before.
func (f *finder) sample(ctx context.Context, seed uint64, n int) ([][]teacher.Call, error) {
	all := f.unfed(seed, n)
	if !slices.ContainsFunc(f.methods, func(m reference.Method) bool { return len(m.Rets) > 0 }) {
		return all, nil
	}
	rng := rand.New(rand.NewPCG(seed, 0xfed))
	for range 2 {
		answers, err := f.teacher.Ask(ctx, all)
		if err != nil {
			return nil, err
		}
		for i := 1; i < len(all); i += 2 {
			all[i] = teacher.Texts{Methods: f.methods}.Fed(all[i], answers[i], nil, rng)
		}
	}
	return all, nil
}

func (f *finder) unfed(seed uint64, n int) (all [][]teacher.Call) {
	seed <<= 32
	add := func(word func(g *teacher.Generator) teacher.Word) {
		seed++
		g := teacher.NewGenerator(f.methods, seed)
		all = append(all, f.texts(g, word(g), ints[g.IntN(len(ints))]))
	}
	for range n {
		add(func(g *teacher.Generator) teacher.Word { return g.Random(1 + g.IntN(shortWord)) })
	}
	for range 4 + n/100 {
		add(func(g *teacher.Generator) teacher.Word { return g.Phases(phaseWord) })
	}
	for m := range f.methods {
		for _, times := range []int{3, 12, 40, 280, 280, highPower} {
			add(func(g *teacher.Generator) teacher.Word { return g.Powers(m, times, g.IntN(2) == 0) })
		}
	}
	return all
}
