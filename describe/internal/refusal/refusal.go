// Package refusal says in a user's words why a reference implementation has no
// specification, and what to do about it. The inference ends with a fact about
// matching schemes; here the reference itself is asked for the shortest calls
// that show the reason.
//
//	Explain   from the error of patterns.Infer to a Refusal
//	Refusal   the reason, an example, advice, and which method to leave out
//	survey    the reference's answers to all short sequences of calls
package refusal

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/adtinfer/adtinfer/matching"
	"github.com/adtinfer/adtinfer/patterns"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// Kind is a reason why there is no specification.
type Kind string

// The kinds of reasons.
const (
	MadeUp      Kind = "made-up"     // a method answers with values of its own: ids, tokens
	Count       Kind = "count"       // an answer depends on how often something was called, or is computed
	Initial     Kind = "initial"     // a method answers with a value before anybody passed one in
	Order       Kind = "order"       // answers depend on which value is the smaller one
	Capacity    Kind = "capacity"    // answers change when there is no more room
	Overwritten Kind = "overwritten" // a later call makes an earlier one as if it had not been
	Silent      Kind = "silent"      // an answer depends on a call with which it shares no value
	Several     Kind = "several"     // an answer depends on several calls at once
	Repeated    Kind = "repeated"    // a value may come twice, and nothing tells the two calls apart
	Stops       Kind = "stops"       // a call panics, exits or never returns
	Unknown     Kind = "unknown"     // none of these was found
)

// Refusal is the error of a reference without a specification.
type Refusal struct {
	Kind    Kind
	Reason  string   // one sentence, without a full stop
	Example []string // the calls that show it, the shortest there are; a those after the first are what to compare it with
	Advice  []string // what to do, a sentence each
	Skip    string   // leaving this method out gives a specification; "" if no method does
	Gives   string   // what it gives: "a theory with 7 patterns"
	Err     error    // what ended the inference
}

// Unwrap is what ended the inference.
func (r *Refusal) Unwrap() error { return r.Err }

// Error is the reason, the example and the advice, each on lines of its own.
func (r *Refusal) Error() string {
	var b strings.Builder
	b.WriteString(r.Reason)
	for i, e := range r.Example {
		if i > 0 {
			e = "but " + e
		}
		b.WriteString("\n  " + e)
	}
	if r.Skip != "" {
		fmt.Fprintf(&b, "\n--skip %s gives %s", r.Skip, r.Gives)
	}
	for _, a := range r.Advice {
		b.WriteString("\n" + a)
	}
	return b.String()
}

// Options say how the inference was made, and what counts as a specification.
type Options struct {
	patterns.Options

	// Useful reports whether a theory that was inferred without one of the
	// methods is worth recommending; default: it has patterns, and operations
	// that change something.
	Useful func(context.Context, reference.Implementation, *theory.Theory) bool

	// Spent reports whether no method is worth leaving out any more, for the effort of
	// it; default: never.
	Spent func() bool

	// GivenLanguage says that the language was given, and none was looked for.
	GivenLanguage bool
}

// Explain turns the error of patterns.Infer, for a reference that brings no
// matching scheme of its own, into a *Refusal. Errors that are no fault of the
// reference, or that cannot be explained any better, are returned as they are.
func Explain(ctx context.Context, impl reference.Implementation, info reference.Info, o Options, err error) error {
	if ctx.Err() != nil || !explicable(err) {
		return err
	}
	var fault *reference.Fault
	if errors.As(err, &fault) {
		return stops(fault)
	}
	if _, nondeterministic := impl.(reference.Acceptor); nondeterministic {
		return err
	}
	s, serr := newSurvey(ctx, impl)
	if errors.As(serr, &fault) {
		return stops(fault)
	}
	if serr != nil {
		return serr
	}
	s.repeats = o.GivenLanguage || len(info.Language) > 0
	r := s.reason(err)
	if r.Kind == Unknown && bounded(err) {
		return err
	}
	r.Err = err
	if terr := r.try(ctx, s, impl, info, o); terr != nil {
		return terr
	}
	if s.only = r.Skip; s.only != "" {
		if b := s.reason(err); b.Kind != Unknown { // a reason that has to do with what is left out
			b.Err, b.Skip, b.Gives = err, r.Skip, r.Gives
			return b
		}
	}
	return r
}

// Witness reports whether an error shows that a reference has no faithful, normal
// scheme, at least not the one it brings.
func Witness(err error) bool {
	var (
		unfaithful *matching.Unfaithful
		notNormal  *matching.NotNormal
		foreign    *matching.Foreign
		ambiguous  *matching.Ambiguous
		notClosed  *matching.NotClosed
		none       *matching.None
	)
	return errors.As(err, &none) || errors.As(err, &unfaithful) || errors.As(err, &notNormal) ||
		errors.As(err, &foreign) || errors.As(err, &ambiguous) || errors.As(err, &notClosed)
}

// explicable reports whether an error is about the reference.
func explicable(err error) bool {
	var fault *reference.Fault
	var ambiguous *matching.Ambiguous
	var notClosed *matching.NotClosed
	return errors.As(err, &fault) || bounded(err) || Witness(err) && !errors.As(err, &ambiguous) && !errors.As(err, &notClosed)
}

// bounded reports whether an error may go away with higher bounds.
func bounded(err error) bool {
	var wrong *patterns.Disagrees
	return errors.Is(err, patterns.ErrNoEnd) || errors.As(err, &wrong)
}

// reason finds the reason for an error, in the order in which one hides another.
func (s *survey) reason(err error) *Refusal {
	var foreign *matching.Foreign
	if errors.As(err, &foreign) {
		if r := s.order(); r != nil {
			return r
		}
		return s.foreign(foreign)
	}
	looks := []func() *Refusal{s.order, s.capacity, s.count, s.overwritten, s.silent, s.several}
	switch {
	case bounded(err):
		looks = looks[:3]
	case s.repeats:
		looks = append(looks, s.repeated)
	}
	for _, look := range looks {
		if r := look(); r != nil {
			return r
		}
	}
	return &Refusal{Kind: Unknown,
		Reason: "no rule about which calls belong together explains its answers",
		Advice: []string{itself}}
}
