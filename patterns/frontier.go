package patterns

import (
	"context"
	"slices"

	"github.com/adtinfer/adtinfer/enumerate"
	"github.com/adtinfer/adtinfer/matching"
	"github.com/adtinfer/adtinfer/theory"
)

// frontier finds the minimal violations of a normal type without looking at
// every history: a minimal violation is a one-step extension of an admitted
// history, and a candidate is minimal iff the reference does not admit it while
// it admits all its one-step removals. Where it does not, nothing is admitted
// either, so only candidates whose removals are all admitted are asked about: the
// admitted histories and the patterns.
//
// Every admitted history of a normal type is reached from the empty one by
// one-step extensions, which add one to the weight at most, so those of a weight are
// made from those of the weight before, by length, each once. The work grows with the
// number of admitted histories of the weight instead of all.
type frontier struct {
	model *matching.Model

	// readOnly caps the read-only operations of a candidate; 0 is no cap. One
	// is enough for a deterministic reference: such operations do not influence
	// what follows, so each violation shows with one of them alone.
	readOnly int

	weighs   int // the weight that is looked at
	tried    int // candidates of this weight and smaller ones
	asked    int // up to this length the histories of this weight have been asked about
	admitted map[string]bool
	last     []enumerate.Sequence // admitted ones of the weight before, by length
	matches  []enumerate.Sequence // admitted ones that are one match; nil while all are looked for
	free     []enumerate.Link     // of the model, but only of kinds that are admitted alone and unmatched; nil until that is known

	byLength [][]enumerate.Sequence // candidates of this weight still to be asked about
	key      []byte
	rest     enumerate.Sequence
}

// weight looks at weight w, after those below it; the patterns it returns are those not returned
// before.
func (f *frontier) weight(ctx context.Context, w int) ([]enumerate.Sequence, theory.WeightStatus, error) {
	if w == 1 {
		f.admitted, f.last = map[string]bool{"": true}, []enumerate.Sequence{{}}
	}
	f.weighs, f.byLength = w, nil
	status, realizer := theory.WeightStatus{Weight: w}, f.model.NewRealizer()
	var fresh, all []enumerate.Sequence
	for f.asked = 0; ; f.asked++ {
		admitted, violations, err := f.ask(ctx, realizer)
		if err != nil {
			return nil, status, err
		}
		all, fresh = append(all, admitted...), append(fresh, violations...)
		lighter := 0
		for lighter < len(f.last) && len(f.last[lighter]) == f.asked {
			lighter++
		}
		if err := f.extend(ctx, append(admitted, f.last[:lighter]...)); err != nil {
			return nil, status, err
		}
		if f.last = f.last[lighter:]; len(f.last) == 0 && f.asked+1 >= len(f.byLength) {
			break
		}
	}
	if f.last = all; w == 1 {
		f.matches = slices.DeleteFunc(slices.Clone(all), func(s enumerate.Sequence) bool { return !s.IsMatch() })
	}
	status.Candidates, status.Admitted, status.New = f.tried, len(f.admitted), len(fresh)
	return fresh, status, nil
}

// atOnce is how many candidates are asked about together.
const atOnce = 8192

// ask asks about the candidates of one length.
func (f *frontier) ask(ctx context.Context, r *matching.Realizer) (admitted, violations []enumerate.Sequence, err error) {
	if f.asked >= len(f.byLength) {
		return nil, nil, nil
	}
	candidates := slices.DeleteFunc(f.byLength[f.asked], func(s enumerate.Sequence) bool { return !f.closed(s) })
	f.byLength[f.asked] = nil
	for chunk := range slices.Chunk(candidates, atOnce) {
		kept, executions, err := realized(ctx, r, chunk)
		if err != nil {
			return nil, nil, err
		}
		ok, err := f.model.IsAdmitted(ctx, executions)
		if err != nil {
			return nil, nil, err
		}
		f.tried += len(kept)
		for i, s := range kept {
			if ok[i] {
				f.admitted[string(f.keyOf(s))] = true
				admitted = append(admitted, s)
			} else {
				violations = append(violations, s)
			}
		}
	}
	return admitted, violations, nil
}

// extend makes candidates of admitted histories.
func (f *frontier) extend(ctx context.Context, admitted []enumerate.Sequence) error {
	for i, s := range admitted {
		if err := interrupted(ctx, 16*i); err != nil {
			return err
		}
		f.extensions(s, f.push)
	}
	return nil
}

// extensions yields the one-step extensions of an admitted history, less those that weigh
// too much by their matches, and those with an unmatched operation that is not admitted
// alone: removals lead from them to that.
func (f *frontier) extensions(s enumerate.Sequence, yield func(enumerate.Sequence)) {
	links, matches := *f.model.Links, f.matches
	if len(s) > 0 {
		if f.free == nil {
			f.free = slices.Clone(links.Free)
			for k := range f.free {
				alone := enumerate.Sequence{{Kind: int8(k), Target: enumerate.Free, ReadOnly: f.free[k].ReadOnly}}
				f.free[k].Possible = f.admitted[string(f.keyOf(alone))]
			}
		}
		links.Free = f.free
	}
	if count(s, func(i int) bool { return int(s[i].Target) == i }) == f.weighs {
		matches = []enumerate.Sequence{}
	}
	links.Extensions(s, matches, yield)
}

// keyOf is the key of a history, to be used before the next.
func (f *frontier) keyOf(s enumerate.Sequence) []byte {
	f.key = s.AppendKey(f.key[:0])
	return f.key
}

// count is how many operations of a history are of some sort.
func count(s enumerate.Sequence, is func(i int) bool) (n int) {
	for i := range s {
		if is(i) {
			n++
		}
	}
	return n
}

// push keeps a candidate unless it has another weight, or cannot be minimal or admitted.
func (f *frontier) push(s enumerate.Sequence) {
	if f.readOnly > 0 && count(s, func(i int) bool { return s[i].ReadOnly }) > f.readOnly || s.Weight() != f.weighs || !f.closed(s) {
		return
	}
	for len(f.byLength) <= len(s) {
		f.byLength = append(f.byLength, nil)
	}
	f.byLength[len(s)] = append(f.byLength[len(s)], slices.Clone(s))
}

// closed reports whether all one-step removals of s are admitted, as far as the reference
// was asked. They are shorter and no heavier than s, so they have been asked about when s
// is.
func (f *frontier) closed(s enumerate.Sequence) bool {
	return s.Removals(func(_ string, positions []int) bool {
		f.rest = s.Without(f.rest[:0], positions)
		return f.admitted[string(f.keyOf(f.rest))] || len(f.rest) > f.asked && f.rest.Weight() == f.weighs
	})
}

// realized keeps the histories that executions in the language have, with those.
func realized(ctx context.Context, r *matching.Realizer, histories []enumerate.Sequence) (kept []enumerate.Sequence, executions [][]enumerate.Label, err error) {
	for i, s := range histories {
		if err := interrupted(ctx, i); err != nil {
			return nil, nil, err
		}
		if e, ok := r.Realize(s); ok {
			kept = append(kept, s)
			executions = append(executions, append([]enumerate.Label(nil), e...))
		}
	}
	return kept, executions, nil
}

// interrupted is the context's error, looked up in some iterations of a loop.
func interrupted(ctx context.Context, iteration int) error {
	if iteration%1024 != 0 {
		return nil
	}
	return ctx.Err()
}
