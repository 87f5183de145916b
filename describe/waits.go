package describe

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/adtinfer/adtinfer/describe/internal/teacher"
	"github.com/adtinfer/adtinfer/matching"
	"github.com/adtinfer/adtinfer/reference"
)

// Bounds of what is tried so that each method returns once.
const (
	waitCalls  = 4   // all words up to this length,
	waitRandom = 200 // then random words of so many calls
	waitLength = 20
)

// together refuses a reference with a method that waits whatever was called before, one
// call after the other: an exchanger, a barrier. By what runs alone show, an execution in
// which it returns would be a violation, and its calls may only return together.
func together(ctx context.Context, impl reference.Implementation) error {
	if _, nondeterministic := impl.(reference.Acceptor); nondeterministic {
		return nil
	}
	methods := impl.Methods()
	returned, tried := make([]bool, len(methods)), 0
	for round := 1; slices.Contains(returned, false); round++ {
		some := tries(methods, round)
		if some == nil {
			return needs(methods, returned, tried)
		}
		answers, err := impl.Replay(ctx, some)
		if err != nil {
			return nil // whoever looks further finds it, and says more
		}
		tried += len(some)
		for i, as := range answers {
			for k, a := range as {
				returned[some[i][k].Method] = returned[some[i][k].Method] || !a.Blocked
			}
		}
	}
	return nil
}

// tries are the words of a round: short ones, random ones, and long ones, in which each
// method is called often; nil after the last round.
func tries(methods []reference.Method, round int) (all []teacher.Word) {
	switch round {
	case waitCalls + 1:
		for i := range uint64(waitRandom) {
			all = append(all, teacher.NewGenerator(methods, 1<<38+i).Random(waitLength))
		}
	case waitCalls + 2:
		all = teacher.Long(methods, 0, 8*len(methods))
	default:
		if round <= waitCalls {
			all = append(teacher.Short(methods, round), teacher.NewGenerator(methods, 1<<38).Random(round))
		}
	}
	return all
}

// needs says which methods never returned.
func needs(methods []reference.Method, returned []bool, tried int) error {
	var waiting []string
	for i, m := range methods {
		if !returned[i] {
			waiting = append(waiting, m.Name)
		}
	}
	verb := "waits"
	if len(waiting) > 1 {
		verb = "wait"
	}
	advice := ""
	if len(waiting) < len(methods) {
		advice = "; leave out what other operations do not depend on with --skip"
	}
	return &matching.Unsupported{Reason: fmt.Sprintf("%s %s for ever in all of %d sequences of calls, one call after the other: operations that need each other, or another one that runs at the same time, cannot be described, since sequential runs do not show what they answer%s",
		strings.Join(waiting, ", "), verb, tried, advice)}
}
