package judge

import (
	"context"
	"math/rand/v2"
	"strconv"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/alphabet"
	"github.com/adtinfer/adtinfer/internal/model"
	"github.com/adtinfer/adtinfer/reference"
)

// Bounds of words.
const (
	shortCalls  = 5      // all words up to this length are tried
	shortValues = 3      // with so many values of a type
	shortWords  = 15_000 // if there are no more
	longest     = 1_000  // calls of a long run
	fewValues   = 250    // out of which phases choose
	mostTimes   = 256    // that a power repeats a call
)

// signatures are methods as package enumerate wants them; values bounds how many
// of a type there are, unless it is 0.
func signatures(methods []reference.Method, values int) []alphabet.Signature {
	all, _ := model.Signatures(methods)
	for _, s := range all {
		for p, domain := range s.Domains {
			if values > 0 && (domain == 0 || domain > values) {
				s.Domains[p] = values
			}
		}
	}
	return all
}

// shortOf lists the words of n calls, once up to renaming of values; nil if they
// are too many.
func shortOf(methods []reference.Method, n int) []word {
	var words []word
	if !alphabet.Calls(signatures(methods, shortValues), n, nil, func(calls []alphabet.Invocation) bool {
		w := make(word, len(calls))
		for i, c := range calls {
			w[i] = reference.Call{Method: c.Method, Args: numbers(c.Args)}
		}
		words = append(words, w)
		return len(words) <= shortWords
	}) {
		return nil
	}
	return words
}

// affordable reports whether an inference can look at all words of n calls.
func affordable(methods []reference.Method, n int) bool {
	count := 0
	return alphabet.Calls(signatures(methods, 0), n, nil, func([]alphabet.Invocation) bool {
		count++
		return count <= 10*shortWords
	})
}

func numbers(vs []alphabet.Value) []int {
	if len(vs) == 0 {
		return nil
	}
	ns := make([]int, len(vs))
	for i, v := range vs {
		ns[i] = v.Number()
	}
	return ns
}

// generator makes random words. The same seed makes the same word.
type generator struct {
	methods []reference.Method
	rng     *rand.Rand
	fresh   int // the highest number used
	pool    int // values are numbers up to this one; 0: fresh ones
}

func newGenerator(methods []reference.Method, seed uint64) *generator {
	return &generator{methods: methods, rng: rand.New(rand.NewPCG(seed, 0x5eed))}
}

// call is a random call of a method, with new values or with any used before.
func (g *generator) call(method int, old bool) reference.Call {
	m := &g.methods[method]
	c := reference.Call{Method: method}
	for p := range m.Args {
		k := 1
		switch {
		case old && g.fresh > 0:
			k = 1 + g.rng.IntN(g.fresh)
		case g.pool > 0:
			k = 1 + g.rng.IntN(g.pool)
		default:
			k = g.fresh + 1
		}
		if d := m.ArgDomain[p]; d > 0 && k > d {
			k = 1 + g.rng.IntN(d)
		}
		g.fresh = max(g.fresh, k)
		c.Args = append(c.Args, k)
	}
	return c
}

// some is a random set of methods: one, two or all.
func (g *generator) some() []int {
	all := g.rng.Perm(len(g.methods))
	switch g.rng.IntN(3) {
	case 0:
		return all[:1]
	case 1:
		return all[:min(2, len(all))]
	}
	return all
}

// random is a word of n calls with few values, or with one that is new in each
// second call with arguments.
func (g *generator) random(n int) word {
	g.pool = []int{0, 0, 2, 3, 5}[g.rng.IntN(5)]
	weights := make([]int, 0, 4*len(g.methods))
	for m := range g.methods {
		for range 1 + g.rng.IntN(4) {
			weights = append(weights, m)
		}
	}
	w := make(word, 0, n)
	for len(w) < n {
		w = append(w, g.call(weights[g.rng.IntN(len(weights))], g.rng.IntN(2) == 0))
	}
	return w
}

// phases is a long word of calls of some methods at a time.
func (g *generator) phases(n int) word {
	g.pool = []int{0, fewValues, fewValues, 3}[g.rng.IntN(4)]
	w := make(word, 0, n)
	for len(w) < n {
		methods, old := g.some(), g.rng.IntN(2) == 0
		for range min(1+g.rng.IntN(32), n-len(w)) {
			w = append(w, g.call(methods[g.rng.IntN(len(methods))], old))
		}
	}
	return w
}

// powers is a word that repeats a call of one method, with new values or the
// same, then looks back at old values, and then repeats a call of another.
func (g *generator) powers(method, times int, same bool) word {
	var w word
	for range g.rng.IntN(4) {
		w = append(w, g.call(g.rng.IntN(len(g.methods)), false))
	}
	w = g.repeat(w, method, times, same)
	for range 4 + g.rng.IntN(12) {
		w = append(w, g.call(g.rng.IntN(len(g.methods)), true))
	}
	w = g.repeat(w, g.rng.IntN(len(g.methods)), 1+g.rng.IntN(mostTimes), g.rng.IntN(2) == 0)
	for range 4 + g.rng.IntN(12) {
		w = append(w, g.call(g.rng.IntN(len(g.methods)), g.rng.IntN(2) == 0))
	}
	return w
}

func (g *generator) repeat(w word, method, times int, same bool) word {
	c := g.call(method, false)
	for i := range times {
		if i > 0 && !same {
			c = g.call(method, false)
		}
		w = append(w, c)
	}
	return w
}

// longWords makes words number from to to, without it, for long runs: powers and
// phases in turn. Powers go through the methods.
func longWords(methods []reference.Method, from, to int) []word {
	var words []word
	for i := from; i < to; i++ {
		g := newGenerator(methods, uint64(i))
		if i%2 == 1 {
			words = append(words, g.phases(100+g.rng.IntN(longest-99)))
			continue
		}
		p, times := i/2, mostTimes
		if p >= 2*len(methods) {
			times = 1 + g.rng.IntN(mostTimes)
		}
		words = append(words, g.powers(p%len(methods), times, p/len(methods)%2 == 1))
	}
	return words
}

// word is a sequence of calls.
type word = []reference.Call

// A labeler makes labels of calls and answers.
type labeler struct {
	methods []reference.Method
	prefix  map[string]string // by Go type: what tells its values from those of other types
}

func newLabeler(methods []reference.Method) *labeler {
	a := &labeler{methods, map[string]string{}}
	add := func(types []string) {
		for _, t := range types {
			if _, ok := a.prefix[t]; ok {
				continue
			}
			if a.prefix[t] = ""; len(a.prefix) > 1 {
				a.prefix[t] = string(rune('a' + len(a.prefix) - 1))
			}
		}
	}
	for _, m := range methods {
		add(m.Args)
		add(m.Rets)
	}
	return a
}

// labels are the labels of the calls that were answered.
func (a *labeler) labels(calls word, answers []reference.Answer) []history.Label {
	ls := make([]history.Label, 0, len(calls))
	for i := range answers {
		if answers[i].Blocked {
			break
		}
		m := &a.methods[calls[i].Method]
		l := history.Label{Kind: history.Kind{Method: m.Name, Outcome: answers[i].Outcome}}
		for p, k := range calls[i].Args {
			l.Args = append(l.Args, history.Value(a.prefix[m.Args[p]]+strconv.Itoa(k)))
		}
		for p, v := range answers[i].Rets {
			l.Rets = append(l.Rets, history.Value(a.prefix[m.Rets[p]])+v)
		}
		ls = append(ls, l)
	}
	return ls
}

// runner runs words on a reference and asks a theory about them.
type runner struct {
	*labeler
	impl   reference.Implementation
	oracle *oracle
}

// trace is a word that ran: the calls that were answered, and how.
type trace struct {
	calls  word
	labels []history.Label
	rest   word // from the call on that would wait for ever
	waits  word // the first calls that were found to end with one that waits
}

func (r *runner) run(ctx context.Context, words []word) ([]trace, error) {
	answers, err := r.impl.Replay(ctx, words)
	if err != nil {
		return nil, err
	}
	traces := make([]trace, len(words))
	for i, w := range words {
		ls := r.labels(w, answers[i])
		traces[i] = trace{calls: w[:len(ls)], labels: ls, rest: w[len(ls):]}
	}
	return traces, nil
}

// Rounds in which calls are left out of words: without them others are answered
// otherwise.
const (
	rounds     = 4  // those that lead outside the language
	waitingToo = 40 // also those that would wait for ever
)

// inside runs words without the calls that lead outside the language, or that
// would wait for ever.
func (r *runner) inside(ctx context.Context, words []word) ([]trace, error) {
	traces, err := r.run(ctx, words)
	if err != nil {
		return nil, err
	}
	for round := 0; ; round++ {
		var again []word
		var which []int
		for i := range traces {
			if w := r.less(&traces[i], round); w != nil {
				again, which = append(again, w), append(which, i)
			}
		}
		if len(again) == 0 {
			return traces, nil
		}
		redone, err := r.run(ctx, again)
		if err != nil {
			return nil, err
		}
		for j, i := range which {
			redone[j].waits = traces[i].waits
			traces[i] = redone[j]
		}
	}
}

// less is a word to be run instead of one that left the language or ended in a
// call that waits; nil if the run is good as it is, or is made so.
func (r *runner) less(t *trace, round int) word {
	out := r.oracle.breaches(t.labels)
	switch {
	case len(out) > 0 && round < rounds:
		return append(alphabet.Without(t.calls, out), t.rest...)
	case len(out) > 0:
		t.calls, t.labels, t.rest = t.calls[:out[0]], t.labels[:out[0]], nil
	case len(t.rest) > 0 && t.waits == nil:
		t.waits = append(t.calls[:len(t.calls):len(t.calls)], t.rest[0])
	}
	if len(t.rest) == 0 || round >= waitingToo {
		return nil
	}
	n := 1
	for n < len(t.rest) && t.rest[n].Method == t.rest[0].Method {
		n++
	}
	return append(t.calls[:len(t.calls):len(t.calls)], t.rest[n:]...)
}
