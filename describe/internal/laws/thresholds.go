package laws

import (
	"errors"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/internal/driver/values"
	eq "github.com/adtinfer/adtinfer/internal/semantics/equations"
)

// threshold makes an observer the least value of an integer parameter from which on its
// method answers a word: what an object remembers of time, or of amounts, is often a number
// that no method answers, but that arguments are compared with. Where the method answers so
// for all values the observer is the word always, and never where it does for none.
type threshold struct {
	param int      // of the method; it is none of the observer's
	word  eq.Value // Undefined: a value, which is no word
}

// says reports whether an answer is the word of a threshold.
func (w *world) says(answer, word eq.Value) bool {
	if word == eq.Undefined {
		return answer != eq.Undefined && !w.store.Is(answer, eq.Word)
	}
	return answer == word
}

// wordOf is the word of a threshold as theories have it.
func (w *world) wordOf(word eq.Value) string {
	if word == eq.Undefined {
		return ""
	}
	return w.store.TextOf(word)
}

// farthest bounds the arguments that are tried: loops may run up to one.
const farthest = 1 << 40

// reach are the least and the largest value of a parameter that are tried: as large as
// sizes are, or as the reference's own numbers make those of samples.
func (w *world) reach(b *values.Basic) (lo, hi int64) {
	hi = large
	for _, n := range slices.Concat(w.literals.Given.Ints, w.literals.Source.Ints) {
		if n = max(n, -n); n < farthest/4 {
			hi = max(hi, 4*n)
		}
	}
	if b.Bits > 0 && b.Bits < 64 {
		most := int64(1)<<(b.Bits-1) - 1
		if b.Kind == values.KindUint {
			most = 2*most + 1
		}
		hi = min(hi, most)
	}
	if b.Kind == values.KindUint {
		return 0, hi
	}
	return -hi, hi
}

// least is the least value of a parameter from which on a method answers a word, by binary
// search.
func (w *world) least(state int32, o *observer, args []eq.Value) (eq.Value, bool) {
	known, fits := true, true
	with := slices.Insert(slices.Clone(args), o.from.param, eq.Undefined)
	says := func(n int64) bool {
		with[o.from.param] = eq.IntOf(n)
		s, made, ok := w.made(state, o.method, with)
		if fits, known = fits && made, known && ok; !made || !ok {
			return false
		}
		return w.says(w.answer(o.method, s.answer)[o.part], o.from.word)
	}
	lo, hi := w.reach(&w.methods[o.method].Params[o.from.param])
	first, last := says(lo), says(hi)
	switch {
	case !fits:
		return eq.Undefined, true
	case !known:
		return eq.Undefined, false
	case first:
		return w.store.Plain(eq.Word, "always"), true
	case !last:
		return w.store.Plain(eq.Word, "never"), true
	}
	for lo+1 < hi && known {
		if mid := between(lo, hi); says(mid) {
			hi = mid
		} else {
			lo = mid
		}
	}
	return eq.IntOf(hi), known
}

// between is a number between two: most thresholds are small, so that those near zero are
// tried first.
func between(lo, hi int64) int64 {
	switch {
	case lo < 0 && hi > 0:
		return 0
	case hi <= 0:
		return -between(-hi, -lo)
	case hi-lo > lo+1:
		return 2*lo + 1
	}
	return lo + (hi-lo)/2
}

// Bounds of what thresholds are tried on.
const (
	mostScanned = 70 // states
	mostChosen  = 3  // tuples of other arguments in a state
)

// grid are values of a parameter, in order; those of an object are tried beside them.
var grid = []int64{-1000, -100, -30, -11, -10, -9, -5, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 21, 23, 25, 28, 30, 31, 33, 35, 40, 45, 50, 60, 70, 80, 99, 100, 101, 120, 150, 200, 500, 1000, 1010, 1050, 2000, 10_000, 100_000}

// scan is a state with arguments: what a method answers there for one value of a parameter
// after the other.
type scan struct {
	state  int32
	args   []eq.Value // without the parameter
	at     []int64
	answer [][]eq.Value
}

// untils are the observers that are thresholds: of those words that a method answers from
// some value on, in all states that were met, as far as that was tried.
func (l *learner) untils() (all []*observer, err error) {
	w := l.w
	for m := range w.methods {
		for q := range l.params[m] {
			if k := w.methods[m].Params[q].Kind; l.params[m][q].Sort != eq.Ints || k != values.KindInt && k != values.KindUint || len(l.params[m]) > mostParams+1 {
				continue
			}
			scans, err := l.scans(m, q)
			if err != nil {
				return nil, err
			}
			var seen [][]int
			for k, part := range w.parts[m] {
				for _, word := range w.answered(scans, k) {
					firsts := w.firsts(scans, k, word)
					if firsts == nil || slices.ContainsFunc(seen, func(f []int) bool { return slices.Equal(f, firsts) }) {
						continue
					}
					seen = append(seen, firsts)
					name := "until_" + nameOf(w.methods[m].Name, part, len(w.parts[m]), len(l.params[m]))
					if len(seen) > 1 {
						name = "until_" + w.wordOf(word) + strings.TrimPrefix(name, "until")
					}
					all = append(all, &observer{name: name, params: slices.Delete(slices.Clone(l.params[m]), q, q+1), sort: eq.Ints, method: m, part: k, repeat: -1, from: &threshold{q, word}})
				}
			}
		}
	}
	return all, nil
}

// scans are what a method answers in some states, for values of a parameter.
func (l *learner) scans(m, q int) (all []*scan, err error) {
	w := l.w
	others := &observer{method: m, repeat: -1, from: &threshold{param: q}, params: slices.Delete(slices.Clone(l.params[m]), q, q+1)}
	lo, hi := w.reach(&w.methods[m].Params[q])
	for i := 0; i < len(l.first); i += max(1, len(l.first)/mostScanned) {
		t := &l.first[i]
		tuples := l.arguments(others, t)
		for _, args := range tuples[:min(len(tuples), mostChosen)] {
			at := append(slices.Clone(grid), lo, hi)
			for _, v := range slices.Concat(t.args, t.answer, t.run.pool[eq.Ints]) {
				if v != eq.Undefined && v.IsInt() {
					at = append(at, v.Int()-1, v.Int(), v.Int()+1)
				}
			}
			slices.Sort(at)
			at = slices.DeleteFunc(slices.Compact(at), func(n int64) bool { return n < lo || n > hi })
			all = append(all, &scan{state: t.from, args: args, at: at}, &scan{state: t.to, args: args, at: at})
		}
	}
	return all, w.fill(func() {
		for _, s := range all {
			s.answer = s.answer[:0]
			with := slices.Insert(slices.Clone(s.args), q, eq.Undefined)
			for _, n := range s.at {
				with[q] = eq.IntOf(n)
				c, ok := w.call(m, with)
				if !ok {
					s.answer = nil
					break
				}
				if x, ok := w.step(s.state, c); ok {
					s.answer = append(s.answer, w.answer(m, x.answer))
				}
			}
		}
	})
}

// answered are the words of a part that scans have; Undefined: values.
func (w *world) answered(scans []*scan, part int) (words []eq.Value) {
	for _, s := range scans {
		for _, a := range s.answer {
			v := a[part]
			if !w.store.Is(v, eq.Word) {
				v = eq.Undefined
			}
			if !slices.Contains(words, v) {
				words = append(words, v)
			}
		}
	}
	slices.SortFunc(words, func(a, b eq.Value) int { return strings.Compare(w.wordOf(b), w.wordOf(a)) }) // values last
	return words
}

// firsts are the places from which on scans answer a word; nil: some answer otherwise once
// more, or it is the same place wherever the answer changes at all.
func (w *world) firsts(scans []*scan, part int, word eq.Value) (all []int) {
	inner := map[int64]bool{}
	for _, s := range scans {
		n := slices.IndexFunc(s.answer, func(a []eq.Value) bool { return w.says(a[part], word) })
		if n < 0 {
			n = len(s.answer)
		} else if slices.ContainsFunc(s.answer[n:], func(a []eq.Value) bool { return !w.says(a[part], word) }) {
			return nil
		}
		if 0 < n && n < len(s.answer) {
			inner[s.at[n]] = true
		}
		all = append(all, n)
	}
	if len(inner) < 2 {
		return nil
	}
	return all
}

// timed looks for thresholds, and samples again with arguments that differ by numbers of
// the reference, if there are any: what is compared with a threshold is most often an
// argument and such a number.
func (l *learner) timed() (err error) {
	w := l.w
	if l.listed, err = l.untils(); err != nil || len(l.listed) == 0 {
		return err
	}
	w.apartBy = []int64{}
	for _, n := range slices.Concat(w.literals.Given.Ints, w.literals.Source.Ints) {
		if n != 0 && len(w.apartBy) < 8 && !slices.Contains(w.apartBy, n) {
			w.apartBy = append(w.apartBy, n)
		}
	}
	runs, err := l.sampled(finding)
	if err != nil && !errors.Is(err, errAnew) { // it is noted already that a method is not pure
		return err
	}
	l.first, l.second = l.chosen(runs), nil
	return nil
}
