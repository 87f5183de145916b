package teacher

import (
	"math/rand/v2"

	"github.com/adtinfer/adtinfer/enumerate"
	"github.com/adtinfer/adtinfer/matching"
	"github.com/adtinfer/adtinfer/reference"
)

// Bounds of words.
const (
	Longest = 1_000 // calls of a long word

	shortValues = 3      // so many values of a type are in short words
	shortWords  = 15_000 // if there are no more of them
	fewValues   = 250    // out of which phases choose
	mostTimes   = 256    // that a power repeats a call
)

// Word is a sequence of calls.
type Word = []reference.Call

// signatures are methods as package enumerate wants them; values bounds how many
// of a type there are, unless it is 0.
func signatures(methods []reference.Method, values int) []enumerate.Signature {
	all, _ := matching.Signatures(methods)
	for _, s := range all {
		for p, domain := range s.Domains {
			if values > 0 && (domain == 0 || domain > values) {
				s.Domains[p] = values
			}
		}
	}
	return all
}

// Short lists the words of n calls, once up to renaming of values; nil if they
// are too many.
func Short(methods []reference.Method, n int) []Word {
	var all []Word
	if !enumerate.Calls(signatures(methods, shortValues), n, func(calls []enumerate.Invocation) bool {
		w := make(Word, len(calls))
		for i, c := range calls {
			w[i] = reference.Call{Method: c.Method, Args: numbers(c.Args)}
		}
		all = append(all, w)
		return len(all) <= shortWords
	}) {
		return nil
	}
	return all
}

// Affordable reports whether an inference can look at all words of n calls.
func Affordable(methods []reference.Method, n int) bool {
	count := 0
	return enumerate.Calls(signatures(methods, 0), n, func([]enumerate.Invocation) bool {
		count++
		return count <= 10*shortWords
	})
}

func numbers(vs []enumerate.Value) []int {
	if len(vs) == 0 {
		return nil
	}
	ns := make([]int, len(vs))
	for i, v := range vs {
		ns[i] = v.Number()
	}
	return ns
}

// Generator makes random words.
type Generator struct {
	*rand.Rand
	Registers int // how many values the type holds at least, if it is known: words have more

	methods []reference.Method
	fresh   int // the highest number used
	pool    int // values are numbers up to this one; 0: fresh ones
}

// NewGenerator makes a Generator.
func NewGenerator(methods []reference.Method, seed uint64) *Generator {
	return &Generator{methods: methods, Rand: rand.New(rand.NewPCG(seed, 0x5eed))}
}

// choose sets the pool.
func (g *Generator) choose(pools ...int) {
	g.pool = pools[g.IntN(len(pools))]
	if g.pool > 0 && g.Registers > 0 && g.IntN(2) == 0 {
		g.pool += g.Registers
	}
}

// call is a random call of a method, with new values or with any used before.
func (g *Generator) call(method int, old bool) reference.Call {
	m := &g.methods[method]
	c := reference.Call{Method: method}
	for p := range m.Args {
		k := 1
		switch {
		case old && g.fresh > 0:
			k = 1 + g.IntN(g.fresh)
		case g.pool > 0:
			k = 1 + g.IntN(g.pool)
		default:
			k = g.fresh + 1
		}
		if d := m.ArgDomain[p]; d > 0 && k > d {
			k = 1 + g.IntN(d)
		}
		g.fresh = max(g.fresh, k)
		c.Args = append(c.Args, k)
	}
	return c
}

// some is a random set of methods: one, two or all.
func (g *Generator) some() []int {
	all := g.Perm(len(g.methods))
	switch g.IntN(3) {
	case 0:
		return all[:1]
	case 1:
		return all[:min(2, len(all))]
	}
	return all
}

// Random is a word of n calls with few values, or with one that is new in each
// second call with arguments.
func (g *Generator) Random(n int) Word {
	g.choose(0, 0, 2, 3, 5)
	weights := make([]int, 0, 4*len(g.methods))
	for m := range g.methods {
		for range 1 + g.IntN(4) {
			weights = append(weights, m)
		}
	}
	w := make(Word, 0, n)
	for len(w) < n {
		w = append(w, g.call(weights[g.IntN(len(weights))], g.IntN(2) == 0))
	}
	return w
}

// Phases is a long word of calls of some methods at a time.
func (g *Generator) Phases(n int) Word {
	g.choose(0, fewValues, fewValues, 3)
	w := make(Word, 0, n)
	for len(w) < n {
		methods, old := g.some(), g.IntN(2) == 0
		for range min(1+g.IntN(32), n-len(w)) {
			w = append(w, g.call(methods[g.IntN(len(methods))], old))
		}
	}
	return w
}

// Powers is a word that repeats a call of one method, with new values or the
// same, then looks back at old values, and then repeats a call of another.
func (g *Generator) Powers(method, times int, same bool) Word {
	var w Word
	for range g.IntN(4) {
		w = append(w, g.call(g.IntN(len(g.methods)), false))
	}
	w = g.repeat(w, method, times, same)
	for range 4 + g.IntN(12) {
		w = append(w, g.call(g.IntN(len(g.methods)), true))
	}
	w = g.repeat(w, g.IntN(len(g.methods)), 1+g.IntN(mostTimes), g.IntN(2) == 0)
	for range 4 + g.IntN(12) {
		w = append(w, g.call(g.IntN(len(g.methods)), g.IntN(2) == 0))
	}
	return w
}

func (g *Generator) repeat(w Word, method, times int, same bool) Word {
	c := g.call(method, false)
	for i := range times {
		if i > 0 && !same {
			c = g.call(method, false)
		}
		w = append(w, c)
	}
	return w
}

// Long makes words number from to to, without it, for long runs: powers and phases
// in turn. Powers go through the methods.
func Long(methods []reference.Method, from, to int) []Word {
	var all []Word
	for i := from; i < to; i++ {
		all = append(all, NewGenerator(methods, uint64(i)).long(i))
	}
	return all
}

// long is long word number i.
func (g *Generator) long(i int) Word {
	if i%2 == 1 {
		return g.Phases(100 + g.IntN(Longest-99))
	}
	p, times := i/2, mostTimes
	if p >= 2*len(g.methods) {
		times = 1 + g.IntN(mostTimes)
	}
	return g.Powers(p%len(g.methods), times, p/len(g.methods)%2 == 1)
}
