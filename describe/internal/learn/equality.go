package learn

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/reference"
)

// Bounds of Equality.
const (
	equalWords = 600
	equalCalls = 24
	equalChunk = 50
	renamings  = 4 // of each word: half of them keep the order
)

// Equality tries whether a reference compares values for equality alone: answers to
// random words must be the same, with other names for values, if the values have
// other names. If they are not, why says so with two sequences that show it; and if
// they are whenever the order of the values stays, it says that answers follow the
// order.
func Equality(ctx context.Context, impl reference.Implementation) (ok bool, why string, err error) {
	e := &equality{methods: impl.Methods(), impl: impl, numbers: map[string]int{}}
	var shown *renamedPair
	follows := true
	for from := 0; from < equalWords && follows; from += equalChunk {
		pairs, err := e.pairs(ctx, from, from+equalChunk)
		if err != nil {
			return false, "", err
		}
		for i := range pairs {
			if p := &pairs[i]; !e.same(p) {
				shown, follows = p, follows && !p.keepsOrder
			}
		}
	}
	if shown == nil {
		return true, "", nil
	}
	why, err = e.shows(ctx, shown)
	if follows {
		return false, "answers follow the order of the values: " + why, err
	}
	return false, "answers depend on more than which values are equal: " + why, err
}

// renaming is the number that each number becomes.
type renaming []int

// mostNumbers bounds the numbers of values in words.
const mostNumbers = 2*equalCalls + 8

// renamedValues is a random renaming. Even numbers stay even, so that what else there is in
// values, such as a bool in a struct, stays the same.
func renamedValues(r *rand.Rand, keepsOrder bool) renaming {
	to, last := make(renaming, mostNumbers+1), 0
	for k := 1; k <= mostNumbers; k++ {
		last += 1 + 2*r.IntN(20)
		to[k] = last
	}
	if !keepsOrder {
		for _, from := range []int{1, 2} {
			for k := from; k <= mostNumbers; k += 2 {
				j := from + 2*r.IntN((mostNumbers-from)/2+1)
				to[k], to[j] = to[j], to[k]
			}
		}
	}
	return to
}

// equality renames words.
type equality struct {
	methods []reference.Method
	impl    reference.Implementation
	numbers map[string]int // of texts, by the type they are of
}

// renamedPair is a word, and the same with other values.
type renamedPair struct {
	word, other []teacher.Call
	to          renaming
	keepsOrder  bool
	was, is     teacher.Answers
}

// pairs are random words from number from on, each with its renamings. Each second
// word is fed with answers.
func (e *equality) pairs(ctx context.Context, from, to int) ([]renamedPair, error) {
	t := teacher.Texts{Methods: e.methods}
	var all [][]teacher.Call
	for i := from; i < to; i++ {
		g := teacher.NewGenerator(e.methods, 1<<36+uint64(i))
		all = append(all, t.Of(g.Random(1+g.IntN(equalCalls))))
	}
	answers, err := teacher.New(e.impl).Ask(ctx, all)
	if err != nil {
		return nil, err
	}
	var pairs []renamedPair
	for i, w := range all {
		r := rand.New(rand.NewPCG(uint64(from+i), 0xe9))
		if i%2 == 1 {
			w = t.Fed(w, answers[i], nil, r)
		}
		for k := range renamings {
			p := renamedPair{word: w, keepsOrder: k%2 == 0}
			p.to = renamedValues(r, p.keepsOrder)
			pairs = append(pairs, p)
		}
	}
	return pairs, e.run(ctx, pairs)
}

// run renames words and has all answered.
func (e *equality) run(ctx context.Context, pairs []renamedPair) error {
	var all [][]teacher.Call
	for i := range pairs {
		p := &pairs[i]
		p.other = slices.Clone(p.word)
		for j, c := range p.word {
			p.other[j].Args = e.rename(c.Args, e.methods[c.Method].Params, p.to)
		}
		all = append(all, p.word, p.other)
	}
	answers, err := teacher.New(e.impl).Ask(ctx, all)
	if err != nil {
		return err
	}
	for i := range pairs {
		pairs[i].was, pairs[i].is = answers[2*i], answers[2*i+1]
	}
	return nil
}

// same reports whether a word was answered as the renamed one, but for the names.
func (e *equality) same(p *renamedPair) bool {
	if len(p.was.Labels) != len(p.is.Labels) || p.was.Blocks != p.is.Blocks {
		return false
	}
	for i := range p.was.Labels {
		a, b := &p.was.Labels[i], &p.is.Labels[i]
		if a.Outcome != b.Outcome || !slices.Equal(e.rename(a.Rets, e.methods[p.word[i].Method].Results, p.to), b.Rets) {
			return false
		}
	}
	return true
}

// rename renames values.
func (e *equality) rename(vs []history.Value, types []values.Basic, to renaming) []history.Value {
	out := make([]history.Value, len(vs))
	for i, v := range vs {
		out[i] = history.Value(types[i].Rename(string(v), func(b values.Basic, v string) (string, bool) {
			k := e.number(&b, v)
			if k == 0 {
				return "", false
			}
			return b.Numbered(to[k]), true
		}))
	}
	return out
}

// number is which value of a type a text is; 0: none that is renamed.
func (e *equality) number(b *values.Basic, v string) int {
	switch b.Kind {
	case values.KindBool, values.KindStruct, values.KindList, values.KindMap, values.KindPointer, values.KindNil:
		return 0
	}
	if b.Bits == 8 || b.Bits == 16 {
		return 0
	}
	of := b.Kind + strconv.Itoa(b.Bits)
	if e.numbers[of] == 0 {
		e.numbers[of] = 1
		for k := 1; k <= mostNumbers; k++ {
			e.numbers[of+" "+b.Numbered(k)] = k
		}
	}
	return e.numbers[of+" "+v]
}

// shows draws a word that is answered otherwise with other values, and the other
// one, as short as can be.
func (e *equality) shows(ctx context.Context, p *renamedPair) (string, error) {
	_, err := teacher.Shorten(p.word, func(less []teacher.Call) (bool, error) {
		q := []renamedPair{{word: less, to: p.to}}
		err := e.run(ctx, q)
		if err != nil || e.same(&q[0]) {
			return false, err
		}
		p = &q[0]
		return true, nil
	})
	return fmt.Sprintf("%q, but with other values %q", e.draw(p.word, p.was), e.draw(p.other, p.is)), err
}

// draw draws a word with its answers.
func (e *equality) draw(w []teacher.Call, answers teacher.Answers) string {
	var all []string
	for i := range answers.Labels {
		all = append(all, answers.Labels[i].String())
	}
	if answers.Blocks {
		all = append(all, e.methods[w[len(answers.Labels)].Method].Name+" waits")
	}
	return strings.Join(all, "; ")
}
