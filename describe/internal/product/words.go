package product

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/values"
)

// A word is a sequence of calls.
type word []teacher.Call

// without leaves out the calls from one to another.
func (w word) without(from, to int) word {
	return append(append(make(word, 0, len(w)-to+from), w[:from]...), w[to:]...)
}

// How many words there are. Short words are all that there are up to a length; only
// the long ones tell a cache with 128 places from a map.
const (
	mostShort   = 6000
	randomWords = 1500
	longWords   = 12
	longCalls   = 700
	longKeys    = 340
	repeats     = 24  // of a call, in a row
	batch       = 500 // words asked together
)

// prepare makes the words that ways to split are tried on, and finds the methods that
// matter to later answers.
func (f *finder) prepare() error {
	r := rand.New(rand.NewPCG(13, 1))
	short := f.shortWords()
	random, err := f.randomWords(r)
	if err != nil {
		return err
	}
	f.stages = slices.Concat(slices.Collect(slices.Chunk(short, batch)), slices.Collect(slices.Chunk(random, batch)))
	f.shows = make([]bool, len(f.methods))
	for _, words := range f.stages[:(len(short)+batch-1)/batch+1] {
		if err := f.influence(words); err != nil {
			return err
		}
	}
	for i := range longWords {
		f.stages = append(f.stages, []word{f.longWord(r, i)})
	}
	return nil
}

// shortWords are all words with two values up to a length, but those that begin with
// the second.
func (f *finder) shortWords() []word {
	var calls []teacher.Call
	for m := range f.methods {
		params := len(f.methods[m].Args)
		for bits := range 1 << params {
			c := teacher.Call{Method: m}
			for p := range params {
				c.Args = append(c.Args, f.value(m, p, 1+bits>>p&1))
			}
			calls = append(calls, c)
		}
	}
	all, longest := []word{}, []word{nil}
	for len(all)+len(longest)*len(calls) <= mostShort {
		var next []word
		for _, w := range longest {
			for _, c := range calls {
				if w := append(w[:len(w):len(w)], c); f.beginsWithFirst(w) {
					next = append(next, w)
				}
			}
		}
		if all, longest = append(all, next...), next; len(next) == 0 {
			break
		}
	}
	return all
}

func (f *finder) beginsWithFirst(w word) bool {
	for _, c := range w {
		if len(c.Args) > 0 {
			return c.Args[0] == f.value(c.Method, 0, 1)
		}
	}
	return true
}

// value is value number k of a parameter, where there are so many.
func (f *finder) value(method, param, k int) history.Value {
	if d := f.methods[method].ArgDomain[param]; d > 0 {
		k = (k-1)%d + 1
	}
	return f.teacher.Value(method, param, k)
}

// special are values that a type may treat as no other: zero, and indices.
func special(b values.Basic) []history.Value {
	switch b.Kind {
	case values.KindInt:
		return []history.Value{"0", "1", "2", "3", "-1"}
	case values.KindUint, values.KindAny:
		return []history.Value{"0", "1", "2", "3"}
	case values.KindString:
		return []history.Value{""}
	}
	return nil
}

// pool makes arguments of random calls.
type pool struct {
	*finder
	*rand.Rand
	values  int             // so many different ones
	special bool            // and special ones
	again   []history.Value // and these, where they fit
}

func (p *pool) call(method int) teacher.Call {
	c := teacher.Call{Method: method}
	for i, b := range p.methods[method].Params {
		v := p.value(method, i, 1+p.IntN(p.values))
		switch sp := special(b); {
		case len(p.again) > 0 && p.IntN(2) == 0:
			if old := p.again[p.IntN(len(p.again))]; fits(b, old) {
				v = old
			}
		case p.special && len(sp) > 0 && p.IntN(2) == 0:
			v = sp[p.IntN(len(sp))]
		}
		c.Args = append(c.Args, v)
	}
	return c
}

// fits reports whether a text is a value of a type.
func fits(b values.Basic, v history.Value) bool {
	_, ok := b.Text(string(v))
	return ok
}

// randomWords have 3 to 16 calls. Half of them use answers as arguments.
func (f *finder) randomWords(r *rand.Rand) ([]word, error) {
	all, lengths := make([]word, randomWords), make([]int, randomWords)
	pools := make([]pool, randomWords)
	for i := range all {
		lengths[i] = 3 + r.IntN(14)
		pools[i] = pool{finder: f, Rand: r, values: 2 + r.IntN(3), special: r.IntN(3) == 0}
	}
	for length := 4; ; length += 4 {
		for i, w := range all {
			for len(w) < min(length, lengths[i]) {
				w = append(w, pools[i].call(r.IntN(len(f.methods))))
			}
			all[i] = w
		}
		if length == 16 {
			return all, nil
		}
		answers, err := f.ask(all[:randomWords/2])
		if err != nil {
			return nil, err
		}
		for i, a := range answers {
			for _, l := range a.Labels[max(0, min(len(a.Labels), length-4)):] {
				pools[i].again = append(pools[i].again, l.Rets...)
			}
		}
	}
}

// longWord is one with many keys or few, its calls in any order or in phases of a
// method. Those with two keys repeat calls, too. Every fourth goes through many keys, one after the other: first with a
// method that matters to later answers, then with any.
func (f *finder) longWord(r *rand.Rand, i int) word {
	p := &pool{finder: f, Rand: r, values: []int{longKeys, 2, 20, 80}[i%4], special: i%3 == 0}
	sweep := i%4 == 0
	var matter []int
	for m, shows := range f.shows {
		if shows && len(f.methods[m].Args) > 0 {
			matter = append(matter, m)
		}
	}
	var w word
	for len(w) < longCalls {
		method, calls, same := r.IntN(len(f.methods)), 1, false
		switch {
		case p.values == 2 && r.IntN(4) == 0: // what one call does if it comes often may show in those of another key
			calls, same = 2+r.IntN(repeats), true
		case sweep && len(w) == 0 && len(matter) > 0:
			method, calls = matter[i/4%len(matter)], longKeys
		case i%2 == 0:
			calls = 1 + r.IntN(1+r.IntN(longKeys))
		}
		for k := range min(calls, longCalls-len(w)) {
			if same && k > 0 {
				w = append(w, w[len(w)-1])
				continue
			}
			c := p.call(method)
			for a := range c.Args {
				if sweep {
					c.Args[a] = f.value(method, a, 1+k%p.values)
				}
			}
			w = append(w, c)
		}
	}
	return w
}

func (f *finder) ask(words []word) ([]teacher.Answers, error) {
	calls := make([][]teacher.Call, len(words))
	for i, w := range words {
		calls[i] = w
	}
	answers, err := f.teacher.Ask(f.ctx, calls)
	if err != nil {
		return nil, fmt.Errorf("product: %w", err)
	}
	return answers, nil
}
