// Package product finds out whether a reference implementation is a product of
// independent objects, one for each key ("Faster linearizability checking via
// P-compositionality" §3). It tries: the answers to words of calls are compared with
// the answers to what each key's calls in them are.
//
//	found, err := product.Find(ctx, impl)
//	part := found.Part(impl) // what the operations of one key are, a reference of its own
package product

import (
	"context"
	"errors"

	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// Found is what Find found.
type Found struct {
	Keys   []theory.Key // by method; nil: it is no product
	Why    string       // one sentence with the witness that refutes the best candidate
	Status theory.ProductStatus

	// Idle reports whether no method with an argument changes a later answer in the words
	// that were tried, as where something happens only after many calls.
	Idle bool

	// Told are sequences of calls that tell the reference from products: long ones
	// where it remembers, or forgets, after many calls.
	Told [][]history.Label
}

// Find looks for the keys of a product: those with the most methods of role ByKey.
// At least one of these matters to later answers; a method of role SumOfAll does not.
// The error is the context's; of a reference that cannot be run, Why says so.
func Find(ctx context.Context, impl reference.Implementation) (*Found, error) {
	return FindLike(ctx, impl, nil)
}

// FindLike is Find for a reference whose methods change what those of another one change:
// of the same type, with a smaller size.
func FindLike(ctx context.Context, impl, like reference.Implementation) (*Found, error) {
	impl = unwrapped(impl)
	if _, nondeterministic := impl.(reference.Acceptor); nondeterministic {
		return &Found{Why: "the reference is an acceptor, whose operations cannot be split by key"}, nil
	}
	f := &finder{ctx: ctx, impl: impl, teacher: teacher.New(impl), methods: impl.Methods()}
	if like != nil {
		f.like = &finder{ctx: ctx, impl: unwrapped(like), teacher: teacher.New(unwrapped(like)), methods: like.Methods()}
	}
	found, err := f.find()
	if err == nil {
		found.Told = f.told()
	}
	var fault *reference.Fault
	if errors.As(err, &fault) {
		return &Found{Why: "the reference could not be run on words that tell products: " + err.Error()}, nil
	}
	return found, err
}

// unwrapped is what can be asked in a package that was loaded.
func unwrapped(impl reference.Implementation) reference.Implementation {
	if p, ok := impl.(*reference.Package); ok {
		return p.Implementation
	}
	return impl
}

// finder looks for the keys of one reference.
type finder struct {
	ctx     context.Context
	impl    reference.Implementation
	teacher *teacher.Teacher
	methods []reference.Method

	stages  [][]word // short words first
	shows   []bool   // by method: leaving a call out changes a later answer
	refuted []*witness
	like    *finder // of a reference with a smaller size; nil: there is none
}

// told are the words that refuted something.
func (f *finder) told() (all [][]history.Label) {
	for _, w := range f.refuted[:min(len(f.refuted), mostTellings)] {
		var labels []history.Label
		for _, c := range w.word {
			labels = append(labels, history.Label{Kind: history.Kind{Method: f.methods[c.Method].Name}, Args: c.Args})
		}
		all = append(all, labels)
	}
	return all
}

// mostTellings is how many words are told.
const mostTellings = 40

// mostRefuted is how many ways to split are tried and found wrong, for each type of
// keys.
const mostRefuted = 1000

func (f *finder) find() (*Found, error) {
	types := keyTypes(f.methods)
	if len(types) == 0 {
		return &Found{Why: "no method has an argument that could be a key"}, nil
	}
	if err := f.prepare(); err != nil {
		return nil, err
	}
	if f.like != nil {
		if err := f.like.prepare(); err != nil {
			return nil, err
		}
		for m, shows := range f.like.shows {
			f.shows[m] = f.shows[m] || shows
		}
	}
	var best *Found
	var why *witness
	for _, typ := range types {
		s := newSearch(f.methods, f.shows, typ)
		first := len(f.refuted)
		for c := s.next(); c != nil && len(f.refuted) < first+mostRefuted; c = s.next() {
			if best != nil && c.keyed() <= keyed(best.Keys) {
				break
			}
			w, status, err := f.try(c)
			if err != nil {
				return nil, err
			}
			if w == nil {
				best = &Found{Keys: c.keys(f.methods), Status: status}
				break
			}
			if why == nil {
				why = w
			}
			s.exclude(c, w.word)
			f.refuted = append(f.refuted, w)
		}
	}
	switch {
	case best != nil:
		return best, nil
	case why != nil:
		sentence, err := why.sentence(f)
		return &Found{Why: sentence}, err
	}
	return &Found{Why: "no method with an argument changes a later answer", Idle: true}, nil
}

func keyed(keys []theory.Key) (n int) {
	for _, k := range keys {
		if k.Role == theory.ByKey {
			n++
		}
	}
	return n
}

// influence notes the methods of which leaving out a call in one of the words changes
// a later answer.
func (f *finder) influence(words []word) error {
	type omission struct{ word, at int }
	var all []word
	var of []omission
	for i, w := range words {
		all, of = append(all, w), append(of, omission{i, -1})
		for at, c := range w {
			if !f.shows[c.Method] && at < len(w)-1 {
				all, of = append(all, w.without(at, at+1)), append(of, omission{i, at})
			}
		}
	}
	answers, err := f.ask(all)
	if err != nil {
		return err
	}
	whole := 0
	for i, o := range of {
		if o.at < 0 {
			whole = i
			continue
		}
		with, without := answers[whole], answers[i]
		if o.at >= len(with.Labels) {
			continue // after a call that waits, or that call
		}
		with.Labels, without.Labels = with.Labels[o.at+1:], without.Labels[min(o.at, len(without.Labels)):]
		if !sameAnswers(with, without) {
			f.shows[words[o.word][o.at].Method] = true
		}
	}
	return nil
}
