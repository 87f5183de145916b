package describe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/adtinfer/adtinfer/describe/internal/judge"
	"github.com/adtinfer/adtinfer/describe/internal/refusal"
	"github.com/adtinfer/adtinfer/internal/driver"
	"github.com/adtinfer/adtinfer/patterns"
	"github.com/adtinfer/adtinfer/reference"
	"github.com/adtinfer/adtinfer/theory"
)

// What the search for patterns may take where something else describes the data type.
// Where nothing else does it may take more, but not any effort: there is still the
// reference itself. Who asks for patterns gets all that it takes.
const (
	mostCalls    = 2_000_000 // of the reference
	mostLiterals = 1_000_000 // that a solver is given

	callsAlone    = 5_000_000
	literalsAlone = 100_000_000
)

// patterns infers patterns and judges them; little is tried if something else
// describes the data type.
func (s *search) patterns(ctx context.Context, little bool) (*theory.Theory, error) {
	o, few, many := s.Patterns, mostLiterals, literalsAlone
	switch {
	case little:
		o.Calls = min(mostCalls, cmp.Or(o.Calls, mostCalls))
		o.Synthesis.Solver = metering(o.Synthesis.Solver, &few)
	case s.As == "" && !s.required():
		o.Calls = cmp.Or(o.Calls, callsAlone)
		o.Synthesis.Solver = metering(o.Synthesis.Solver, &many)
	}
	if s.Judge == nil {
		return patterns.Infer(ctx, s.impl, s.info, o)
	}
	j := *s.Judge
	j.Told, j.Lineup = s.told, s.mutants()
	return judge.Infer(ctx, s.impl, s.info, o, j)
}

// model is the theory that is the reference itself; err says why there are no
// patterns, nil that none were looked for.
func (s *search) model(ctx context.Context, err error) (*theory.Theory, error) {
	err = s.explained(ctx, err)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if s.Model == nil || s.Judge == nil {
		if err == nil { // patterns had their share of the time, and were not done
			err = fmt.Errorf("describe: nothing that describes the reference was found: %s: %w", strings.Join(s.tried, "; "), context.DeadlineExceeded)
		}
		return nil, err
	}
	s.Patterns.Progress("looking at what the reference does")
	t, broken := judge.Model(ctx, s.impl, s.info, *s.Model, brief(err), *s.Judge)
	if broken != nil && err != nil && ctx.Err() == nil {
		return nil, err
	}
	if broken == nil {
		broken = s.laws(ctx, t)
	}
	if broken == nil {
		broken = judge.Relax(t, t.Spec.Methods, s.info.MayFail)
	}
	return t, broken
}

// untried is an argument of a type with parts of which not all values are tried, where a
// type with as few would have no others.
type untried struct {
	method, of string
	number     int
	values     int
}

func (u *untried) Error() string {
	return fmt.Sprintf("argument %d of %s is a %s, of which only %d values are tried, and there are more", u.number, u.method, u.of, u.values)
}

// fewValues is up to how many values of a type are taken for all that there are.
const fewValues = 4

// untried is the first of a reference's arguments that is one, or nil.
func (s *search) untried() error {
	for _, m := range s.impl.Methods() {
		for p, d := range m.ArgDomain {
			if 0 < d && d <= fewValues && m.Params[p].Several(d) {
				return &untried{m.Name, m.Args[p], p + 1, d}
			}
		}
	}
	return nil
}

// Fails reports whether an error says that a description does not fit.
func Fails(err error) bool {
	var (
		wrong   *judge.Wrong
		blind   *judge.Blind
		empty   *judge.Empty
		differs *patterns.Disagrees
		refused *refusal.Refusal
		fault   *reference.Fault
		few     *untried
	)
	if errors.As(err, &fault) && fault.Reason == driver.Drops {
		return false // no description would have all of the answer
	}
	return refusal.Witness(err) || errors.As(err, &wrong) || errors.As(err, &blind) || errors.As(err, &empty) ||
		errors.As(err, &differs) || errors.As(err, &refused) || errors.As(err, &fault) || errors.As(err, &few) ||
		errors.Is(err, errEffort) || errors.Is(err, patterns.ErrNoEnd) || errors.Is(err, patterns.ErrTooMany)
}

// brief is the first line of what an error says, as people read it.
func brief(err error) string {
	if err == nil {
		return ""
	}
	var blind *judge.Blind
	if errors.As(err, &blind) {
		return fmt.Sprintf("those that were found do not see that: %s: %s", blind.Unseen[0].Name, blind.Unseen[0].Shows)
	}
	message := err.Error()
	for _, p := range []string{"judge: ", "synthesis: ", "patterns: ", "matching: ", "reference: "} {
		message = strings.TrimPrefix(message, p)
	}
	first, rest, _ := strings.Cut(message, "\n")
	if second, _, _ := strings.Cut(rest, "\n"); strings.HasSuffix(first, ":") {
		first += " " + strings.TrimPrefix(strings.TrimSpace(second), "matching: ")
	}
	return strings.TrimSuffix(first, ": these contradict each other")
}
