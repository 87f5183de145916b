package verify

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/internal/driver/live"
	"github.com/adtinfer/adtinfer/internal/driver/values"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// Difference is the error of a theory and a reference that describe two data types:
// one admits a sequence of operations that the other does not.
type Difference struct {
	Sequence []history.Label
	Theory   bool // the theory admits it
}

func (d *Difference) Error() string {
	who := "the theory admits %s and the reference does not"
	if !d.Theory {
		who = "the reference admits %s and the theory does not"
	}
	return fmt.Sprintf(who, history.Sequential(d.Sequence...))
}

const (
	allTo     = 3      // all sequences to this length are compared,
	manyMore  = 1000   // and longer ones while there are not more of a length,
	longest   = 8      // up to this one;
	most      = 20_000 // but of a length no more than about so many;
	randoms   = 200    // and so many random ones
	randomLen = 12     // of this length
)

// Compare compares a theory with a reference on sequences of operations of the
// theory's language: on all short ones, up to renaming of values, that go on from
// one that both admit, and on a fixed number of random longer ones. The error is a
// *Difference, a short one, or the reference's.
func Compare(ctx context.Context, t *theory.Theory, impl reference.Implementation) error {
	if t.Spec.Width > 1 {
		return fmt.Errorf("verify: theory %s has width %d, and a reference does one operation after the other", t.Name, t.Spec.Width)
	}
	drawn := *t // derivations take patterns as they are drawn
	drawn.Spec.Patterns = slices.Clone(t.Spec.Patterns)
	for i := range drawn.Spec.Patterns {
		drawn.Spec.Patterns[i].Formula = nil
	}
	c := &comparison{sequences: drawn.Sequences(), t: t, impl: impl}
	if _, _, err := c.sequences.Admits(ctx, nil); err != nil {
		return err
	}
	if err := c.kinds(); err != nil {
		return err
	}
	level := [][]history.Label{nil}
	for n, many := 1, 0; n <= longest && (n <= allTo || many <= manyMore); n++ {
		var next [][]history.Label
		for _, s := range level {
			if len(next) < most && ctx.Err() == nil {
				c.extend(s, func(longer []history.Label) { next = append(next, longer) })
			}
		}
		if err := c.compare(ctx, next); err != nil {
			return err
		}
		many, level = len(next), slices.DeleteFunc(next, func(s []history.Label) bool { return !c.admits(s) })
	}
	var all [][]history.Label
	for seed := range uint64(randoms) {
		all = append(all, c.random(rand.New(rand.NewPCG(seed, 1))))
	}
	return c.compare(ctx, all)
}

// comparison is of a theory and a reference.
type comparison struct {
	sequences *theory.Sequences
	t         *theory.Theory
	impl      reference.Implementation
	shapes    []shape
	fixed     []history.Value // values to try beside those of a sequence and a new one
}

// inside reports whether a sequence is in the language, and no operation has two
// match targets.
func (c *comparison) inside(s []history.Label) bool {
	_, inLanguage, err := c.sequences.Admits(context.Background(), s)
	return inLanguage && err == nil
}

// admits reports whether the theory admits a sequence of its language.
func (c *comparison) admits(s []history.Label) bool {
	admitted, _, err := c.sequences.Admits(context.Background(), s)
	return admitted && err == nil
}

// shape is a kind of operation with what its values may be.
type shape struct {
	history.Kind
	args, rets []values.Basic
}

// kinds lists the kinds of the theory that the reference has, too.
func (c *comparison) kinds() error {
	methods := map[string]reference.Method{}
	for _, m := range c.impl.Methods() {
		methods[m.Name] = m
	}
	for _, m := range c.t.Spec.Methods {
		own, ok := methods[m.Name]
		if !ok || len(own.Args) != m.Args {
			return fmt.Errorf("verify: %s has no method %q with %d arguments, as the theory says", c.impl.Name(), m.Name, m.Args)
		}
		if slices.ContainsFunc(slices.Concat(own.Params, own.Results), func(b values.Basic) bool { return b.Kind == values.KindBool }) {
			c.fixed = []history.Value{"false", "true"}
		}
		for _, out := range m.Outcomes {
			s := shape{Kind: history.Kind{Method: m.Name, Outcome: out.Outcome}, args: own.Params, rets: own.Results[:min(out.Rets, len(own.Results))]}
			if slices.Contains(c.t.Spec.MayFail, s.Kind) {
				continue // the theory allows it where the reference may not
			}
			if slices.ContainsFunc(own.Outcomes, func(o reference.OutcomeArity) bool { return o.Outcome == out.Outcome && o.Rets == out.Rets }) {
				c.shapes = append(c.shapes, s)
			}
		}
	}
	if len(c.shapes) == 0 {
		return fmt.Errorf("verify: %s never answers as theory %s says", c.impl.Name(), c.t.Name)
	}
	c.fixed = append(c.fixed, c.sequences.Named...)
	if c.sequences.Ordered {
		c.fixed = append(c.fixed, fresh(0), fresh(1), fresh(2))
	}
	return nil
}

// fresh is the k-th new value: one that all types have but bool, far from the
// lengths that a reference may return, and neither above nor below all before it.
func fresh(k int) history.Value {
	const cycle = 13
	return history.Value(strconv.Itoa(21 + k/cycle*cycle + (3+5*k)%cycle))
}

// extend yields the sequences of the language that are one operation longer.
func (c *comparison) extend(s []history.Label, yield func(longer []history.Label)) {
	for _, k := range c.shapes {
		c.tuples(s, slices.Concat(k.args, k.rets), nil, func(vs []history.Value) {
			l := history.Label{Kind: k.Kind, Args: vs[:len(k.args):len(k.args)], Rets: vs[len(k.args):]}
			if longer := append(slices.Clip(s), l); c.inside(longer) {
				yield(longer)
			}
		})
	}
}

// tuples yields the values that a label may have after a sequence.
func (c *comparison) tuples(s []history.Label, types []values.Basic, vs []history.Value, yield func(vs []history.Value)) {
	if len(vs) == len(types) {
		yield(slices.Clone(vs))
		return
	}
	for _, v := range c.values(s, vs) {
		if _, ok := types[len(vs)].Text(string(v)); ok {
			c.tuples(s, types, append(slices.Clip(vs), v), yield)
		}
	}
}

// values lists those used so far, those that are always tried, and a new one.
func (c *comparison) values(s []history.Label, vs []history.Value) []history.Value {
	all := append(slices.Clone(c.fixed), vs...)
	for i := range s {
		all = append(append(all, s[i].Args...), s[i].Rets...)
	}
	for k := 0; !c.sequences.Ordered; k++ {
		if !slices.Contains(all, fresh(k)) {
			all = append(all, fresh(k))
			break
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// random is a random sequence that the theory admits, the last operation perhaps
// excepted.
func (c *comparison) random(r *rand.Rand) (s []history.Label) {
	for tries := 0; len(s) < randomLen && tries < 10*randomLen; tries++ {
		k := c.shapes[r.IntN(len(c.shapes))]
		l := history.Label{Kind: k.Kind}
		values := c.values(s, nil)
		for range k.args {
			l.Args = append(l.Args, values[r.IntN(len(values))])
		}
		for range k.rets {
			l.Rets = append(l.Rets, values[r.IntN(len(values))])
		}
		longer := append(slices.Clip(s), l)
		if !fit(l.Args, k.args) || !fit(l.Rets, k.rets) || !c.inside(longer) {
			continue
		}
		if c.admits(longer) {
			s = longer
		} else if r.IntN(5*randomLen) == 0 {
			return longer
		}
	}
	return s
}

func fit(vs []history.Value, types []values.Basic) bool {
	for i, v := range vs {
		if _, ok := types[i].Text(string(v)); !ok {
			return false
		}
	}
	return true
}

// compare finds the first sequence about which theory and reference differ, and
// leaves operations out of it as long as they do.
func (c *comparison) compare(ctx context.Context, seqs [][]history.Label) error {
	counts, err := c.run(ctx, seqs)
	for i, s := range seqs {
		if err != nil || c.admits(s) == (counts[i] == len(s)) {
			continue
		}
		return c.shorter(ctx, s)
	}
	return err
}

// run counts the operations that the reference allows.
func (c *comparison) run(ctx context.Context, seqs [][]history.Label) ([]int, error) {
	if len(seqs) == 0 {
		return nil, ctx.Err()
	}
	caller, err := live.NewCaller(c.impl, slices.Concat(seqs...))
	if err != nil {
		return nil, err
	}
	return caller.Admits(ctx, seqs)
}

// shorter is the difference about a sequence, or a part of it.
func (c *comparison) shorter(ctx context.Context, s []history.Label) error {
	for i := 0; i < len(s); i++ {
		less := slices.Delete(slices.Clone(s), i, i+1)
		counts, err := c.run(ctx, [][]history.Label{less})
		if err != nil {
			return err
		}
		if c.inside(less) && c.admits(less) != (counts[0] == len(less)) {
			s, i = less, -1
		}
	}
	return &Difference{s, c.admits(s)}
}
