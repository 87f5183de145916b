package teacher

import (
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/reference"
)

// Texts gives words values as logs have them. Number k is the same value in each
// place of a type.
type Texts struct {
	Methods []reference.Method

	// Small makes integers small, zero, negative and large in turn, for types that
	// reckon. Otherwise they are far from all that a reference makes up.
	Small bool
}

// small are the first integers of types that reckon.
var small = []int64{1, 2, 0, 3, -1, 5, 10, 4, 7, 100, -2, 6, -10, 1 << 40, 9, 1_000, -1 << 40}

// Of is a word with values.
func (t Texts) Of(w Word) []Call {
	out := make([]Call, len(w))
	for i, c := range w {
		out[i].Method = c.Method
		for p, k := range c.Args {
			out[i].Args = append(out[i].Args, t.Value(&t.Methods[c.Method].Params[p], k))
		}
	}
	return out
}

// Value is value number k of a type.
func (t Texts) Value(b *values.Basic, k int) history.Value {
	if t.Small && (b.Kind == values.KindInt || b.Kind == values.KindUint) && k <= len(small) {
		text := strconv.FormatInt(small[k-1], 10)
		if _, ok := b.Text(text); ok {
			return history.Value(text)
		}
	}
	return history.Value(b.Numbered(k))
}

// Fed is a word in which some arguments, each fourth or so, are values that
// earlier calls answered with, such as ids, or that are in known. Answered as it is
// now, the word may be fed again.
func (t Texts) Fed(w []Call, answers Answers, known []history.Value, r *rand.Rand) []Call {
	w = slices.Clone(w)
	pool := slices.Clone(known)
	for i := range w {
		m := &t.Methods[w[i].Method]
		for p := range w[i].Args {
			if len(pool) == 0 || r.IntN(4) > 0 {
				continue
			}
			v := pool[r.IntN(len(pool))]
			if _, ok := m.Params[p].Text(string(v)); ok {
				w[i].Args = slices.Clone(w[i].Args)
				w[i].Args[p] = v
			}
		}
		if i < len(answers.Labels) {
			pool = append(pool, answers.Labels[i].Rets...)
		}
	}
	return w
}
