package patterns

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/adtinfer/adtinfer/enumerate"
	"github.com/adtinfer/adtinfer/formula"
	"github.com/adtinfer/adtinfer/history"
	"github.com/adtinfer/adtinfer/matching"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// Options steer an inference. The zero value is the default.
type Options struct {
	Past bool // only earlier operations are match targets

	MinWeight int // do not stop below this weight; default 1
	MaxWeight int // stop at this weight, whether or not it is silent; default: give up above 6
	Patience  int // stop after so many weights without a new pattern; default 1

	Checks      matching.Budget // of the faithfulness and normality checks; default matching.DefaultBudget
	CrossLength int             // cross-check all histories up to this length; default longest pattern + 2, but at most 200,000 histories

	// Calls is how many calls of the reference the search may take; 0 means any
	// number. Beyond that it ends with ErrTooMany.
	Calls int

	// Depth is the length of executions that are looked at for kinds of operations
	// in any case; default: until there is a good sample.
	Depth int

	// Force goes on although the scheme is not faithful or the type not normal; if
	// no scheme is found, with the last one that was refuted. The theory's status
	// says so.
	Force bool

	// Amend, if set, changes what the reference declares before it is used.
	Amend func(theory.Spec) (theory.Spec, error)

	// Synthesis steers the search for a matching scheme, which is made if the
	// reference brings none.
	Synthesis matching.Options

	// Progress, if set, is told what is being done.
	Progress func(doing string)

	bounded bool // MaxWeight is the caller's wish
}

func (o Options) withDefaults() Options {
	o.MinWeight = max(o.MinWeight, 1)
	o.Patience = max(o.Patience, 1)
	o.bounded = o.MaxWeight > 0
	if !o.bounded {
		o.MaxWeight = max(6, o.MinWeight)
	}
	if o.Checks == (matching.Budget{}) {
		o.Checks = matching.DefaultBudget
	}
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	return o
}

// ErrNoEnd is returned when new patterns still turn up at the highest weight.
var ErrNoEnd = errors.New("patterns: new patterns still turn up at the highest weight")

// Infer infers the theory of a reference implementation: Algorithm 2 of
// "Symbolic ADT inference" §7. The info says which executions are considered and
// how operations match; Spec.Info has it.
//
// A scheme that is not faithful, or a type that is not normal, is an error with
// a witness: *matching.Unfaithful, *matching.NotNormal, *matching.Foreign,
// *matching.Ambiguous or *matching.NotClosed. With Force the theory is inferred
// all the same where that is possible.
func Infer(ctx context.Context, impl reference.Implementation, info reference.Info, o Options) (*theory.Theory, error) {
	o = o.withDefaults()
	impl = atMost(impl, o.Calls)
	t, found, err := o.scheme(ctx, impl, info)
	if err != nil {
		return nil, err
	}
	in := &inference{Options: o}
	err = in.deepen(func(depth int) error {
		*in = inference{Options: o, theory: *t, synthesized: found}
		return in.run(ctx, impl, depth)
	})
	if err != nil {
		return nil, err
	}
	done := in.theory // a copy, so that what was explored is garbage
	return &done, nil
}

// inference is one run.
type inference struct {
	Options
	theory theory.Theory
	model  *matching.Model

	synthesized *matching.Result // of the scheme; nil: it was given
	search      *frontier
	next        int // weight to be looked at
	found       []enumerate.Sequence
	weights     []int // of found
	matchers    []*matcher
}

// deepen tries again with a deeper look at the reference as long as executions
// turn up that contradict what the shorter ones led to believe.
func (in *inference) deepen(try func(depth int) error) error {
	for depth := in.Depth; ; {
		err := try(depth)
		var late *matching.Late
		if !errors.As(err, &late) || len(late.Execution) <= depth {
			return err
		}
		depth = len(late.Execution)
	}
}

func (in *inference) run(ctx context.Context, impl reference.Implementation, depth int) error {
	if err := in.explore(ctx, impl, depth); err != nil {
		return err
	}
	if err := in.checks(ctx); err != nil {
		return err
	}
	if err := in.beyond(ctx, impl); err != nil {
		return err
	}
	_, nondeterministic := impl.(reference.Acceptor)
	in.start(nondeterministic)
	for {
		if err := in.enumerate(ctx); err != nil {
			return err
		}
		err := in.crossCheck(ctx)
		var wrong *Disagrees
		switch {
		case !errors.As(err, &wrong):
			if err != nil {
				return err
			}
			return in.finish()
		case wrong.FalseAlarms == 0 && in.next <= in.MaxWeight: // the weights went silent too early
			in.MinWeight = in.next
		case !in.Force:
			return err
		default:
			in.theory.Status.Forced = true
			return in.finish()
		}
	}
}

// explore finds the kinds of operations, and what values of one always agree.
func (in *inference) explore(ctx context.Context, impl reference.Implementation, depth int) error {
	in.Progress("finding the kinds of operations")
	rules, m := expanded(&in.theory)
	explored, err := matching.Explore(ctx, impl, rules, depth)
	if err != nil {
		return err
	}
	model, err := explored.With(m)
	if err != nil {
		return err
	}
	in.model = model
	in.theory.Spec.Methods = observed(model, in.theory.Spec.Methods)
	in.theory.Spec.Axioms = agreements(model)
	return nil
}

// checks decides faithfulness and normality up to the budget.
func (in *inference) checks(ctx context.Context) error {
	if in.verified() {
		found := in.synthesized.Stats
		in.theory.Status.Faithful, _ = in.verdict("faithful", found.Faithful, nil)
		in.theory.Status.Normal, _ = in.verdict("normal", found.Normal, nil)
		return nil
	}
	in.Progress("checking that the matching is faithful")
	r, err := in.model.Faithful(ctx, in.Checks)
	if in.theory.Status.Faithful, err = in.verdict("faithful", r, err); err != nil {
		return err
	}
	in.Progress("checking that the type is normal")
	r, err = in.model.Normal(ctx, in.Checks)
	in.theory.Status.Normal, err = in.verdict("normal", r, err)
	return err
}

// verified reports whether synthesis has made the checks: it has made the same ones, of the
// same executions, if it saw the same kinds of operations.
func (in *inference) verified() bool {
	s := in.synthesized
	return s != nil && s.Verified != nil && s.Checks == in.Checks && in.model.Like(s.Verified)
}

// beyond finds what holds of all executions, whether in the language or not.
func (in *inference) beyond(ctx context.Context, impl reference.Implementation) error {
	in.Progress("looking beyond the language")
	rules, _ := expanded(&in.theory)
	found, r, err := in.model.Beyond(ctx, impl, rules, in.Checks)
	if len(found) > 0 {
		in.theory.Spec.Beyond = found
		in.theory.Status.Beyond = theory.Check{Length: r.Length, Executions: r.Executions, Holds: true}
	}
	return err
}

// verdict turns a failed check into a status if the inference is forced.
func (in *inference) verdict(what string, r matching.Report, err error) (theory.Check, error) {
	c := theory.Check{Length: r.Length, Executions: r.Executions, Holds: err == nil}
	if err == nil || !in.Force {
		return c, err
	}
	var unfaithful *matching.Unfaithful
	var notNormal *matching.NotNormal
	if !errors.As(err, &unfaithful) && !errors.As(err, &notNormal) {
		return c, err
	}
	c.Witness = strings.TrimPrefix(err.Error(), "matching: not "+what+": ")
	in.theory.Status.Forced = true
	return c, nil
}

// enumerate goes on through the weights until nothing new turns up.
func (in *inference) enumerate(ctx context.Context) error {
	for idle := 0; idle < in.Patience || in.next <= in.MinWeight; in.next++ {
		w := in.next
		if w > in.MaxWeight && in.bounded {
			return nil
		}
		if w > in.MaxWeight {
			return fmt.Errorf("%w, %d", ErrNoEnd, in.MaxWeight)
		}
		in.Progress(fmt.Sprintf("enumerating histories of weight %d", w))
		fresh, status, err := in.search.weight(ctx, w)
		if err != nil {
			return err
		}
		in.theory.Status.Weights = append(in.theory.Status.Weights, status)
		for _, p := range fresh {
			in.found, in.weights = append(in.found, p), append(in.weights, w)
			in.matchers = append(in.matchers, newMatcher(p))
		}
		if idle++; len(fresh) > 0 {
			idle = 0
		}
	}
	return nil
}

// start prepares the search, from weight 1.
func (in *inference) start(nondeterministic bool) {
	in.theory.Status.Strategy = "frontier"
	in.next = 1
	in.search = &frontier{model: in.model, readOnly: 1}
	if nondeterministic {
		in.search.readOnly = 0
	}
}

func (in *inference) crossCheck(ctx context.Context) error {
	length := in.CrossLength
	if length == 0 {
		longest := 2
		for _, p := range in.found {
			longest = max(longest, len(p))
		}
		length = affordable(in.model, longest+2)
	}
	in.Progress(fmt.Sprintf("cross-checking all histories up to length %d", length))
	c, err := crossCheck(ctx, in.model, in.matchers, length)
	in.theory.Status.CrossCheck = c
	return err
}

// Disagrees is the error of patterns that differ from the reference on some
// history within the cross-check: a false alarm if the scheme is not faithful or
// the type not normal beyond what was checked, a miss if there are patterns of
// higher weight.
type Disagrees struct {
	theory.CrossCheck
	FalseAlarm, Miss Example // of each
}

func (d *Disagrees) Error() string {
	s := fmt.Sprintf("patterns: on all histories up to length %d the patterns exclude %d that the reference admits, and let %d through that it does not",
		d.Length, d.FalseAlarms, d.Missed)
	if d.FalseAlarm.Drawing != "" {
		s += "\nadmitted, yet excluded: " + d.FalseAlarm.Drawing
	}
	if d.Miss.Drawing != "" {
		s += "\nnot admitted, yet let through: " + d.Miss.Drawing
	}
	return s
}

// finish writes the patterns into the theory, in order of weight and length.
func (in *inference) finish() error {
	order := make([]int, len(in.found))
	for i := range order {
		order[i] = i
	}
	keys := make([]string, len(in.found))
	for i, p := range in.found {
		keys[i] = in.sortKey(p)
	}
	sort.Slice(order, func(a, b int) bool {
		i, j := order[a], order[b]
		if in.weights[i] != in.weights[j] {
			return in.weights[i] < in.weights[j]
		}
		if len(in.found[i]) != len(in.found[j]) {
			return len(in.found[i]) < len(in.found[j])
		}
		return keys[i] < keys[j]
	})
	realizer := in.model.NewRealizer()
	for _, i := range order {
		p, err := in.pattern(realizer, in.found[i], in.weights[i])
		if err != nil {
			return err
		}
		in.theory.Spec.Patterns = append(in.theory.Spec.Patterns, p)
	}
	describe(&in.theory)
	return nil
}

// sortKey orders histories by method and outcome as the theory lists them, not
// as exploration happened to meet them.
func (in *inference) sortKey(s enumerate.Sequence) string {
	var key []byte
	for _, o := range s {
		kind := in.model.Alphabet.Kinds[o.Kind]
		key = append(key, byte(kind.Method), outcomeIndex(in.theory.Spec.Methods, kind.Kind), byte(o.Target+1))
	}
	return string(key)
}

func outcomeIndex(ms []history.MethodSig, k history.Kind) byte {
	for _, m := range ms {
		for i, o := range m.Outcomes {
			if m.Name == k.Method && o.Outcome == k.Outcome {
				return byte(i)
			}
		}
	}
	return 255
}

func (in *inference) pattern(r *matching.Realizer, s enumerate.Sequence, weight int) (theory.Pattern, error) {
	e, ok := r.Exemplar(s)
	if !ok {
		return theory.Pattern{}, fmt.Errorf("patterns: a pattern has no execution: %v", s)
	}
	h := historyOf(in.model.Alphabet, s)
	return theory.Pattern{
		Weight:  weight,
		History: *h,
		Drawing: history.Draw(h, in.model.Alphabet.Texts(e)),
		Formula: formula.Embed(h),
	}, nil
}

// historyOf is a sequence over an alphabet as a history.
func historyOf(a *enumerate.Alphabet, s enumerate.Sequence) *history.History {
	h := &history.History{}
	for i, o := range s {
		h.Ops = append(h.Ops, history.Op{
			Kind: a.Kinds[o.Kind].Kind, Target: int(o.Target), ReadOnly: o.ReadOnly, Completed: true, Start: i, End: i,
		})
	}
	return h
}
